"""Batches of pairs: every pair that is not too long is in one of them, once, and what is no padding is its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")

from dragoman.judge.batches import LONGEST, WIDTH_STEP, Batch, Batches  # noqa: E402
from dragoman.judge.text import END, PairText, Side  # noqa: E402

sentence = st.lists(st.integers(4, 50), max_size=20) | st.lists(st.integers(4, 50), min_size=150, max_size=170)


def side_of(sentences: list[list[int]]) -> Side:
    ended = [[*each, END] for each in sentences]
    begin = np.cumsum([0, *map(len, ended)])
    return Side(np.array([piece for each in ended for piece in each], np.int32), begin.astype(np.int64))


def rows_of(batch: Batch) -> list[tuple[list[int], list[int]]]:
    """The pairs of a batch, by what it says is no padding."""
    real = torch.zeros(batch.target.numel(), dtype=torch.bool)
    real[batch.places] = True
    both = (batch.source, batch.source_real), (batch.target, real.view(batch.target.shape))
    sides = [[row[mask].tolist() for row, mask in zip(ids, masks, strict=True)] for ids, masks in both]
    return list(zip(*sides, strict=True))


@given(st.lists(st.tuples(sentence, sentence), min_size=1, max_size=30), st.integers(1, 400), st.data())
def test_every_pair_is_there_once(pairs: list[tuple[list[int], list[int]]], pieces: int, data: st.DataObject) -> None:
    text = PairText(*(side_of([pair[side] for pair in pairs]) for side in (0, 1)))
    chosen = data.draw(st.lists(st.integers(0, len(pairs) - 1), unique=True))
    batches = Batches(text, np.array(sorted(chosen), np.int64), pieces)
    expected = sorted(
        ([*source, END], [*target, END])
        for source, target in (pairs[place] for place in chosen)
        if max(len(source), len(target)) < LONGEST
    )
    for made in (list(batches.in_order()), list(batches.shuffled(1, 0)), list(batches.shuffled(1, 1))):
        assert len(made) == len(batches)
        assert sorted(row for batch in made for row in rows_of(batch)) == expected
        for batch in made:
            assert batch.source.shape[1] % WIDTH_STEP == batch.target.shape[1] % WIDTH_STEP == 0
            assert len(batch.source) == 1 or max(batch.source.numel(), batch.target.numel()) <= pieces
    assert batches.pairs == len(expected)


def test_the_seed_and_the_epoch_say_the_order() -> None:
    text = PairText(side_of([[4] * (n % 7) for n in range(50)]), side_of([[n] for n in range(50)]))
    batches = Batches(text, np.arange(50), 64)

    def order(*seeds: int) -> list[list[int]]:
        return [batch.target.flatten().tolist() for batch in batches.shuffled(*seeds)]

    assert order(1, 0) == order(1, 0) != order(1, 1) != order(2, 1)
