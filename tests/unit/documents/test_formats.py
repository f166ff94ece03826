"""Each format: what is translated, what stays, how machine output is marked, and bytes that come back as they were."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.documents.support import Identity, Wordwise, translated

from dragoman.documents import BY_EXTENSION, DocumentLimits, read_document, translate_document, translate_markup
from dragoman.errors import ConfigError, InputError

HTML = """<!DOCTYPE html>
<html lang="fr">
<head><meta charset="utf-8"><title>un titre &amp; plus</title><style>p > b { x: "y" }</style></head>
<body class=main>
<p>un <b>homme</b> dort
   sur un <a href="?a=1&amp;b=2" title="un &quot;lien&quot;">banc <i>vert</i></a>. <!-- note --> fin&nbsp;!</p>
<p>voir <code>x < y</code> ici<br>deux enfants</p>
<ul><li>un chien<li><img src=a.png alt="une fille"> 3 &lt; 4 &lt; cinq</ul>
<pre>  un
homme</pre><p translate="no">un <b>homme</b></p><p class="a notranslate">un</p>
<script>var a = "<p>un homme</p>";</script>
<input type="submit" value="envoyer"><input value="un nom" placeholder='votre nom'>
</body></html>
"""
PO = r"""# comment
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 ? 0 : 1);\n"

#: a.c:1
#, c-format
msgid "un <b>homme</b> avec %s"
msgstr ""

# un
#| msgid "vieux"
msgctxt "menu"
msgid "_Fichier"
msgstr ""

msgid "un \"chien\""
msgid_plural ""
"des chiens\n"
"ici\t\n"
msgstr[0] ""
msgstr[1] ""

#, fuzzy
msgid "une femme"
msgstr "a lady"

msgid "12 %"
msgstr ""

#~ msgid "vieux"
#~ msgstr ""
"""
XLIFF = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
 <file original="a" source-language="fr" datatype="plaintext"><body>
  <trans-unit id="1">
    <source>un <g id="1">homme</g> dort &amp; <bpt id="2">&lt;b></bpt>banc vert<ept id="2">&lt;/b></ept> <x id="3"/></source>
    <alt-trans><source>un</source><target>no</target></alt-trans>
  </trans-unit>
  <trans-unit id="2"><source>une femme</source><target state="translated">A lady</target></trans-unit>
  <trans-unit id="3"><source>une femme</source><target xml:lang="en" state="new"/></trans-unit>
  <trans-unit id="4" translate="no"><source>une femme</source></trans-unit>
  <trans-unit id="5"><source>une. un.</source><seg-source><mrk mtype="seg" mid="1">une.</mrk> <mrk mtype="seg" mid="2">un.</mrk></seg-source></trans-unit>
  <trans-unit id="6"><source>femme</source><target state="needs-translation">femme</target></trans-unit>
  <trans-unit id="7" approved="yes"><source>femme</source></trans-unit>
  <group translate="no"><trans-unit id="8"><source>femme</source></trans-unit></group>
 </body></file></xliff>
"""  # noqa: E501
XLIFF2 = """<xliff version="2.0" srcLang="fr" xmlns="urn:oasis:names:tc:xliff:document:2.0"><file id="f"><unit id="1">
  <segment id="s"><source>un <pc id="1">homme</pc> <sc id="2"/>banc<ec startRef="2"/> <ph id="3"/></source></segment>
  <segment state="initial"><source>une femme</source><target></target></segment>
  <segment state="final"><source>une femme</source><target>a lady</target></segment></unit></file></xliff>
"""
MARKDOWN = """---
title: un homme
---
# un homme et une femme #

un **homme** dort
sur un [banc *vert*](http://x.org/a_b "un banc"). voir `un code` ou [la note][n], [banc], <http://x.org>, snake_case
\\*pas gras\\* et ![une image](a.png)[^1]

* un chien
* une femme@@
  court
    1. deux enfants

    encore

> un homme
> court

| homme | femme |
|---|:-:|
| un | une `x|y` \\| fille |

```sh
un homme
```

    un homme

<div>
un <b>homme</b>
</div>

titre
=====

[^1]: une note
[n]: http://n
[banc]: http://b
""".replace("@@", "  ")
SRT = """1
00:00:01,000 --> 00:00:04,000
{\\an8}<i>un homme dort</i>
sur un banc vert

2
00:00:05,000 --> 00:00:06,000
- un chien
- une femme

3
00:00:07,000 --> 00:00:08,000
42
"""
VTT = """WEBVTT - titre

NOTE
un homme

STYLE
::cue { color: red }

intro
00:01.000 --> 00:04.000 align:start
<v Anna>un homme &amp; une <c.loud>femme</c>

00:05.000 --> 00:06.000
fin
"""
TEXT = "un homme\n\n  une femme \r\n\t3 + 4\nfin"
SAMPLES = {
    "a.html": HTML,
    "a.po": PO,
    "a.xlf": XLIFF,
    "b.xliff": XLIFF2,
    "a.md": MARKDOWN,
    "a.srt": SRT,
    "a.vtt": VTT,
    "a.txt": TEXT,
}


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in ("a.po", "a.xlf", "b.xliff")])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_identity_gives_the_same_bytes(name: str, ending: str, mark: bytes) -> None:
    data = mark + SAMPLES[name].replace("\r\n", "\n").replace("\n", ending).encode()
    assert translate_document(data, name, Identity()) == data


@pytest.mark.parametrize("name", SAMPLES)
def test_without_translations_the_same_bytes(name: str) -> None:
    data = SAMPLES[name].encode()
    document = read_document(data, name)
    assert document.segments
    assert document.write([None] * len(document.segments)) == data


def test_html() -> None:
    made = translated(HTML, "a.html")
    assert "<title>UN TITRE &amp; PLUS</title>" in made
    assert 'UN <b>HOMME</b> DORT SUR UN <a href="?a=1&amp;b=2" title="UN &quot;LIEN&quot;">BANC <i>VERT</i></a>' in made
    assert "<!-- note -->" in made
    assert "<p>VOIR <code>x < y</code> ICI<br>DEUX ENFANTS</p>" in made
    assert '<li>UN CHIEN<li><img src=a.png alt="UNE FILLE"> 3 &lt; 4 &lt; CINQ</ul>' in made
    for kept in (
        "<pre>  un\nhomme</pre>",
        '<p translate="no">un <b>homme</b></p>',
        '<p class="a notranslate">un</p>',
        '<script>var a = "<p>un homme</p>";</script>',
        'value="un nom"',
        'x: "y"',
        '<html lang="fr">',
    ):
        assert kept in made
    assert 'value="ENVOYER"' in made and "placeholder='VOTRE NOM'" in made


def test_html_reordered() -> None:
    made = translated("<p>un <b>homme <i>dort</i></b> ici</p>", "a.html", Wordwise(backwards=True))
    assert made == "<p>ICI <b><i>DORT</i> HOMME</b> UN</p>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("un &lt;b&gt; &amp;amp; deux", "UN &lt;B&gt; &amp;AMP; DEUX"),
        ("<b>un", "<b>UN"),
        ("un</b> deux", "UN</b> DEUX"),
        ("un <b>deux<p>trois</b>", "UN <b>DEUX<p>TROIS</b>"),
        ("", ""),
        ("a < b", "A &lt; B"),
        ("<p>un<!-- a", "<p>UN<!-- a"),
        ("<title>un <b></title>", "<title>UN &lt;B&gt;</title>"),
        ("&eacute;t&eacute;", "ÉTÉ"),
        ("<ul><li><code>x</code></ul>", "<ul><li><code>x</code></ul>"),
    ],
)
def test_markup_fragments(text: str, expected: str) -> None:
    assert translate_markup(text, Wordwise()) == expected


def test_html_in_other_encodings() -> None:
    page = '<meta charset="iso-8859-1"><p>été'
    assert translate_document(page.encode("latin-1"), "a.html", Wordwise()) == page.replace("été", "ÉTÉ").encode(
        "latin-1"
    )
    greek = translate_document(page.encode("latin-1"), "a.html", Wordwise(lambda word: "αβ")).decode("latin-1")
    assert greek.endswith("<p>&#945;&#946;")
    with pytest.raises(InputError, match="no known encoding"):
        translated('<meta charset="nonsense">', "a.html")
    with pytest.raises(InputError, match="no encoding of text"):
        translated('<meta charset="zlib">', "a.html")


def test_po() -> None:
    made = translated(PO, "a.po")
    assert '#, fuzzy, c-format\nmsgid "un <b>homme</b> avec %s"\nmsgstr "UN <b>HOMME</b> AVEC %s"' in made
    assert '#, fuzzy\n#| msgid "vieux"\nmsgctxt "menu"\nmsgid "_Fichier"\nmsgstr "_FICHIER"' in made
    assert 'msgstr[0] "UN \\"CHIEN\\""' in made
    assert made.count('msgstr[1] ""\n"DES CHIENS') == 1 and made.count("msgstr[2]") == 1
    assert 'msgstr "a lady"' in made
    assert 'msgid "12 %"\nmsgstr ""' in made
    assert made.endswith('#~ msgid "vieux"\n#~ msgstr ""\n')
    # Once more, there is nothing left to do.
    assert translated(made, "a.po", Wordwise(str.lower)) == made


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed")
def test_po_passes_msgfmt(tmp_path: Path) -> None:
    (tmp_path / "a.po").write_text(translated(PO, "a.po", Wordwise(lambda word: word)))
    done = subprocess.run(["msgfmt", "-o", tmp_path / "a.mo", tmp_path / "a.po"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_po_agrees_with_polib() -> None:
    polib = pytest.importorskip("polib")
    before, after = polib.pofile(PO), polib.pofile(translated(PO, "a.po"))
    assert [entry.msgid for entry in before] == [entry.msgid for entry in after]
    for old, new in zip(before, after, strict=True):
        if old.msgstr or new.obsolete:
            assert new.msgstr == old.msgstr
        elif new.msgstr or any(new.msgstr_plural.values()):
            assert new.fuzzy
    plural = next(entry for entry in after if entry.msgid_plural)
    assert plural.msgstr_plural[1] == plural.msgstr_plural[2]
    assert plural.msgstr_plural[1].endswith("\n")


@pytest.mark.parametrize(
    ("text", "sign", "bare"),
    [("_Open", "_", "Open"), ("E&xit", "", "E&xit"), ("Save _as", "_", "Save as"), ("AT&T", "", "AT&T"),
     ("a_b", "", "a_b"), ("_a _b", "", "_a _b"), ("&amp; &x", "", "&amp; &x"),
     ("&Open", "&", "Open"), ("%s_%s", "", "%s_%s")],
)  # fmt: skip
def test_accelerators(text: str, sign: str, bare: str) -> None:
    from dragoman.documents.accelerator import restored, stripped

    assert stripped(text) == (bare, sign)
    assert restored("«été»", "_") == "«_été»"
    assert restored("12", "_") == "12"


@pytest.mark.parametrize(
    ("text", "forward", "backward"),
    [
        ("%s de %d", "%s DE %d", "%2$d DE %1$s"),
        ("<b>%s</b> de %s", "<b>%s</b> DE %s", "%2$s DE <b>%1$s</b>"),
        ("%s seul", "%s SEUL", "SEUL %s"),
        ("%2$s de %1$s", None, None),
        ("%5.2lf %% de %s", "%5.2lf %% DE %s", None),
        ("%*d de %s", None, None),
    ],
)
def test_printf_directives_keep_their_arguments(text: str, forward: str | None, backward: str | None) -> None:
    message = f'#, c-format\nmsgid "{text}"\nmsgstr ""\n'
    for backwards, expected in ((False, forward), (True, backward)):
        made = translated(message, "a.po", Wordwise(backwards=backwards))
        assert expected is None or f'msgstr "{expected}"' in made
    plain = translated(message.replace("c-format", "no-c-format"), "a.po", Wordwise(backwards=True))
    assert "$" not in plain or "$" in text


def test_xliff() -> None:
    made = translated(XLIFF, "a.xlf")
    state = 'state="needs-review-translation" state-qualifier="mt-suggestion"'
    target = (
        f'\n    <target {state}>UN <g id="1">HOMME</g> DORT &amp; <bpt id="2">&lt;b></bpt>BANC VERT'
        '<ept id="2">&lt;/b></ept> <x id="3"/></target>'
    )
    assert target in made
    assert f'<target xml:lang="en" {state}>UNE FEMME</target>' in made
    assert '<target state="translated">A lady</target>' in made
    assert f'<target {state}><mrk mtype="seg" mid="1">UNE.</mrk> <mrk mtype="seg" mid="2">UN.</mrk></target>' in made
    assert f"<source>femme</source><target {state}>FEMME</target>" in made
    assert made.count("<target") == 6 and "<target>no</target>" in made
    assert made.replace(target, "").startswith(XLIFF[:200])
    assert translated(made, "a.xlf", Wordwise(str.lower)) == made


def test_xliff_2() -> None:
    made = translated(XLIFF2, "b.xliff", Wordwise(backwards=True))
    assert (
        '<segment id="s" state="translated" subState="dragoman:mt">' in made
        and '<target><ph id="3"/> <sc id="2"/>BANC<ec startRef="2"/> <pc id="1">HOMME</pc> UN</target></segment>'
        in made
    )
    assert (
        '<segment state="translated" subState="dragoman:mt"><source>une femme</source><target>FEMME UNE</target>'
        in made
    )
    assert "<target>a lady</target>" in made
    assert translated(made, "b.xliff", Wordwise(str.lower)) == made


@pytest.mark.parametrize("name", ["a.xlf", "b.xliff"])
def test_xliff_stays_well_formed_and_is_read_back(name: str, tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    from dragoman.config import ReadOptions
    from dragoman.corpus.formats import Input, read_pairs

    (tmp_path / name).write_text(translated(SAMPLES[name], name, Wordwise(backwards=True)))
    pairs = list(read_pairs(Input("xliff", str(tmp_path / name)), "fr", "en", ReadOptions()))
    assert len(pairs) >= 3


def test_markdown() -> None:
    made = translated(MARKDOWN, "a.md")
    for text in (
        "title: un homme",
        "# UN HOMME ET UNE FEMME #",
        'UN **HOMME** DORT SUR UN [BANC *VERT*](http://x.org/a_b "un banc"). VOIR `un code` OU [LA NOTE][n],'
        " [BANC][banc], <http://x.org>, SNAKE_CASE \\*PAS GRAS\\* ET ![UNE IMAGE](a.png)[^1]",
        "* UN CHIEN\n* UNE FEMME  \n  COURT\n    1. DEUX ENFANTS\n\n    ENCORE\n",
        "> UN HOMME COURT",
        "| HOMME | FEMME |\n|---|:-:|\n| UN | UNE `x|y` \\| FILLE |",
        "```sh\nun homme\n```\n\n    un homme\n",
        "<div>\nUN <b>HOMME</b>\n</div>",
        "TITRE\n=====",
        "[^1]: UNE NOTE\n[n]: http://n",
    ):
        assert text in made, made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("un *deux trois", "UN *DEUX TROIS"),
        ("un ** deux ** trois", "UN ** DEUX ** TROIS"),
        ("***un*** _deux_ ~~trois~~", "***UN*** _DEUX_ ~~TROIS~~"),
        ("un [deux](a(b)c) ]( [", "UN [DEUX](a(b)c) ]( ["),
        ("un ``a ` b`` deux", "UN ``a ` b`` DEUX"),
        ("un `deux", "UN `DEUX"),
        ("- [ ] un\n- [x] deux", "- [ ] UN\n- [x] DEUX"),
        ("un\n***\ndeux", "UN\n***\nDEUX"),
        ("un\n---", "UN\n---"),
        ("1) un\n2) deux", "1) UN\n2) DEUX"),
        ("> > un\n> > deux", "> > UN DEUX"),
        ("~~~\nun", "~~~\nun"),
        ("\tun", "\tun"),
    ],
)
def test_markdown_pieces(text: str, expected: str) -> None:
    assert translated(text, "a.md") == expected


def test_markdown_does_not_become_something_else() -> None:
    assert translated("le 1. mai", "a.md", Wordwise(lambda w: {"le": "1."}.get(w, w))) == "1\\. 1. mai"
    assert translated("un deux", "a.md", Wordwise(lambda w: {"un": "#"}.get(w, w))) == "\\# deux"


def test_srt() -> None:
    made = translated(SRT, "a.srt")
    assert "{\\an8}<i>UN HOMME DORT</i>\nSUR UN BANC VERT\n\n2" in made
    assert "- UN CHIEN\n- UNE FEMME\n" in made
    assert made.endswith("42\n")
    crlf = translate_document(SRT.replace("\n", "\r\n").encode(), "a.srt", Wordwise())
    assert crlf == made.replace("\n", "\r\n").encode()


def test_vtt() -> None:
    made = translated(VTT, "a.vtt")
    assert "<v Anna>UN HOMME &amp; UNE <c.loud>FEMME</c>\n" in made
    assert "NOTE\nun homme\n" in made and "::cue { color: red }" in made and "\nintro\n" in made
    assert made.endswith("\nFIN\n")


def test_text() -> None:
    assert translated(TEXT, "a.txt") == "UN HOMME\n\n  UNE FEMME \r\n\t3 + 4\nFIN"


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
    "unknown": ("a.docx", b"x", "--format"),
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
    try:
        same = translate_document(data, f"a{suffix}", Identity())
    except InputError:
        return
    if suffix not in (".po", ".pot"):
        assert same == data
    translate_document(data, f"a{suffix}", Wordwise(backwards=True))
    document = read_document(data, f"a{suffix}")
    assert document.write([None] * len(document.segments)) == data


def test_quick_on_hostile_markdown() -> None:
    for text in ("[" * 20_000 + "]" * 20_000, "*a " * 12_000, "`" * 20_000, "> " * 10_000, "_a_" * 10_000,
                 "](" * 10_000, "<a " * 10_000, "![" * 10_000, "a|" * 10_000 + "\n---", "\\(" * 10_000, "$$a" * 10_000,
                 "[a]: b\n" + "[a" * 10_000 + "]" * 10_000, "<!-- " * 10_000):  # fmt: skip
        assert translate_document(text.encode(), "a.md", Identity()) == text.encode()


def test_journal_resumes(tmp_path: Path) -> None:
    from dragoman.documents import Journal

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
