"""Paragraphs out of help pages, and their pairs, on pages written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.demo.help_pages import paired, paragraphs

CTRL = (
    '<span id="swln1" class="switchinline"><span hidden="true" id="MAC1" class="MAC"><span class="keycode">Command'
    '</span></span><span hidden="true" id="default1"><span class="keycode">Ctrl</span></span></span>'
)
MODULES = (
    '<span class="switchinline"><span id="WRITERx" class="WRITER">texte</span><span id="CALCx" class="CALC">classeur'
    "</span>{default}</span>"
)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("", []),
        ("no elements at all", []),
        ('<p id="a">Plain.</p>', [("a", "Plain.")]),
        ('<h1 id="t">Title</h1><h6 id="u">Small</h6>', [("t", "Title"), ("u", "Small")]),
        ("<p>No id.</p><p id=''>Empty id.</p>", []),
        ('<p id="a">  </p><p id="b"><img src="x.svg" alt="Icon"></p>', []),
        ('<p id="a">\n  One\n\ttwo   three </p>', [("a", "One two three")]),
        ('<p id="a">Vraiment\u202f? «\u00a0Oui\u00a0»</p>', [("a", "Vraiment\u202f? «\u00a0Oui\u00a0»")]),
        ('<p id="a">&nbsp;x &amp;&lt;b&gt; &eacute;&#233;&nbsp;</p>', [("a", "x &<b> éé")]),
        ('<p id="a">one<br>two<br/>three</p>', [("a", "one two three")]),
        (
            '<p id="a">See <a href="x.html"><span class="emph">Tools - <b>Options</b></span></a>, x<sup>2</sup>.</p>',
            [("a", "See Tools - Options, x2.")],
        ),
        (f'<p id="a">Press {CTRL}+S.</p>', [("a", "Press Ctrl+S.")]),
        ('<p id="a">Press <span class="MAC">Command</span><span>Ctrl</span>.</p>', [("a", "Press Ctrl.")]),
        ('<p id="a">Un ' + MODULES.format(default="") + ".</p>", [("a", "Un texte.")]),
        (
            '<p id="a">Un ' + MODULES.format(default='<span id="defaultx">document</span>') + ".</p>",
            [("a", "Un document.")],
        ),
        (
            '<span class="switch"><span class="MAC"><p id="m">Mac.</p></span><p id="o">Other.</p></span>',
            [("o", "Other.")],
        ),
        ('<p id="a">Left open<p id="b">Next', [("a", "Left open"), ("b", "Next")]),
        ('<div><p id="a">Left open</div><p id="b">Next</p>', [("a", "Left open"), ("b", "Next")]),
        ('<p id="a">One</b> two</div> three</p>', [("a", "One two three")]),
        (
            '<p id="a">Not on a Mac<span class="switchinline"><span class="MAC">: no</span></span>.</p>',
            [("a", "Not on a Mac.")],
        ),
        ('</p></span><p id="a">After stray ends</p>', [("a", "After stray ends")]),
        ('<p id="a">x<script>var p = "<p id=z>";</script>y</p>', [("a", "xy")]),
        ('<pre><p id="c">Dim x</p></pre><p id="a">Text</p>', [("a", "Text")]),
        ('<footer><p id="bm_module">frame</p></footer><p id="a">Text</p>', [("a", "Text")]),
        ('<p id="a">one</p><p id="a">two</p>', [("a", "one"), ("a", "two")]),
    ],
)
def test_paragraphs(page: str, expected: list[tuple[str, str]]) -> None:
    assert paragraphs(page) == expected


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (
            '<p id="a">un</p><p id="b">deux</p>',
            '<p id="b">two</p><p id="a">one</p>',
            [("a", "un", "one"), ("b", "deux", "two")],
        ),
        ('<p id="a">un</p><p id="b">deux</p>', '<p id="a">one</p>', [("a", "un", "one")]),
        ('<p id="a">un</p><p id="b"> </p>', '<p id="a">one</p><p id="b">two</p>', [("a", "un", "one")]),
        # A passage that is repeated gives one pair; an id that means two things gives none.
        ('<p id="a">un</p><p id="a">un</p>', '<p id="a">one</p>', [("a", "un", "one")]),
        ('<p id="a">un</p><p id="a">deux</p>', '<p id="a">two</p><p id="a">one</p>', []),
        ('<p id="a">un</p>', '<p id="a">two</p><p id="a">one</p>', []),
        ("", '<p id="a">one</p>', []),
    ],
)
def test_paired(source: str, target: str, expected: list[tuple[str, str, str]]) -> None:
    assert list(paired(source, target)) == expected


PIECES = [
    "\0",
    "<p id=a>",
    "<p>",
    "</p>",
    "<h1 id=b>",
    "</h1>",
    "<span class=MAC>",
    "<span class=switchinline>",
    "<span>",
    "</span>",
    "<br>",
    "<div>",
    "</div>",
    "<pre>",
    "</pre>",
    "&amp;",
    "&",
    "<",
    "word ",
    "\u00a0",
    "<!--",
    "-->",
    "<img",
    "'",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_markup_is_survived(page: str) -> None:
    for identifier, text in paragraphs(page):
        assert identifier
        assert text == text.strip()
        assert "\n" not in text and "  " not in text
