"""Weights that follow corrections: bounded, the same wherever they are worked out, and taken back with the lesson."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.learn.compaction import compact
from dragoman.learn.steps import read_steps, step_lines
from dragoman.learn.steps_file import STEPS
from dragoman.learn.weight_steps import (
    MOST_IN_ALL,
    MOST_OF_A_STEP,
    STEPS_BEFORE,
    Step,
    followed,
    step_towards,
)
from dragoman.model.manifest import OVERLAY
from dragoman.model.weights import UNTUNED
from dragoman.translator import Translator
from tests.unit.learn.support import make_model

# Corrections of word order, which the model's own translations come near to.
LESSONS = {
    "order": ("Une maison bleue et un chat.", "One house and one blue cat."),
    "blue": ("La maison bleue dort.", "The house blue sleeps."),
    "seen": ("La maison rouge voit un chien.", "Red the house sees dog a."),
}
TEXTS = ["La maison bleue dort.", "Le chat voit une voiture rouge.", "Une maison bleue et un chat."]

number = st.floats(-50, 50, allow_subnormal=False)
NAMES = ("LanguageModel", "WordPenalty", "Glue", "RuleCount", "SentenceMemory")


@dataclass(frozen=True)
class Tried:
    text: str
    features: dict[str, float]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model")


def taught(model: Path, *names: str) -> Translator:
    translator = Translator.load(model, follow_weights=True)
    for name in names:
        translator.add(*LESSONS[name], id=name, force=True)
    return translator


def differences(tuned: dict[str, float], weights: dict[str, float]) -> dict[str, float]:
    return {name: weights[name] - tuned[name] for name in tuned if weights[name] != tuned[name]}


@settings(deadline=None)
@given(
    tuned=st.fixed_dictionaries(dict.fromkeys(NAMES, number)),
    tried=st.lists(
        st.tuples(st.text("abc .", max_size=12), st.fixed_dictionaries(dict.fromkeys(NAMES, number))), max_size=5
    ),
    reference=st.text("abc .", max_size=12),
)
def test_a_step_is_bounded_and_goes_the_right_way(
    tuned: dict[str, float], tried: list[tuple[str, dict[str, float]]], reference: str
) -> None:
    candidates = [Tried(*each) for each in tried]
    step = step_towards(reference, candidates, tuned, tuned, "13a")
    assert all(abs(value) <= MOST_OF_A_STEP * abs(tuned[name]) for name, value in step.items())
    assert not set(step) & set(UNTUNED)
    moved = followed(tuned, [step])
    for name, value in moved.items():
        # One alone moves next to nothing.
        assert abs(value - tuned[name]) <= MOST_OF_A_STEP * abs(tuned[name]) / (1 + STEPS_BEFORE) + 1e-12


@given(
    tuned=st.fixed_dictionaries(dict.fromkeys(NAMES, number)),
    steps=st.lists(st.dictionaries(st.sampled_from([*NAMES, "Other"]), number), max_size=60),
)
def test_weights_stay_near_the_tuned_ones_whatever_the_steps_say(tuned: dict[str, float], steps: list[Step]) -> None:
    moved = followed(tuned, steps)
    assert moved.keys() == tuned.keys()
    assert moved["SentenceMemory"] == tuned["SentenceMemory"]
    assert all(abs(moved[name] - tuned[name]) <= MOST_IN_ALL * abs(tuned[name]) + 1e-9 for name in tuned)
    assert followed(tuned, []) == tuned


def test_a_step_prefers_what_the_user_wrote() -> None:
    tuned = {"LanguageModel": 1.0, "WordPenalty": -0.5}
    liked, wanted = Tried("a b c d", {"LanguageModel": -1.0}), Tried("a c b d", {"LanguageModel": -3.0})
    step = step_towards("a c b d", [liked, wanted], tuned, tuned, "13a")
    assert step["LanguageModel"] < 0
    assert step_towards("a b c d", [liked, wanted], tuned, tuned, "13a")["LanguageModel"] > 0
    # Nothing to choose from is nothing to learn.
    assert step_towards("a c b d", [liked, liked], tuned, tuned, "13a") == {}
    assert step_towards("a c b d", [], tuned, tuned, "13a") == {}


@given(st.lists(st.tuples(st.integers(0, 1 << 57), st.text("0123456789abcdef", max_size=16), st.just({"Glue": 0.5}))))
def test_lines_are_read_as_they_were_written_and_damaged_ones_passed_over(lines: list[tuple[int, str, Step]]) -> None:
    assert list(read_steps(step_lines(lines))) == lines
    torn = b'{"id": 1, "tu\n[1]\n{"id": 1, "tuned": "", "step": {"Glue": "x"}}\n{"id": 1, "tuned": "", "step": {"Glue"'
    nonsense = b': 1}}\n{"id": 2, "tuned": "", "step": {"Glue": NaN}}\n{"id": true, "tuned": "", "step": {}}\n'
    assert list(read_steps(step_lines(lines) + torn + b"\n" + nonsense + step_lines(lines))) == lines * 2


def test_weights_follow_only_where_that_was_asked_for(model: Path) -> None:
    plain = Translator.load(model)
    before = dict(plain.weights)
    translator = taught(model, *LESSONS)
    assert differences(before, dict(translator.weights))
    assert dict(plain.weights) == before
    assert dict(Translator.load(model).weights) == before
    assert dict(Translator.load(model, weights=before, follow_weights=True).weights) == before


def test_whoever_opens_the_model_has_the_same_weights(model: Path) -> None:
    other = Translator.load(model, follow_weights=True)
    translator = taught(model, *LESSONS)
    other.translate("La maison.")
    assert other.weights == translator.weights
    command = "import sys; from dragoman.translator import Translator;"
    command += "print(sorted(Translator.load(sys.argv[1], follow_weights=True).weights.items()))"
    found = subprocess.run([sys.executable, "-c", command, model], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == str(sorted(translator.weights.items()))


def test_removing_a_lesson_takes_its_step_back(model: Path) -> None:
    fresh = Translator.load(model).translate(TEXTS, explain=True)
    translator = taught(model, "order")
    alone = dict(translator.weights)
    translator.add(*LESSONS["blue"], id="blue", force=True)
    assert dict(translator.weights) != alone
    translator.remove("blue")
    assert dict(translator.weights) == alone
    translator.remove("order")
    # Bit for bit what it was before anything was taught.
    assert translator.translate(TEXTS, explain=True) == fresh


def test_a_lesson_that_is_taught_again_has_one_step_at_most(model: Path) -> None:
    once = dict(taught(model, "order").weights)
    Translator.load(model).add("Une maison.", "A house.", id="order")
    translator = Translator.load(model, follow_weights=True)
    assert dict(translator.weights) == translator.opened.tuned
    translator.remove("order")
    translator.add(*LESSONS["order"], id="order", force=True)
    assert dict(translator.weights) == once


def test_compaction_keeps_the_weights_and_what_takes_them_back(model: Path) -> None:
    translator = taught(model, *LESSONS)
    before = dict(translator.weights)
    compact(model)
    assert (model / STEPS).exists()
    assert not (model / OVERLAY).exists()
    again = Translator.load(model, follow_weights=True)
    assert dict(again.weights) == before
    for name in LESSONS:
        assert again.remove(name)
    assert dict(again.weights) == again.opened.tuned
    compact(model)
    assert not (model / STEPS).exists()


def test_steps_from_other_weights_lead_nowhere(model: Path) -> None:
    taught(model, *LESSONS)
    weights = model / "weights.txt"
    weights.write_text(weights.read_text().replace("Glue 0.1", "Glue 0.15"))
    translator = Translator.load(model, follow_weights=True)
    assert dict(translator.weights) == translator.opened.tuned


def test_what_a_killed_writer_left_is_cut_off(model: Path) -> None:
    taught(model, "order")
    path = model / OVERLAY / STEPS
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"id": 5, "step"')
    translator = taught(model, "blue")
    lines = list(read_steps(path.read_bytes()))
    assert path.read_bytes().startswith(whole)
    assert len(lines) == 2
    assert translator.weights == Translator.load(model, follow_weights=True).weights


def test_a_model_may_say_that_its_weights_follow(tmp_path: Path) -> None:
    translator = Translator.load(make_model(tmp_path / "model", live={"follow_weights": True}))
    translator.add(*LESSONS["order"], force=True)
    assert differences(translator.opened.tuned or {}, dict(translator.weights))
    assert dict(Translator.load(tmp_path / "model", follow_weights=False).weights) == translator.opened.tuned
