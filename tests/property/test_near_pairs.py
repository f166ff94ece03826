"""The pairs nearest to a text are those that comparing with every pair finds, unless the bound on work is reached."""

from __future__ import annotations

import tempfile
from random import Random

from hypothesis import event, given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.property.test_live_index import addition, removal
from tests.reference.near_pairs import StoredPair, Words, nearest

ENOUGH = 1 << 40
ALIKE = 16


def sentence(random: Random, longest: int) -> Words:
    # Some words are frequent and some are rare, as in any text.
    return tuple(random.choice("aaaaabbbccdefghij") for _ in range(random.randint(1, longest)))


def varied(random: Random, words: Words) -> Words:
    """The same sentence with a few changes."""
    changed = list(words)
    for _ in range(random.randint(0, 2)):
        at = random.randrange(len(changed) + 1)
        changed[at : at + random.randint(0, 1)] = random.choice([[], ["z"], [random.choice("abcxyz")]])
    return tuple(changed) or ("a",)


def lines(sentences: list[Words]) -> bytes:
    return "".join(" ".join(words) + "\n" for words in sentences).encode()


def open_index(directory: str, trained: list[StoredPair]) -> _core.LiveIndex:
    sources, targets = [pair.source for pair in trained], [pair.target for pair in trained]
    _core.build_index(directory, lines(sources), lines(targets), b"0-0\n" * len(trained), {})
    return _core.LiveIndex.open(directory, newest_pairs=4)


def taught(random: Random, index: _core.LiveIndex, pairs: dict[int, StoredPair], steps: int) -> None:
    """Adds pairs and removes some, trained ones too."""
    for step in range(steps):
        if pairs and random.random() < 0.3:
            gone = random.choice(list(pairs))
            del pairs[gone]
            index.apply_log(_core.encode_log_records([removal(gone)]))
            continue
        stable_id = 1000 + step
        base = random.choice(list(pairs.values())) if pairs else StoredPair(("a",), ("a",))
        pairs[stable_id] = StoredPair(varied(random, base.source), base.target, True)
        source, target = list(pairs[stable_id].source), list(pairs[stable_id].target)
        index.apply_log(_core.encode_log_records([addition(stable_id, (source, target, {(0, 0)}))]))


def make(random: Random, directory: str) -> tuple[_core.LiveIndex, dict[int, StoredPair]]:
    trained: list[StoredPair] = []
    for _ in range(random.randint(1, 60)):
        source = varied(random, random.choice(trained).source) if trained and random.random() < 0.5 else None
        trained.append(StoredPair(source or sentence(random, 9), sentence(random, 2)))
    index = open_index(directory, trained)
    pairs = dict(enumerate(trained))
    taught(random, index, pairs, random.randint(0, 12))
    return index, pairs


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 1 << 32), most=st.integers(1, 6), at_least=st.integers(1, 100))
def test_the_nearest_are_found(seed: int, most: int, at_least: int) -> None:
    random = Random(seed)
    with tempfile.TemporaryDirectory() as directory:
        index, pairs = make(random, directory)
        for _ in range(4):
            base = random.choice(list(pairs.values())).source if pairs else ("a",)
            text = varied(random, base) if random.random() < 0.8 else sentence(random, 12)
            found, complete = index.nearest(list(text), most, at_least, ENOUGH)
            assert complete
            expected = nearest(text, pairs, most, at_least)
            event(f"{len(expected)} found")
            assert [(each[0], each[1], each[2]) for each in found] == [each[:3] for each in expected]
            for (stable_id, edits, words, kept, alike), (*_, others) in zip(found, expected, strict=True):
                source = pairs[stable_id].source
                if edits == 0:
                    assert alike == others[:ALIKE]
                assert all(text[i] == source[j] for i, j in kept)
                assert kept == sorted(kept) and len({i for i, _ in kept}) == len({j for _, j in kept}) == len(kept)
                assert words - len(kept) <= edits + abs(len(text) - len(source)) and len(kept) >= words - edits


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 1 << 32), work=st.integers(0, 400))
def test_a_bound_on_work_leaves_what_is_found_right(seed: int, work: int) -> None:
    random = Random(seed)
    with tempfile.TemporaryDirectory() as directory:
        index, pairs = make(random, directory)
        text = varied(random, random.choice(list(pairs.values())).source if pairs else ("a",))
        found, complete = index.nearest(list(text), 5, 30, work)
        all_found = nearest(text, pairs, len(pairs) + 1, 30)
        event(f"complete: {complete}")
        if complete:
            assert [each[:3] for each in found] == [each[:3] for each in all_found[:5]]
        # Which of the same pairs is named may differ, what is said of it not.
        known = {same: (edits, words) for first, edits, words, others in all_found for same in (first, *others)}
        assert all(known[stable_id] == (edits, words) for stable_id, edits, words, _, _ in found)


def test_an_exact_match_is_found_among_very_many() -> None:
    trained = [StoredPair(("the", "the", f"w{number % 7}"), ("x",)) for number in range(5000)]
    trained[4321] = StoredPair(("the", "the"), ("y",))
    with tempfile.TemporaryDirectory() as directory:
        index = open_index(directory, trained)
        found, complete = index.nearest(["the", "the"], 2, 50, 200)
        assert not complete and found[0][:3] == (4321, 0, 2)
