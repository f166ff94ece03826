"""Fast extraction equals the brute-force definition on random small bitexts, in every way of matching."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.reference import rules as reference
from tests.unit.index.support import ReadRule, build, grammars_of, read_grammar


def as_text(symbols: tuple[str, ...]) -> str:
    number = iter((1, 2))
    return " ".join(f"[X,{next(number)}]" if s == reference.GAP else s for s in symbols)


def random_pair(random: Random, longest: int, words: str) -> reference.Pair:
    """Links are drawn around a diagonal with some blocks turned around, so that many spans are consistent."""
    source = [random.choice(words) for _ in range(random.randint(0, longest))]
    target = [random.choice("wxyz") for _ in range(max(0, len(source) + random.randint(-1, 2)))]
    links: set[tuple[int, int]] = set()
    if source and target:
        order = list(range(len(source)))
        if random.random() < 0.6:
            cut = random.randint(0, len(source))
            order = order[cut:] + order[:cut]
        for i in range(len(source)):
            if random.random() < 0.8:
                links.add((i, min(len(target) - 1, order[i])))
            if random.random() < 0.05:
                links.add((i, random.randrange(len(target))))
    return source, target, links


limits = st.builds(
    reference.Limits,
    # The windows of frequent words have room for 16.
    max_rule_span=st.sampled_from([*range(4, 11), 15, 15, 15, 15, 18, 18]),
    max_rule_symbols=st.sampled_from([5, 5, 5, 4, 6, 3, 1]),
    max_nonterminals=st.sampled_from([2, 2, 2, 1, 0]),
    min_gap_size=st.sampled_from([1, 2]),
    max_samples=st.sampled_from([300, 1, 2, 3, 7]),
    tight=st.booleans(),
    loose_phrases=st.booleans(),
    long_phrases=st.booleans(),
    lone_words=st.booleans(),
    seed=st.integers(0, 3),
)


def options_of(bounds: reference.Limits) -> dict[str, Any]:
    return {name: value for name, value in vars(bounds).items() if name != "seed"}


def make_index(directory: str, pairs: list[reference.Pair], bounds: reference.Limits) -> _core.Index:
    return build(
        Path(directory),
        [" ".join(source) for source, _, _ in pairs],
        [" ".join(target) for _, target, _ in pairs],
        [" ".join(f"{i}-{j}" for i, j in links) for _, _, links in pairs],
        sample_seed=bounds.seed,
    )


def check(
    found: dict[tuple[str, str], ReadRule],
    expected: dict[tuple[tuple[str, ...], tuple[str, ...]], reference.Counts],
    lexicon: reference.Lexicon,
) -> None:
    wanted = {(as_text(s), " ".join(t)): (s, t, counts) for (s, t), counts in expected.items()}
    assert set(found) == set(wanted)
    for key, rule in found.items():
        source, target, counts = wanted[key]
        assert rule.links == " ".join(f"{i}-{j}" for i, j in counts.links)
        assert rule.features == pytest.approx(reference.features(lexicon, source, target, counts), abs=2e-5)


def report(expected: dict[tuple[tuple[str, ...], tuple[str, ...]], reference.Counts], bounds: reference.Limits) -> None:
    """Hypothesis counts these; `pytest --hypothesis-show-statistics` shows that the hard cases are reached."""
    if any(source.count(reference.GAP) == 2 for source, _ in expected):
        event("two gaps")
    if any("[X,2]" in target and target.index("[X,2]") < target.index("[X,1]") for _, target in expected):
        event("re-ordered gaps")
    if any(counts.samples == bounds.max_samples for counts in expected.values()):
        event("sample is full")


def compare(
    pairs: list[reference.Pair], words: list[str], bounds: reference.Limits, left_out: int | None
) -> dict[tuple[tuple[str, ...], tuple[str, ...]], reference.Counts]:
    bitext = reference.Bitext(pairs, left_out)
    lexicon = reference.Lexicon([pair for number, pair in enumerate(pairs) if number != left_out])
    exact = reference.grammar(bitext, words, bounds)
    bounded = reference.grammar(bitext, words, bounds, bounded=True)
    with tempfile.TemporaryDirectory() as directory:
        index = make_index(directory, pairs, bounds)
        for matching in ("exact", "extend", "merge", "bounded"):
            found = read_grammar(index, " ".join(words), left_out, matching=matching, **options_of(bounds))
            check(found, bounded if matching == "bounded" else exact, lexicon)
    return exact


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=True), st.integers(1, 8), limits, st.booleans())
def test_equals_definition(random: Random, sentences: int, bounds: reference.Limits, leave_one_out: bool) -> None:
    pairs = [random_pair(random, 9, "abcd") for _ in range(sentences)]
    words = [random.choice("abcde") for _ in range(random.randint(1, 8))]
    left_out = random.randrange(sentences) if leave_one_out else None
    report(compare(pairs, words, bounds, left_out), bounds)


@settings(max_examples=4, deadline=None)
@given(st.randoms(use_true_random=True))
def test_equals_definition_beyond_the_sample(random: Random) -> None:
    """More than 300 matches, with the default sample size."""
    bounds = reference.Limits(max_rule_span=8)
    pairs = [random_pair(random, 12, "abb") for _ in range(90)]
    words = [random.choice("ab") for _ in range(4)]
    found = compare(pairs, words, bounds, None)
    report(found, bounds)
    bitext = reference.Bitext(pairs)
    if max(len(bitext.all_matches((word,), bounds)) for word in words) > 300:
        event("more than 300 matches")


@settings(max_examples=5, deadline=None)
@given(st.randoms(use_true_random=True), limits)
def test_ways_agree_on_a_large_vocabulary(random: Random, bounds: reference.Limits) -> None:
    """Frequent words are read in bytes, others are not; here patterns have either kind, and both together."""
    words = [f"w{i}" for i in range(600)]
    weights = [1 / (i + 3) for i in range(600)]
    sources = [" ".join(random.choices(words, weights, k=random.randint(1, 20))) for _ in range(1500)]
    links = [" ".join(f"{i}-{i}" for i in range(len(source.split()))) for source in sources]
    # Pieces of the text itself, with words from elsewhere between them.
    lines = [
        [*random.choice(sources).split()[:8], random.choice(words), *random.choice(sources).split()[:8]]
        for _ in range(6)
    ]
    text = "".join(" ".join(line) + "\n" for line in lines).encode()
    left_out = [random.choice([None, random.randrange(1500)]) for _ in lines]
    with tempfile.TemporaryDirectory() as directory:
        index = build(Path(directory), sources, sources, links, sample_seed=bounds.seed)
        options = options_of(bounds)
        merged = grammars_of(index, text, {**options, "matching": "merge"}, left_out, 1)
        assert grammars_of(index, text, {**options, "matching": "exact"}, left_out, 1) == merged


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=True), limits, st.sampled_from(["exact", "bounded"]))
def test_rules_kept_from_sentence_to_sentence_change_nothing(
    random: Random, bounds: reference.Limits, matching: str
) -> None:
    """Whatever the cache holds, from nothing over a few patterns that push each other out to everything."""
    pairs = [random_pair(random, 12, "aabbc") for _ in range(60)]
    sentences = [" ".join(random.choice("aabbcd") for _ in range(random.randint(1, 9))) for _ in range(12)]
    left_out = [random.randrange(60) if random.random() < 0.2 else None for _ in sentences]
    text = "".join(f"{line}\n" for line in sentences).encode()
    options = {"matching": matching, **options_of(bounds)}
    with tempfile.TemporaryDirectory() as directory:
        index = make_index(directory, pairs, bounds)
        expected = grammars_of(index, text, {**options, "rule_cache_bytes": 0}, left_out, 1)
        for size in (2000, 20_000, 8 << 20):
            assert grammars_of(index, text, {**options, "rule_cache_bytes": size}, left_out, 1) == expected
