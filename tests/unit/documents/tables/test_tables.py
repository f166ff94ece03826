"""Each kind of string table: what is translated, what stays, and programs that read the result."""

from __future__ import annotations

import json
import plistlib
import re
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from lxml import etree

from dragoman.documents import read_document, translate_document
from dragoman.errors import ConfigError, InputError
from tests.unit.documents.support import Identity, Wordwise, translated
from tests.unit.documents.tables.samples import (
    ANDROID,
    ARB,
    EXTENSION,
    JSON,
    PROPERTIES,
    QT,
    RESX,
    STRINGS,
    STRINGSDICT,
    TABLES,
    YAML,
)


class Into(Wordwise):
    """A translator of a model that says its target language."""

    def __init__(self, language: str, **more: Any) -> None:
        super().__init__(**more)
        self.model = SimpleNamespace(manifest=SimpleNamespace(source_lang="", target_lang=language))


def noted(text: str, name: str) -> list[str]:
    notes: list[str] = []
    translate_document(text.encode(), name, Wordwise(), note=notes.append)
    return notes


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_identity_gives_the_same_bytes(name: str, ending: str, encoding: str) -> None:
    def written(text: str) -> bytes:
        said = "utf-16" if encoding == "utf-16" else "utf-8"
        return re.sub('encoding="utf-8"', f'encoding="{said}"', text, flags=re.I).replace("\n", ending).encode(encoding)

    data = written(TABLES[name])
    document = read_document(data, name)
    assert document.segments
    assert document.write([None] * len(document.segments)) == data
    if name != "a.ts":
        assert translate_document(data, name, Identity()) == data
    assert translate_document(data, name, Wordwise()) == written(translated(TABLES[name], name))


@pytest.mark.parametrize("name", TABLES)
def test_placeholders_and_tags_survive_any_order(name: str) -> None:
    """Words that change places take nothing along that is not theirs, and lose nothing."""
    source, made = TABLES[name], translated(TABLES[name], name, Wordwise(backwards=True))
    for code in (
        "<b>",
        "</b>",
        "%{total}",
        "$t(menu.file)",
        "$USER$",
        "%#@files@",
        "<xliff:g",
        "{1,number,#.##}",
        "{d, d",
    ):
        assert made.count(code) == source.count(code) or name == "a.ts"


def test_json() -> None:
    made = translated(JSON, "a.json")
    assert '"title" : "UN HOMME",' in made and '{"b": "DEUX <b>ENFANTS</b> ICI"}' in made
    assert r'"UN \"CHIEN\"\n\tICI ÉTÉ \/ FIN", "url": "12 / 3"' in made
    assert "SUR %{total} OU $t(menu.file) ET" in made and '\t"été": "FIN"' in made
    only_ascii = r'{"a": "\u00e9t\u00e9 ici"}'
    assert translated(only_ascii, "a.json") == r'{"a": "\u00c9T\u00c9 ICI"}'


def test_messages_of_browser_extensions() -> None:
    made = json.loads(translated(EXTENSION, "messages.json"))
    assert made["name"] == {"message": "UN HOMME", "description": "le nom"}
    assert made["welcome"]["message"] == "BONJOUR $USER$"
    assert made["welcome"]["placeholders"] == json.loads(EXTENSION)["welcome"]["placeholders"]
    # With another member this is no such table, and all of it is text.
    assert json.loads(translated('{"a": {"message": "un", "title": "deux"}}', "a.json"))["a"]["title"] == "DEUX"


def test_arb() -> None:
    made = json.loads(translated(ARB, "a.arb", Into("en")))
    assert made["@@locale"] == "en"
    assert made["@hello"] == json.loads(ARB)["@hello"]
    assert made["hello"] == "L'{name} DORT"
    assert made["files"] == "{n, plural, one{UN FICHIER} other{{n} FICHIERS}}"


def test_yaml() -> None:
    made = translated(YAML, "fr.yml", Into("en"))
    for line in (
        "# un commentaire\nen:\n  title: UN HOMME   # note\n",
        "single: 'L''HOMME'\n",
        'double: "UN \\"CHIEN\\" ÉTÉ"\n  number: 12\n  truth: yes\n  nothing: ~\n',
        "anchored: &a UNE FEMME\n  tagged: !!str UNE FILLE\n  symbol: !ruby/symbol un_nom\n  again: *a\n",
        "list: [UN, 'DEUX', {trois: \"QUATRE, CINQ\"}]\n",
        "literal: |\n    UN HOMME\n      DORT\n\n    ICI\n\n",
        "folded: >-\n    UN HOMME DORT SUR\n\n    UN BANC\n",
        "kept: |2+\n      UNE\n    DEUX\n\n",
        "indented: >\n    un\n      deux\n  lines: UN HOMME DORT ICI\n  ? clé\n  : FIN\n",
        "item:\n  - UN\n  -   DEUX\n---\n- FIN\n",
    ):
        assert line in made, made
    assert len(list(yaml.safe_load_all(made.replace("!ruby/symbol ", "")))) == 2
    assert noted(YAML, "fr.yml") == [
        "fr.yml, line 29: a folded block with lines that are indented further was left as it is"
    ]
    # In a file of another name, or beside other keys, it is a key like any other.
    assert "\nfr:\n" in translated(YAML, "a.yml", Into("en"))
    assert translated("fr: un\nde: un\n", "fr.yml", Into("en")) == "fr: UN\nde: UN\n"


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("a: un", "12", "a: '12'"),
        ("a: un", "yes", "a: 'yes'"),
        ("a: un", "b: c", "a: 'b: c'"),
        ("a: un", "it's", "a: it's"),
        ("a: un", "c #d", "a: 'c #d'"),
        ("a: un", "- b", "a: '- b'"),
        ("a: un", "b, c", "a: b, c"),
        ("a: [un]", "b, c", "a: ['b, c']"),
        ("a: un", "@b", "a: '@b'"),
        ("a: un", "b\u2028c", 'a: "b\\u2028c"'),
        ("a: 'un'", 'it\'s "b"', "a: 'it''s \"b\"'"),
        ('a: "un"', 'b "c" \\ é', 'a: "b \\"c\\" \\\\ é"'),
    ],
)
def test_yaml_quotes_what_it_must(text: str, said: str, expected: str) -> None:
    class Says(Wordwise):
        def one(self, text: str) -> Any:
            return SimpleNamespace(text=said, sentences=[])

    assert translated(text, "a.yaml", Says()) == expected
    assert yaml.safe_load(expected) in ({"a": said}, {"a": [said]})


@pytest.mark.parametrize(
    "text", ["", "a:", "a: &b\nc: un", "a: ''\nb: !!str\nc: un", "? \n: un", "- \n- un\n-", "# un", "--- un\n..."]
)
def test_yaml_with_values_that_are_not_there(text: str) -> None:
    assert translated(text, "a.yaml") == (text if "#" in text else text.replace("un", "UN"))


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
def test_both_readers_of_yaml_find_the_same(loader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "CSafeLoader", getattr(yaml, loader))
    text = f"𝒳: 𝒳 été\n{YAML}"
    assert translated(text, "a.yaml") == f"𝒳: 𝒳 ÉTÉ\n{translated(YAML, 'a.yaml')}"
    assert translated(text.replace("\n", "\r\n"), "a.yaml") == translated(text, "a.yaml").replace("\n", "\r\n")


def test_yaml_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    with pytest.raises(ConfigError, match="pip install"):
        translated("a: un", "a.yaml")


def test_properties() -> None:
    made = translated(PROPERTIES, "a.properties")
    assert made == PROPERTIES.replace("un homme\n", "UN HOMME\n").replace(
        r"\u00e9t\u00e9 \
    et hiver\tici\nfin",
        r"\u00c9T\u00c9 ET HIVER\tICI\nFIN",
    ).replace("une femme", "UNE FEMME").replace("une fille", "UNE FILLE").replace(
        "un \\\n  # homme", "UN # HOMME"
    ).replace("=fin", "=FIN").replace("de l''homme", "DE L''HOMME").replace("'x'", "'X'").replace(
        "l'homme de", "L'HOMME DE"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a=ete", b"a=\\u00e9"),
        ("a=été".encode(), "a=é".encode()),
        ("a=été".encode("latin-1"), "a=é".encode("latin-1")),
    ],
)
def test_properties_keep_their_encoding(data: bytes, expected: bytes) -> None:
    assert translate_document(data, "a.properties", Wordwise(lambda word: "é")) == expected
    alpha = translate_document(data, "a.properties", Wordwise(lambda word: "α"))
    assert alpha == ("a=α".encode() if b"\xc3" in data else b"a=\\u03b1")


def test_apostrophes_of_message_formats() -> None:
    """Java reads one apostrophe as a quote, but only in a text with arguments; where one stood alone nobody did."""
    translator = Wordwise(lambda word: "o'z" if word.isalpha() else word)
    for text, expected in (
        ("a={0} de x", "a={0} o''z o''z"),
        ("a={0} d''x", "a={0} o''z''o''z"),
        ("a={0} d'x", "a={0} o'z'o'z"),
        ("a=de x", "a=o'z o'z"),
    ):
        assert translated(text, "a.properties", translator) == expected


def test_android() -> None:
    made = translated(ANDROID, "strings.xml")
    for line in (
        '<string name="app" translatable="false">Un Nom</string>',
        r"""<string name="escaped">L\'HOMME \"DORT\"\nICI ÉTÉ @ &amp; &lt;i&gt;FIN&lt;/i&gt;</string>""",
        'UN <b>HOMME</b> AVEC <xliff:g id="n">%1$d</xliff:g> <a href="x">AMIS</a></string>',
        '<string name="ref">@string/title</string>',
        '<string name="attr">?attr/title</string>',
        """<string name="quoted">"L'HOMME   DORT "</string>""",
        '<string name="wrapped">\n        UN HOMME DORT\n    </string>',
        "<![CDATA[UN <b>HOMME</b> & UNE FEMME]]>",
        '<string-array name="days"><item>UN</item><item>@string/title</item></string-array>',
        '<string-array name="codes" translatable="false"><item>un</item></string-array>',
        '<item quantity="one">%d FICHIER</item>',
        "<!-- un commentaire -->",
    ):
        assert line in made, made
    backwards = translated(ANDROID, "strings.xml", Wordwise(backwards=True))
    assert ">AMIS %2$d DE %1$s</string>" in backwards


def test_strings() -> None:
    made = translated(STRINGS, "a.strings")
    assert made.startswith('/* un commentaire; "a" = "b"; */\n"title" = "UN HOMME";\n// une note\n')
    assert r'"escaped" = "UN \"CHIEN\"\nICI ÉTÉ";' in made
    assert 'bare.key="UNE FEMME" ;\n"format" = "%@ DE %@ AMIS";\n"alone";\n"number" = 12;\n"nothing" = "";\n' in made
    assert '"AMIS %2$@ DE %1$@"' in translated(STRINGS, "a.strings", Wordwise(backwards=True))


def test_stringsdict() -> None:
    made = translated(STRINGSDICT, "a.stringsdict")
    assert plistlib.loads(made.encode()) == {
        "%d files": {
            "NSStringLocalizedFormatKey": "IL Y A %#@files@ ICI",
            "files": {
                "NSStringFormatSpecTypeKey": "NSStringPluralRuleType",
                "NSStringFormatValueTypeKey": "d",
                "one": "UN FICHIER & %d",
                "other": "%d FICHIERS",
            },
        }
    }
    assert made.split("<dict>")[0] == STRINGSDICT.split("<dict>")[0]


def test_qt() -> None:
    made = translated(QT, "a.ts", Into("en"))
    assert '<TS version="2.1" sourcelanguage="fr" language="en">' in made
    root = etree.fromstring(made.encode())
    rows = [(each.findtext("source"), each.find("translation")) for each in root.iter("message")]
    assert [(source, each.text, each.get("type")) for source, each in rows[:6]] == [
        ("&Fichier de %1", "&FICHIER DE %1", "unfinished"),
        ('<b>un</b> "homme"', '<b>UN</b> "HOMME"', "unfinished"),
        ("une femme", "a lady", None),
        ("une fille", None, "vanished"),
        ("deux enfants", "DEUX ENFANTS", "unfinished"),
        ("un chien", "UN CHIEN", "unfinished"),
    ]
    assert rows[1][1].find("byte").get("value") == "x7"
    for _, target in rows[6:]:
        assert [form.text for form in target.iter("numerusform")] in (["%n FICHIERS"] * 3, ["%n AMIS"] * 3)
    assert "\n        <source>deux enfants</source>\n        <translation " in made
    # Once more, there is nothing left to do.
    assert translated(made, "a.ts", Into("en", change=str.lower)) == made


def test_resx() -> None:
    made = translated(RESX, "a.resx")
    assert made == RESX.replace("&amp;Un homme &lt;{0}&gt;", "&amp;UN HOMME &lt;{0}&gt;")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.xml", "<html/>", "not Android's"),
        ("a.ts", "<html/>", "not Qt's"),
        ("a.ts", "export const a = 1;", "not well-formed"),
        ("a.resx", "<html/>", "no RESX"),
        ("a.stringsdict", "<html/>", "no property list"),
        ("a.strings", "<?xml version='1.0'?><plist/>", "plutil"),
        ("a.strings", "bplist00", "compiled"),
        ("a.strings", '"a" = "b"', "line 1: a semicolon is missing"),
        ("a.strings", '\n"a" "b";', "line 2: an equals sign"),
        ("a.strings", '"a" = {b = c;};', "a text in quotes"),
        ("a.json", '{"a": 1,}', "line 1: holds a string"),
        ("a.json", '{"a": 01}', "no JSON"),
        ("a.json", '{"a": 1٣}', "no JSON"),
        ("a.json", '{"a": "b"\n"c": 1}', "line 2: lacks a comma or }"),
        ("a.json", '{"a": "\t"}', "not well formed"),
        ("a.json", '{"a" "b"}', "lacks a colon"),
        ("a.json", "{} {}", "behind the end"),
        ("a.json", "", "no JSON"),
        ("a.yaml", "a: [", "this is no YAML"),
        ("a.yaml", "a: b: c", "line 1: this is no YAML"),
        ("a.yaml", "a: \x07", "no YAML"),
    ],
)
def test_refusals(name: str, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        translated(text, name)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("<h3>un homme</h3><p>une femme</p>", "<h3>UN HOMME</h3><p>UNE FEMME</p>"),
        ("<tr><td>un</td><td>une <b>femme</b></td></tr>", "<tr><td>UN</td><td>UNE <b>FEMME</b></td></tr>"),
        # A paragraph that nobody closes, one in capitals, and a pair of tags that goes on in the next.
        ("un homme<p>une <I>femme<P>un</I> chat", "UN HOMME<p>UNE <I>FEMME<P>UN</I> CHAT"),
        ("un %s<li>une %d", "UN %s<li>UNE %d"),
        ("12<p>34", "12<p>34"),
        ("un <pair>homme</pair>", "UN <pair>HOMME</pair>"),
    ],
)
@pytest.mark.parametrize("name", ["a.json", "a.ts", "strings.xml"])
def test_words_of_two_paragraphs_are_no_one_word(name: str, text: str, made: str) -> None:
    escaped = text.replace("<", "&lt;").replace(">", "&gt;")
    message = "<source>{}</source><translation type='unfinished'/>"
    tables = {
        "a.json": ('{{"a": "{}"}}', text, made),
        "a.ts": (f"<TS language='pl'><context><message>{message}</message></context></TS>", escaped, made),
        "strings.xml": ('<resources><string name="a">{}</string></resources>', escaped, made),
    }
    table, before, after = tables[name]
    written = translated(table.format(before), name, Into("pl"))
    wanted = after if name == "a.json" else after.replace("<", "&lt;").replace(">", "&gt;")
    assert wanted in written
