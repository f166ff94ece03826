"""Columns of CSV: which are translated, where the translations go, and what is refused."""

from __future__ import annotations

import pytest

from dragoman.documents import Columns, translate_document
from dragoman.errors import ConfigError, InputError
from tests.unit.documents.support import Wordwise
from tests.unit.documents.tables.samples import CSV


def translated(text: str, columns: Columns, name: str = "a.csv") -> str:
    return translate_document(text.encode(), name, Wordwise(), columns=columns).decode()


def test_in_place() -> None:
    made = translated(CSV, Columns(("fr",)))
    assert made == CSV.replace("un homme", "UN HOMME").replace('une ""femme"", ici', 'UNE ""FEMME"", ICI').replace(
        "deux\nlignes", "DEUX\nLIGNES"
    )


def test_beside() -> None:
    """What stands there already is not touched, and a second run changes nothing."""
    columns = Columns(("fr",), ("en",))
    made = translated(CSV, columns)
    assert "a,un homme,UN HOMME,un\n" in made and ",done," in made and "c,12,,\n" in made
    assert translated(made, columns) == made


def test_new_columns() -> None:
    made = translated(CSV, Columns(("fr", "note"), ("de", "es")))
    lines = made.split("\n")
    assert lines[0] == "key,fr,en,note,de,es"
    assert lines[1] == "a,un homme,,un,UN HOMME,UN"
    assert lines[2] == 'b,"une ""femme"", ici",done,,"UNE ""FEMME"", ICI",'
    assert lines[3] == "c,12,,,," and lines[4] == ""
    assert made.endswith('lignes",,x,"DEUX\nLIGNES",X\ne,,,,,\n')


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("un;deux\nun;deux", Columns(("2",)), "un;DEUX\nun;DEUX"),
        ("un\tdeux\r\n", Columns(("1",)), "UN\tdeux\r\n"),
        ("un|deux", Columns(("1",), ("3",)), "un|deux|UN"),
        ("a,b\nun,un", Columns(("b", "1")), "a,b\nUN,UN"),
        ("a,b\nun,", Columns(("1",), ("b",)), "a,b\nun,UN"),
        ('sep=;\na;b,c\nun;"un"', Columns(("a",)), 'sep=;\na;b,c\nUN;"un"'),
        ("1,2\nun,deux", Columns(("2",)), "1,2\nun,DEUX"),
        ('"a b",c\nun,deux', Columns(("a b",)), '"a b",c\nUN,deux'),
        ("un", Columns(("1",)), "UN"),
        ("a,b\n\nun\n", Columns(("b",)), "a,b\n\nun\n"),
    ],
)
def test_separators_names_and_numbers(text: str, columns: Columns, expected: str) -> None:
    assert translated(text, columns) == expected


def test_a_cell_is_quoted_where_it_must_be() -> None:
    for said, cell in (("a,b", '"a,b"'), ('a"b', '"a""b"'), ("a;b", "a;b")):
        translator = Wordwise(lambda word, said=said: said)
        made = translate_document(b"x,y\nun,deux", "a.csv", translator, columns=Columns(("x",)))
        assert made == f"x,y\n{cell},deux".encode()


def test_rows_that_are_too_long_are_left_and_noted() -> None:
    notes: list[str] = []
    data = b"a,b\nun,x,y\nun,x\n"
    made = translate_document(data, "a.csv", Wordwise(), columns=Columns(("a",), ("c",)), note=notes.append)
    assert made == b"a,b,c\nun,x,y\nun,x,UN\n"
    assert notes == ["a.csv, line 2: a row with more cells than the first was left as it is"]


@pytest.mark.parametrize(
    ("text", "columns", "said"),
    [
        ("a,b\n", Columns(), r"--column; it has 1 \(a\), 2 \(b\)"),
        ("a,b\n", Columns(("c",)), "no column 'c', but 1"),
        ("a,b\n", Columns(("3",)), "no column '3'"),
        ("a,b\n", Columns(("0",)), "no column '0'"),
        ("a,b\n", Columns(("a",), ("b", "c")), "name one for each"),
        ("a,b\n", Columns(("a", "b"), ("c", "c")), "named twice"),
        ("a,b\n", Columns(("a",), ("a",)), "named twice"),
        ("", Columns(("a",)), "no column"),
        ('a,b\nx,"un\n', Columns(("a",)), "line 2: the quotes"),
        ('a,b\n"un"x,y\n', Columns(("a",)), "line 2: the quotes"),
    ],
)
def test_refusals(text: str, columns: Columns, said: str) -> None:
    with pytest.raises((ConfigError, InputError), match=said):
        translated(text, columns)
