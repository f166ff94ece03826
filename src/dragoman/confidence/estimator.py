"""confidence.json: two regressions and two curves, learned from held-out text.

A sentence's confidence is the chrF2 to expect of its translation, between 0 and 1; a word's is the probability that a
reference translation has it too. Both are promises about text like that they were learned from.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dragoman.child.typed_json import from_json
from dragoman.confidence.calibration import Curve, read_curve
from dragoman.confidence.features import SENTENCE_FEATURES, WORD_FEATURES, SentenceFeatures
from dragoman.confidence.measurement import ConfidenceReport
from dragoman.confidence.regression import Regression
from dragoman.errors import FormatError

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A regression over named features and the curve its output is read from."""

    names: list[str]
    regression: Regression
    curve: Curve

    def __call__(self, values: Sequence[float]) -> float:
        return read_curve(self.curve, self.regression.logit(values))


@dataclass(frozen=True, slots=True)
class SentenceConfidence:
    """What to expect of a translated sentence, and of each of its words."""

    sentence: float
    words: list[float]


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """What confidence.json holds; `measured` says how it did on text it was not fitted to."""

    nbest: int
    # Of the features that scores are made of: with others, scores mean something else.
    weights: dict[str, float]
    word: Calibrated
    sentence: Calibrated
    measured: ConfidenceReport | None = None

    def words(self, features: SentenceFeatures) -> list[float]:
        # A model of an earlier version knows fewer features.
        columns = [WORD_FEATURES.index(name) for name in self.word.names]
        return [self.word([row[column] for column in columns]) for row in features.words]

    def whole(self, features: SentenceFeatures) -> float:
        return self.sentence(sentence_values(features, self.sentence.names))

    def judge(self, features: SentenceFeatures) -> SentenceConfidence:
        return SentenceConfidence(self.whole(features), self.words(features))

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT_VERSION, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def load(cls, path: str | Path) -> ConfidenceModel:
        """Reads confidence.json; anything else gives a FormatError."""
        try:
            data = json.loads(Path(path).read_bytes())
            if not isinstance(data, dict) or type(data.get("format")) is not int:
                raise ValueError
            if data["format"] > FORMAT_VERSION:
                raise FormatError(f"{path}: is newer than this program reads; update Dragoman", str(path))
            nbest = data["nbest"]
            if type(nbest) is not int or not 1 <= nbest <= 1000:
                raise ValueError
            word, sentence = calibrated(data["word"]), calibrated(data["sentence"])
            if (
                not set(word.names) <= set(WORD_FEATURES)
                or tuple(sentence.names[: len(SENTENCE_FEATURES)]) != SENTENCE_FEATURES
            ):
                raise FormatError(
                    f"{path}: was learned by another version of this program; run `dragoman confidence` again",
                    str(path),
                )
            weights = dict(zip(data["weights"], numbers(data["weights"].values()), strict=True))
            return cls(nbest, weights, word, sentence, read_measured(data.get("measured")))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
            raise FormatError(
                f"{path}: is no description of confidence; run `dragoman confidence` again", str(path)
            ) from None


def read_measured(data: Any) -> ConfidenceReport | None:
    """None where an earlier version measured other things: no promise depends on it."""
    try:
        return from_json(ConfidenceReport, data)
    except (TypeError, ValueError, KeyError, AttributeError):
        return None


def calibrated(data: Mapping[str, Any]) -> Calibrated:
    names = [str(name) for name in data["names"]]
    entry = data["regression"]
    lists = [numbers(entry[key]) for key in ("weights", "means", "scales")]
    if any(len(values) != len(names) for values in lists) or any(scale <= 0 for scale in lists[2]):
        raise ValueError
    curve = [(score, outcome) for score, outcome in map(numbers, data["curve"])]
    flat = [value for point in curve for value in point]
    if not curve or sorted(curve) != curve or any(not 0 <= y <= 1 for _, y in curve) or not flat:
        raise ValueError
    return Calibrated(names, Regression(numbers([entry["bias"]])[0], lists[0], lists[1], lists[2]), curve)


def numbers(values: Any) -> list[float]:
    floats = [float(value) for value in values]
    if not all(map(math.isfinite, floats)):
        raise ValueError
    return floats


def sentence_values(features: SentenceFeatures, names: Sequence[str]) -> list[float]:
    """The sentence's own numbers, then the decoder's features that the model was learned with."""
    own = len(SENTENCE_FEATURES)
    return [*features.sentence, *(features.decoder.get(name, 0.0) for name in names[own:])]
