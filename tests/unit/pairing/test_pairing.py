"""Bilingual text from documents: which files belong together, their sentences, the pairs, and the files of pairs."""

from __future__ import annotations

import itertools
import json
import lzma
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.pairing import CORPORA, gold_documents, score
from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.cli.main import dragoman_command
from dragoman.config import AlignOptions, PairOptions, ReadOptions
from dragoman.corpus.pair import Account, Origin, SentencePair
from dragoman.corpus.text_pairs import read_tsv
from dragoman.corpus.tmx import read_tmx
from dragoman.documents import Columns
from dragoman.documents.segment import Tag
from dragoman.errors import ConfigError, InputError
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest
from dragoman.pairing import pair_documents, write_pairs
from dragoman.pairing.beads import Sentences, encode, find_beads
from dragoman.pairing.folders import match_paths
from dragoman.pairing.sentences import read_sentences, segment_text
from tests.unit.documents.office.packages import open_document, word
from tests.unit.translate.support import make_model

PHRASEBOOK = Path(__file__).parents[3] / "examples" / "demo" / "phrasebook.tsv"


def phrases() -> list[tuple[str, str]]:
    """Pairs of one sentence each."""
    pairs = [tuple(line.split("\t")) for line in PHRASEBOOK.read_text(encoding="utf-8").splitlines()[1:]]
    return [(pair[0], pair[1]) for pair in pairs if all(text.count(".") + text.count("?") == 1 for text in pair[:2])]


@pytest.fixture
def pages(tmp_path: Path) -> tuple[Path, Path, set[tuple[str, str]]]:
    """The phrasebook as two pages, of which each lacks some sentences of the other; and the pairs they share."""
    rng = random.Random(3)
    ours, theirs, shared = [], [], set()
    for source, target in phrases():
        chance = rng.random()
        if chance > 0.05:
            ours.append(source)
        if not 0.05 < chance < 0.1:
            theirs.append(target)
        if chance > 0.1:
            shared.add((source, target))
    for name, sentences in (("guide.fr.html", ours), ("guide.en.html", theirs)):
        paragraphs = "".join(f"<p>{' '.join(sentences[at : at + 4])}</p>\n" for at in range(0, len(sentences), 4))
        (tmp_path / name).write_text(f"<html><body>{paragraphs}</body></html>", encoding="utf-8")
    return tmp_path / "guide.fr.html", tmp_path / "guide.en.html", shared


def test_pairs_of_two_pages(pages: tuple[Path, Path, set[tuple[str, str]]]) -> None:
    source, target, shared = pages
    paired = pair_documents([(source, target)], "fr", "en")
    found = {(pair.source, pair.target) for pair in paired.pairs}
    assert len(found & shared) > 0.85 * len(shared)
    assert len(found & shared) > 0.9 * len(found)
    covered = [sum(count * int(kind.split("-")[side]) for kind, count in paired.beads.items()) for side in (0, 1)]
    assert covered == [paired.source_sentences, paired.target_sentences]
    whole = sum(count for kind, count in paired.beads.items() if "0" not in kind)
    assert whole == len(paired.pairs) + paired.low_quality
    stricter = pair_documents([(source, target)], "fr", "en", PairOptions(least_quality=0.99))
    assert {pair.id for pair in stricter.pairs} < {pair.id for pair in paired.pairs}
    assert all(float(pair.origin.attributes["quality"]) >= 0.99 for pair in stricter.pairs)


def test_documents_teach_each_other(pages: tuple[Path, Path, set[tuple[str, str]]], tmp_path: Path) -> None:
    """A text too short to learn from is paired by the words of the others."""
    ours = ["Je voudrais un café.", "Où est la gare ?", "Le train est en retard.", "Elle va bien, merci."]
    theirs = ["I would like a coffee.", "The train is late.", "She is fine, thank you."]
    for name, sentences in (("a.txt", ours), ("b.txt", theirs)):
        (tmp_path / name).write_text(" ".join(sentences), encoding="utf-8")
    few = (tmp_path / "a.txt", tmp_path / "b.txt")

    def found(documents: list[tuple[Path, Path]]) -> set[tuple[str, str]]:
        pairs = pair_documents(documents, "fr", "en").pairs
        return {(pair.source, pair.target) for pair in pairs if pair.origin.file.endswith("a.txt")}

    assert (ours[0], theirs[0]) in found([pages[:2], few])
    assert (ours[0], theirs[0]) not in found([few])


def test_documents_that_are_no_translations(pages: tuple[Path, Path, set[tuple[str, str]]], tmp_path: Path) -> None:
    sentences = [target for _, target in phrases()]
    random.Random(1).shuffle(sentences)
    (tmp_path / "other.txt").write_text("\n".join(sentences), encoding="utf-8")
    paired = pair_documents([(pages[0], tmp_path / "other.txt")], "fr", "en")
    assert len(paired.pairs) < 0.25 * paired.source_sentences
    assert paired.doubtful == [(pages[0], tmp_path / "other.txt")]
    assert not pair_documents([pages[:2]], "fr", "en").doubtful


@pytest.mark.parametrize(
    ("ours", "theirs", "wanted"),
    [
        (["fr/a.html", "fr/sub/b.md"], ["en/a.html", "en/sub/b.md"], {("a.html", "a.html"), ("b.md", "b.md")}),
        (["x/a.fr.html"], ["y/a.en.txt"], {("a.fr.html", "a.en.txt")}),
        (["x/a_fr.html", "x/a_en.html"], ["x/a_en.html"], {("a_fr.html", "a_en.html")}),
        (["x/fr-guide.md", "x/only.md"], ["y/en-guide.md"], {("fr-guide.md", "en-guide.md")}),
        (["x/a.html", "x/.git/b.html", "x/c.po"], ["y/a.html", "y/.git/b.html", "y/c.po"], {("a.html", "a.html")}),
    ],
)
def test_folders(tmp_path: Path, ours: list[str], theirs: list[str], wanted: set[tuple[str, str]]) -> None:
    for name in ours + theirs:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")
    folders = [tmp_path / names[0].split("/")[0] for names in (ours, theirs)]
    assert {(a.name, b.name) for a, b in match_paths(folders, "fr", "en").pairs} == wanted


def test_what_cannot_be_matched(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "a.txt").write_text("text")
    (tmp_path / "two" / "b.txt").write_text("text")
    for paths, error, sentence in (
        ([], ConfigError, "in twos"),
        (["one"], ConfigError, "in twos"),
        (["one", "two"], InputError, "no document in"),
        (["one", "two/b.txt"], ConfigError, "both be files"),
        (["one/a.txt", "two/c.txt"], InputError, "no such file"),
    ):
        with pytest.raises(error, match=sentence):
            match_paths([tmp_path / path for path in paths], "fr", "en")


def test_sentences_of_documents(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<h1>Titre</h1><p>Un <b>petit</b> test. Lancez <code>ls -l</code> !</p><script>no()</script>")
    found = read_sentences(page, "fr")
    assert found.texts == ["Titre", "Un petit test.", "Lancez ls -l !"]
    assert found.paragraphs == [0, 1]
    text = tmp_path / "a.txt"
    text.write_text("One line that\nis wrapped. Another\n  one.\n \nNext paragraph.\n")
    assert read_sentences(text, "en", wrapped=True).texts == [
        "One line that is wrapped.",
        "Another one.",
        "Next paragraph.",
    ]
    assert read_sentences(text, "en").texts[0] == "One line that"
    catalogue = tmp_path / "a.po"
    catalogue.write_text('msgid "a"\nmsgstr "b"\n')
    with pytest.raises(InputError, match="both languages already"):
        read_sentences(catalogue, "fr")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("`ls`", "ls"),
        ("<kbd>A &amp; B</kbd>", "A & B"),
        ("<img src='x'>", ""),
        ("<w:tab/>", " "),
        ("<text:line-break/>", " "),
        ("<w:footnoteReference w:id='2'/>", ""),
        ("<text:note><text:note-body>aside</text:note-body></text:note>", ""),
        ("{name}", "{name}"),
        ("%1$s", "%1$s"),
        ("{\\an8}", ""),
        ("[^1]", ""),
    ],
)
def test_tags_that_stand_for_text(raw: str, text: str) -> None:
    assert segment_text(("a", Tag("<b>", 1), "b", Tag(raw), "c", Tag("</b>", 1, True))) == f"ab{text}c"


def as_table(rows: list[list[str]]) -> str:
    cells = ([f"p{number}", " ".join(row).replace('"', '""'), "x"] for number, row in enumerate(rows))
    return "id;text;state\n" + "".join(f'{name};"{text}";{state}\n' for name, text, state in cells)


def as_subtitles(rows: list[list[str]]) -> str:
    return "\n".join(
        f"{number}\n00:{number // 60:02}:{number % 60:02},000 --> 00:{number // 60:02}:{number % 60:02},900\n"
        + "\n".join(row)
        + "\n"
        for number, row in enumerate(rows, 1)
    )


# How paragraphs of sentences are written in formats that are no text of their own.
WRITERS: dict[str, Callable[[list[list[str]]], bytes]] = {
    "docx": lambda rows: word("".join(f"<w:p><w:r><w:t>{' '.join(row)}</w:t></w:r></w:p>" for row in rows)),
    "odt": lambda rows: open_document("text", "".join(f"<text:p>{' '.join(row)}</text:p>" for row in rows)),
    "json": lambda rows: json.dumps({f"p{number}": " ".join(row) for number, row in enumerate(rows)}).encode(),
    "srt": lambda rows: as_subtitles(rows).encode(),
    "csv": lambda rows: as_table(rows).encode(),
}


@pytest.mark.parametrize("suffix", WRITERS)
def test_documents_of_other_formats(tmp_path: Path, suffix: str) -> None:
    """What stands around the text is no part of a pair, and the command reads what the library does."""
    sides = list(zip(*(pair for pair in phrases() if not re.search('[&<"]', "".join(pair))), strict=True))
    paths = [tmp_path / f"guide.{lang}.{suffix}" for lang in ("fr", "en")]
    for path, sentences in zip(paths, sides, strict=True):
        rows = [list(sentences[at : at + 2]) for at in range(0, len(sentences), 2)]
        path.write_bytes(WRITERS[suffix](rows))
    column = ("text",) if suffix == "csv" else ()
    paired = pair_documents([(paths[0], paths[1])], "fr", "en", columns=Columns(column))
    wanted = set(zip(*sides, strict=True))
    found = {(pair.source, pair.target) for pair in paired.pairs}
    assert len(found & wanted) > 0.9 * len(wanted)
    options = ["-s", "fr", "-t", "en", "-o", tmp_path / "out.tsv", *(("--column", column[0]) if column else ())]
    code, _, error = run(*paths, *options)
    assert code == 0, error
    back = list(read_tsv(tmp_path / "out.tsv", "fr", "en", ReadOptions(), Account()))
    assert {(pair.source, pair.target) for pair in back} == found


def test_which_columns_of_a_table(tmp_path: Path) -> None:
    """Nobody is told of an option that the command lacks, and tables in folders are not passed over silently."""
    rows = [list(pair) for pair in phrases()]
    for side, lang in enumerate(("fr", "en")):
        (tmp_path / lang).mkdir()
        (tmp_path / lang / "a.csv").write_text(as_table([row[side : side + 1] for row in rows]))
    languages = ("-s", "fr", "-t", "en", "-o", tmp_path / "x.tsv", "--overwrite")
    tables = [tmp_path / lang / "a.csv" for lang in ("fr", "en")]
    folders = [tmp_path / lang for lang in ("fr", "en")]
    for arguments, sentence in (
        (tables, "say which columns hold the text, with --column; it has 1 (id), 2 (text), 3 (state)"),
        ((*tables, "--column", "texte"), "no column 'texte', but 1 (id), 2 (text)"),
        (folders, "of tables such as a.csv, say with --column which columns hold the text"),
    ):
        code, _, error = run(*arguments, *languages)
        assert code != 0 and sentence in error
    for arguments in ((*tables, "--column", "2"), (*folders, "--column", "text")):
        code, printed, error = run(*arguments, *languages, "--json")
        assert code == 0, error
        assert json.loads(printed)["pairs"] > 0.8 * len(rows)
    for lang, text in (("fr", "Où est la gare ?"), ("en", "Where is the station?")):
        (tmp_path / lang / "b.txt").write_text(text)
    code, printed, error = run(*folders, *languages, "--least-quality", "0", "--json")
    assert code == 0 and json.loads(printed)["tables"] == sorted(map(str, tables))
    assert all(f"{path}: left out; --column" in error for path in tables)
    code, _, error = run(*(folder / "b.txt" for folder in folders), *languages, "--column", "text")
    assert code != 0 and "none of the documents is one" in error


HARD = [
    ("a < b & \"c\" 'd' ]]>", "tab\there\nand line"),
    ("control \x01\x0b kept out", "noncharacter \ufffe \ud800"),
    ("<b>no markup</b>", "&amp; as it is"),
]


@pytest.mark.parametrize("suffix", ["tmx", "tsv"])
def test_what_is_written_can_be_read(tmp_path: Path, suffix: str) -> None:
    attributes = {"quality": "0.971", "source-place": "a<b>.txt:1"}
    pairs = [
        SentencePair(*texts, f"id {n} <&>", Origin("a", n, "", attributes))
        for n, texts in enumerate(HARD[:1] + HARD[2:])
    ]
    path = tmp_path / f"out.{suffix}"
    write_pairs(path, pairs, "fr", "en")
    read = read_tmx if suffix == "tmx" else read_tsv
    back = list(read(path, "fr", "en", ReadOptions(), Account()))
    plain = [tuple(" ".join(text.split()) for text in (pair.source, pair.target)) for pair in pairs]
    assert [tuple(" ".join(text.split()) for text in (pair.source, pair.target)) for pair in back] == plain
    assert {name.removeprefix("prop:"): value for name, value in back[0].origin.attributes.items()} == attributes
    for name in ("out.xml", "out"):
        with pytest.raises(ConfigError, match=r"\.tmx or \.tsv"):
            write_pairs(tmp_path / name, pairs, "fr", "en")


def test_no_character_makes_bad_xml(tmp_path: Path) -> None:
    every = "".join(chr(code) for code in [*range(1, 0x300), 0xFFFE, 0xFFFF, *range(0xD800, 0xD810), 0x1F600])
    path = tmp_path / "out.tmx"
    write_pairs(path, [SentencePair(every, "x", every, Origin("a"))], "fr", "en")
    (back,) = read_tmx(path, "fr", "en", ReadOptions(), Account())
    assert back.source.endswith("\U0001f600")


def test_the_lexicon_of_a_model(pages: tuple[Path, Path, set[tuple[str, str]]], tmp_path: Path) -> None:
    sides = [
        encode(texts, _core.Tokenizer(lang))
        for texts, lang in zip(zip(*phrases(), strict=True), ("fr", "en"), strict=True)
    ]
    with building_model(tmp_path / "fr-en.model", Manifest("fr", "en")) as directory:
        aligner = AlignmentModel.train(*sides, AlignOptions(model="ibm1", iterations=0)).model
        assert aligner is not None
        aligner.save(directory / "align.bin")
    few = [tmp_path / name for name in ("a.txt", "b.txt")]
    few[0].write_text("Je voudrais un café. Où est la gare ? Elle va bien, merci.", encoding="utf-8")
    few[1].write_text("I would like a coffee. Where is the station? She is fine, thank you.", encoding="utf-8")
    code, printed, _ = run(*few, "-m", tmp_path / "fr-en.model", "--out", tmp_path / "few.tsv", "--json")
    assert code == 0 and json.loads(printed)["pairs"] == 3
    backwards = ("--source-lang", "en", "--target-lang", "fr", "--out", tmp_path / "x.tsv")
    code, _, error = run(*few[::-1], "-m", tmp_path / "fr-en.model", *backwards)
    assert code != 0 and "translates fr-en" in error
    make_model(tmp_path / "bare.model")
    code, _, error = run(*few, "-m", tmp_path / "bare.model", "--out", tmp_path / "x.tsv")
    assert code != 0 and "no align.bin" in error


@pytest.mark.shared
@pytest.mark.parametrize(("corpus", "languages"), CORPORA.items())
def test_beads_of_debates(shared: Callable[[str], Path], corpus: str, languages: tuple[str, str]) -> None:
    """A tenth deleted, a tenth merged: what benchmarks/pairing.py measures, on less."""
    sides = []
    for code in languages:
        with lzma.open(shared(f"corpora/{corpus}/train.{code}.xz"), "rt", encoding="utf-8", newline="\n") as stream:
            sides.append([line.rstrip("\n") for line in itertools.islice(stream, 500)])
    source, target, gold = gold_documents(*sides, seed=1)
    (beads,) = find_beads([(Sentences(source), Sentences(target))], *languages)
    assert score(((bead.source, bead.target) for bead in beads), gold)["pairs"]["f1"] > 95


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(dragoman_command, ["corpus", "pair", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return 1, "", str(result.exception)
    return result.exit_code, result.stdout, result.stderr


def test_the_command(pages: tuple[Path, Path, set[tuple[str, str]]], tmp_path: Path) -> None:
    out = tmp_path / "pairs.tmx"
    languages = ("--source-lang", "fr", "--target-lang", "en")
    code, printed, _ = run(*pages[:2], *languages, "--out", out, "--json")
    assert code == 0
    counts = json.loads(printed)
    assert counts["pairs"] == len(list(read_tmx(out, "fr", "en", ReadOptions(), Account())))
    before = out.read_bytes()
    for arguments, sentence in (
        ((*pages[:2], *languages, "--out", out), "exists already"),
        ((*pages[:2], "--target-lang", "en", "--out", tmp_path / "x.tmx"), "--source-lang"),
        ((*pages[:2], *languages, "--out", tmp_path / "x.docx"), ".tmx or .tsv"),
        ((*pages[:2], *languages, "--out", tmp_path / "x.tmx", "--least-quality", 2), "at most 1"),
        ((pages[0], *languages, "--out", tmp_path / "x.tmx"), "in twos"),
    ):
        code, _, error = run(*arguments)
        assert code != 0 and sentence in error
    assert out.read_bytes() == before and not (tmp_path / "x.tmx").exists()
    code, printed, _ = run(tmp_path, tmp_path, *languages, "--out", out, "--overwrite")
    assert code == 0 and "1 to 1" in printed
