"""The sources of a rule give its counts: each yields the rule by the brute-force definition, and none is missing."""

from __future__ import annotations

import tempfile
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.property.test_rule_extraction import as_text, make_index, random_pair
from tests.reference import rules as reference

LIMITS = reference.Limits(max_rule_span=10, loose_phrases=True, long_phrases=True, lone_words=True)
WEIGHTS = [("EgivenFCoherent", -1.0), ("CountEF", 0.2), ("Glue", 0.1)]


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=True), st.integers(1, 10), st.sampled_from(["hierarchical", "phrase-based"]))
def test_sources_reproduce_counts(random: Random, sentences: int, decoder: str) -> None:
    pairs = [random_pair(random, 9, "abcd") for _ in range(sentences)]
    words = [random.choice("abcde") for _ in range(random.randint(1, 8))]
    bitext = reference.Bitext(pairs)
    expected = {
        (as_text(s), " ".join(t)): counts for (s, t), counts in reference.grammar(bitext, words, LIMITS).items()
    }
    with tempfile.TemporaryDirectory() as directory:
        index = make_index(directory, pairs, LIMITS)
        engine = _core.testing.Decoder.from_index(index, WEIGHTS)
        options = {"decoder": decoder, "explain": True, "origins": 1 << 30, "kbest": 5}
        candidates = engine.decode([words], options)[0]["candidates"]
    for rule in (rule for each in candidates for rule in each["rules"] if rule["kind"] == "grammar"):
        counts = expected[rule["source"], rule["target"]]
        origins = rule["origins"]
        assert len(origins) == rule["origin_count"] == counts.count
        assert 10 ** rule["features"]["CountEF"] - 1 == pytest.approx(counts.count, rel=1e-5)
        assert 10 ** rule["features"]["SampleCountF"] - 1 == pytest.approx(counts.samples, rel=1e-5)
        assert all(origin["weight"] == 1 for origin in origins)
        for origin in origins:
            pair = pairs[origin["stable_id"]]
            span, gaps = tuple(origin["source_span"]), [tuple(gap) for gap in origin["source_gaps"]]
            assert as_text(reference.source_symbols(pair[0], span, gaps)) == rule["source"]
            sides = {" ".join(side) for side, _ in reference.yields(pair, span, gaps, LIMITS)}
            if len(pair[0][slice(*span)]) == 1 and not gaps and rule["target"] not in sides:
                # A word that no phrase pair has by itself.
                sides = {" ".join(reference.lone_target(pair, span[0]))}
                event("lone word")
            assert rule["target"] in sides
            # The target spans are the words and gaps of the target side.
            begin, end = origin["target_span"]
            target: list[str] = []
            at = begin
            while at < end:
                gap = next((k for k, (first, _) in enumerate(origin["target_gaps"]) if first == at), None)
                target.append(pair[1][at] if gap is None else f"[X,{gap + 1}]")
                at = at + 1 if gap is None else origin["target_gaps"][gap][1]
            assert " ".join(target) == rule["target"]
            event("gap" if gaps else "contiguous")
