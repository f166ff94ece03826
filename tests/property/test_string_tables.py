"""String tables of any content: the same bytes when nothing changes, and when all texts change, another program that
reads the result finds the new texts, everything else as it was, and nothing more.

The files are written, and the results read, by the standard library, PyYAML, lxml and javaproperties.
"""

from __future__ import annotations

import csv
import io
import json
import plistlib
from collections.abc import Callable
from typing import Any

import javaproperties
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from dragoman.config import DecodeOptions
from dragoman.documents import Columns, read_document, translate_document
from dragoman.documents.segment import has_words, text_of
from dragoman.errors import InputError
from dragoman.translation import Alternative, Translation
from tests.reference.android_text import android_text
from tests.unit.documents.support import Identity

# Signs that mean something in one of the formats. None of these makes a tag or a placeholder.
SIGNS = [
    "'",
    '"',
    "\\",
    ":",
    ": ",
    "#",
    " #",
    ",",
    ";",
    "=",
    "!",
    "&",
    "*",
    "- ",
    "? ",
    "|",
    ">",
    "[",
    "]",
    "`",
    "@",
    "~",
]
WORDS = [
    "un",
    "été",
    "日本",
    "𝒳",
    "yes",
    "null",
    "12",
    "0x1F",
    "2001-01-01",
    "1.5",
    "---",
    "...",
    "",
    "\u2028",
    "\x85",
    "\ufeffa",
]
BLANKS = [" ", "  ", "\n", "\t", "\r\n", "\xa0"]
# @:un would be a placeholder.
texts = st.lists(st.sampled_from([*SIGNS, *WORDS, *BLANKS]), max_size=8).map(
    lambda signs: "".join(signs).replace("@:", "@")
)
# A name that a file may be asked for; one beginning with @ is not a message in ARB.
keys = st.lists(st.sampled_from(["a", "b.c", "é", "clé 1", "x-y", "k"]), min_size=1, max_size=3).map("".join)
tables = st.dictionaries(keys, texts, min_size=1, max_size=6)


class Says:
    """Gives every text the same translation."""

    def __init__(self, said: str) -> None:
        self.said = said

    def translate(self, text: list[str], options: DecodeOptions | None = None, **more: Any) -> list[Translation]:
        return [Translation(self.said, [Alternative(self.said, 0.0, {})], []) for _ in text]


def expected(text: str, said: str) -> str:
    """A text with words becomes what is said, between the white space that it had at its ends."""
    if not has_words((text,)):
        return text
    bare = text.strip()
    begin = text.index(bare)
    return text[:begin] + said + text[begin + len(bare) :]


def check(
    data: bytes, name: str, read: Callable[[bytes], Any], said: str, change: Callable[[Any], Any], **options: Any
) -> None:
    assert translate_document(data, name, Identity(), **options) == data
    notes: list[str] = []
    made = translate_document(data, name, Says(said), note=notes.append, **options)
    result = read(made)
    # A text that fits no place is left and noted; then the file is at least one that can be read.
    assert notes or result == change(read(data)), made


def changed(value: Any, said: str) -> Any:
    """All strings of nested lists and dictionaries that are values."""
    if isinstance(value, str):
        return expected(value, said)
    if isinstance(value, dict):
        return {key: changed(each, said) for key, each in value.items()}
    return [changed(each, said) for each in value] if isinstance(value, list) else value


nested = st.recursive(
    st.one_of(texts, st.integers(), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(keys, nested, max_size=5), texts, st.sampled_from([None, 0, 1, "\t"]), st.booleans())
def test_json(table: dict[str, Any], said: str, indent: Any, ascii_only: bool) -> None:
    data = json.dumps(table, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    check(data, "a.json", json.loads, said, lambda value: changed(value, said))


@settings(max_examples=120, deadline=None)
@given(
    st.dictionaries(keys, nested, min_size=1, max_size=5),
    texts,
    st.sampled_from([None, '"', "'", "|", ">"]),
    st.sampled_from([None, True, False]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_yaml(table: Any, said: str, style: str | None, flow: bool | None, ending: str, unicode: bool) -> None:
    written = yaml.dump(
        table, default_style=style, default_flow_style=flow, line_break=ending, allow_unicode=unicode, width=30
    )
    check(written.encode(), "a.yaml", yaml.safe_load, said, lambda value: changed(value, said))


@settings(max_examples=60, deadline=None)
@given(tables, texts, st.booleans(), st.sampled_from(["=", ": ", " "]))
def test_properties(table: dict[str, str], said: str, ascii_only: bool, separator: str) -> None:
    written = javaproperties.dumps(table, separator=separator, timestamp=False, ensure_ascii=ascii_only)
    check(
        written.encode(), "a.properties", lambda d: javaproperties.loads(d.decode()), said, lambda v: changed(v, said)
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(keys, texts, texts, texts), min_size=1, max_size=5),
    texts,
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from([(), ("y",), ("new",)]),
)
def test_csv(
    rows: list[tuple[str, ...]], said: str, separator: str, ending: str, quoting: Any, into: tuple[str, ...]
) -> None:
    stream = io.StringIO(newline="")
    dialect = {"delimiter": separator, "lineterminator": ending, "quoting": quoting}
    csv.writer(stream, **dialect).writerows([("key", "x", "y", "z"), *rows])

    def read(data: bytes) -> list[list[str]]:
        return list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=separator))

    def change(cells: list[list[str]]) -> list[list[str]]:
        result = [cells[0] + ["new"] * (into == ("new",))] if anything(cells) else [cells[0]]
        for row in cells[1:]:
            row, text = list(row), row[1]
            if not into:
                row[1] = expected(text, said)
            elif into == ("y",):
                row[2] = expected(text, said) if has_words((text,)) and not row[2].strip() else row[2]
            elif anything(cells):
                row.append(expected(text, said) if has_words((text,)) else "")
            result.append(row)
        return result

    def anything(cells: list[list[str]]) -> bool:
        return any(has_words((row[1],)) for row in cells[1:])

    data = stream.getvalue().encode()
    columns = Columns(("x",), into)
    made = translate_document(data, "a.csv", Says(said), columns=columns)
    assert read(made) == change(read(data))
    if not into:
        assert translate_document(data, "a.csv", Identity(), columns=columns) == data


@settings(max_examples=100, deadline=None)
@given(tables, texts, st.booleans(), st.booleans())
def test_android(table: dict[str, str], said: str, quoted: bool, cdata: bool) -> None:
    """Values are written in any way at all; the reference reads them as aapt does."""
    root = etree.Element("resources")
    for key, text in table.items():
        value = etree.SubElement(root, "string", name=key)
        written = f'"{in_xml(text)}"' if quoted else in_xml(text)
        value.text = etree.CDATA(written) if cdata else written

    def read(made: bytes) -> list[tuple[str, str]]:
        return [(each.get("name"), android_text(each.text or "")) for each in etree.fromstring(made)]

    def change(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
        # What aapt does not see, nobody wrote: white space at the ends of a text that is not in quotes.
        return [(key, expected(text, in_xml(said))) for key, text in rows]

    check(etree.tostring(root), "a.xml", read, in_xml(said), change)


def in_xml(text: str) -> str:
    """Without what XML cannot hold; a carriage return does not come back from a parser."""
    return "".join(sign for sign in text if sign >= " " or sign in "\t\n")


@settings(max_examples=40, deadline=None)
@given(tables, texts, st.booleans(), st.sampled_from(["utf-8", "utf-16", "iso-8859-1"]))
def test_resx(table: dict[str, str], said: str, cdata: bool, encoding: str) -> None:
    root = etree.Element("root")
    for key, text in table.items():
        data = etree.SubElement(root, "data", name=key)
        value = etree.SubElement(data, "value")
        text = text.replace("&", "")
        value.text = etree.CDATA(in_xml(text)) if cdata and text.isascii() else in_xml(text)
        etree.SubElement(data, "comment").text = in_xml(text)

    def read(made: bytes) -> list[tuple[str, str, str]]:
        found = etree.fromstring(made)
        return [(each.get("name"), each.findtext("value"), each.findtext("comment")) for each in found]

    said = in_xml(said)
    check(
        etree.tostring(root, encoding=encoding, xml_declaration=True),
        "a.resx",
        read,
        said,
        lambda rows: [(key, expected(text, said), comment) for key, text, comment in rows],
    )


@settings(max_examples=40, deadline=None)
@given(tables, texts)
def test_stringsdict(table: dict[str, str], said: str) -> None:
    said = in_xml(said)
    forms = {key: {"NSStringFormatValueTypeKey": "ld", "other": in_xml(text)} for key, text in table.items()}
    check(
        plistlib.dumps(forms),
        "a.stringsdict",
        plistlib.loads,
        said,
        lambda read: {key: {**form, "other": expected(form["other"], said)} for key, form in read.items()},
    )


@settings(max_examples=60, deadline=None)
@given(tables, texts, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]))
def test_strings(table: dict[str, str], said: str, encoding: str) -> None:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

    def read(data: bytes) -> Any:
        # The standard library reads property lists in XML alone; these lines are close to JSON.
        lines = data.decode(encoding).removeprefix("\ufeff").split(";\n")
        return {
            json.loads(key): json.loads(text.replace("\\U", "\\u"), strict=False)
            for key, _, text in (line.partition(" = ") for line in lines if line)
        }

    data = "".join(f"{quoted(key)} = {quoted(text)};\n" for key, text in table.items() if ";" not in text)
    said = said.replace(";", "")
    check(data.encode(encoding), "a.strings", read, said, lambda value: changed(value, said))


@settings(max_examples=40, deadline=None)
@given(tables, texts)
def test_qt(table: dict[str, str], said: str) -> None:
    root = etree.Element("TS", version="2.1", language="en")
    context = etree.SubElement(root, "context")
    for key, text in table.items():
        message = etree.SubElement(context, "message")
        etree.SubElement(message, "source").text = in_xml(text).replace("&", "")
        etree.SubElement(message, "comment").text = key
        etree.SubElement(message, "translation", type="unfinished")
    data = etree.tostring(root, encoding="utf-8", pretty_print=True)
    said = in_xml(said)
    made = etree.fromstring(translate_document(data, "a.ts", Says(said)))
    for old, new in zip(etree.fromstring(data).iter("message"), made.iter("message"), strict=True):
        source = old.findtext("source")
        assert new.findtext("source") == source
        assert new.findtext("comment") == old.findtext("comment")
        assert new.find("translation").get("type") == "unfinished"
        assert new.findtext("translation") == (expected(source, said) if has_words((source,)) else "")


def words_of(data: bytes, name: str, **options: Any) -> list[str] | None:
    """The texts that are translated, nothing where the file is refused."""
    try:
        return [text_of(segment) for segment in read_document(data, name, **options).segments]
    except InputError:
        return None


def anything(bits: str) -> st.SearchStrategy[bytes]:
    return st.lists(st.sampled_from(bits.split("·")), max_size=15).map(lambda parts: "".join(parts).encode())


@settings(max_examples=400, deadline=None)
@example(b"a\\\n  b=mot\n  c\\\n\tmot = mot\\\n\t mot")
@given(anything("mot·é·=·:· ·  ·\t·\f·\\·\\\\·\n·\r·\r\n·#·!·\\n·\\u00e9·\\ ·a=mot·\na·\\\n"))
def test_any_properties_are_read_as_others_read_them(data: bytes) -> None:
    pairs = [each for each in javaproperties.parse(data.decode()) if isinstance(each, javaproperties.KeyValue)]
    assert words_of(data, "a.properties") == [each.value for each in pairs if has_words((each.value,))]


@settings(max_examples=400, deadline=None)
@given(anything('{·}·[·]·"·"un"·"a":·"é\\n"·,·:· ·\n·1·-0·1.5e3·01·true·null·{"a": "un"}·\\·"\\u00e9un"·"a"·\x0b·\t'))
def test_any_json_is_read_as_others_read_it(data: bytes) -> None:
    def strings(value: Any) -> list[str]:
        if isinstance(value, list):
            # An object comes as the list of its pairs, so that a name may come twice.
            return [text for each in value for text in strings(each[1] if isinstance(each, tuple) else each)]
        return [value] if isinstance(value, str) and has_words((value,)) else []

    try:
        found = strings(json.loads(data, object_pairs_hook=list))
    except ValueError:
        found = None
    assert words_of(data, "a.json") == found


@settings(max_examples=400, deadline=None)
@given(anything('un·é·"·""·"un"·"un, deux"·"un\nun"·,·\n·\r\n· ·a,un·;·12'))
def test_any_csv_is_read_as_others_read_it(data: bytes) -> None:
    data = b"x,y\n" + data
    found = words_of(data, "a.csv", columns=Columns(("y",)))
    if found is not None:
        rows = list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))
        assert found == [row[1] for row in rows[1:] if len(row) > 1 and has_words((row[1],))]


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_a_long_line_is_no_trouble(name: str) -> None:
    data = json.dumps({"a": "un " * 50_000, "b": ["un"] * 20_000}).encode()
    assert translate_document(data, name, Identity()) == data
