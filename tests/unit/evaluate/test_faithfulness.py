"""What the benchmark of quotation marks, brackets and numbers counts."""

from __future__ import annotations

import pytest

from benchmarks.faithfulness import brackets_of, faults_of, quotations_of

KINDS = ("numbers_lost", "numbers_changed", "numbers_doubled", "numbers_made_up")


@pytest.mark.parametrize(
    ("source", "output", "wrong"),
    [
        ("12 345 678 et 1\u202f234,5", "12,345,678 and 1,234.5", ()),
        ("sept chats et 7 chiens", "7 cats and seven dogs", ()),
        ("douze", "12", ()),
        ("15h30", "15:30", ()),
        ("en 2008 300 personnes", "300 people in 2008", ()),
        ("3,5 %", "35 %", ("numbers_changed",)),
        ("3 et 4", "3", ("numbers_lost",)),
        ("3", "3 3", ("numbers_doubled",)),
        ("mille", "000", ("numbers_made_up",)),
        ("le A4", "the A4", ()),
    ],
)
def test_numbers(source: str, output: str, wrong: tuple[str, ...]) -> None:
    counts = faults_of(source, output, ("fr", "en"))
    assert tuple(kind for kind in KINDS if counts[kind]) == wrong


def test_pairs() -> None:
    assert [quotations_of(text) for text in ('"a" "b"', "«a»", "„a“ b „c“", "“a”", '"a', "a", '""')] == [
        *(2, 1, 2, 1),
        *(None, 0, None),
    ]
    assert [brackets_of(text) for text in ("(a (b))", ")(", "(", "a")] == [2, None, None, 0]
    counts = faults_of("« a » (b)", '"a" b', ("fr", "en"))
    assert counts["quotations_wrong"] == 0 and counts["brackets_wrong"] == 1
    assert faults_of("a", '"a"', ("fr", "en"))["marks_made_up"] == 1
