"""Splits: disjoint, whole, reproducible, independent of order, of the size asked for, and groups stay together."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.config import SplitOptions, require_limits
from dragoman.corpus.pair import Origin
from dragoman.corpus.split import DEV, TEST, TRAIN, GroupKeys, Sizes, assign, wanted_sizes
from dragoman.errors import ConfigError

KEYS = st.lists(st.integers(0, 2**64 - 1), max_size=60).flatmap(
    lambda keys: st.lists(st.sampled_from(keys), max_size=60).map(lambda more: keys + more) if keys else st.just(keys)
)


def slow_assign(keys: list[int], sizes: Sizes) -> list[int]:
    """All groups in order of their hash; each goes to test, else to dev, if it fits into what is still wanted."""
    groups = Counter(keys)
    split: dict[int, int] = {}
    for number, wanted in ((TEST, sizes.test), (DEV, sizes.dev)):
        room = wanted
        for key in sorted(groups):
            if key not in split and groups[key] <= room:
                split[key] = number
                room -= groups[key]
        free = [key for key in sorted(groups) if key not in split]
        if wanted and room == wanted and len(free) > 1:
            split[min(free, key=lambda key: (groups[key], key))] = number
    return [split.get(key, TRAIN) for key in keys]


@settings(max_examples=300, deadline=None)
@given(KEYS, st.integers(0, 30), st.integers(0, 30), st.randoms(use_true_random=False))
def test_against_the_obvious_way(keys: list[int], dev: int, test: int, shuffler: random.Random) -> None:
    sizes = Sizes(dev, test)
    splits = assign(keys, sizes)
    assert list(splits) == slow_assign(keys, sizes)
    by_key = dict(zip(keys, splits, strict=True))
    assert [by_key[key] for key in keys] == list(splits)  # no key in two splits
    shuffled = keys[:]
    shuffler.shuffle(shuffled)
    assert dict(zip(shuffled, assign(shuffled, sizes), strict=True)) == by_key


@pytest.mark.parametrize("pairs", [50, 5000, 200_000])
def test_sizes_are_exact_with_single_pairs_at_hand(pairs: int) -> None:
    generator = random.Random(pairs)
    keys = [generator.getrandbits(64) for _ in range(pairs)]
    keys += keys[: pairs // 10] * 3
    splits = assign(keys, Sizes(7, 11))
    assert (splits.count(DEV), splits.count(TEST)) == (7, 11)


@pytest.mark.parametrize(
    ("dev", "test", "pairs", "expected"),
    [
        ("auto", "auto", 400, (20, 20)),
        ("auto", "auto", 1_000_000, (2000, 2000)),
        ("100", "1%", 5000, (100, 50)),
        ("0", "0", 10, (0, 0)),
        ("0.5%", "0", 1000, (5, 0)),
    ],
)
def test_sizes(dev: str, test: str, pairs: int, expected: tuple[int, int]) -> None:
    sizes = wanted_sizes(SplitOptions(dev=dev, test=test), pairs)
    assert (sizes.dev, sizes.test) == expected


@pytest.mark.parametrize(("dev", "test"), [("x", "0"), ("-1", "0"), ("100%", "0"), ("1.5", "0"), ("6", "4")])
def test_sizes_refused(dev: str, test: str) -> None:
    options = SplitOptions(dev=dev, test=test)
    with pytest.raises(ConfigError):
        require_limits(options)
        wanted_sizes(options, 10)


def test_groups_by_file_and_attribute() -> None:
    origins = [Origin(f"f{number % 3}", number, "", {"page": f"p{number % 5}"}) for number in range(60)]
    for by in ("file", "page"):
        groups = GroupKeys(SplitOptions(split_by=by))
        keys = [groups.key(origin) for origin in origins]
        assert len(set(keys)) == {"file": 3, "page": 5}[by]
        splits = assign(keys, Sizes(12, 12))
        assert set(splits) == {TRAIN, DEV, TEST}
    other = GroupKeys(SplitOptions(split_by="page", split_seed=2))
    assert [other.key(origin) for origin in origins] != keys
