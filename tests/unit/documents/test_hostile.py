"""Documents from anywhere: refused with a sentence or translated, never slow, never lost; runs that were stopped."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.documents import BY_EXTENSION, Columns, DocumentLimits, Journal, read_document, translate_document
from dragoman.errors import ConfigError, InputError
from tests.unit.documents.samples import XLIFF, XLIFF2
from tests.unit.documents.support import Identity, Wordwise

BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><xliff version="1.2">&b;</xliff>'
EXTERNAL = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><xliff version="1.2">&a;</xliff>'
HOSTILE: dict[str, tuple[str, bytes, str]] = {
    "zip": ("a.html", b"PK\x03\x04rest", "zip archive"),
    "gzip": ("a.po", b"\x1f\x8b\x08", "decompress"),
    "mo": ("a.po", b"\xde\x12\x04\x95", "compiled catalogue"),
    "pdf": ("a.txt", b"%PDF-1.7", "PDF"),
    "nul": ("a.txt", b"a\nb\0", "line 2: holds a NUL"),
    "not utf-8": ("a.srt", b"1\n\xff\xfe\xfa", "line 2"),
    "entities": ("a.xlf", BOMB.encode(), "XML bombs"),
    "external": ("a.xlf", EXTERNAL.encode(), "bombs"),
    "broken xml": ("a.xlf", b"<xliff><a></xliff>", "line 1: not well-formed"),
    "deep xml": ("a.xlf", b"<a>" * 300 + b"</a>" * 300, "nested more than"),
    "no xliff": ("a.xlf", b"<html/>", "no XLIFF"),
    "old xliff": ("a.xlf", b'<xliff version="0.9"/>', "versions 1.x and 2.x"),
    "empty xliff": ("a.xlf", b"", "not well-formed"),
    "no po": ("a.po", b"hello\n", "line 1: this is no PO syntax"),
    "empty po": ("a.po", b"", "no messages"),
    "half po": ("a.po", b'msgid "a"\n', "lacks its msgid or msgstr"),
    "orphan": ("a.po", b'msgstr "a"\n', "without a msgid"),
    "torn po": ("a.po", b'msgid "a\nmsgstr ""\n', "line 1"),
    "no cues": ("a.srt", b"hello\n", "subtitle"),
    "unknown": ("a.xyz", b"x", "--format"),
    "pdf by name": ("a.PDF", b"x", "pdftotext"),
    "old office": ("a.docx", b"\xd0\xcf\x11\xe0", "password"),
    "old office by name": ("a.doc", b"x", "save it as .docx"),
    "no zip": ("a.odt", b"x", "no whole zip archive"),
    "utf-16 odd": ("a.txt", b"\xff\xfea", "line 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files(case: str) -> None:
    name, data, said = HOSTILE[case]
    with pytest.raises((InputError, ConfigError), match=said):
        translate_document(data, name, Wordwise())


def test_limits() -> None:
    with pytest.raises(InputError, match="more than the 10 allowed"):
        translate_document(b"x" * 11, "a.txt", Wordwise(), limits=DocumentLimits(max_bytes=10))
    with pytest.raises(InputError, match=r"a.txt: .*more than 2 texts"):
        translate_document(b"a\nb\nc", "a.txt", Wordwise(), limits=DocumentLimits(max_segments=2))
    with pytest.raises(InputError, match="has no end"):
        translate_document(b"abc def", "a.txt", Wordwise(), limits=DocumentLimits(max_segment_characters=5))


def test_pages_that_do_not_say_their_encoding() -> None:
    assert translate_document("<p>été".encode("cp1252"), "a.html", Wordwise()) == "<p>ÉTÉ".encode("cp1252")
    with pytest.raises(InputError, match="not cp1252 text"):
        translate_document(b"<p>\x81", "a.html", Wordwise())


def test_utf_32() -> None:
    assert translate_document("\ufeffun".encode("utf-32-be"), "a.txt", Wordwise()) == "\ufeffUN".encode("utf-32-be")


def test_utf_16() -> None:
    assert translate_document("\ufeffun".encode("utf-16-le"), "a.txt", Wordwise()) == "\ufeffUN".encode("utf-16-le")


MARKS = "<b> </b> < > &amp; & \" ' * _ ` [ ] ( ) un <p> | # --> <!-- msgid \\ {_1} <x/> é <code> ~~~ --- ]]>"
FRAGMENTS = [
    *MARKS.split(" "),
    *("\n", "\r\n", " ", "- ", "> ", "1. ", "\u2028", "\x0b", "\t", "    ", "00:00:01,000 --> 00:00:02,000"),
    *('msgid "a"', 'msgstr ""', "#, fuzzy\n", "<script>", "</script>", "[a]: b\n", "![", "](a)", "<br>", "<v a>"),
    "{\\an8}",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30), st.sampled_from(sorted({*BY_EXTENSION} - {".xlf", ".xliff"})))
def test_anything_comes_back_or_is_refused(parts: list[str], suffix: str) -> None:
    data = "".join(parts).encode()
    columns = Columns(("1",))
    try:
        same = translate_document(data, f"a{suffix}", Identity(), columns=columns)
    except (InputError, ConfigError):
        return
    if suffix not in (".po", ".pot", ".ts"):
        assert same == data
    translate_document(data, f"a{suffix}", Wordwise(backwards=True), columns=columns)
    document = read_document(data, f"a{suffix}", columns=columns)
    assert document.write([None] * len(document.segments)) == data


def test_quick_on_hostile_markdown() -> None:
    for text in ("[" * 20_000 + "]" * 20_000, "*a " * 12_000, "`" * 20_000, "> " * 10_000, "_a_" * 10_000,
                 "](" * 10_000, "<a " * 10_000, "![" * 10_000, "a|" * 10_000 + "\n---", "\\(" * 10_000, "$$a" * 10_000,
                 "[a]: b\n" + "[a" * 10_000 + "]" * 10_000, "<!-- " * 10_000):  # fmt: skip
        assert translate_document(text.encode(), "a.md", Identity()) == text.encode()


def test_journal_resumes(tmp_path: Path) -> None:
    class Stops(Wordwise):
        def translate(self, text: list[str], *rest: object, **more: object) -> list:  # type: ignore[override,type-arg]
            if self.seen:
                raise KeyboardInterrupt
            return super().translate(text)

    text = "".join(f"<p>un <b>homme {number}</b>x</p>\n" for number in range(100)).encode()
    path = tmp_path / "journal"
    with pytest.raises(KeyboardInterrupt), Journal(path, "m").recording() as journal:
        translate_document(text, "a.html", Stops(), journal=journal)
    with path.open("ab") as stream:
        stream.write(b'{"key": "torn')
    other = Wordwise()
    with Journal(path, "m").recording() as journal:
        made = translate_document(text, "a.html", other, journal=journal)
    assert made == translate_document(text, "a.html", Wordwise())
    assert (journal.resumed, len(other.seen)) == (64, 36)
    assert not path.exists()
    # Another model does not take the first one's work.
    path.write_text(json.dumps({"key": "x", "pieces": [5]}) + "\n")
    with Journal(path, "n").recording() as journal:
        translate_document(text, "a.html", other, journal=journal)
    assert journal.resumed == 0


def test_mutated_xliff_is_read_or_refused() -> None:
    rng = random.Random(4)
    for _ in range(300):
        data = bytearray(rng.choice((XLIFF, XLIFF2)).encode())
        for _ in range(rng.randrange(1, 5)):
            at = rng.randrange(len(data))
            data[at : at + rng.randrange(3)] = rng.choice((b"", b"<", b">", b'"', b"&", b"/", b"<x/>", b"\xff", b"]]>"))
        try:
            made = translate_document(bytes(data), "a.xlf", Wordwise())
        except InputError:
            continue
        read_document(made, "a.xlf")
