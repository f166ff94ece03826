"""A small file of each format, with something of everything in it."""

from __future__ import annotations

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
