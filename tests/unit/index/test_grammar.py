"""Grammars of small bitexts whose rules can be counted by hand, hard inputs, threads, provenance of samples."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.config import ExtractOptions
from dragoman.errors import ConfigError, InputError
from dragoman.index.grammar import count_rules, grammars
from tests.unit.index.support import build, grammars_of, read_grammar

MODES = ("exact", "bounded", "extend", "merge")


def europarl_like(seed: int, sentences: int) -> tuple[list[str], list[str], list[str]]:
    """Zipfian words, target a noisy word-by-word image of the source."""
    rng = random.Random(seed)
    source, target, links = [], [], []
    for _ in range(sentences):
        words = [min(60, int(rng.paretovariate(0.8))) for _ in range(rng.randint(1, 25))]
        order = list(range(len(words)))
        for i in range(0, len(words) - 1, 3):
            if rng.random() < 0.3:
                order[i], order[i + 1] = order[i + 1], order[i]
        source.append(" ".join(f"s{w}" for w in words))
        target.append(" ".join(f"t{words[i] + (rng.random() < 0.1)}" for i in order))
        links.append(" ".join(f"{i}-{j}" for j, i in enumerate(order) if rng.random() < 0.9))
    return source, target, links


def test_features_by_hand(tmp_path: Path) -> None:
    index = build(tmp_path, ["a", "a", "a b"], ["x", "y", "x"], ["0-0", "0-0", "0-0"])
    rules = read_grammar(index, "a b")
    assert set(rules) == {("a", "x"), ("a", "y"), ("a", "x")}
    features = rules["a", "x"].features
    assert features == pytest.approx(
        {
            "EgivenFCoherent": -math.log10(2 / 3),
            "SampleCountF": math.log10(4),
            "CountEF": math.log10(3),
            "MaxLexFgivenE": 0.0,  # x is always linked to a
            "MaxLexEgivenF": -math.log10(2 / 3),
            "IsSingletonF": 0.0,
            "IsSingletonFE": 0.0,
        },
        abs=1e-6,
    )
    assert rules["a", "y"].features["IsSingletonFE"] == 1


@pytest.mark.parametrize("matching", MODES)
def test_unknown_words_split_the_input(tmp_path: Path, matching: str) -> None:
    index = build(tmp_path, ["a b c"], ["x y z"], ["0-0 1-1 2-2"])
    rules = read_grammar(index, "a ? c", matching=matching)
    assert {source for source, _ in rules} == {
        "a", "c", "a [X,1]", "[X,1] c", "a [X,1] c",
    }  # fmt: skip
    assert read_grammar(index, "? ?", matching=matching) == {}
    assert read_grammar(index, "", matching=matching) == {}


def test_leave_one_out_takes_counts_away(tmp_path: Path) -> None:
    index = build(tmp_path, ["a", "a", "b"], ["x", "y", "z"], ["0-0", "0-0", "0-0"])
    whole, without = read_grammar(index, "a"), read_grammar(index, "a", leave_out=1)
    assert set(whole) == {("a", "x"), ("a", "y")}
    assert set(without) == {("a", "x")}
    assert without["a", "x"].features["EgivenFCoherent"] == without["a", "x"].features["MaxLexEgivenF"] == 0
    assert read_grammar(index, "a", leave_out=99) == whole


@pytest.mark.parametrize("tight", [True, False])
def test_all_ways_and_all_threads_agree(tmp_path: Path, tight: bool) -> None:
    texts = europarl_like(1, 400)
    text = "".join(f"{line}\n" for line in texts[0][:6]).encode()
    found = {}
    index = build(tmp_path, *texts)
    for matching in MODES:
        for threads in (1, 3):
            options = {"matching": matching, "tight": tight}
            found[matching, threads] = grammars_of(index, text, options, [], threads)
        assert found[matching, 3] == found[matching, 1]
    # The order of rules is the order of patterns, which depends on when a pattern is found.
    exact = [sorted(grammar.splitlines()) for grammar in found["exact", 1]]
    for matching in ("extend", "merge"):
        assert [sorted(grammar.splitlines()) for grammar in found[matching, 1]] == exact
    assert sum(map(len, exact)) > 10_000


def test_counts_are_those_of_the_grammars(tmp_path: Path) -> None:
    texts = europarl_like(6, 300)
    index = build(tmp_path, *texts)
    text = "".join(f"{line}\n" for line in texts[0][:5]).encode()
    counts = {matching: count_rules(index, text, ExtractOptions(matching=matching)) for matching in MODES}
    for matching, found in counts.items():
        grammars = grammars_of(index, text, {"matching": matching})
        assert found.sentences == len(grammars) == 5
        assert found.rules == sum(grammar.count(b"\n") for grammar in grammars) > 1000
        assert 0 < found.gapped_patterns < found.comparisons
    for matching in ("extend", "merge"):
        assert counts[matching].patterns == counts["exact"].patterns
        assert counts[matching].matches == counts["exact"].matches
    assert counts["extend"].comparisons != counts["merge"].comparisons


@pytest.mark.parametrize("phrases, triples", [(1, 0), (12, 4), (60, 60)])
@pytest.mark.parametrize("gap, span", [(1, 15), (2, 7)])
def test_lists_of_frequent_patterns_change_no_rule(
    tmp_path: Path, phrases: int, triples: int, gap: int, span: int
) -> None:
    texts = europarl_like(8, 300)
    index = build(tmp_path, *texts)
    text = "".join(f"{line}\n" for line in texts[0][:5]).encode()
    for matching in ("extend", "merge"):
        options = {"matching": matching, "min_gap_size": gap, "max_rule_span": span}
        listed = _core.ListedIndex(index, phrases, triples, options)
        assert listed.patterns > 0
        assert listed.bytes > 0
        # Of a sentence that is left out, the lists have matches too.
        for leave_out in ([], [2, 0, None, 4]):
            expected = grammars_of(index, text, options, leave_out)
            for threads in (1, 3):
                assert grammars_of(listed, text, options, leave_out, threads) == expected
        assert sum(map(len, expected)) > 10_000
        plain, fewer = (_core.count_rules(each, text, options) for each in (index, listed))
        assert fewer["rules"] == plain["rules"] and fewer["matches"] == plain["matches"]
        assert phrases == 1 or fewer["comparisons"] < plain["comparisons"]


def test_no_more_lists_than_memory_has_room_for(tmp_path: Path) -> None:
    index = build(tmp_path, ["a"], ["x"], ["0-0"])
    for phrases, triples in ((2001, 0), (200, 151)):
        with pytest.raises(ConfigError, match="must be at most 2000, and those of triples at most 150"):
            _core.ListedIndex(index, phrases, triples, {})


def test_lists_of_other_options_are_not_asked(tmp_path: Path) -> None:
    texts = europarl_like(9, 100)
    index = build(tmp_path, *texts)
    text = "".join(f"{line}\n" for line in texts[0][:3]).encode()
    listed = _core.ListedIndex(index, 30, 10, {"max_rule_span": 5})
    for matching in ("extend", "merge"):
        options = {"matching": matching}
        assert grammars_of(listed, text, options) == grammars_of(index, text, options)


@pytest.mark.parametrize("matching", MODES)
def test_hard_inputs_stay_bounded(tmp_path: Path, matching: str) -> None:
    repeated = " ".join(["a"] * 500)
    links = " ".join(f"{i}-{i}" for i in range(500))
    source, target, pairs = europarl_like(2, 30)
    index = build(tmp_path, [repeated, *source], [" ".join(["x"] * 500), *target], [links, *pairs])
    rules = read_grammar(index, repeated, matching=matching)
    assert len(rules) < 1000
    assert all(rule.features["SampleCountF"] <= math.log10(301) + 1e-6 for rule in rules.values())
    long = " ".join(random.Random(3).choices([word for line in source for word in line.split()], k=2000))
    assert read_grammar(index, long, matching=matching, max_samples=20)


def test_long_phrases(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(30)]
    links = " ".join(f"{i}-{i}" for i in range(30))
    index = build(tmp_path, [" ".join(words)], [" ".join(words)], [links])
    whole = " ".join(words)
    assert (whole, whole) in read_grammar(index, whole, long_phrases=True)
    assert (whole, whole) not in read_grammar(index, whole)


def test_escapes(tmp_path: Path) -> None:
    words = ["|||", "[X,1]", "&amp;", "a&b", "[", "|", "a|||b", "&#124;", "[x"]
    text = " ".join(words)
    index = build(tmp_path, [text], [text], [" ".join(f"{i}-{i}" for i in range(len(words)))])
    rules = read_grammar(index, text)
    for word in words:
        escaped = _core.testing.escape_word(word)
        assert (escaped, escaped) in rules
        assert _core.testing.unescape_word(escaped) == word
    assert _core.testing.escape_word("[X,1]") == "&#91;X,1&#93;"
    assert _core.testing.escape_word("a&b") == "a&b"


def test_batches_and_left_out_pairs(tmp_path: Path) -> None:
    source, target, links = europarl_like(4, 40)
    index = build(tmp_path, source, target, links)
    lines = [f"{line}\n".encode() for line in source]
    whole = list(grammars(index, lines, ExtractOptions(matching="bounded"), threads=2))
    assert len(whole) == 40
    without = list(grammars(index, lines, leave_out=range(40)))
    assert without == [grammars_of(index, line, {}, [number])[0] for number, line in enumerate(lines)]
    with pytest.raises(InputError, match="fewer"):
        list(grammars(index, lines, leave_out=range(3)))
    # Whoever has enough may leave; what is being extracted is dropped.
    for threads in (1, 3):
        assert next(grammars(index, lines, ExtractOptions(matching="bounded"), threads=threads)) == whole[0]
    pool = _core.GrammarPool(index, {}, 2)
    with pytest.raises(ConfigError, match="added"):
        pool.take()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_rule_span": 0}, "max_rule_span"),
        ({"max_rule_span": 256}, "max_rule_span"),
        ({"max_nonterminals": 3}, "max_nonterminals"),
        ({"max_samples": 0}, "max_samples"),
        ({"matching": "fast"}, "matching"),
        ({"max_rule_span": -1}, "max_rule_span"),
        ({"unheard": 1}, "unheard"),
    ],
)
def test_options_out_of_range(tmp_path: Path, options: dict[str, object], says: str) -> None:
    index = build(tmp_path, ["a"], ["x"], ["0-0"])
    with pytest.raises(ConfigError, match=says):
        grammars_of(index, b"a\n", options)
