"""Files that say their languages: those that contradict the model's are refused, in every format that can say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.corpus.languages import contradict, direction_of
from dragoman.documents import StatesLanguages, read_document, translate_document
from dragoman.errors import InputError
from dragoman.translator import Translator
from tests.unit.translate.support import TEXTS, make_model

TEXT = "La maison bleue."
# What a file is called, and what it looks like when it says these languages; an empty code says nothing.
SAYING_SOURCE = {
    "1.xlf": '<xliff version="1.2"><file source-language="{}"><body><trans-unit id="1"><source>%s</source>'
    "</trans-unit></body></file></xliff>",
    "2.xlf": '<xliff version="2.0" srcLang="{}"><file id="f"><unit id="1"><segment><source>%s</source></segment>'
    "</unit></file></xliff>",
    "a.po": 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"X-Source-Language: {}\\n"\n\n'
    'msgid "%s"\nmsgstr ""\n',
    "a.html": '<html lang="{}"><body><p>%s</p></body></html>',
    "b.html": '<html><body lang="{}"><p>%s</p></body></html>',
    "c.html": '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="{}"><body><p>%s</p></body></html>',
    "a.ts": '<TS version="2.1" sourcelanguage="{}"><context><name>c</name><message><source>%s</source>'
    '<translation type="unfinished"></translation></message></context></TS>',
    "a.vtt": "WEBVTT\nKind: captions\nLanguage: {}\n\n00:01.000 --> 00:02.000\n%s\n",
}
SAYING_TARGET = {
    "1.xlf": '<xliff version="1.2"><file source-language="fr" target-language="{}"><body><trans-unit id="1">'
    "<source>%s</source></trans-unit></body></file></xliff>",
    "2.xlf": '<xliff version="2.1" srcLang="fr" trgLang="{}"><file id="f"><unit id="1"><segment><source>%s</source>'
    "</segment></unit></file></xliff>",
    "a.ts": '<TS version="2.1" language="{}"><context><name>c</name><message><source>%s</source>'
    '<translation type="unfinished"></translation></message></context></TS>',
    "several.xlf": '<xliff version="1.2"><file target-language="en"><body/></file><file target-language="{}"><body>'
    '<trans-unit id="1"><source>%s</source></trans-unit></body></file></xliff>',
    "a.po": 'msgid ""\nmsgstr ""\n"Language: {}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    'msgid "%s"\nmsgstr ""\n',
}
FILES = [
    *(("source", name, text) for name, text in SAYING_SOURCE.items()),
    *(("target", name, text) for name, text in SAYING_TARGET.items()),
]
FITTING = {"source": ["fr", "FR", "fr-CA", "fr_FR", "fra", "fre", "", "und"], "target": ["en", "en-GB", "eng", ""]}
CONTRADICTING = {"source": ["es", "en", "es-MX", "eu", "frr"], "target": ["es", "fr", "zh_TW", "cy"]}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("model") / "fr-en.model")


@pytest.fixture(scope="module")
def translator(model: Path) -> Translator:
    return Translator.load(model)


def test_the_locale_of_arb(translator: Translator) -> None:
    file = '{"@@locale": "%s", "house": "La maison bleue."}'
    assert b"blue house" in translate_document((file % "fr_CA").encode(), "a.arb", translator)
    with pytest.raises(InputError, match="Spanish"):
        translate_document((file % "es").encode(), "a.arb", translator)


@pytest.mark.parametrize(("side", "name", "text"), FILES)
def test_languages_that_contradict_the_model_are_refused(
    translator: Translator, side: str, name: str, text: str
) -> None:
    for code in CONTRADICTING[side]:
        data = (text % TEXT).format(code).encode()
        with pytest.raises(InputError, match=r"but the model translates from French \(fr\) into English \(en\)"):
            translate_document(data, name, translator)
        assert b"blue house" in translate_document(data, name, translator, force=True)
    for code in FITTING[side]:
        assert b"blue house" in translate_document((text % TEXT).format(code).encode(), name, translator)


def test_formats_that_can_say_their_languages_do() -> None:
    for _, name, text in FILES:
        assert isinstance(read_document((text % TEXT).format("fr").encode(), name), StatesLanguages)
    assert not isinstance(read_document(b"La maison", "a.txt"), StatesLanguages)


@pytest.mark.parametrize(("side", "name", "text"), FILES)
def test_the_command_writes_nothing_and_goes_on_when_forced(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], side: str, name: str, text: str
) -> None:
    file, out = tmp_path / name, tmp_path / f"out.{name}"
    file.write_text((text % TEXT).format("es"))
    command = ["translate-file", "-m", str(model), str(file), "--out", str(out)]
    assert run(command) == 1
    said = capsys.readouterr().err
    assert "Spanish (es)" in said
    assert "--force" in said
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert run([*command, "--force"]) == 0
    assert "blue house" in out.read_text()


def test_a_file_in_another_language_is_translated_with_a_word(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for code, said in (("de", 1), ("fr", 0)):
        (tmp_path / f"{code}.txt").write_text("\n".join(TEXTS[code]))
        assert run(["translate-file", "-m", str(model), str(tmp_path / f"{code}.txt")]) == 0
        assert capsys.readouterr().err.count("looks like German, not French") == said


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("en-US", "en-GB", False),
        ("no", "nb", False),
        ("nn", "nb", True),
        ("iw", "he", False),
        ("zh-TW", "zh-Hant", False),
        ("zh-TW", "zh-Hans", True),
        ("zh", "zh-Hant", False),
        ("sr-Latn", "sr-Cyrl", True),
        ("sh", "hr", False),
        ("pt_BR.UTF-8", "por", False),
        ("fr", "frr", True),
        ("*all*", "fr", False),
        ("${lang}", "fr", False),
        ("", "fr", False),
        ("mul", "fr", False),
    ],
)
def test_codes_that_contradict_each_other(one: str, other: str, differ: bool) -> None:
    assert contradict(one, other) is differ
    assert contradict(other, one) is differ


@pytest.mark.parametrize(
    ("code", "direction"),
    [("ar", "rtl"), ("ara", "rtl"), ("he-IL", "rtl"), ("iw", "rtl"), ("fa_IR", "rtl"), ("ckb", "rtl"),
     ("az-Arab", "rtl"),
     ("ar-Latn", "ltr"), ("en", "ltr"), ("ja", "ltr"), ("", "ltr"), ("dv", "rtl"), ("ug-Cyrl", "ltr"), ("yi", "rtl")],
)  # fmt: skip
def test_direction(code: str, direction: str) -> None:
    assert direction_of(code) == direction
