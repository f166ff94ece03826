"""Damaged files of every format give pairs or a DragomanError, and never anything else."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import polib
import pytest

from dragoman.config import ReadOptions
from dragoman.corpus.formats import Input, find_inputs, read_pairs
from dragoman.errors import DragomanError
from dragoman.glossary import Glossary

TMX = """<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4">
<header srclang="*all*" segtype="sentence"/><body><tu tuid="1" creationid="a"><prop type="x">y</prop><note>n</note>
<tuv xml:lang="fr"><seg>été <bpt i="1">&lt;b&gt;</bpt>un<ept i="1">&lt;/b&gt;</ept></seg></tuv>
<tuv xml:lang="en-US"><seg>summer <hi type="b">one</hi> &amp; <ph x="1">{0}</ph></seg></tuv></tu>
<tu><tuv lang="fr"><seg>deux</seg></tuv><tuv lang="en"><seg><![CDATA[two]]></seg></tuv></tu></body></tmx>"""
XLIFF_1 = """<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="fr"
target-language="en" original="a"><body><trans-unit id="1"><source>un <g id="1">b</g><x id="2"/></source><seg-source>
<mrk mtype="seg" mid="0">un</mrk></seg-source><target state="final"><mrk mtype="seg" mid="0">one</mrk></target>
</trans-unit></body></file></xliff>"""
XLIFF_2 = """<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="fr" trgLang="en"><file id="f">
<unit id="u"><segment state="final"><source>un <pc id="1">b</pc><cp hex="0001"/></source><target>one<ec startRef="1"/>
</target></segment></unit></file></xliff>"""
PO = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: en\\n"

#: a.c:1
#, c-format
msgctxt "m"
msgid "un %d"
msgid_plural "des %d"
msgstr[0] "one %d"
msgstr[1] "some %d"

msgid "été"
msgstr "summer\\n"
"""
TSV = "id\tfr\ten\n1\tun\tone\n2\tdeux été\ttwo\n"
JSONL = '{"q": "un", "s": "one", "source": "fr", "target": "en"}\n{"source": "é\\u00e9", "target": "two", "id": 1}\n'
BY_LANGUAGE = '{"fr": "un", "en": "one", "n": [1]}\n{"translation": {"fra": "\\u00e9", "en-GB": "two"}}\n'
CSV = 'id;fr;en\n1;"un; ""deux""";"one\ntwo"\n2;été;summer\n'
TBX = """<?xml version="1.0"?><martif type="TBX"><text><body><termEntry id="1"><langSet xml:lang="fr"><tig>
<term>été <hi>chaud</hi></term><termNote type="a">preferred</termNote></tig></langSet><langSet xml:lang="en"><ntig>
<termGrp><term>hot summer</term></termGrp></ntig></langSet></termEntry></body></text></martif>"""
SEEDS: list[tuple[str, bytes]] = [
    ("tmx", TMX.encode()),
    ("tmx", TMX.replace("UTF-8", "UTF-16").encode("utf-16")),
    ("xliff", XLIFF_1.encode()),
    ("xliff", XLIFF_2.encode()),
    ("gettext", PO.encode()),
    ("gettext", polib.pofile(PO).to_binary()),
    ("tsv", TSV.encode()),
    ("jsonl", JSONL.encode()),
    ("jsonl", BY_LANGUAGE.encode()),
    ("csv", CSV.encode()),
]
SPICE = [
    b"<",
    b">",
    b"&",
    b'"',
    b"&#0;",
    b"&x;",
    b"]]>",
    b"<!--",
    b"\0",
    b"\xff",
    b"\t",
    b"\n",
    b"\\",
    b"msgid",
    b"#~ ",
]


def mutate(data: bytes, generator: random.Random) -> bytes:
    """A few random edits: flipped bytes, cut, repeated and inserted pieces."""
    edited = bytearray(data)
    for _ in range(generator.randint(1, 4)):
        at = generator.randrange(len(edited) + 1)
        end = min(len(edited), at + generator.randint(1, 30))
        match generator.randrange(5):
            case 0 if at < len(edited):
                edited[at] ^= 1 << generator.randrange(8)
            case 1:
                del edited[at:end]
            case 2:
                edited[at:at] = edited[at:end]
            case 3:
                edited[at:at] = generator.choice(SPICE)
            case _:
                del edited[at:]
    return bytes(edited)


@pytest.mark.parametrize("number", range(len(SEEDS)))
def test_mutated_files(tmp_path: Path, number: int) -> None:
    kind, data = SEEDS[number]
    path = tmp_path / f"a.{kind}"
    path.write_bytes(data)
    assert list(read_pairs(Input(kind, str(path)), "fr", "en", ReadOptions()))
    generator = random.Random(number)
    for _ in range(400):
        path.write_bytes(mutate(data, generator))
        try:
            pairs = list(read_pairs(Input(kind, str(path)), "fr", "en", ReadOptions()))
        except DragomanError as error:
            assert "\n" not in str(error)
            continue
        for pair in pairs:
            assert isinstance(pair.source, str)
            assert isinstance(pair.target, str)
            (pair.source + pair.target + pair.id).encode()


def zip_of(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text * 20)
    return made.getvalue()


def test_mutated_archives(tmp_path: Path) -> None:
    data = zip_of({"a/x.fr": "un\n", "a/x.en": "one\n", "y.tsv": "deux\ttwo\n", "README": "x"})
    path = tmp_path / "a.zip"
    generator = random.Random(1)
    for number in range(600):
        path.write_bytes(mutate(data, generator) if number else data)
        try:
            inputs = find_inputs([path], "fr", "en", ReadOptions())
            pairs = [pair for entry in inputs for pair in read_pairs(entry, "fr", "en", ReadOptions())]
        except DragomanError as error:
            assert "\n" not in str(error)
            assert number
            continue
        assert number or len(pairs) == 40


@pytest.mark.parametrize(
    ("name", "text"), [("a.tbx", TBX), ("a.csv", CSV), ("a.csv", "un,one\n#\ndeux,two\n"), ("a.tsv", "un\tone\tI\nb\n")]
)
def test_mutated_glossaries(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    generator = random.Random(2)
    for number in range(400):
        path.write_bytes(mutate(text.encode(), generator) if number else text.encode())
        try:
            glossary = Glossary.read(path, ("fr", "en"))
        except DragomanError as error:
            assert "\n" not in str(error)
            assert number
            continue
        assert number or glossary.text
        assert glossary.text.count("\n") == len(glossary.lines)
        glossary.encoded()
