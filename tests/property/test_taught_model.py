"""The language model with what was taught: against its definition, in both searches, and gone when that is removed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.property.test_live_index import Pairs, addition, build, change, removal, wordy_pair
from tests.property.test_rule_extraction import limits
from tests.reference import rules as reference
from tests.reference.taught_model import TaughtModel

WEIGHTS = [
    ("LanguageModel", 1.0),
    ("LanguageModel_OOV", -2.0),
    ("EgivenFCoherent", 0.5),
    ("MaxLexEgivenF", 0.3),
    ("WordPenalty", 0.2),
    ("Glue", -0.1),
]
BOUNDS = reference.Limits()


def make_language_model(path: Path, pairs: list[reference.Pair], order: int) -> _core.LanguageModel:
    text = _core.LmText()
    # Of other sentences than those of the bitext, too.
    text.add("".join(" ".join(target) + "\n" for _, target, _ in pairs).encode() + b"w x y\nx w w\ny\n")
    _core.lm_estimate(text, order, [1], [0.5, 1.0, 1.5]).write(str(path))
    return _core.LanguageModel(str(path))


def own_scores(model: _core.LanguageModel, words: list[str]) -> list[float]:
    _, tokens = model.score_text(" ".join(words).encode() + b"\n", per_token=True)
    return [log10_prob for log10_prob, _, _ in tokens]


def decoded(live: _core.LiveIndex, path: Path, sentence: list[str], decoder: str, **more: Any) -> list[dict[str, Any]]:
    made = _core.testing.Decoder.from_live(live, WEIGHTS, [("LanguageModel", str(path))])
    options = {"decoder": decoder, "kbest": 30, **more}
    candidates: list[dict[str, Any]] = made.decode([sentence], options)[0]["candidates"]
    return candidates


@settings(max_examples=60, deadline=None)
@given(
    st.randoms(use_true_random=True),
    st.sampled_from(["hierarchical", "phrase-based"]),
    st.sampled_from([1, 3, 128]),
    st.sampled_from([2, 3, 5]),
    st.booleans(),
)
def test_scores_are_those_of_the_definition(random: Random, decoder: str, newest: int, order: int, back: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        pairs = [wordy_pair(random, "abcd") for _ in range(random.randint(1, 8))]
        build(directory, pairs, BOUNDS)
        path = directory / "lm.bin"
        model = make_language_model(path, pairs, order)
        live = _core.LiveIndex.open(
            str(directory), correction_weight=10, newest_pairs=newest, background=random.random() < 0.5
        )
        sentence = [random.choice("abcdefgh") for _ in range(random.randint(1, 7))]
        fresh = decoded(live, path, sentence, decoder)
        present: Pairs = dict(enumerate(pairs))
        change(random, live, present, random.randint(1, 14), 1000, at_once=random.random() < 0.5)
        # A pair of the training text that was replaced is an added one from then on.
        taught = [target for key, (_, target, _) in present.items() if key >= 1000 or present[key] is not pairs[key]]
        event(f"{min(live.segments, 4)} segments or more")
        mixed = TaughtModel(taught)
        found = decoded(live, path, sentence, decoder)
        for each in found:
            wanted = mixed.log10_score(each["words"], own_scores(model, each["words"]))
            assert each["features"].get("LanguageModel", 0.0) == pytest.approx(wanted, abs=1e-4)
            # The search, which scores fragments before it knows what comes before them, comes to the same.
            assert each["search_score"] == pytest.approx(each["score"], abs=1e-3)
        live.settle()
        assert decoded(live, path, sentence, decoder) == found
        if back:
            gone = [removal(key) for key in present if key >= 1000 or present[key] is not pairs[key]]
            if gone:
                live.apply_log(_core.encode_log_records(gone))
            for key, pair in enumerate(pairs):
                if present.get(key) is not pair:
                    return  # a trained pair is gone or was replaced, so that the rules are others
            assert decoded(live, path, sentence, decoder) == fresh


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=True), limits)
def test_compaction_keeps_what_was_taught(random: Random, bounds: reference.Limits) -> None:
    with tempfile.TemporaryDirectory() as name:
        base, compacted = Path(name) / "base", Path(name) / "compacted"
        base.mkdir()
        compacted.mkdir()
        pairs = [wordy_pair(random, "abcd") for _ in range(random.randint(1, 5))]
        build(base, pairs, bounds)
        path = base / "lm.bin"
        make_language_model(path, pairs, 3)
        live = _core.LiveIndex.open(str(base), correction_weight=10, newest_pairs=2)
        present: Pairs = dict(enumerate(pairs))
        change(random, live, present, random.randint(1, 8), 1000, at_once=True)
        live.compact(str(base), str(compacted))
        again = _core.LiveIndex.open(str(compacted), correction_weight=10)
        sentence = [random.choice("abcdefgh") for _ in range(random.randint(1, 7))]
        for decoder in ("hierarchical", "phrase-based"):
            before, after = (decoded(each, path, sentence, decoder, kbest=1) for each in (live, again))
            assert after[0]["score"] == pytest.approx(before[0]["score"], abs=1e-5)
        # And a compacted correction can be taken away like any other.
        for key in [key for key in present if key >= 1000]:
            for each in (live, again):
                each.apply_log(_core.encode_log_records([removal(key)]))
        before, after = (decoded(each, path, sentence, "hierarchical", kbest=1) for each in (live, again))
        assert after[0]["score"] == pytest.approx(before[0]["score"], abs=1e-5)


def test_at_a_weight_of_1_added_pairs_are_text_like_any_other(tmp_path: Path) -> None:
    random = Random(1)
    pairs = [wordy_pair(random, "abcd") for _ in range(6)]
    build(tmp_path, pairs, BOUNDS)
    path = tmp_path / "lm.bin"
    model = make_language_model(path, pairs, 3)
    live = _core.LiveIndex.open(str(tmp_path), correction_weight=1)
    live.apply_log(_core.encode_log_records([addition(1000, (["a", "b"], ["x", "z"], {(0, 0), (1, 1)}))]))
    for each in decoded(live, path, ["a", "b", "c"], "phrase-based"):
        wanted = sum(own_scores(model, each["words"]))
        assert each["features"].get("LanguageModel", 0.0) == pytest.approx(wanted, abs=1e-4)
