"""String tables from anywhere: left, refused with a sentence or translated, never broken, and never slow."""

from __future__ import annotations

import json
import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.documents import Columns, DocumentLimits, read_document, translate_document
from dragoman.errors import ConfigError, InputError
from tests.unit.documents.support import Identity, Wordwise
from tests.unit.documents.tables.samples import CSV, TABLES

LONG = 10 << 20
SAMPLES = {**TABLES, "a.csv": CSV}
COLUMNS = Columns(("2",))
ROOTS = {"a.xml": "resources", "a.ts": "TS", "a.resx": "root", "a.stringsdict": "plist"}


@pytest.mark.parametrize("name", ROOTS)
@pytest.mark.parametrize(
    ("inside", "doctype"),
    [
        ("&b;", '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">'),
        ("&a;", '<!ENTITY a SYSTEM "file:///etc/passwd">'),
        ("", '<!ENTITY % p SYSTEM "http://localhost/x.dtd"> %p;'),
    ],
)
def test_entities_are_refused(name: str, inside: str, doctype: str) -> None:
    root = ROOTS[name]
    data = f"<!DOCTYPE {root} [{doctype}]><{root}>{inside}</{root}>".encode()
    with pytest.raises(InputError, match="entities of its own"):
        translate_document(data, name, Wordwise())


def test_entities_of_a_document_elsewhere_are_refused() -> None:
    data = b'<!DOCTYPE plist SYSTEM "http://localhost/x.dtd"><plist><string>un &ami;</string></plist>'
    with pytest.raises(InputError, match="uses the entity &ami;"):
        translate_document(data, "a.stringsdict", Wordwise())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"a":' * 100_000),
        ("a.json", "[" * 100_000),
        ("a.arb", "[" * 300 + "]" * 300),
        ("a.yaml", "[" * 100_000),
        ("a.yaml", "{a: " * 300 + "}" * 300),
        ("a.yaml", "- " * 10_000 + "un"),
        ("a.xml", "<resources>" * 10_000),
    ],
)
def test_deep_nesting_is_refused(name: str, text: str) -> None:
    with pytest.raises(InputError, match=r"nested more than|deep"):
        translate_document(text.encode(), name, Wordwise())


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.json", '{"a": "', '", "b": "un"}'),
        ("a.yaml", "a: 'un ", "'\nb: un\n"),
        ("a.properties", "a=un ", "\nb=un\n"),
        ("a.strings", '"a" = "un ', '";\n"b" = "un";\n'),
        ("a.csv", "un,", "\nun,un"),
        ("a.xml", "<resources><string name='a'>", "</string><string name='b'>un</string></resources>"),
        ("a.resx", "<root><data name='a'><value>", "</value></data><data><value>un</value></data></root>"),
        (
            "a.ts",
            "<TS><context><message><source>",
            "</source></message><message><source>un</source></message></context></TS>",
        ),
    ],
)
def test_a_line_of_ten_megabytes_is_left_and_noted(name: str, before: str, after: str) -> None:
    data = f"{before}{'un ' * (LONG // 3)}{after}".encode()
    notes: list[str] = []
    made = translate_document(data, name, Wordwise(), note=notes.append, columns=COLUMNS)
    assert len(notes) == 1 and "more than 200,000 characters" in notes[0]
    assert made.startswith(data[: LONG // 2]) and made.count(b"UN") == 1


@pytest.mark.parametrize("name", SAMPLES)
def test_wrong_bytes_are_refused(name: str) -> None:
    data = SAMPLES[name].encode()
    middle = data.rindex(b"un")
    broken = data[:middle] + b"\xff\xfe" + data[middle:]
    if name == "a.properties":
        # Then it is ISO 8859-1, in which every byte is a character.
        assert translate_document(broken, name, Identity()) == broken
        return
    with pytest.raises(InputError, match=r"line \d+"):
        translate_document(broken, name, Wordwise(), columns=COLUMNS)


def test_half_characters_are_left_and_noted() -> None:
    for name, data in (
        ("a.json", rb'{"a": "un \ud800", "b": "un \u0000", "c": "\ud835\udcb3 un"}'),
        ("a.properties", rb"a=un \ud800" + b"\n" + rb"b=un \u0000" + b"\n" + rb"c=\ud835\udcb3 un"),
        ("a.strings", rb'"a"="un \Ud800";"b"="un \0";"c"="\Ud835\Udcb3 un";'),
        (
            "a.xml",
            rb"<resources><string>un \ud800</string><string>un \u0000</string>"
            rb"<string>\ud835\udcb3 un</string></resources>",
        ),
    ):
        notes: list[str] = []
        made = translate_document(data, name, Wordwise(), note=notes.append)
        assert len(notes) == 2 and all("half a character" in note for note in notes), name
        assert made.count(b"UN") == 1
        assert translate_document(data, name, Identity()) == data


def test_aliases_do_not_expand() -> None:
    lines = [
        "a: &a [un]",
        *(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]" for n in range(20)),
    ]
    data = "\n".join(lines).encode()
    assert translate_document(data, "a.yaml", Wordwise()) == data.replace(b"un", b"UN")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.json", b"[" + b'"un",' * 20 + b'"un"]'),
        ("a.yaml", b"- un\n" * 20),
        ("a.properties", b"a=un\n" * 20),
        ("a.strings", b'"a"="un";' * 20),
        ("a.csv", b"a,un\n" * 20),
        ("a.xml", b"<resources>" + b"<string>un</string>" * 20 + b"</resources>"),
        ("a.resx", b"<root>" + b"<x/>" * 100 + b"</root>"),
    ],
)
def test_tables_without_end_are_refused(name: str, data: bytes) -> None:
    with pytest.raises(InputError, match=r"more than \d+ (texts|elements)"):
        translate_document(data, name, Wordwise(), limits=DocumentLimits(max_segments=10), columns=COLUMNS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", json.dumps(["{n, plural, " * 5_000, "'{" * 10_000, "{a" * 10_000, "$" * 30_000, "%{" * 10_000])),
        ("a.yaml", "? " * 150 + "un\n" + "- 'a''" + "''" * 20_000 + "'\n"),
        ("a.properties", "\\" * 30_001 + "\n" + "a=" + "\\u" * 10_000 + "\nb=" + "'{" * 10_000 + "{0}\n"),
        ("a.strings", "/*" * 20_000 + "*/" + '"a" = "' + "\\\\" * 20_000 + 'un";'),
        ("a.csv", '"a""' * 10_000 + '",un\n'),
        ("a.xml", "<resources><string>" + '" ' * 10_000 + "\\" * 10_001 + " un</string></resources>"),
    ],
)
def test_quick_on_hostile_tables(name: str, text: str) -> None:
    """Each would take minutes if its time grew with the square of its length."""
    with suppress(InputError):
        assert translate_document(text.encode(), name, Identity(), columns=COLUMNS) == text.encode()


BITS = [
    *('"', "'", "\\", "\n", "\r\n", "{", "}", "[", "]", ":", ",", ";", "=", "#", "&amp;", "<", ">", "]]>", "<![CDATA["),
    *(
        "\\u00e9",
        "\\u00",
        "@string/a",
        "%s",
        "|",
        ">-\n  ",
        "- ",
        "&a ",
        "*a",
        "!x ",
        "  ",
        "\t",
        "é",
        "\x85",
        "/*",
        "//",
    ),
    *("{n, plural, one {un} other {x}}", "<b>", "</b>", "<!-- -->", "? ", "un", '"a" = "un";\n', "a: un\n", "\ufeff"),
]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(SAMPLES)), st.randoms(use_true_random=False))
def test_mutated_tables_come_back_or_are_refused(name: str, rng: random.Random) -> None:
    text = SAMPLES[name]
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(BITS) + text[at + rng.choice((0, 0, 1, 5)) :]
    data = text.encode()
    try:
        document = read_document(data, name, columns=COLUMNS)
    except (InputError, ConfigError):
        return
    assert document.write([None] * len(document.segments)) == data
    if name != "a.ts":
        assert translate_document(data, name, Identity(), columns=COLUMNS) == data
    made = translate_document(data, name, Wordwise(backwards=True), columns=COLUMNS)
    # What comes out is a table again, with as many texts.
    again = read_document(made, name, columns=COLUMNS)
    assert name == "a.ts" or len(again.segments) == len(document.segments)
