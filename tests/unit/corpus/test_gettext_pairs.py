"""PO and MO catalogues."""

from __future__ import annotations

import gzip
from pathlib import Path

import polib
import pytest

from dragoman.config import ReadOptions
from dragoman.corpus.formats import Input, read_pairs
from dragoman.corpus.pair import Account, SentencePair
from dragoman.errors import InputError

PO = r"""# Title
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Language: cs\n"
"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\n"

#: src/a.c:12
msgctxt "menu"
msgid "Open"
msgstr "Otevřít"

#, fuzzy
msgid "Close"
msgstr "Zavři"

msgid "Save"
msgstr ""

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d soubor"
msgstr[1] "%d soubory"
msgstr[2] "%d souborů"

msgid ""
"two "
"lines\n"
msgstr "dvě řádky\n"

#~ msgid "Old"
#~ msgstr "Staré"
"""


def read(
    tmp_path: Path,
    content: bytes,
    langs: tuple[str, str] = ("en", "cs"),
    account: Account | None = None,
    name: str = "a.po",
) -> list[SentencePair]:
    path = tmp_path / name
    path.write_bytes(content)
    return list(read_pairs(Input("gettext", str(path)), *langs, ReadOptions(), account))


EXPECTED = [
    ("Open", "Otevřít"),
    ("%d file", "%d soubor"),
    ("%d files", "%d soubory"),
    ("%d files", "%d souborů"),
    ("two lines\n", "dvě řádky\n"),
]


def test_po(tmp_path: Path) -> None:
    account = Account()
    pairs = read(tmp_path, PO.encode(), account=account)
    assert [(pair.source, pair.target) for pair in pairs] == EXPECTED
    assert account.skipped == {"header": 1, "fuzzy": 1, "untranslated": 1, "obsolete": 1}
    assert pairs[0].origin.attributes == {"msgctxt": "menu", "occurrence": "src/a.c:12"}
    assert len({pair.id for pair in pairs}) == len(pairs)


def test_po_backwards_compressed_and_other_charset(tmp_path: Path) -> None:
    backwards = read(tmp_path, gzip.compress(PO.encode()), ("cs", "en"), name="a.po.gz")
    assert [(pair.target, pair.source) for pair in backwards] == EXPECTED
    latin = PO.replace("UTF-8", "ISO-8859-2").encode("iso-8859-2")
    assert [(pair.source, pair.target) for pair in read(tmp_path, latin)] == EXPECTED
    windows = PO.replace("\n", "\r\n").encode()
    assert [(pair.source, pair.target) for pair in read(tmp_path, windows)] == EXPECTED


def test_mo(tmp_path: Path) -> None:
    content = polib.pofile(PO).to_binary()
    pairs = read(tmp_path, content, name="a.mo")
    assert sorted((pair.source, pair.target) for pair in pairs) == sorted(EXPECTED)
    assert {pair.origin.attributes.get("msgctxt") for pair in pairs} == {"menu", None}


def test_one_plural_form(tmp_path: Path) -> None:
    content = 'msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d Dateien"\n'
    assert [(p.source, p.target) for p in read(tmp_path, content.encode())] == [("%d files", "%d Dateien")]


def test_blank_lines_cost_linear_time(tmp_path: Path) -> None:
    # Quadratic time would be minutes here.
    pairs = read(tmp_path, b"\n \t\n" * 100_000 + b'msgid "cat"\nmsgstr "chat"\n')
    assert [pair.target for pair in pairs] == ["chat"]


def test_line_separators_inside_a_message(tmp_path: Path) -> None:
    content = 'msgid "a\u2028b"\nmsgstr "c\x85d"\n'
    assert [(p.source, p.target) for p in read(tmp_path, content.encode())] == [("a\u2028b", "c\x85d")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"hello\n", "no messages"),
        (b'msgid "a"\nmsgstr "b\n', "line"),
        (b'msgid "a"\nnonsense "b"\n', "line 2"),
        (b'msgid "a\xff"\nmsgstr "b"\n', "line 1: the text is not utf-8"),
        (b'msgid "a\0"\nmsgstr "b"\n', "NUL"),
        (b"\xde\x12\x04\x95\0\0\0\0\xff\xff\xff\xff", "damaged"),
        (b'msgid ""\nmsgstr "charset=klingon\\n"\n\nmsgid "a"\nmsgstr "b"\n', "damaged"),
        (PO.encode().replace(b"Language: cs", b"Language: ja"), "translates into ja, which is neither en nor cs"),
    ],
)
def test_bad_catalogues(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, content)
