"""Small parts of the server by themselves: languages, places of tokens, waiting in line."""

from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.serve.answers import Refusal
from dragoman.serve.languages import bcp47, iso639_3, name_of, resolve
from dragoman.serve.texts import lines_of
from dragoman.serve.workers import AGAIN, Again, Deadline, Piece, Stopped, Workers


@pytest.mark.parametrize(
    ("given_code", "tag", "three", "name"),
    [
        ("fr", "fr", "fra", "French"),
        ("pt_br", "pt-BR", "por_BR", "Portuguese (Brazil)"),
        ("pb", "pt-BR", "por_BR", "Portuguese (Brazil)"),
        ("zh", "zh-Hans", "zho_Hans", "Chinese"),
        ("zt", "zh-Hant", "zho_Hant", "Chinese (traditional)"),
        ("ger", "de", "deu", "German"),
        ("xx", "xx", "xx", "xx"),
    ],
)
def test_codes(given_code: str, tag: str, three: str, name: str) -> None:
    assert (bcp47(given_code), iso639_3(given_code), name_of(given_code)) == (tag, three, name)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("pt-BR", "pt-BR"), ("PB", "pt-BR"), ("pt", "pt-BR"), ("zh", "zh-Hans"), ("zh-TW", None), ("de", None)],
)
def test_resolving(wanted: str, found: str | None) -> None:
    assert resolve(wanted, ["fr", "pt-BR", "zh-Hans"]) == found


@given(st.text(alphabet="ab\r\n ", max_size=30))
def test_line_ends_are_kept(text: str) -> None:
    lines, ends = lines_of(text)
    assert "".join(part for pair in zip(lines, ends, strict=True) for part in pair) == text
    assert all("\n" not in line for line in lines)


def test_a_short_request_passes_a_long_one() -> None:
    workers = Workers(1, 10)
    order: list[str] = []

    async def request(name: str, pieces: int) -> None:
        await workers.run_all([lambda: order.append(name)] * pieces, Deadline(10))

    async def both() -> None:
        await asyncio.gather(request("long", 50), request("short", 1))

    asyncio.run(both())
    workers.close()
    assert order.index("short") < 10
    assert order.count("long") == 50


def test_a_piece_that_takes_many_turns_lets_others_in() -> None:
    order: list[str] = []
    all_asked = threading.Event()

    def piece(name: str, turns: int) -> Piece[None]:
        left = turns

        def turn() -> Again | None:
            nonlocal left
            # The long one may not be done before the short one has been asked for.
            assert all_asked.wait(60)
            order.append(name)
            left -= 1
            return AGAIN if left else None

        return turn

    async def say_that_all_is_asked() -> None:
        # By then both have come to the queue.
        await asyncio.sleep(0.1)
        all_asked.set()

    async def both(workers: Workers) -> None:
        await asyncio.gather(
            workers.run_all([piece("long", 50)], Deadline(60)),
            workers.run_all([piece("short", 1)], Deadline(60)),
            say_that_all_is_asked(),
        )

    async def with_a_file(workers: Workers) -> None:
        await asyncio.gather(
            asyncio.to_thread(workers.run_here, [piece("long", 25) for _ in range(2)], Deadline(60)),
            workers.run_all([piece("short", 1)], Deadline(60)),
            say_that_all_is_asked(),
        )

    for requests in (both, with_a_file):
        order.clear()
        all_asked.clear()
        workers = Workers(1, 10)
        asyncio.run(requests(workers))
        workers.close()
        assert order.index("short") < 10
        assert order.count("long") >= 50


@pytest.mark.parametrize("here", [False, True])
def test_a_request_that_was_given_up_stops(here: bool) -> None:
    """Between turns, and inside one at its next look at the time."""
    workers = Workers(1, 10)
    deadline = Deadline(10)
    turns = 0

    def turn() -> Again:
        nonlocal turns
        turns += 1
        if turns == 3:
            deadline.stop()
        return AGAIN

    async def request() -> None:
        await workers.run_all([turn] * 20, deadline)

    with pytest.raises((Refusal, Stopped)):
        if here:
            workers.run_here([turn] * 20, deadline)
        else:
            asyncio.run(request())
    workers.close()
    assert turns == 3


def test_a_cancelled_request_stops_its_work() -> None:
    workers = Workers(1, 10)
    deadline = Deadline(60)
    begun = threading.Event()

    def turn() -> None:
        begun.set()
        while True:
            deadline.check()

    async def request() -> None:
        task = asyncio.create_task(workers.run(turn, deadline))
        await asyncio.to_thread(begun.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(request())
    workers.close()
    assert deadline.stopped


def test_time_for_a_sentence_shrinks_when_a_request_is_late() -> None:
    deadline = Deadline(10)
    relaxed = deadline.sentence_seconds(0, 10_000)
    deadline.begun -= 6
    assert deadline.sentence_seconds(5_000, 10_000) < 0.2 < relaxed
    deadline.begun -= 10
    assert deadline.sentence_seconds(5_000, 10_000) == pytest.approx(0.01)
    assert Deadline(0).sentence_seconds(1, 2) == 0
