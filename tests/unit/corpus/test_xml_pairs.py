"""TMX and XLIFF: languages, inline codes, states, provenance, and files made to do harm."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from dragoman.config import ReadOptions
from dragoman.corpus.formats import Input, read_pairs
from dragoman.corpus.pair import Account, SentencePair
from dragoman.errors import InputError

TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header creationtool="x" srclang="{srclang}" adminlang="en" segtype="sentence"/>
<body>{body}</body></tmx>"""


def unit(*variants: tuple[str, str], more: str = "", attributes: str = "") -> str:
    inner = "".join(f'<tuv xml:lang="{lang}"><seg>{seg}</seg></tuv>' for lang, seg in variants)
    return f"<tu {attributes}>{more}{inner}</tu>"


def read(
    tmp_path: Path,
    content: str | bytes,
    kind: str = "tmx",
    langs: tuple[str, str] = ("fr", "en"),
    account: Account | None = None,
    ending: str = "",
) -> list[SentencePair]:
    path = tmp_path / f"a.{kind}{ending}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_pairs(Input(kind, str(path)), *langs, ReadOptions(), account))


def texts(pairs: list[SentencePair]) -> list[tuple[str, str]]:
    return [(pair.source, pair.target) for pair in pairs]


def tmx(*units: str, srclang: str = "*all*") -> str:
    return TMX.format(srclang=srclang, body="".join(units))


def test_tmx_languages_and_counts(tmp_path: Path) -> None:
    account = Account()
    content = tmx(
        unit(("en-US", "one"), ("fr-FR", "un"), ("de", "eins")),
        unit(("EN", "two"), ("FR", "deux")),
        unit(("en", "three"), ("de", "drei")),
        unit(("en", " "), ("fr", "quatre")),
        unit(("en-GB", "colour"), ("en", "color"), ("fr", "couleur")),
    )
    assert texts(read(tmp_path, content, account=account)) == [("un", "one"), ("deux", "two"), ("couleur", "color")]
    assert account.skipped == {"language missing": 1, "untranslated": 1}
    assert texts(read(tmp_path, content, langs=("en", "de"))) == [("one", "eins"), ("three", "drei")]


def test_tmx_two_kinds_of_one_language(tmp_path: Path) -> None:
    content = tmx(unit(("en-US", "color"), ("en-GB", "colour")))
    assert texts(read(tmp_path, content, langs=("en-GB", "en-US"))) == [("colour", "color")]
    assert texts(read(tmp_path, content, langs=("en", "en-US"))) == [("colour", "color")]


def test_tmx_old_lang_attribute_and_unit_language(tmp_path: Path) -> None:
    body = '<tu><tuv lang="fr"><seg>un</seg></tuv><tuv lang="EN-us"><seg>one</seg></tuv></tu>'
    assert texts(read(tmp_path, tmx(body))) == [("un", "one")]
    body = '<tu srclang="fr"><tuv><seg>un</seg></tuv><tuv lang="en"><seg>one</seg></tuv></tu>'
    assert texts(read(tmp_path, tmx(body))) == [("un", "one")]


@pytest.mark.parametrize(
    ("seg", "expected"),
    [
        ('a <bpt i="1">&lt;b&gt;</bpt>b<ept i="1">&lt;/b&gt;</ept> c', "a <b>b</b> c"),
        ('a <bpt i="1">{\\b </bpt>b<ept i="1">}</ept>', 'a <bpt id="1"/>b<ept id="1"/>'),
        ("a <ph>%s</ph> b", "a %s b"),
        ('<ph x="3">{0}</ph>', "{0}"),
        ('<ph x="3"/>end', '<ph id="3"/>end'),
        ('<it pos="begin" x="1">&lt;br&gt;</it>x', "<br>x"),
        ('a <hi type="b">bold</hi> c', 'a <hi type="b">bold</hi> c'),
        ("<ut>\\par </ut>x", "<ut/>x"),
        ('<ph>&lt;img alt="<sub>text</sub>"&gt;</ph>', '<img alt="text">'),
        ("a &lt; b &amp; c &#233;", "a < b & c é"),
        ("<![CDATA[a <b> c]]>", "a <b> c"),
        ("a<!-- no -->b", "ab"),
    ],
)
def test_tmx_inline_codes(tmp_path: Path, seg: str, expected: str) -> None:
    assert texts(read(tmp_path, tmx(unit(("fr", seg), ("en", "x"))))) == [(expected, "x")]


def test_tmx_provenance(tmp_path: Path) -> None:
    more = '<note>check</note><prop type="x-domain">law</prop><prop type="client">ACME</prop>'
    attributes = 'tuid="u7" creationid="ann" changedate="20240101T000000Z"'
    pair = read(tmp_path, tmx(unit(("fr", "un"), ("en", "one"), more=more, attributes=attributes)))[0]
    assert pair.id == "u7"
    assert pair.origin.unit == "u7"
    assert pair.origin.attributes == {
        "creationid": "ann",
        "changedate": "20240101T000000Z",
        "note": "check",
        "prop:x-domain": "law",
        "prop:client": "ACME",
    }


def test_tmx_encodings_and_compression(tmp_path: Path) -> None:
    content = tmx(unit(("fr", "été"), ("en", "summer")))
    wide = content.replace("UTF-8", "UTF-16").encode("utf-16")
    latin = content.replace("UTF-8", "ISO-8859-1").encode("latin-1")
    for data, ending in (
        (wide, ""),
        (latin, ""),
        (gzip.compress(wide), ".gz"),
        (lzma.compress(content.encode()), ".xz"),
        (b"\xef\xbb\xbf" + content.encode(), ""),
    ):
        assert texts(read(tmp_path, data, ending=ending)) == [("été", "summer")]


def test_tmx_with_namespace(tmp_path: Path) -> None:
    content = tmx(unit(("fr", "un"), ("en", "one"))).replace("<tmx ", '<tmx xmlns="http://www.lisa.org/tmx14" ')
    assert texts(read(tmp_path, content)) == [("un", "one")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not well-formed"),
        ("no xml", "not well-formed"),
        (tmx(unit(("fr", "un"), ("en", "one")))[:-30], "not well-formed"),
        (tmx(unit(("de", "eins"), ("it", "uno"))), "no units with both fr and en; it has de, it"),
        (tmx(), "no translation units"),
        ("<html/>", "no translation units"),
        (tmx(unit(("fr", "un &undefined; deux"), ("en", "x"))), "undefined"),
    ],
)
def test_bad_tmx(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, content)


def laughs(reference: str) -> str:
    declared = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10 if level else "lol"}">' for level in range(12))
    return f"<?xml version='1.0'?><!DOCTYPE tmx [{declared}]>{reference}"


@pytest.mark.parametrize("kind", ["tmx", "xliff"])
@pytest.mark.parametrize(
    "content",
    [
        laughs("<tmx><body><tu><tuv xml:lang='fr'><seg>&l11;</seg></tuv></tu></body></tmx>"),
        laughs("<tmx a='&l11;'><body/></tmx>"),
        laughs("<tmx><body><tu tuid='&l11;'/></body></tmx>"),
        laughs("<other>&l11;</other>"),
        "<!DOCTYPE x [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><tmx/>",
    ],
)
def test_bombs_are_refused(tmp_path: Path, kind: str, content: str) -> None:
    with pytest.raises(InputError):
        read(tmp_path, content, kind)


def test_external_entities_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the secret")
    for reference in ("<seg>&x;</seg>", "<seg><ph>&x;</ph></seg>"):
        content = (
            f"<!DOCTYPE tmx [<!ENTITY x SYSTEM 'file://{tmp_path}/secret'>]><tmx><body><tu><tuv xml:lang='fr'>"
            f"{reference}</tuv><tuv xml:lang='en'><seg>a</seg></tuv></tu></body></tmx>"
        )
        with pytest.raises(InputError, match="declares XML entities") as caught:
            read(tmp_path, content)
        assert "the secret" not in str(caught.value)


def test_external_dtd_is_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "evil.dtd").write_text('<!ENTITY x "evil">')
    content = tmx(unit(("fr", "a"), ("en", "b"))).replace("tmx14.dtd", f"file://{tmp_path}/evil.dtd")
    assert texts(read(tmp_path, content)) == [("a", "b")]
    with pytest.raises(InputError):
        read(tmp_path, content.replace(">a<", ">&x;<"))


def test_depth_is_bounded(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read(tmp_path, "<tmx>" + "<a>" * 100_000)
    with pytest.raises(InputError):
        read(tmp_path, tmx(unit(("fr", "<hi>" * 5000 + "</hi>" * 5000), ("en", "b"))))


XLIFF_1 = """<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="menu.html" source-language="{source}" target-language="{target}" datatype="html"><body>{body}</body>
</file></xliff>"""
XLIFF_2 = """<?xml version="1.0"?><xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="{source}"
trgLang="{target}"><file id="f1" original="menu.html">{body}</file></xliff>"""


def test_xliff_1(tmp_path: Path) -> None:
    body = """
    <trans-unit id="1"><source>one</source><target state="final">un</target><note>short</note></trans-unit>
    <trans-unit id="2"><source>two</source><target state="needs-translation">two</target></trans-unit>
    <trans-unit id="3"><source>three</source></trans-unit>
    <group><trans-unit id="4" approved="yes"><source>four <g id="1">bold</g><x id="2"/></source>
      <target>quatre <g id="1">gras</g><x id="2"/></target>
      <alt-trans><source>no</source><target>non</target></alt-trans></trans-unit></group>
    <trans-unit id="5"><source>A. B.</source>
      <seg-source><mrk mtype="seg" mid="0">A.</mrk> <mrk mtype="seg" mid="1">B<ph id="9">{0}</ph>.</mrk></seg-source>
      <target><mrk mtype="seg" mid="0">Ah.</mrk> <mrk mtype="seg" mid="1">Bé<ph id="9">{0}</ph>.</mrk></target>
    </trans-unit>
    <trans-unit id="6"><source>a<bpt id="1">&lt;i></bpt>b<ept id="1">&lt;/i></ept></source>
      <target>c<bx id="1"/>d<ex id="1"/></target></trans-unit>"""
    account = Account()
    pairs = read(tmp_path, XLIFF_1.format(source="en-US", target="fr", body=body), "xliff", ("en", "fr"), account)
    assert texts(pairs) == [
        ("one", "un"),
        ('four <g id="1">bold</g><x id="2"/>', 'quatre <g id="1">gras</g><x id="2"/>'),
        ("A.", "Ah."),
        ("B{0}.", "Bé{0}."),
        ("a<i>b</i>", 'c<bx id="1"/>d<ex id="1"/>'),
    ]
    assert account.skipped == {"untranslated": 2}
    assert pairs[0].origin.attributes == {"original": "menu.html", "note": "short", "state": "final"}
    assert [pair.origin.unit for pair in pairs][2:4] == ["menu.html/5/0", "menu.html/5/1"]
    assert len({pair.id for pair in pairs}) == len(pairs)


def test_xliff_2(tmp_path: Path) -> None:
    body = """<unit id="u1"><notes><note>hint</note></notes>
      <segment id="s1" state="translated"><source>one <pc id="1">b</pc> <ph id="2"/></source>
        <target>un <pc id="1">g</pc> <ph id="2"/></target></segment>
      <ignorable><source> </source></ignorable>
      <segment id="s2" state="initial"><source>two</source><target>two</target></segment>
      <segment><source>three <sc id="3"/>x<ec startRef="3"/></source>
        <target>trois <sc id="3"/>x<ec startRef="3"/><cp hex="0007"/></target></segment>
      <segment><source>four</source></segment></unit>"""
    account = Account()
    pairs = read(tmp_path, XLIFF_2.format(source="en", target="fr-FR", body=body), "xliff", ("en", "fr"), account)
    assert texts(pairs) == [
        ('one <pc id="1">b</pc> <ph id="2"/>', 'un <pc id="1">g</pc> <ph id="2"/>'),
        ('three <sc id="3"/>x<ec id="3"/>', 'trois <sc id="3"/>x<ec id="3"/>\x07'),
    ]
    assert account.skipped == {"untranslated": 2}
    assert pairs[0].origin.attributes["note"] == "hint"


def test_xliff_backwards_and_wrong(tmp_path: Path) -> None:
    content = XLIFF_1.format(
        source="en", target="fr", body='<trans-unit id="1"><source>one</source><target>un</target></trans-unit>'
    )
    assert texts(read(tmp_path, content, "xliff", ("fr", "en"))) == [("un", "one")]
    with pytest.raises(InputError, match="does not translate de to en; it has en to fr"):
        read(tmp_path, content, "xliff", ("de", "en"))
    assert texts(read(tmp_path, content.replace('target-language="fr"', ""), "xliff", ("en", "cs"))) == [("one", "un")]
