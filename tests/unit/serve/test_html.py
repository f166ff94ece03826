"""HTML in, HTML out: what people read is translated, tags stay around it, and escaped text stays escaped."""

from __future__ import annotations

import pytest

from dragoman.documents.markup import Kind, scan
from tests.unit.serve.support import Server


def tags(text: str) -> list[str]:
    return [text[mark.begin : mark.end] for mark in scan(text, html=True) if mark.kind is not Kind.TEXT]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Le chat dort.", "The cat sleeps."),
        ("<p>Le chat dort.</p>", "<p>The cat sleeps.</p>"),
        ("<p>La <b>maison bleue</b>.</p>", "<p>The <b>blue house</b>.</p>"),
        ("<p>La maison <b>bleue</b>.</p>", "<p>The <b>blue</b> house.</p>"),
        ("<b>La maison</b> bleue.", None),
        ("<p><b><i>La maison.</i></b></p>", "<p><b><i>The house.</i></b></p>"),
        ("<p>Le <i>chat <b>noir</b></i> dort.</p>", "<p>The <i><b>black</b> cat</i> sleeps.</p>"),
        ("<ul>\n  <li>La maison.</li>\n  <li>Le chat dort.</li>\n</ul>",
         "<ul>\n  <li>The house.</li>\n  <li>The cat sleeps.</li>\n</ul>"),
        ("La maison.<br>Le chat dort.", "The house.<br>The cat sleeps."),
        ("La\n   maison\n bleue.", "The blue house."),
        ("<pre>La maison.\nLe chat dort.\n</pre>", "<pre>La maison.\nLe chat dort.\n</pre>"),
        ("Le chat &lt;b&gt; dort.", "The cat &lt;b&gt; sleeps."),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", None),
        ("Le chat &amp;lt; la maison.", None),
        ("<script>if (a < b) la.maison()</script>La maison.", "<script>if (a < b) la.maison()</script>The house."),
        ("<style>le chat { }</style>", "<style>le chat { }</style>"),
        ("<title>La maison</title>", "<title>The house</title>"),
        ("<!-- la maison --><p>Le chat dort.</p>", "<!-- la maison --><p>The cat sleeps.</p>"),
        ("Le chat voit <code>la maison</code>.", "The cat sees <code>la maison</code>."),
        ("Le chat voit <span translate=no>la maison</span>.", "The cat sees <span translate=no>la maison</span>."),
        ('<p class="notranslate">La maison.</p>', '<p class="notranslate">La maison.</p>'),
        ('Le chat voit <img src="a>b.png" alt="x"> la maison.',
         'The cat sees <img src="a>b.png" alt="x"> the house.'),
        ("<p>La maison <b>bleue.</p><p>Le chat</b> dort.</p>", None),
        ("<b><i>La</b></i> maison.", None),
        ("<p>", "<p>"),
        ("", ""),
        ("<<<", "<<<"),
        ("<a href='", "<a href='"),
        ("La maison. <a", "The house. <a"),
        ("La maison < bleue.", None),
        ("La maison. <a href='la <b>maison</b>", "The house. <a href='la <b>maison</b>"),
        ("La <b 'x>maison</b> bleue.", "The blue <b 'x>house</b>."),
        ("<p>   </p>\n", "<p>   </p>\n"),
        ("<B>La Maison</B>", None),
    ],
)  # fmt: skip
def test_translations(server: Server, source: str, target: str | None) -> None:
    if not source:
        return
    made = server.post("/translate", q=[source, "x"], source="fr", target="en", format="html").json["translatedText"][0]
    if target is not None:
        assert made == target
    assert sorted(tags(made)) == sorted(tags(source))


def test_escaped_text_never_becomes_markup(server: Server) -> None:
    source = "<p>La maison &lt;img src=x onerror=alert(1)&gt; &#60;b&#62; &amp;lt;i&amp;gt; &quot;chat&quot;</p>"
    made = server.post("/translate", q=source, source="fr", target="en", format="html").json["translatedText"]
    assert tags(made) == ["<p>", "</p>"]
    assert "&lt;img src=x onerror=alert(1)&gt;" in made
    assert "&lt;b&gt;" in made
    assert "&amp;lt;i&amp;gt;" in made


def test_a_glossary_term_cannot_bring_tags(server: Server) -> None:
    answer = server.post(
        "/translate", q="<p>La maison.</p>", source="fr", target="en", format="html", glossary={"maison": "<script>"}
    )
    assert "<script>" not in answer.json["translatedText"]
    assert "&lt;script&gt;" in answer.json["translatedText"]


def test_apertium_html(server: Server) -> None:
    answer = server.get("/translate", langpair="fra|eng", q="<p>Le <b>chat</b> &lt; dort.</p>", format="html")
    assert answer.json["responseData"]["translatedText"].startswith("<p>The <b>cat</b> &lt;")
