"""Messages with structure: texts are translated, all else stays, and what cannot be followed is left."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.documents import Columns, translate_document
from dragoman.documents.tables.icu import Apostrophes, IcuMessage, message_of
from dragoman.documents.tables.message import MessageError, PlainMessage
from tests.unit.documents.support import Identity, Wordwise
from tests.unit.documents.tables.samples import ICU_JSON


class Says(Wordwise):
    def __init__(self, said: str) -> None:
        super().__init__()
        self.said = said

    def one(self, text: str) -> Any:
        return SimpleNamespace(text=self.said, sentences=[])


def translated(message: str, translator: Any = None, name: str = "a.json") -> tuple[str, list[str]]:
    notes: list[str] = []
    table = {"a": message, "icu": "{n, plural, other {}}"}
    data = json.dumps(table, ensure_ascii=False).encode()
    made = translate_document(data, name, translator or Wordwise(), note=notes.append)
    assert json.loads(made)["icu"] == table["icu"]
    return json.loads(made)["a"], notes


def test_a_file_of_messages() -> None:
    notes: list[str] = []
    made = json.loads(translate_document(ICU_JSON.encode(), "a.json", Wordwise(), note=notes.append))
    assert made == {
        "plain": "L''HOMME DE {name}",
        "plural": "IL Y A {n, plural, offset:1 =0 {RIEN} one {# <b>FICHIER</b> DE {name}} other {# FICHIERS}}"
        " DANS {folder}",
        "select": "{who, select, male {IL DORT} other {{n, plural, one {UN AMI DORT} other {# AMIS DORMENT}}}}",
        "number": "LE {d, date, ::yMMMd} '{ici}' {n, number, percent}",
        "broken": "{n, plural, one {un ami",
        "old": "{n, choice, 0#aucun ami|1#un ami}",
    }
    assert [note.partition(": ")[0] for note in notes] == ["a.json, line 6", "a.json, line 7"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("un {a} deux", "DEUX {a} UN"),
        ("un {n, plural, one {ami seul} other {# amis}} ici", "ICI {n, plural, one {SEUL AMI} other {AMIS #}} UN"),
        ("{n, selectordinal, one {#er ami} other {#e ami}}", "{n, selectordinal, one {AMI ER #} other {AMI E #}}"),
        ("<b>{a}</b> un", "UN <b>{a}</b>"),
        ("<a href='{url}'>un ami</a>", "<a href='{url}'>AMI UN</a>"),
        ("{ n , plural , one { ami } other{ } }", "{ n , plural , one { AMI } other{ } }"),
        ("un '{' deux", "DEUX '{' UN"),
    ],
)
def test_words_change_places(message: str, expected: str) -> None:
    assert translated(message, Wordwise(backwards=True))[0] == expected


@pytest.mark.parametrize(
    ("message", "said", "expected"),
    [
        # An apostrophe before a brace would quote it.
        ("de {a}", "l'", "l''{a}"),
        ("de {a}", "l'a'b", "l'a'b{a}"),
        ("d''un {a}", "l'a", "l''a{a}"),
        ("un {a}", "{x}", "'{'x'}'{a}"),
        ("{n, plural, other {un}}", "#1", "{n, plural, other {'#'1}}"),
        ("{n, select, other {un}}", "#1", "{n, select, other {#1}}"),
    ],
)
def test_whatever_is_said_reads_as_text(message: str, said: str, expected: str) -> None:
    """Placeholders that a translation lost come last."""
    made, notes = translated(message, Says(said))
    assert (made, notes) == (expected, [])


def test_where_nothing_can_be_quoted_the_message_stays() -> None:
    made, notes = translated("un {a}", Says("x}"), "a.arb")
    assert made == "un {a}"
    assert notes == [
        "a.arb, line 1: a message whose translation would not fit its place (a closing brace too many) was left"
        " as it is"
    ]


@pytest.mark.parametrize(
    "message",
    ["{n, plural, one {un}", "{n, plural, }", "{n, plural, one un}", "{n, plural, one {un}} }", "{n, plural,"],
)
def test_messages_that_cannot_be_followed_are_left_and_noted(message: str) -> None:
    assert translated(message)[0] == message
    assert len(translated(message)[1]) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.xml", "<resources><string>{}</string></resources>"),
        ("a.strings", '"a" = "{}";'),
        ("a.resx", "<root><data><value>{}</value></data></root>"),
        ("a.csv", 'a,"{}"'),
        ("a.properties", "a={}"),
        ("a.yaml", "a: '{}'"),
    ],
)
def test_messages_are_followed_wherever_they_stand(name: str, text: str) -> None:
    message, upper = "ici {n, plural, one {un} other {# %s}} et", "ICI {n, plural, one {UN} other {# %s}} ET"
    columns = Columns(("2",))
    data = text.replace("{}", message).encode()
    assert translate_document(data, name, Wordwise(), columns=columns).decode() == text.replace("{}", upper)
    for broken in ("{n, plural, one {un", "{n, choice, 0#un}"):
        notes: list[str] = []
        data = text.replace("{}", broken).encode()
        assert translate_document(data, name, Wordwise(), columns=columns, note=notes.append) == data
        assert len(notes) == 1


def test_messages_with_elements_in_them_are_left() -> None:
    notes: list[str] = []
    data = b"<resources><string>{n, plural, other {<b>un</b>}}</string><string>un</string></resources>"
    made = translate_document(data, "a.xml", Wordwise(), note=notes.append)
    assert made == data.replace(b">un</s", b">UN</s")
    assert notes == ["a.xml, line 1: a message of several texts with elements in it was left as it is"]


def test_a_choice_says_nothing_about_other_messages() -> None:
    notes: list[str] = []
    data = b"a={0,choice,0#un|1#deux}\nb={0} d''un\nc=l'un {x}\n"
    made = translate_document(data, "a.properties", Wordwise(), note=notes.append)
    assert made == b"a={0,choice,0#un|1#deux}\nb={0} D''UN\nc=L'UN {X}\n"
    assert len(notes) == 1 and "choice format" in notes[0]


def test_deep_messages() -> None:
    deep = "{n, select, other {" * 5000 + "un" + "}}" * 5000
    assert translated(deep) == (
        deep,
        ["a.json, line 1: a message that cannot be followed (nested too deeply) was left as it is"],
    )


def test_other_kinds_of_braces_are_plain_text() -> None:
    assert isinstance(message_of("{{name}} dort", 100, (Apostrophes.ICU,)), PlainMessage)
    with pytest.raises(MessageError):
        message_of("{n, plural, x", 100, (Apostrophes.ICU, Apostrophes.PLAIN))


words = st.sampled_from(["un ami", "été", "l'ami", "d'", "fin. Un", " ", "", "a - b"])
arguments = st.sampled_from(["{a}", "{b, number}", "{c, date, ::yMd}", "{ d }"])


def patterns(plural: bool, level: int) -> st.SearchStrategy[list[Any]]:
    """A pattern is a list of texts, which are strings, and of tuples, which are arguments and stay."""
    codes = st.tuples(arguments | st.just("#") if plural else arguments)
    kinds: list[st.SearchStrategy[Any]] = [words, codes]
    if level:
        kinds.append(choices(level - 1))
    return st.lists(st.one_of(kinds), max_size=4)


def choices(level: int) -> st.SearchStrategy[Any]:
    plural = st.tuples(st.sampled_from(["plural", "selectordinal"]), patterns(True, level), patterns(True, level))
    return plural | st.tuples(st.just("select"), patterns(False, level), patterns(False, level))


def written(pattern: list[Any], upper: bool) -> str:
    parts = []
    for node in pattern:
        if isinstance(node, str):
            # Doubled, an apostrophe is one whatever follows.
            parts.append((node.upper() if upper else node).replace("'", "''"))
        elif len(node) == 1:
            parts.append(node[0])
        else:
            kind, first, second = node
            cases = f"one {{{written(first, upper)}}} other {{{written(second, upper)}}}"
            parts.append(f"{{n, {kind}, {cases}}}")
    return "".join(parts)


@settings(max_examples=80, deadline=None)
@given(patterns(False, 3))
def test_any_message(pattern: list[Any]) -> None:
    message = written(pattern, False)
    assert translated(message, Identity()) == (message, [])
    made, notes = translated(message)
    assert (made, notes) == (written(pattern, True), [])
    backwards = translated(message, Wordwise(backwards=True))[0]
    assert sorted(re.findall(r"[{}#]", backwards)) == sorted(re.findall(r"[{}#]", message))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(["{", "}", "'", "n", ",", " ", "plural", "one", "#", "un", "<b>", "=1", "offset:1"]),
        max_size=25,
    )
)
def test_anything_is_followed_or_refused(parts: list[str]) -> None:
    for apostrophes in Apostrophes:
        try:
            message = IcuMessage("".join(parts), apostrophes, 100)
        except MessageError:
            continue
        joined = "".join(str(piece) for piece in message.joined(message.segments))
        again = IcuMessage(joined, apostrophes, 100)
        assert again.segments == message.segments
