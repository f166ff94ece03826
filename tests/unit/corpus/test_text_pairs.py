"""Plain text, TSV and JSON lines: what is read, what is refused."""

from __future__ import annotations

import csv
import gzip
import io
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.config import FORMATS, ReadOptions
from dragoman.corpus.formats import BY_EXTENSION, READERS, Input, find_inputs, read_pairs
from dragoman.corpus.pair import Account
from dragoman.delimited import read_rows
from dragoman.errors import ConfigError, DragomanError, InputError


def read(path: Path, kind: str, target: Path | None = None, account: Account | None = None, **options: object):
    entry = Input(kind, str(path), str(target) if target else "")
    settings = ReadOptions(**options)  # type: ignore[arg-type]
    return list(read_pairs(entry, "fr", "en", settings, account))


def texts(pairs: list) -> list[tuple[str, str]]:
    return [(pair.source, pair.target) for pair in pairs]


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
def test_plain_with_mark_crlf_and_no_last_newline(tmp_path: Path, ending: str) -> None:
    pack = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}[ending]
    source = write(tmp_path / f"a.fr{ending}", pack(b"\xef\xbb\xbfun\r\ndeux\r\n\r\nquatre"))
    target = write(tmp_path / f"a.en{ending}", pack(b"one\ntwo\n\nfour\n"))
    pairs = read(source, "plain", target)
    assert texts(pairs) == [("un", "one"), ("deux", "two"), ("", ""), ("quatre", "four")]
    assert [pair.origin.line for pair in pairs] == [1, 2, 3, 4]
    assert pairs[1].id == f"{source}:2"


def test_lines_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.corpus.lines.BLOCK_BYTES", 7)
    lines = [f"ligne {number} é" * (number % 4) for number in range(50)]
    source = write(tmp_path / "a.fr", "\n".join(lines) + "\n")
    target = write(tmp_path / "a.en", "\n".join(lines))
    assert texts(read(source, "plain", target)) == [(line, line) for line in lines]


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (b"a\nb\n", b"a\n", "has 2 lines but .* has 1"),
        (b"a\n", b"a\nb\nc\n", "has 1 lines but .* has 3"),
        (b"a\nb\xff\n", b"a\nb\n", "a.fr, line 2: byte 0xff is not UTF-8"),
        (b"a\n", b"\xc3\n", "a.en, line 1: byte 0xc3"),
        (b"a\nb\nc\0\n", b"a\nb\nc\n", "a.fr, line 3: there is a NUL"),
        ("é\n".encode("utf-16"), b"a\n", "a.fr is UTF-16"),
        (b"a\n" + b"x" * 3000 + b"\n", b"a\nb\n", "a.fr, line 2: the line is longer than 2,000 bytes"),
        (b"a\n" + b"x" * 3000, b"a\nb\n", "a.fr, line 2: the line is longer"),
    ],
)
def test_bad_plain(tmp_path: Path, source: bytes, target: bytes, message: str) -> None:
    paths = write(tmp_path / "a.fr", source), write(tmp_path / "a.en", target)
    with pytest.raises(InputError, match=message):
        read(paths[0], "plain", paths[1], max_line_bytes=2000)


@pytest.mark.parametrize("block", [16, 1 << 18])
def test_error_line_is_right_whatever_the_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr("dragoman.corpus.lines.BLOCK_BYTES", block)
    good = b"".join(b"line %d\n" % number for number in range(1, 100))
    source, target = write(tmp_path / "a.fr", good + b"bad \xe9\n"), write(tmp_path / "a.en", good + b"x\n")
    with pytest.raises(InputError) as caught:
        read(source, "plain", target)
    assert caught.value.line == 100


def test_truncated_archive(tmp_path: Path) -> None:
    for ending, pack in ((".gz", gzip.compress), (".xz", lzma.compress)):
        packed = pack("".join(f"line {number}\t{number**7}\n" for number in range(9000)).encode())
        path = write(tmp_path / f"a.tsv{ending}", packed[: len(packed) // 2])
        with pytest.raises(InputError, match="damaged or cut off"):
            read(path, "tsv")


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        ("un\tone\ndeux\ttwo\n", {}, [("un", "one"), ("deux", "two")]),
        ('"un\t"one\n', {}, [('"un', '"one')]),
        ("en\tfr\none\tun\n", {}, [("un", "one")]),
        ("id\tsource\ttarget\n7\tun\tone\n", {}, [("un", "one")]),
        ("7\tun\t8\tone\n", {"source_column": "2", "target_column": "4"}, [("un", "one")]),
        ("A\tB\tC\nun\tx\tone\n", {"source_column": "a", "target_column": "C"}, [("un", "one")]),
        ("un\tone\n\ndeux\ttwo\n", {}, [("un", "one"), ("deux", "two")]),
        ("un\t\n", {}, [("un", "")]),
    ],
)
def test_tsv(tmp_path: Path, content: str, options: dict, expected: list) -> None:
    assert texts(read(write(tmp_path / "a.tsv", content), "tsv", **options)) == expected


def test_tsv_keeps_other_columns(tmp_path: Path) -> None:
    pairs = read(write(tmp_path / "a.tsv", "page\tfr\ten\nstart\tun\tone\n"), "tsv")
    assert pairs[0].origin.attributes == {"page": "start"}
    assert pairs[0].origin.line == 2


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("un\n", {}, "1 column where two"),
        ("a\tb\tc\n", {}, "3 columns where two"),
        ("un\tone\ndeux\n", {}, "line 2: column 2 is wanted"),
        ("un\tone\ndeux\ttwo\tmore\n", {}, "line 2: two columns are expected"),
        ("a\tb\n", {"source_column": "x", "target_column": "y"}, "no columns named x and y"),
        ("a\tb\n", {"source_column": "1"}, "together"),
    ],
)
def test_bad_tsv(tmp_path: Path, content: str, options: dict, message: str) -> None:
    with pytest.raises(DragomanError, match=message):
        read(write(tmp_path / "a.tsv", content), "tsv", **options)


def test_jsonl(tmp_path: Path) -> None:
    account = Account()
    content = (
        '{"q": "un", "s": "one", "source": "fr-FR", "target": "en"}\n'
        '{"q": "eins", "s": "one", "source": "de", "target": "en"}\n'
        "\n"
        '{"source": "deux", "target": "two", "id": 17, "page": "p1"}\n'
    )
    pairs = read(write(tmp_path / "a.jsonl", content), "jsonl", account=account)
    assert texts(pairs) == [("un", "one"), ("deux", "two")]
    assert pairs[1].id == "17"
    assert pairs[1].origin.attributes == {"page": "p1"}
    assert account.skipped == {"other language": 1, "empty line": 1}


@pytest.mark.parametrize(
    "content", ["{", "[1]", '{"q": "x"}', '{"source": 1, "target": "x"}', '{"q": "\\ud800", "s": "x"}', "[" * 100_000]
)
def test_bad_jsonl(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="line 1"):
        read(write(tmp_path / "a.jsonl", content), "jsonl")


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        ("un,one\ndeux,two\n", {}, [("un", "one"), ("deux", "two")]),
        ('\ufeffen;fr\r\n"one; two";"un; deux"\r\n', {}, [("un; deux", "one; two")]),
        ('id,source,target\n7,"un, ""deux""","one\ntwo"\n', {}, [('un, "deux"', "one\ntwo")]),
        ("7|un|8|one\n", {"source_column": "2", "target_column": "4"}, [("un", "one")]),
        ("un, deux;one, two\ntrois;three\n", {}, [("un, deux", "one, two"), ("trois", "three")]),
        ("un\tone\n", {}, [("un", "one")]),
        ("sep=,\nun;un,one;one\n", {}, [("un;un", "one;one")]),
        ("a,b\n\n\nc,d\n", {}, [("a", "b"), ("c", "d")]),
    ],
)
def test_csv(tmp_path: Path, content: str, options: dict, expected: list) -> None:
    assert texts(read(write(tmp_path / "a.csv", content), "csv", **options)) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("un\ndeux\n", "what separates its columns"),
        ('un,one\ndeux,"two\n', "line 2: a cell that begins with a quote"),
        ("a,b\nc,d\ne,f,g\n", "line 3: two columns are expected but the line has 3"),
        ('a,b\n"c\nd",e\nf\n', "line 4: column 2 is wanted"),
    ],
)
def test_bad_csv(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(DragomanError, match=message):
        read(write(tmp_path / "a.csv", content), "csv")


CELLS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=12)


@given(st.lists(st.tuples(CELLS, CELLS), max_size=20), st.sampled_from(",;|\t"), st.booleans())
def test_whatever_is_written_as_csv_is_read(pairs: list[tuple[str, str]], delimiter: str, quotes: bool) -> None:
    written = io.StringIO()
    quoting = csv.QUOTE_ALL if quotes else csv.QUOTE_MINIMAL
    writer = csv.writer(written, delimiter=delimiter, quoting=quoting)
    writer.writerows([("source", "target"), *pairs])
    rows = list(read_rows("a.csv", written.getvalue().removesuffix("\r\n").split("\r\n"), delimiter))
    assert [tuple(row.cells) for row in rows[1:]] == [pair for pair in pairs if any(pair)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"fr": "un", "en": "one"}', [("un", "one")]),
        ('{"en_US": "one", "de": "eins", "fra": "un", "id": 3}', [("un", "one")]),
        ('{"translation": {"en": "one", "fr": "un"}, "page": "p"}', [("un", "one")]),
        ('{"fr": "un", "de": "eins"}', []),
        ('{"fr": "un", "en": null}', []),
    ],
)
def test_jsonl_with_languages(tmp_path: Path, line: str, expected: list) -> None:
    account = Account()
    pairs = read(write(tmp_path / "a.jsonl", line + "\n"), "jsonl", account=account)
    assert texts(pairs) == expected
    assert account.skipped == ({} if expected else {"language missing": 1})


def test_inputs_by_name(tmp_path: Path) -> None:
    names = ["b.en.xz", "a.fr", "memory.tmx.gz", "a.en", "b.fr.xz", "x.po", "en.txt", "fr.txt"]
    paths = [str(write(tmp_path / name, b"x")) for name in names]
    inputs = find_inputs(paths, "fr", "en-GB", ReadOptions())
    found = [(entry.format, *(Path(path).name for path in entry.paths)) for entry in inputs]
    assert found == [
        ("plain", "b.fr.xz", "b.en.xz"),
        ("plain", "a.fr", "a.en"),
        ("tmx", "memory.tmx.gz"),
        ("gettext", "x.po"),
        ("plain", "fr.txt", "en.txt"),
    ]


def test_inputs_refused(tmp_path: Path) -> None:
    alone = str(write(tmp_path / "a.fr", b"x"))
    for paths, error in (([alone], ConfigError), ([str(tmp_path)], InputError), ([str(tmp_path / "none")], InputError)):
        with pytest.raises(error):
            find_inputs(paths, "fr", "en", ReadOptions())
    with pytest.raises(ConfigError, match="no language code"):
        find_inputs([alone], "French", "en", ReadOptions())


def test_every_format_that_can_be_asked_for_has_a_reader() -> None:
    assert set(FORMATS) == {"auto", "plain", *READERS}
    assert set(BY_EXTENSION.values()) <= set(READERS)
