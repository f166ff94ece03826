"""Confidence: what is promised against what comes, on text that nothing was learned from.

A model is trained on multi30k fr-en without its dev and test parts, learns confidence from the dev part, and is judged
on the test part, and on other text (tatoeba, newstest), where its promises were never meant to hold. For words: the
chance to be in the reference; for sentences: chrF2. Beside it in the same run: the mean of the dev part for everything,
and what decoders offer without learning: for words their posterior over the 10 best candidates, for sentences the
posterior of the best candidate. The cost is that of translating with and without confidence.

    python -m benchmarks.confidence [--lines N] [--model FOLDER]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, report, run_function
from dragoman import _core
from dragoman.confidence.features import SENTENCE_FEATURES, WORD_FEATURES
from dragoman.confidence.model import ConfidenceModel
from dragoman.confidence.training import Examples, collect, learn_confidence, measured
from dragoman.config import AlignOptions
from dragoman.model import Manifest, building_model
from dragoman.translator import Translator

LANGS = ("fr", "en")
SETS = {
    "multi30k test": "multi30k/test",
    "tatoeba test": "tatoeba.fr-en/test",
    "newstest2013": "newstest/fr-en/newstest2013",
}


def train(out: Path) -> Path:
    """A model of multi30k's training part, without tuning."""

    def tokens(language: str) -> bytes:
        text = "".join(f"{line}\n" for line in corpus_lines(f"multi30k/train.{language}")).encode()
        return _core.Tokenizer(language).tokenize(text, model=True)

    source, target = map(tokens, LANGS)
    options = AlignOptions()
    _, links, _ = _core.train_alignment(
        source,
        target,
        options.model,
        options.smoothing,
        options.ibm1_iterations,
        options.iterations,
        options.min_count,
        options.decoding,
        options.symmetrize,
        threads=1,
        keep_model=False,
    )
    with building_model(out, Manifest(*LANGS)) as directory:
        _core.build_index(str(directory), source, target, links, {})
        (directory / "text.json").write_text(json.dumps({"tokenizer": "language"}))
        text_of_target = _core.LmText()
        text_of_target.add(target)
        _core.lm_estimate(text_of_target, 5, [1], [0.5, 1.0, 1.5]).write(str(directory / "lm.bin"))
    return out


def judged(model: Path, source: Sequence[str], reference: Sequence[str]) -> dict[str, Any]:
    """Our promises, the dev part's mean and the decoder's own posteriors, on one text."""
    confidence = ConfidenceModel.load(model / "confidence.json")
    examples = collect(Translator.load(model), source, reference)
    right = [float(each) for row in examples.word_right for each in row]
    return {
        "words": {
            "learned": measured([p for row in examples.features for p in confidence.words(row)], right),
            "mean of dev": measured([confidence.measured["word"]["mean"]] * len(right), right),
            "posterior": measured(column(examples, "posterior"), right),
        },
        "sentences": {
            "learned": measured([confidence.whole(each) for each in examples.features], examples.sentence_right),
            "mean of dev": measured(
                [confidence.measured["sentence"]["mean"]] * len(examples.features), examples.sentence_right
            ),
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
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        model = chosen.model or train(Path(folder) / "fr-en.model")
        dev = [corpus_lines(f"multi30k/dev.{language}", chosen.lines) for language in LANGS]
        learned, learning = run_function(learn_confidence, model, *dev)
        texts = {
            name: [corpus_lines(f"{path}.{language}", chosen.lines) for language in LANGS]
            for name, path in SETS.items()
        }
        results = {name: judged(model, *text) for name, text in texts.items()}
        test = texts["multi30k test"][0][:200]
        costs = {
            name: run_function(translate, model, test, wanted)[1].as_dict()
            for name, wanted in (("without", False), ("with", True))
        }
    report(
        {
            "lines": chosen.lines,
            "learned on dev, crossfitted": learned,
            "learning": learning.as_dict(),
            "held out": results,
            "200 sentences": costs,
        }
    )


if __name__ == "__main__":
    main()
