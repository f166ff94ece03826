"""What is exported: read back by our own readers it is the same, other parsers take it, and no lesson is forgotten."""

from __future__ import annotations

import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import ConfigError, Translator
from dragoman.cli.main import run
from dragoman.config import ReadOptions
from dragoman.corpus.formats import find_inputs, read_pairs
from dragoman.exchange import FORMATS, NOT_XML, ExchangePair, written
from dragoman.index.sources import SourceRecord, write_sources
from dragoman.learn.compaction import compact
from dragoman.model.directory import ModelDirectory, component_output
from dragoman.model.manifest import NOT_TO_TRANSLATE
from tests.unit.learn.support import make_model
from tests.unit.translate.support import PAIRS

ENDINGS = {"tmx": ".tmx", "xliff": ".xlf", "tsv": ".tsv"}
LANGUAGES = ("fr", "en-GB")
# TSV has one line for a pair, and the readers of XML refuse blank sides.
TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(lambda text: text.strip() != "")
LINE = TEXT.map(lambda text: "".join(text.split("\t")).replace("\n", "").replace("\r", "").replace("\0", "") or "x")
NAME = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp")), max_size=10)


def read_back(text: str, format: str) -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{ENDINGS[format]}"
        path.write_bytes(text.encode())
        (entry,) = find_inputs([path], *LANGUAGES, ReadOptions())
        pairs = list(read_pairs(entry, *LANGUAGES, ReadOptions()))
        return [(pair.source, pair.target, pair.origin.attributes.get("resname", pair.id)) for pair in pairs]


@pytest.mark.parametrize("format", ["tmx", "xliff"])
@given(pairs=st.lists(st.tuples(TEXT, TEXT, NAME), min_size=1, max_size=5))
def test_xml_comes_back(format: str, pairs: list[tuple[str, str, str]]) -> None:
    text = "".join(written([ExchangePair(*pair, {"note": pair[0]}) for pair in pairs], format, LANGUAGES))
    ElementTree.fromstring(text)
    found = read_back(text, format)
    sane = [tuple(NOT_XML.sub("\ufffd", part) for part in pair) for pair in pairs]
    assert [pair[:2] for pair in found] == [pair[:2] for pair in sane]
    assert [name for (*_, name), wanted in zip(found, sane, strict=True) if wanted[2]] == [p[2] for p in sane if p[2]]


@given(st.lists(st.tuples(LINE, LINE), min_size=1, max_size=5))
def test_tsv_comes_back(pairs: list[tuple[str, str]]) -> None:
    text = "".join(
        written([ExchangePair("source", "target"), *(ExchangePair(*pair) for pair in pairs)], "tsv", ("", ""))
    )
    found = [pair[:2] for pair in read_back(text, "tsv")]
    assert found == [pair for pair in pairs if "".join(pair).strip()]


def test_attributes_of_a_memory_come_back(tmp_path: Path) -> None:
    told = {"creationid": "ANNE", "changedate": "20200102T030405Z", "note": "a <b> & c", "prop:client": 'X "Y"'}
    text = "".join(written([ExchangePair("un", "one", "memo-17", told)], "tmx", LANGUAGES))
    (tmp_path / "a.tmx").write_text(text)
    (entry,) = find_inputs([tmp_path / "a.tmx"], *LANGUAGES, ReadOptions())
    (pair,) = read_pairs(entry, *LANGUAGES, ReadOptions())
    assert (pair.id, pair.origin.unit, dict(pair.origin.attributes)) == ("memo-17", "memo-17", told)


@pytest.mark.parametrize("format", ["tmx", "xliff"])
def test_formats_that_name_languages_need_them(format: str) -> None:
    with pytest.raises(ConfigError, match="write TSV instead"):
        list(written([], format, ("", "en")))


@pytest.mark.parametrize("format", list(FORMATS))
@pytest.mark.parametrize("way", ["by name", "by flag", "to standard output"])
def test_translations(format: str, way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = make_model(tmp_path / "fr-en.model")
    (tmp_path / "a.txt").write_text("La maison bleue. Le chat noir dort.\n\nUne voiture\n")
    out = tmp_path / (f"out{ENDINGS[format]}" if way == "by name" else "out")
    call = ["translate", "-m", str(model), str(tmp_path / "a.txt")]
    call += [] if way == "by name" else ["--to", format]
    assert run(call if way == "to standard output" else [*call, "-o", str(out)]) == 0
    text = capsys.readouterr().out if way == "to standard output" else out.read_text()
    assert [pair[:2] for pair in read_back(text, format)] == [
        ("La maison bleue.", "The blue house."),
        ("Le chat noir dort.", "The black cat sleeps."),
        ("Une voiture", "A car"),
    ]
    assert ("MT" in text) == (format == "tmx")
    assert ("mt-suggestion" in text) == (format == "xliff")
    assert "approved" not in text
    assert run([*call, "--json", "--to", format]) == 2


def test_an_interrupted_export_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = make_model(tmp_path / "fr-en.model")
    (tmp_path / "a.txt").write_bytes(b"la maison\n" * 100 + b"\xff\n")
    assert run(["translate", "-m", str(model), str(tmp_path / "a.txt"), "-o", str(tmp_path / "a.tmx")]) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "fr-en.model"]


def with_sources(model: Path) -> Path:
    with component_output(model, "sources.bin") as path:
        write_sources(
            path,
            (
                SourceRecord(number, f"memo:{number}", *pair[:2], "memo.tsv", number + 1)
                for number, pair in enumerate(PAIRS)
            ),
        )
    return model


@pytest.mark.parametrize("sources", [True, False])
@pytest.mark.parametrize("compacted", [True, False])
def test_lessons(sources: bool, compacted: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = make_model(tmp_path / "fr-en.model")
    if sources:
        with_sources(model)
    translator = Translator.load(model)
    translator.add("Le zorglub dort.", "The snark sleeps.", "one")
    translator.add("Le zorglub court.", "The snark walks.", "two")
    translator.add("gone", "gone", "gone")
    translator.remove("gone")
    if compacted:
        compact(model)
    translator.add("Le zorglub court.", "The snark runs.", "two")
    expected = {
        "one": ("Le zorglub dort.", "The snark sleeps."),
        "two": ("Le zorglub court.", "The snark runs."),
    }
    found = {each.ids[0]: (each.source, each.target) for each in Translator.load(model).lessons()}
    if compacted and not sources:
        # The words are all that is left of it.
        assert found.pop("one")[0].lower().startswith("le zorglub dort")
        del expected["one"]
    assert found == expected
    assert run(["export", "-m", str(model), "-o", str(tmp_path / "a.tmx")]) == 0
    assert "2 pairs" in capsys.readouterr().err
    assert {name for *_, name in read_back((tmp_path / "a.tmx").read_text(), "tmx")} == {"one", "two"}
    code = run(["export", "-m", str(model), "--all", "-o", str(tmp_path / "all.xlf")])
    assert code == (0 if sources else 2)
    if sources:
        text = (tmp_path / "all.xlf").read_text()
        assert text.count('approved="yes"') == text.count("<trans-unit ")
        everything = read_back(text, "xliff")
        assert len(everything) == len(PAIRS) + 2
        assert {pair[:2] for pair in everything} >= {pair[:2] for pair in PAIRS}


def test_what_was_exported_teaches_another_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = make_model(tmp_path / "first.model"), make_model(tmp_path / "second.model")
    Translator.load(first).add("Le zorglub dort.", "The snark sleeps.", "one")
    for ending in (".tmx", ".xlf", ".tsv"):
        path = str(tmp_path / f"lessons{ending}")
        assert run(["export", str(first), "-o", path]) == 0
        assert run(["add", "-m", str(second), path]) == 0
    assert str(Translator.load(second).translate("Le zorglub dort.")) == "The snark sleeps."
    assert run(["export", str(first)]) == 0
    assert capsys.readouterr().out == "Le zorglub dort.\tThe snark sleeps.\n"


@pytest.mark.parametrize("slim", [True, False])
def test_an_archive_says_what_it_holds(slim: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = with_sources(make_model(tmp_path / "fr-en.model"))
    expected = str(Translator.load(model).translate("La maison bleue."))
    assert run(["pack", "-m", str(model), *(["--translate-only"] if slim else [])]) == 0
    said = capsys.readouterr().err
    assert "contains the training text" in said
    assert ("in the words of the model" in said) == slim
    assert ("align.bin, sources.bin" in said) == slim
    assert run(["unpack", str(tmp_path / "fr-en.model.dragoman"), "-o", str(tmp_path / "copy")]) == 0
    copy = Translator.load(tmp_path / "copy")
    assert str(copy.translate("La maison bleue.")) == expected
    assert any(map(copy.model.has, NOT_TO_TRANSLATE)) != slim
    assert ModelDirectory.open(tmp_path / "copy", verify=True)
    assert copy.explain("La maison bleue.").text == expected
    if slim:
        with pytest.raises(ConfigError, match=r"has no align\.bin"):
            copy.add("un", "one")
