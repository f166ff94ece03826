"""Confidence: what is promised against what comes, on text that nothing was learned from.

A model of multi30k fr-en, trained without its dev and test parts, learns confidence from the dev part, and is judged on
the test part, and on other text (tatoeba, newstest, europarl), which is unlike what it learned from. Or another MODEL
learns it from the text DEV. For words: the chance to be in the reference; for sentences: chrF2. Beside it in the same
run: the mean of the dev part for everything, and what decoders offer without learning: for words their posterior over
the 10 best candidates, for sentences the mean of their words' posteriors. The cost is that of translating with and
without confidence.

    python -m benchmarks.confidence [--lines N] [--model MODEL --dev europarl.fr-en/dev]
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.live import build
from benchmarks.measure import corpus_lines, report, run_function
from dragoman.confidence.estimator import ConfidenceModel
from dragoman.confidence.features import SENTENCE_FEATURES, WORD_FEATURES
from dragoman.confidence.measurement import measured
from dragoman.confidence.training import Examples, collect, learn_confidence
from dragoman.model.opened import OpenRequest
from dragoman.translator import Translator

LANGS = ("fr", "en")
SETS = {
    "multi30k test": "multi30k/test",
    "tatoeba test": "tatoeba.fr-en/test",
    "newstest2013": "newstest/fr-en/newstest2013",
    "europarl test": "europarl.fr-en/test",
}


def judged(model: Path, source: Sequence[str], reference: Sequence[str]) -> dict[str, Any]:
    """Our promises, the dev part's mean and the decoder's own posteriors, on one text."""
    confidence = ConfidenceModel.load(model / "confidence.json")
    dev = confidence.measured
    assert dev is not None
    examples = collect(OpenRequest(model).open(), source, reference)
    right = [float(each) for row in examples.word_right for each in row]
    return {
        "words": {
            "learned": measured([p for row in examples.features for p in confidence.words(row)], right),
            "mean of dev": measured([dev.word.mean] * len(right), right),
            "posterior": measured(column(examples, "posterior"), right),
        },
        "sentences": {
            "learned": measured([confidence.whole(each) for each in examples.features], examples.sentence_right),
            "mean of dev": measured([dev.sentence.mean] * len(examples.features), examples.sentence_right),
            "mean word posterior": measured(
                [each.sentence[SENTENCE_FEATURES.index("posterior")] for each in examples.features],
                examples.sentence_right,
            ),
        },
    }


def column(examples: Examples, name: str) -> list[float]:
    at = WORD_FEATURES.index(name)
    return [word[at] for row in examples.features for word in row.words]


def translate(model: Path, lines: list[str], confidence: bool) -> None:
    Translator.load(model).translate(lines, confidence=confidence)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--lines", type=int, default=1000, help="Lines of each text.")
    parser.add_argument("--model", type=Path, help="A model trained without the dev and test parts; else one is made.")
    parser.add_argument("--dev", default="multi30k/dev", help="Text to learn from.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "fr-en.model"
        if chosen.model:
            shutil.copytree(chosen.model, model)
        else:
            source, target = (corpus_lines(f"multi30k/train.{language}") for language in LANGS)
            build(model, source, target)
        dev = [corpus_lines(f"{chosen.dev}.{language}", chosen.lines) for language in LANGS]
        learned, learning = run_function(learn_confidence, model, *dev)
        texts = {
            name: [corpus_lines(f"{path}.{language}", chosen.lines) for language in LANGS]
            for name, path in SETS.items()
        }
        results = {name: judged(model, *text) for name, text in texts.items()}
        test = texts["multi30k test"][0][:200]
        costs = {
            name: run_function(translate, model, test, wanted)[1].as_json()
            for name, wanted in (("without", False), ("with", True))
        }
    report(
        {
            "lines": chosen.lines,
            "learned on dev, crossfitted": learned.as_json(),
            "learning": learning.as_json(),
            "held out": results,
            "200 sentences": costs,
        }
    )


if __name__ == "__main__":
    main()
