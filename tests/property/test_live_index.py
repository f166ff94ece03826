"""A snapshot of segments and removed pairs equals an index built anew from the pairs it has."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.property.test_rule_extraction import check, limits, options_of, random_pair
from tests.reference import rules as reference
from tests.unit.index.support import ReadRule, grammars_of, parse_grammar

Pairs = dict[int, reference.Pair]


def build(directory: Path, pairs: list[reference.Pair], bounds: reference.Limits) -> None:
    source = "".join(" ".join(words) + "\n" for words, _, _ in pairs)
    target = "".join(" ".join(words) + "\n" for _, words, _ in pairs)
    links = "".join(" ".join(f"{i}-{j}" for i, j in sorted(each)) + "\n" for _, _, each in pairs)
    _core.build_index(str(directory), source.encode(), target.encode(), links.encode(), {"sample_seed": bounds.seed})


def addition(stable_id: int, pair: reference.Pair) -> dict[str, Any]:
    source, target, links = pair
    return {
        "kind": "addition",
        "stable_id": stable_id,
        "id": f"pair {stable_id}",
        "source": " ".join(source),
        "target": " ".join(target),
        "links": " ".join(f"{i}-{j}" for i, j in sorted(links)),
    }


def removal(stable_id: int) -> dict[str, Any]:
    return {"kind": "removal", "stable_id": stable_id, "id": f"pair {stable_id}"}


def grammar(
    index: _core.LiveIndex, words: list[str], bounds: reference.Limits, **more: Any
) -> dict[tuple[str, str], ReadRule]:
    (text,) = grammars_of(index, f"{' '.join(words)}\n".encode(), {**options_of(bounds), **more})
    return parse_grammar(text.decode())


def wordy_pair(random: Random, words: str) -> reference.Pair:
    while True:
        source, target, links = random_pair(random, 8, words)
        if source and target:
            return source, target, links


def rebuilt(directory: Path, pairs: Pairs, bounds: reference.Limits, weight: int) -> _core.LiveIndex:
    """An index of these pairs under their stable ids, made by adding them to nothing and compacting that."""
    empty = directory / "empty"
    empty.mkdir()
    build(empty, [], bounds)
    live = _core.LiveIndex.open(str(empty), correction_weight=weight)
    live.apply_log(_core.encode_log_records([addition(key, pair) for key, pair in pairs.items()]))
    full = directory / "full"
    full.mkdir()
    live.compact(str(empty), str(full))
    return _core.LiveIndex.open(str(full), correction_weight=weight)


def change(random: Random, live: _core.LiveIndex, present: Pairs, steps: int, first_new: int, at_once: bool) -> None:
    """Adds, replaces and removes pairs at random, in one batch or one by one."""
    batch: list[dict[str, Any]] = []
    for step in range(steps):
        kind = random.random()
        if kind < 0.6 or not present:
            key = first_new + step
            present[key] = wordy_pair(random, "abcdefg")
            batch.append(addition(key, present[key]))
        elif kind < 0.75:
            key = random.choice(sorted(present))
            present[key] = wordy_pair(random, "abcdefg")
            batch.append(addition(key, present[key]))
        else:
            key = random.choice(sorted(present))
            del present[key]
            batch.append(removal(key))
        if not at_once:
            live.apply_log(_core.encode_log_records(batch[-1:]))
    if at_once:
        live.apply_log(_core.encode_log_records(batch))


@settings(max_examples=40, deadline=None)
@given(
    st.randoms(use_true_random=True),
    limits,
    st.sampled_from([1, 3, 128]),
    st.booleans(),
    st.sampled_from(["exact", "exact", "extend", "merge", "bounded"]),
)
def test_snapshot_equals_index_built_anew(
    random: Random, bounds: reference.Limits, newest: int, at_once: bool, matching: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        pairs = [random_pair(random, 9, "abcd") for _ in range(random.randint(0, 8))]
        base = directory / "base"
        base.mkdir()
        build(base, pairs, bounds)
        live = _core.LiveIndex.open(str(base), newest_pairs=newest, background=random.random() < 0.5)
        present = dict(enumerate(pairs))
        change(random, live, present, random.randint(1, 10), 1000, at_once)
        event(f"{min(live.segments, 4)} segments or more")
        words = [random.choice("abcdefgh") for _ in range(random.randint(1, 8))]
        fresh = directory / "fresh"
        fresh.mkdir()
        # Pairs with an empty side cannot be added; they lie in the base and give no rules, but their words are matches,
        # which take places in samples and count in the lexicon.
        wordy = {key: pair for key, pair in present.items() if pair[0] and pair[1]}
        half_empty = any(bool(source) != bool(target) for source, target, _ in present.values())
        again = rebuilt(fresh, wordy, bounds, 1)
        found, wanted = (
            grammar(live, words, bounds, matching=matching),
            grammar(again, words, bounds, matching=matching),
        )
        if not half_empty:
            assert found == wanted
        # Which segments there are shows nowhere.
        live.settle()
        assert grammar(live, words, bounds, matching=matching) == found


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=True), limits, st.booleans())
def test_adding_the_rest_equals_indexing_all(random: Random, bounds: reference.Limits, remove_one: bool) -> None:
    """Against the index builder itself, and with a pair removed against the brute-force definition without it."""
    pairs = [wordy_pair(random, "abcd") for _ in range(random.randint(2, 9))]
    cut = random.randint(0, len(pairs) - 1)
    words = [random.choice("abcde") for _ in range(random.randint(1, 8))]
    with tempfile.TemporaryDirectory() as name:
        base, full = Path(name) / "base", Path(name) / "full"
        base.mkdir()
        full.mkdir()
        build(base, pairs[:cut], bounds)
        build(full, pairs, bounds)
        live = _core.LiveIndex.open(str(base), newest_pairs=2)
        rest = list(range(cut, len(pairs)))
        random.shuffle(rest)
        for key in rest:
            live.apply_log(_core.encode_log_records([addition(key, pairs[key])]))
        assert grammar(live, words, bounds) == grammar(_core.LiveIndex.open(str(full)), words, bounds)
        if not remove_one:
            return
        gone = random.randrange(len(pairs))
        assert live.apply_log(_core.encode_log_records([removal(gone)])) == 1
        expected = reference.grammar(reference.Bitext(pairs, gone), words, bounds)
        lexicon = reference.Lexicon([pair for number, pair in enumerate(pairs) if number != gone])
        check(grammar(live, words, bounds), expected, lexicon)
        assert live.apply_log(_core.encode_log_records([removal(gone)])) == 0


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=True), limits, st.integers(1, 4))
def test_compaction_changes_no_rule(random: Random, bounds: reference.Limits, weight: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        pairs = [random_pair(random, 9, "abcd") for _ in range(random.randint(0, 8))]
        base, first, second = (directory / part for part in ("base", "first", "second"))
        for part in (base, first, second):
            part.mkdir()
        build(base, pairs, bounds)
        words = [random.choice("abcdefgh") for _ in range(random.randint(1, 8))]
        present = dict(enumerate(pairs))
        live = _core.LiveIndex.open(str(base), correction_weight=weight, newest_pairs=3)
        before = live
        for number, (old, new) in enumerate(((base, first), (first, second)), start=1):
            change(random, before, present, 6, 1000 * number, False)
            counts, gone_source, _ = before.compact(str(old), str(new))
            after = _core.LiveIndex.open(str(new), correction_weight=weight, newest_pairs=3)
            assert grammar(after, words, bounds) == grammar(before, words, bounds)
            assert counts["sentences"] == after.pairs == len(present) == before.pairs
            assert sorted(_core.testing.stable_ids(after)) == sorted(present)
            assert after.corrections == (before.corrections if weight > 1 else 0)
            used = {word for source, _, _ in present.values() for word in source}
            assert not used & set(gone_source)
            stored = _core.testing.read_container((new / "vocab.bin").read_bytes(), "vocab")["source.strings"].decode()
            assert set(stored) == used
            before = after


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=True), st.integers(2, 4))
def test_weight_counts_a_pair_so_often(random: Random, weight: int) -> None:
    """While samples are not full, a correction of weight w is as good as w pairs."""
    bounds = reference.Limits(max_rule_span=6)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        pairs = [wordy_pair(random, "abcd") for _ in range(random.randint(0, 5))]
        added = [wordy_pair(random, "abcdef") for _ in range(random.randint(1, 4))]
        base, repeated = directory / "base", directory / "repeated"
        base.mkdir()
        repeated.mkdir()
        build(base, pairs, bounds)
        live = _core.LiveIndex.open(str(base), correction_weight=weight)
        live.apply_log(_core.encode_log_records([addition(100 + i, pair) for i, pair in enumerate(added)]))
        build(repeated, pairs + added * weight, bounds)
        again = _core.LiveIndex.open(str(repeated))
        words = [random.choice("abcdef") for _ in range(random.randint(1, 7))]
        found, wanted = grammar(live, words, bounds), grammar(again, words, bounds)
        assert {key: rule.features for key, rule in found.items()} == {
            key: pytest.approx(rule.features, abs=1e-6) for key, rule in wanted.items()
        }


def test_corrections_are_always_sampled(tmp_path: Path) -> None:
    """Four hundred pairs say one thing, one correction another: the correction is in the sample of 300."""
    base, compacted = tmp_path / "base", tmp_path / "compacted"
    base.mkdir()
    compacted.mkdir()
    bounds = reference.Limits()
    build(base, [(["a"], ["x"], {(0, 0)})] * 400, bounds)
    for key in range(1000, 1010):
        live = _core.LiveIndex.open(str(base), correction_weight=50)
        live.apply_log(_core.encode_log_records([addition(key, (["a"], ["y"], {(0, 0)}))]))
        rules = grammar(live, ["a"], bounds)
        # 299 others and 50 for the correction.
        assert rules["a", "y"].features["EgivenFCoherent"] == pytest.approx(0.843855, abs=1e-5)
        assert rules["a", "x"].features["EgivenFCoherent"] == pytest.approx(0.067156, abs=1e-5)
    live.compact(str(base), str(compacted))
    again = _core.LiveIndex.open(str(compacted), correction_weight=50)
    assert grammar(again, ["a"], bounds) == rules
    lighter = _core.LiveIndex.open(str(compacted), correction_weight=2)
    assert grammar(lighter, ["a"], bounds)["a", "y"].features["CountEF"] == pytest.approx(0.477121, abs=1e-5)


@settings(max_examples=20, deadline=None)
@given(
    st.randoms(use_true_random=True),
    limits,
    st.integers(1, 3),
    st.sampled_from(["exact", "bounded"]),
)
def test_rules_kept_from_sentence_to_sentence_are_those_of_all_segments(
    random: Random, bounds: reference.Limits, weight: int, matching: str
) -> None:
    """The base has enough of its few words for the cache, the segments more of them, and of both some is removed."""
    pairs = [random_pair(random, 12, "aabbc") for _ in range(60)]
    sentences = [" ".join(random.choice("aabbcdg") for _ in range(random.randint(1, 8))) for _ in range(10)]
    left_out = [random.randrange(60) if random.random() < 0.2 else None for _ in sentences]
    text = "".join(f"{line}\n" for line in sentences).encode()
    options = {"matching": matching, **options_of(bounds)}
    with tempfile.TemporaryDirectory() as name:
        build(Path(name), pairs, bounds)
        live = _core.LiveIndex.open(name, correction_weight=weight, newest_pairs=2)
        present = dict(enumerate(pairs))
        for first_new in (1000, 2000):
            change(random, live, present, 12, first_new, False)
            expected = grammars_of(live, text, {**options, "rule_cache_bytes": 0}, left_out, 1)
            for size in (2000, 20_000, 8 << 20):
                assert grammars_of(live, text, {**options, "rule_cache_bytes": size}, left_out, 1) == expected
