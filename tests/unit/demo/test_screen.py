"""The demo's output on a terminal and on a pipe."""

from __future__ import annotations

import io

from rich.console import Console

from examples.demo.journal import Entry, Journal
from examples.demo.screen import SAMPLE_CHARACTERS, Screen, shortened
from examples.demo.show import SAMPLES, samples


def drawn(is_terminal: bool) -> str:
    stream = io.StringIO()
    screen = Screen(Console(file=stream, force_terminal=is_terminal, width=60, highlight=False, markup=False))
    screen.title("Title")
    screen.heading("Heading")
    screen.step(Entry("Step", "done [bold] " + "far " * 30, 1.25))
    screen.table(["part", "pairs"], [["train", "30,000"], ["dev", "1,000"]])
    screen.pair(1, "Un\u00a0: {0} [b]", "One: {0} [b]", "page, id")
    screen.command("dragoman corpus " + "x" * 80)
    screen.notice("Attention.")
    return stream.getvalue()


def test_pipe_is_plain_and_unfolded() -> None:
    text = drawn(is_terminal=False)
    assert "\x1b" not in text
    lines = [line.rstrip() for line in text.splitlines()]
    assert "Step: done [bold] " + "far " * 30 + " (1.2 s)" in lines
    assert "train  30,000" in lines and "dev     1,000" in lines
    assert lines[lines.index("1. Un\u00a0: {0} [b]") + 1] == "   One: {0} [b]"
    assert all(ord(character) < 256 for character in text)


def test_terminal_has_colours_and_commands_that_can_be_copied() -> None:
    text = drawn(is_terminal=True)
    assert "\x1b[" in text and "✓" in text
    assert "dragoman corpus " + "x" * 80 in text


def test_journal_keeps_what_was_finished() -> None:
    heard: list[Entry] = []
    journal = Journal(heard.append)
    with journal.step("one") as result:
        result("a")
        result("b")
    try:
        with journal.step("two"):
            raise ValueError
    except ValueError:
        pass
    assert [(entry.name, entry.result) for entry in journal.entries] == [("one", "a; b")]
    assert heard == journal.entries
    assert journal.seconds >= 0


def test_shortened() -> None:
    assert shortened("short") == "short"
    assert len(shortened("x" * 1000)) == SAMPLE_CHARACTERS


def test_samples_are_few_and_spread() -> None:
    pairs = [("x" * 30 + str(number), "y", "z") for number in range(1000)]
    chosen = samples([("short", "y", "z"), *pairs])
    assert len(chosen) == SAMPLES
    assert chosen[0] == pairs[0] and chosen[-1] == pairs[1000 // SAMPLES * (SAMPLES - 1)]
    assert samples(pairs[:2]) == pairs[:2]
    assert samples([]) == []
