"""A small string table of each format, with something of everything in it."""

from __future__ import annotations

JSON = r"""{
  "title" : "un homme",
  "nested": { "a": ["une femme", 12, true, null, {"b": "deux <b>enfants</b> ici"}] , "empty": {}, "none": []},
  "escaped": "un \"chien\"\n\tici \u00e9t\u00e9 \/ fin", "url": "12 / 3",
  "placeholders": "{{count}} sur %{total} ou $t(menu.file) et {name}",
	"été": "fin"
}
"""
ICU_JSON = r"""{
  "plain": "l''homme de {name}",
  "plural": "il y a {n, plural, offset:1 =0 {rien} one {# <b>fichier</b> de {name}} other {# fichiers}} dans {folder}",
  "select": "{who, select, male {il dort} other {{n, plural, one {un ami dort} other {# amis dorment}}}}",
  "number": "le {d, date, ::yMMMd} '{ici}' {n, number, percent}",
  "broken": "{n, plural, one {un ami",
  "old": "{n, choice, 0#aucun ami|1#un ami}"
}
"""
EXTENSION = """{
  "name": {"message": "un homme", "description": "le nom"},
  "welcome": {"message": "bonjour $USER$", "placeholders": {"user": {"content": "$1", "example": "Anna"}}}
}
"""
ARB = """{
  "@@locale": "fr",
  "hello": "l'{name} dort",
  "@hello": {"description": "un salut", "placeholders": {"name": {"type": "String"}}},
  "files": "{n, plural, one{un fichier} other{{n} fichiers}}"
}
"""
YAML = """# un commentaire
fr:
  title: un homme   # note
  single: 'l''homme'
  double: "un \\"chien\\" \\u00e9t\\u00e9"
  number: 12
  truth: yes
  nothing: ~
  anchored: &a une femme
  tagged: !!str une fille
  symbol: !ruby/symbol un_nom
  again: *a
  list: [un, 'deux', {trois: "quatre, cinq"}]
  - : vide
  literal: |
    un homme
      dort

    ici

  folded: >-
    un homme
    dort sur

    un banc
  kept: |2+
      une
    deux

  indented: >
    un
      deux
  several
    lines: un homme
    dort ici
  ? clé
  : fin
  colon: "un: deux"
  item:
  - un
  -   deux
---
- fin
""".replace("  - : vide\n", "").replace(
    "  several\n    lines: un homme\n    dort ici\n", "  lines: un homme\n    dort ici\n"
)
PROPERTIES = r"""# un commentaire
! un autre
title = un homme
escaped=\u00e9t\u00e9 \
    et hiver\tici\nfin
colon:une femme
space une fille
  indented = un \
  # homme
empty=
key\ with\ spaces=fin\\
file={0} de l''homme {1,number,#.##} '{'x'}'
lone=l'homme de {0}
"""
ANDROID = r"""<?xml version="1.0" encoding="utf-8"?>
<!-- un commentaire -->
<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2" xmlns:tools="http://schemas.android.com/tools">
    <string name="app" translatable="false">Un Nom</string>
    <string name="title">un homme</string>
    <string name="escaped">l\'homme \"dort\"\nici \u00e9t\u00e9 \@ &amp; &lt;i&gt;fin&lt;/i&gt;</string>
    <string name="styled">un <b>homme</b> avec <xliff:g id="n">%1$d</xliff:g> <a href="x">amis</a></string>
    <string name="ref">@string/title</string>
    <string name="attr">?attr/title</string>
    <string name="quoted">"l'homme   dort "</string>
    <string name="wrapped">
        un homme
        dort
    </string>
    <string name="html"><![CDATA[un <b>homme</b> & une femme]]></string>
    <string name="two" formatted="false">%s de %d amis</string>
    <string name="empty"/>
    <string-array name="days"><item>un</item><item>@string/title</item></string-array>
    <string-array name="codes" translatable="false"><item>un</item></string-array>
    <integer-array name="numbers"><item>12</item></integer-array>
    <plurals name="files">
        <item quantity="one">%d fichier</item>
        <item quantity="other">%d fichiers</item>
    </plurals>
    <color name="red">#f00</color>
</resources>
"""
STRINGS = r"""/* un commentaire; "a" = "b"; */
"title" = "un homme";
// une note
"escaped" = "un \"chien\"\nici \U00e9t\351";
bare.key="une femme" ;
"format" = "%@ de %@ amis";
"alone";
"number" = 12;
"nothing" = "";
"""
STRINGSDICT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>%d files</key>
  <dict>
    <key>NSStringLocalizedFormatKey</key>
    <string>il y a %#@files@ ici</string>
    <key>files</key>
    <dict>
      <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
      <key>NSStringFormatValueTypeKey</key><string>d</string>
      <key>one</key><string>un fichier &amp; %d</string>
      <key>other</key><string>%d fichiers</string>
    </dict>
  </dict>
</dict>
</plist>
"""
QT = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" sourcelanguage="fr">
<context>
    <name>Fenêtre</name>
    <message>
        <location filename="a.cpp" line="1"/>
        <source>&amp;Fichier de %1</source>
        <comment>un menu</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;b&gt;un&lt;/b&gt; &quot;homme&quot;<byte value="x7"/></source>
        <translation type="unfinished"/>
    </message>
    <message>
        <source>une femme</source>
        <translation>a lady</translation>
    </message>
    <message>
        <source>une fille</source>
        <translation type="vanished"></translation>
    </message>
    <message>
        <source>deux enfants</source>
    </message>
    <message>
        <source>un chien</source>
        <translation></translation>
    </message>
    <message numerus="yes">
        <source>%n fichiers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
            <numerusform/>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n amis</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
"""
RESX = """<?xml version="1.0" encoding="utf-8"?>
<root>
  <resheader name="version"><value>2.0</value></resheader>
  <data name="title" xml:space="preserve">
    <value>&amp;Un homme &lt;{0}&gt;</value>
    <comment>le titre</comment>
  </data>
  <data name="icon" type="System.Drawing.Bitmap" mimetype="application/x-microsoft.net.object.bytearray">
    <value>abcd</value>
  </data>
  <data name="&gt;&gt;button.Name" xml:space="preserve"><value>bouton</value></data>
  <data name="empty" xml:space="preserve"><value /></data>
  <metadata name="x"><value>un</value></metadata>
</root>
"""
CSV = 'key,fr,en,note\na,un homme,,un\nb,"une ""femme"", ici",done,\nc,12,,\n\nd,"deux\nlignes",,x\ne\n'
TABLES = {
    "a.json": JSON,
    "icu.json": ICU_JSON,
    "messages.json": EXTENSION,
    "a.arb": ARB,
    "fr.yml": YAML,
    "a.properties": PROPERTIES,
    "strings.xml": ANDROID,
    "a.strings": STRINGS,
    "a.stringsdict": STRINGSDICT,
    "a.ts": QT,
    "a.resx": RESX,
}
