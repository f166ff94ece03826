"""Files in pairs: the translation is filled, and what people wrote in it is theirs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from dragoman.documents import read_document, translate_document
from dragoman.errors import InputError
from tests.unit.documents.support import Wordwise
from tests.unit.documents.tables.samples import ANDROID, RESX

SO_FAR = """<resources>
    <!-- by hand -->
    <string name="title">a lady</string>
    <string name="old">gone</string>
</resources>
"""


def filled(source: str, so_far: str, name: str) -> str:
    return translate_document(source.encode(), name, Wordwise(), so_far=so_far.encode()).decode()


def test_android() -> None:
    made = filled(ANDROID, SO_FAR, "strings.xml")
    head = SO_FAR.partition("\n</resources>")[0].replace("<resources>", "")
    assert made.partition(">")[2].startswith(head)
    root = etree.fromstring(made.encode())
    names = [each.get("name") for each in root if isinstance(each.tag, str)]
    assert names == ["title", "old", "escaped", "styled", "quoted", "wrapped", "html", "two", "days", "files"]
    assert root.nsmap == {"xliff": "urn:oasis:names:tc:xliff:document:1.2", "tools": "http://schemas.android.com/tools"}
    assert [each.text for each in root.find("plurals")] == ["%d FICHIER", "%d FICHIERS"]
    assert made.endswith("    </plurals>\n</resources>\n")
    # Once more, there is nothing left to do.
    assert filled(ANDROID, made, "strings.xml") == made


def test_resx() -> None:
    empty = '<?xml version="1.0"?>\n<root/>'
    made = filled(RESX, empty, "a.resx")
    assert made == (
        '<?xml version="1.0"?>\n<root>\n  <data name="title" xml:space="preserve">\n    <value>'
        "&amp;UN HOMME &lt;{0}&gt;</value>\n    <comment>le titre</comment>\n  </data>\n</root>"
    )
    assert filled(RESX, made, "a.resx") == made


def test_a_name_counts_with_its_kind() -> None:
    made = filled(
        '<resources><plurals name="a"><item>un</item></plurals></resources>', SO_FAR.replace("old", "a"), "a.xml"
    )
    assert '</string><plurals name="a"><item>UN</item></plurals>' in made


@pytest.mark.parametrize(
    ("so_far", "said"),
    [
        ("<root/>", "a.xml: the translation so far is of another kind"),
        ("<resources>", "a.xml, its translation so far, line 1"),
    ],
)
def test_refusals(so_far: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        filled(ANDROID, so_far, "a.xml")


names = st.sets(st.sampled_from("abcdef"))


@settings(max_examples=50, deadline=None)
@given(names, names, st.sampled_from(["\n", "\r\n", ""]))
def test_all_that_is_missing_is_added_and_nothing_else_changes(ours: set[str], theirs: set[str], end: str) -> None:
    def table(entries: set[str], text: str) -> str:
        rows = (f"{end}<data name='{each}'><value>{text} {each}</value></data>" for each in sorted(entries))
        return f"<root>{''.join(rows)}{end}</root>"

    source, so_far = table(ours, "un"), table(theirs, "done")
    made = filled(source, so_far, "a.resx")
    found = {each.get("name"): each.findtext("value") for each in etree.fromstring(made)}
    assert found == {**{each: f"UN {each.upper()}" for each in ours}, **{each: f"done {each}" for each in theirs}}
    assert made.startswith(so_far.removesuffix(f"{end}</root>"))
    document = read_document(source.encode(), "a.resx", so_far=so_far.encode())
    assert document.write([None] * len(document.segments)) == so_far.encode()
