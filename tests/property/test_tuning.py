"""Tuning against brute force, and BLEU statistics against sacreBLEU's."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dragoman import _core
from dragoman.errors import ConfigError, InputError
from dragoman.evaluate.bleu_tokenizer import OWN_TOKENIZERS
from tests.reference.tuning import best_along, bleu, dot, log_likelihood, statistics_at

sacrebleu = pytest.importorskip("sacrebleu")

# Small whole numbers, so that crossings are exact or well apart.
values = st.integers(-4, 4).map(float)


@st.composite
def statistics(draw: st.DrawFn) -> list[int]:
    words = draw(st.integers(4, 12))
    totals = [words - n for n in range(4)]
    matches, most = [], words
    for total in totals:
        most = draw(st.integers(0, min(total, most)))
        matches.append(most)
    return [words, draw(st.integers(1, 14)), *matches, *totals]


@st.composite
def pools(draw: st.DrawFn) -> tuple[list[list[tuple[list[float], list[int]]]], int]:
    features = draw(st.integers(1, 3))
    candidate = st.tuples(st.lists(values, min_size=features, max_size=features), statistics())
    return draw(st.lists(st.lists(candidate, min_size=1, max_size=6), min_size=1, max_size=4)), features


def pool_of(lists: list[list[tuple[list[float], list[int]]]], features: int) -> _core.TuningPool:
    pool = _core.TuningPool(len(lists), features)
    rows = [(sentence, *each) for sentence, candidates in enumerate(lists) for each in candidates]
    pool.add(_core.testing.candidates([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]))
    return pool


@settings(max_examples=300)
@given(pools(), st.data())
def test_line_search_equals_brute_force(
    made: tuple[list[list[tuple[list[float], list[int]]]], int], data: st.DataObject
) -> None:
    lists, features = made
    vector = st.lists(values, min_size=features, max_size=features)
    weights, direction = data.draw(vector), data.draw(vector)
    # Of candidates that are equal all along the line, rounding would choose another one at every point.
    for candidates in lists:
        lines = {(dot(values, weights), dot(values, direction), tuple(row)) for values, row in candidates}
        assume(len({line[:2] for line in lines}) == len(lines))
    pool = pool_of(lists, features)
    step, found = _core.testing.line_search(pool, weights, direction)
    assert found == pytest.approx(best_along(lists, weights, direction), abs=1e-12)
    moved = [w + step * d for w, d in zip(weights, direction, strict=True)]
    assert _core.bleu_score(_core.testing.best_statistics(pool, moved)) == pytest.approx(found, abs=1e-12)


@given(pools(), st.data())
def test_pool_scores_its_best_candidates(
    made: tuple[list[list[tuple[list[float], list[int]]]], int], data: st.DataObject
) -> None:
    lists, features = made
    weights = data.draw(st.lists(values, min_size=features, max_size=features))
    found = _core.testing.best_statistics(pool_of(lists, features), weights)
    expected = statistics_at(lists, weights)
    assert list(found) == expected
    assert _core.bleu_score(found) == pytest.approx(bleu(expected), abs=1e-12)


@settings(max_examples=30)
@given(pools(), st.integers(0, 5))
def test_tuning_never_loses_on_the_pool(made: tuple[list[list[tuple[list[float], list[int]]]], int], seed: int) -> None:
    lists, features = made
    pool = pool_of(lists, features)
    start = [1.0] * features
    before = _core.bleu_score(_core.testing.best_statistics(pool, start))
    weights, reached = pool.mert(start, 3, 3, seed)
    assert reached >= before
    assert _core.bleu_score(_core.testing.best_statistics(pool, weights)) == pytest.approx(reached, abs=1e-9)
    assert pool.mert(start, 3, 3, seed, threads=3) == (weights, reached)
    learned = pool.mira(start, 5, 2, 0.01, 0.9, seed)
    assert pool.mira(start, 5, 2, 0.01, 0.9, seed, threads=2) == learned


@settings(max_examples=100)
@given(pools(), st.data())
def test_likelihood_is_at_its_height(
    made: tuple[list[list[tuple[list[float], list[int]]]], int], data: st.DataObject
) -> None:
    """No other weights near by, or far away, have more of it, by the reference; it is concave, so none have."""
    lists, features = made
    # What comes again counts once in the pool.
    lists = [list({(tuple(values), tuple(row)): (values, row) for values, row in each}.values()) for each in lists]
    start = data.draw(st.lists(values, min_size=features, max_size=features))
    pull = 1e-4
    weights, reached = pool_of(lists, features).likelihood(start)
    height = log_likelihood(lists, weights, start, pull)
    assert height >= log_likelihood(lists, start, start, pull) - 1e-12
    for feature in range(features):
        for distance in (1.0, 0.01, -0.01, -1.0):
            moved = list(weights)
            moved[feature] += distance
            assert log_likelihood(lists, moved, start, pull) < height
    assert reached == _core.bleu_score(_core.testing.best_statistics(pool_of(lists, features), weights))


@settings(max_examples=50)
@given(pools(), st.data())
def test_weights_that_are_fixed_stay(
    made: tuple[list[list[tuple[list[float], list[int]]]], int], data: st.DataObject
) -> None:
    """To the last bit, and the others are no worse than where they began."""
    lists, features = made
    pool = pool_of(lists, features)
    start = data.draw(st.lists(values, min_size=features, max_size=features))
    fixed = data.draw(st.lists(st.integers(0, features - 1), unique=True, min_size=1))
    weights, reached = pool.mert(start, 3, 3, 1, fixed=fixed)
    assert [weights[place] for place in fixed] == [start[place] for place in fixed]
    assert reached >= _core.bleu_score(_core.testing.best_statistics(pool, start))
    assert _core.bleu_score(_core.testing.best_statistics(pool, weights)) == pytest.approx(reached, abs=1e-9)


def test_features_that_are_not_there_cannot_be_fixed() -> None:
    pool = _core.TuningPool(1, 2)
    with pytest.raises(ConfigError, match="features that the pool does not have"):
        pool.mert([1.0, 1.0], 1, 1, 1, fixed=[2])


chinese = "你好。，、！？“”…—「」　Ａ９ㄅ㈱かカ한ไป་𠀀⺀︰"
character = st.sampled_from(f"abAB0159.,-'&;<>$%/()ß Ééİ\u00a0 \t{chinese}") | st.characters(codec="utf-8")
word = st.text(character, max_size=12)
line = st.lists(word | st.sampled_from(["the", "The", "cat", "3.5", "1-2", "&amp;", "&lt;", "<skipped>", "..."])).map(
    " ".join
)


def usable(text: str) -> bool:
    return "\0" not in text


@settings(max_examples=400)
@given(line.filter(usable), line.filter(usable), st.booleans(), st.sampled_from(OWN_TOKENIZERS))
def test_statistics_equal_sacrebleu(translation: str, reference: str, lowercase: bool, tokenize: str) -> None:
    metric = sacrebleu.metrics.BLEU(lowercase=lowercase, tokenize=tokenize)
    expected = metric.corpus_score([translation], [[reference]])
    row = _core.bleu_statistics([translation], [reference], lowercase, tokenize)[0]
    assert list(row) == [expected.sys_len, expected.ref_len, *expected.counts, *expected.totals]
    assert 100 * _core.bleu_score(row) == pytest.approx(expected.score, abs=1e-9)


# Few words, so that references share n-grams with the translation and with each other, and lengths tie.
short = st.lists(st.sampled_from(["a", "b", "c", "The", "."]), max_size=7).map(" ".join)


@settings(max_examples=400)
@given(short, st.lists(short, min_size=1, max_size=4), st.booleans())
def test_statistics_with_several_references_equal_sacrebleu(
    translation: str, references: list[str], lowercase: bool
) -> None:
    metric = sacrebleu.metrics.BLEU(lowercase=lowercase)
    expected = metric.corpus_score([translation], [[reference] for reference in references])
    further = [[reference] for reference in references[1:]]
    row = _core.bleu_statistics([translation], references[:1], lowercase, "13a", further)[0]
    assert list(row) == [expected.sys_len, expected.ref_len, *expected.counts, *expected.totals]


def test_references_must_be_as_many_as_lines() -> None:
    with pytest.raises(InputError, match="has 1 lines and another 2; they must correspond"):
        _core.bleu_statistics(["a"], ["a"], False, "13a", [["a"], ["a", "b"]])


def test_every_character_is_taken_apart_as_sacrebleu_does() -> None:
    metric = sacrebleu.metrics.BLEU(tokenize="zh", force=True)
    for first in range(1, 0x30000, 0x40):
        letters = [chr(each) for each in range(first, first + 0x40) if not 0xD800 <= each < 0xE000]
        text = "".join(f"{letter}a" for letter in letters)
        expected = metric.corpus_score([text], [[text]])
        row = _core.bleu_statistics([text], [text], False, "zh")[0]
        assert list(row) == [expected.sys_len, expected.ref_len, *expected.counts, *expected.totals], hex(first)
