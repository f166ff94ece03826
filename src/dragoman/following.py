"""The steps that lessons move the weights by; what a step is, dragoman.learn.weight_steps says."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman import _core
from dragoman.learn.new_pairs import NewPair
from dragoman.learn.weight_steps import Step, followed, step_towards
from dragoman.model.opened import OpenedModel
from dragoman.translation_job import TranslationJob, Wishes

# Translations to choose from.
CANDIDATES = 50
# Longer texts are no sentences, and take long to translate.
MOST_CHARACTERS = 2000


def steps_for(opened: OpenedModel, pairs: Sequence[NewPair]) -> list[Step]:
    """A step for each lesson, from where the one before led, by a model that has not learned them yet."""
    assert opened.tuned is not None and opened.overlay is not None
    earlier = opened.overlay.steps(opened.tuned)
    tokenize = _core.bleu_tokenizer(opened.model.manifest.target_lang)
    steps: list[Step] = []
    for pair in pairs:
        step: Step = {}
        if len(pair.source) <= MOST_CHARACTERS:
            weights = followed(opened.tuned, earlier)
            job = TranslationJob(opened.with_weights(weights), [pair.source], None, Wishes(nbest=CANDIDATES))
            step = step_towards(pair.target, job.run()[0].alternatives, weights, opened.tuned, tokenize)
        steps.append(step)
        earlier += [step] if step else []
    return steps
