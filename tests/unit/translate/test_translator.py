"""Raw text through a whole model: nothing lost, nothing invented, and what was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError, FormatError, InputError
from dragoman.evaluate.kbest import KBestEntry, kbest_line, read_kbest
from dragoman.glossary import Glossary
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest
from dragoman.process_memory import anonymous_bytes
from dragoman.translator import Translator
from tests.unit.translate.support import make_model

BOTH = pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("model") / "fr-en.model")


@pytest.fixture(scope="module")
def translator(model: Path) -> Translator:
    return Translator.load(model)


@BOTH
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("La maison bleue.", "The blue house."),
        ("", ""),
        ("   ", "   "),
        ("Une maison.  Le chat dort.", "A house.  The cat sleeps."),
        ("LA MAISON BLEUE.", "THE BLUE HOUSE."),
        ("Une maison.\n\nLe chat dort.", "A house.\n\nThe cat sleeps."),
    ],
)
def test_text(translator: Translator, decoder: str, source: str, target: str) -> None:
    result = translator.translate(source, DecodeOptions(decoder=decoder))
    assert result.text == target
    assert str(result) == result.text


@BOTH
@pytest.mark.parametrize(
    "kept",
    [
        "https://example.org/a?b=C&d=%20",
        "user@Example.org",
        "{0}",
        "%s",
        "%(name)s",
        "[X12X]",
        "${HOME}",
        "Qwertz",
        "3.11.2",
        "x²",
    ],
)
def test_what_nobody_translates_comes_through(translator: Translator, decoder: str, kept: str) -> None:
    result = translator.translate(f"Le chat voit {kept} et la maison.", DecodeOptions(decoder=decoder))
    assert result.text.count(kept) == 1
    for sentence in result.sentences:
        assert sentence.protected_in == sentence.protected_out


@BOTH
def test_tags_hold_what_they_enclose(translator: Translator, decoder: str) -> None:
    result = translator.translate("La <b>maison bleue</b> dort.", DecodeOptions(decoder=decoder))
    assert "<b>" in result.text
    inside = result.text.split("<b>")[1].split("</b>")[0]
    assert sorted(inside.lower().split()) == ["blue", "house"]


@BOTH
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('Une <t to="Maison™  blanche">maison</t>.', "Maison™  blanche"),
        ('Une <t to="hut|shack">maison</t> bleue.', ("hut", "shack")),
        ("Le <keep>chat noir, OUI</keep> dort.", "chat noir, OUI"),
        ("Le <keep>chat. Le</keep> dort.", "chat. Le"),
        ("un<keep>break</keep>able", "break"),
    ],
)
def test_markup(translator: Translator, decoder: str, source: str, expected: str | tuple[str, ...]) -> None:
    text = translator.translate(source, DecodeOptions(decoder=decoder, markup=True)).text
    choices = (expected,) if isinstance(expected, str) else expected
    assert sum(text.count(choice) for choice in choices) == 1
    assert "<t" not in text
    assert "{d" not in text


@pytest.mark.parametrize("bad", ["<keep>a", "a</keep>", '<keep><t to="b">a</t></keep>', '<t to="">a</t>'])
def test_bad_markup_names_the_line(translator: Translator, bad: str) -> None:
    with pytest.raises(InputError, match="line 2: the markup"):
        translator.translate(["ok", bad], DecodeOptions(markup=True))


def test_markup_is_text_unless_asked_for(translator: Translator) -> None:
    assert "<keep>" in translator.translate("Le <keep>chat</keep> dort.").text


@BOTH
def test_glossary(translator: Translator, decoder: str) -> None:
    options = DecodeOptions(decoder=decoder)
    text = translator.translate("La Maison bleue, la maison.", options, glossary={"maison": "Mansion House"}).text
    assert text.count("Mansion House") == 2
    longest = translator.translate(
        "La maison bleue.", options, glossary=[("maison", "hut"), ("maison bleue", "Blue Mansion")]
    ).text
    assert "Blue Mansion" in longest
    assert "hut" not in longest
    assert (
        "chat noir"
        in translator.translate("Le chat noir dort.", options, glossary=Glossary("# kept\nchat noir\n")).text
    )


@BOTH
def test_a_very_long_line(translator: Translator, decoder: str) -> None:
    words = ["la", "maison", "xyzzy", ",", "le", "chat"] * 400
    result = translator.translate(" ".join(words), DecodeOptions(decoder=decoder, pop_limit=5))
    assert result.text.lower().count("xyzzy") == 400
    assert "\n" not in result.text


@pytest.mark.parametrize(
    "text",
    [
        "a\u200fb \u202bla maison\u202c",
        "la\u0007maison",
        "\ufeffla maison",
        "🏠 la maison 👍🏽",
        "\u2028",
        "|||",
        "[X,1]",
    ],
)
def test_odd_characters(translator: Translator, text: str) -> None:
    assert translator.translate(text).text


def test_scores_are_features_times_weights(translator: Translator) -> None:
    result = translator.translate("Le chat voit la maison bleue.", nbest=20)
    assert len({each.text for each in result.alternatives}) == len(result.alternatives) > 5
    for each in result.alternatives:
        product = sum(
            translator.weights[name] * value for name, value in each.features.items() if name in translator.weights
        )
        assert each.score == pytest.approx(product, abs=1e-6)
    assert [each.score for each in result.alternatives] == sorted(
        (each.score for each in result.alternatives), reverse=True
    )


def test_alternatives_of_two_sentences(translator: Translator) -> None:
    result = translator.translate("La maison. Le chat voit la maison.", nbest=10)
    assert len(result.sentences) == 2
    assert len(result.alternatives) == 10
    assert result.alternatives[0].score == pytest.approx(sum(each.score for each in result.sentences))


@BOTH
def test_explanation(translator: Translator, decoder: str) -> None:
    sentence = translator.translate("La maison bleue.", DecodeOptions(decoder=decoder), explain=True).sentences[0]
    assert sentence.phrases
    assert {each.stable_id for phrase in sentence.phrases for each in phrase.origins} & {0, 1, 3}
    assert all(phrase.origin_count >= len(phrase.origins) > 0 for phrase in sentence.phrases)
    assert (1, 2) in sentence.alignment


def test_why(translator: Translator) -> None:
    found = translator.why("La maison bleue.", "the blue house.")
    assert found.possible
    assert found.score == pytest.approx(translator.translate("La maison bleue.").score, abs=1e-6)
    assert translator.why("La maison bleue.", "the green house.").missing == ["green"]


def test_threads_do_not_show(translator: Translator) -> None:
    lines = ["La maison bleue.", "Le chat dort.", "", "Une voiture xyzzy."] * 5
    assert translator.translate(lines, threads=3, nbest=3) == translator.translate(lines, threads=1, nbest=3)


def test_a_model_without_lm_or_weights(tmp_path: Path) -> None:
    bare = Translator.load(make_model(tmp_path / "bare", lm=False, weights=False, tokenizer="none"))
    # Nothing but the rules says in which order.
    assert sorted(bare.translate("la maison bleue .").text.split()) == [".", "blue", "house", "the"]
    assert bare.translate("la maison .", DecodeOptions(distortion_limit=0)).text == "the house ."
    assert bare.translate("zut ||| [X,1]").text.split().count("|||") == 1


@pytest.mark.parametrize(
    ("line", "error", "says"),
    [
        ("Unheard 1\n", ConfigError, "Unheard"),
        ("LanguageModel nan\n", InputError, "LanguageModel"),
        ("Glue\n", InputError, "line 1"),
    ],
)
def test_bad_weights_of_a_model(tmp_path: Path, line: str, error: type[Exception], says: str) -> None:
    path = make_model(tmp_path / "model", lm=False)
    (path / "weights.txt").write_text(line)
    with pytest.raises(error, match=says):
        Translator.load(path)


def test_no_model_and_a_model_without_a_bitext(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="nowhere"):
        Translator.load(tmp_path / "nowhere")
    with building_model(tmp_path / "empty", Manifest("fr", "en")):
        pass
    with pytest.raises(FormatError, match=r"vocab\.bin"):
        Translator.load(tmp_path / "empty")


def test_kbest_lines_round_trip() -> None:
    line = kbest_line(3, "a b", {"P": 0.1, "LanguageModel": -12.345678912}, -1.5)
    assert line == "3 ||| a b ||| P=0.1 LanguageModel=-12.34567891 ||| -1.5"
    assert next(read_kbest([line])) == KBestEntry("3", "a b", {"P": 0.1, "LanguageModel": -12.34567891}, -1.5)
    with pytest.raises(InputError, match="line 1"):
        list(read_kbest(["a ||| b"]))


@pytest.mark.parametrize("text", ["a ||| b", "|||", "a|||| &#124; b", "&amp;#124; &amp; R&D", "a || b"])
def test_kbest_text_may_contain_the_separator(text: str) -> None:
    line = kbest_line(0, text, {}, 0.0)
    assert line.count("|||") == 3
    assert next(read_kbest([line])).text == text


@pytest.fixture
def source_file(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_text("La maison bleue.\n\nLe chat dort.\nxyzzy\n", encoding="utf-8")
    return path


def test_command_gives_a_line_for_each_line(model: Path, source_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["translate", "-m", str(model), str(source_file)]) == 0
    assert capsys.readouterr().out == "The blue house.\n\nThe cat sleeps.\nxyzzy\n"


def test_command_json(model: Path, source_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["translate", "-m", str(model), "--json", "--nbest", "2", "--threads", "2", str(source_file)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["line"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["text"] == "The blue house."
    assert len(rows[0]["alternatives"]) == 2
    assert rows[0]["sentences"][0]["phrases"][0]["origins"]
    assert rows[3]["sentences"][0]["oov"] == [0]


def test_command_nbest_alignments_explain(model: Path, source_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["translate", "-m", str(model), "--nbest", "3", str(source_file)]) == 0
    entries = list(read_kbest(capsys.readouterr().out.splitlines()))
    assert [entry.id for entry in entries[:3]] == ["0", "0", "0"]
    assert run(["translate", "-m", str(model), "--alignments", str(source_file)]) == 0
    assert capsys.readouterr().out.splitlines()[0].split("\t")[1] == "0-0 1-2 2-1 3-3"
    assert run(["translate", "-m", str(model), "--explain", "--decoder", "phrase-based", str(source_file)]) == 0
    assert "seen" in capsys.readouterr().out


def test_byte_order_marks_and_carriage_returns(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What Windows programs write: neither becomes a word of the text or of a term."""
    text, terms = model.parent / "windows.txt", model.parent / "windows.tsv"
    text.write_bytes(b"\xef\xbb\xbfMaison.\r\n\r\nMaison.\r\n")
    terms.write_bytes(b"\xef\xbb\xbfmaison\tMansion\r\n")
    assert run(["translate", "-m", str(model), "--glossary", str(terms), str(text)]) == 0
    assert capsys.readouterr().out == "Mansion.\n\nMansion.\n"
    assert Translator.load(model).translate("Maison.", glossary=terms).text == "Mansion."


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--pop-limit", "0"], 2, "--pop-limit"),
        (["--decoder", "magic"], 2, "decoder"),
        (["--json", "--explain"], 2, "--json"),
        (["--nbest", "2", "--alignments"], 2, "--json"),
        (["--glossary", "no-such-file"], 1, "no-such-file"),
        (["--weights", "no-such-file"], 1, "no-such-file"),
    ],
)
def test_command_refuses(
    model: Path, source_file: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, says: str
) -> None:
    assert run(["translate", "-m", str(model), *arguments, str(source_file)]) == code
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error
    assert error.count("\n") == 1


def test_command_names_the_line_that_is_no_text(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.txt"
    path.write_bytes(b"La maison.\n\xff\xfe\n")
    assert run(["translate", "-m", str(model), str(path)]) == 1
    assert "line 2" in capsys.readouterr().err


@BOTH
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_memory_does_not_grow_with_what_was_translated(translator: Translator, decoder: str) -> None:
    options = DecodeOptions(decoder=decoder)
    lines = [" ".join(["la maison bleue", "le chat noir dort", "oui"] * (n % 7)) for n in range(50)]
    translator.translate(lines, options)
    before = anonymous_bytes() or 0
    # A long one in between takes much memory, and gives it back.
    translator.translate(" ".join(lines), options)
    for _ in range(20):
        translator.translate(lines, options)
    assert (anonymous_bytes() or 0) - before < 2 << 20
