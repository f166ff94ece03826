"""Each format: what is translated, what stays, how machine output is marked, and bytes that come back as they were."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dragoman.documents import read_document, translate_document, translate_markup
from dragoman.errors import InputError
from tests.unit.documents.samples import HTML, MARKDOWN, PO, SAMPLES, SRT, TEXT, VTT, XLIFF, XLIFF2
from tests.unit.documents.support import Identity, Wordwise, translated


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
        ("<DIV TRANSLATE=no>un</DIV> deux", "<DIV TRANSLATE=no>un</DIV> DEUX"),
        ('<p Class="a notranslate">un</p>', '<p Class="a notranslate">un</p>'),
        ('<img ALT="un" alt="deux">', '<img ALT="UN" alt="deux">'),
        ('<INPUT TYPE=submit VALUE="un">', '<INPUT TYPE=submit VALUE="UN">'),
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
