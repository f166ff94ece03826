"""Learning confidence: translate held-out text, look which words and sentences came out right, fit and calibrate.

The regression that calibrates must not have seen the sentences it is calibrated on, so the sentences are dealt out to
three folds: each fold is scored by a regression fitted to the other two, and the curves are fitted to those scores.
What is kept is the regression over all sentences. The same scores, each calibrated by the other folds' curves, say how
well it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman import _core
from dragoman.confidence.calibration import fit_curve, read_curve
from dragoman.confidence.estimator import Calibrated, ConfidenceModel, sentence_values
from dragoman.confidence.features import (
    NBEST,
    OWN_FEATURES,
    SENTENCE_FEATURES,
    WORD_FEATURES,
    FeatureReader,
    SentenceFeatures,
)
from dragoman.confidence.labels import chrf, right_words
from dragoman.confidence.measurement import ConfidenceReport, Measurement, measured
from dragoman.confidence.regression import RIDGE, fit
from dragoman.confidence.seen_text import seen_lines
from dragoman.config import DecodeOptions
from dragoman.errors import InputError
from dragoman.files import writing
from dragoman.model.directory import ModelDirectory, revising_model
from dragoman.model.opened import OpenedModel, OpenRequest, text_format
from dragoman.progress import Progress
from dragoman.text import words_of
from dragoman.translation_job import checked, core_options

FOLDS = 3
BATCH = 64
SPACING_MARKS = "\uffed\u2581"
# Fewer sentences than this teach nothing that could be believed.
LEAST_SENTENCES = 100
# What is the same for a whole sentence is seen once a sentence, however many words it has, and text of one kind varies
# little in it: without a strong prior (a standard deviation of 0.18) its weights are chance, and on text of another
# kind, which differs just there, promises are far off.
SENTENCE_RIDGE = 30.0
# Words that the regression is fitted to, spread over all sentences; more do not change it.
MOST_WORDS = 30_000


class SeenTextError(InputError):
    """Text that the model was trained on tells nothing of how well it does."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Sentences with what the decoder knew of them and what became of them."""

    features: list[SentenceFeatures]
    word_right: list[list[bool]]
    sentence_right: list[float]


def collect(
    opened: OpenedModel,
    source: Sequence[str],
    reference: Sequence[str],
    options: DecodeOptions | None = None,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Examples:
    """Translates and compares. A line of several sentences is judged as one text, word by word."""
    if len(source) != len(reference):
        raise InputError(
            f"there are {len(source):,} lines to translate but {len(reference):,} references; they must match"
        )
    reader = FeatureReader(opened.language_model())
    tokenizer = _core.Tokenizer(text_format(opened.model).target)
    given = core_options(opened, options, nbest=NBEST, explain=True)
    examples = Examples([], [], [])
    for begin in range(0, len(source), BATCH):
        if progress is not None:
            progress(begin, len(source))
        lines = [checked(line, number) for number, line in enumerate(source[begin : begin + BATCH], begin + 1)]
        translated = opened.core.translate(lines, given, b"", begin + 1, threads)
        for line, wanted in zip(translated, reference[begin : begin + BATCH], strict=True):
            # What a sentence is compared with must be its own translation.
            if len(line["sentences"]) != 1 or not wanted.strip():
                continue
            (sentence,) = line["sentences"]
            (features,) = reader.read([sentence])
            best = sentence["candidates"][0]
            (tokens,) = tokenizer.tokenize([wanted], model=True)
            right = right_words([bare(token) for token in best["target_tokens"]], words_of(tokens))
            examples.features.append(features)
            examples.word_right.append(right)
            examples.sentence_right.append(chrf(best["text"], wanted))
    return examples


def bare(token: str) -> str:
    """A written token as the words of a reference are: lower case, without marks of spacing."""
    return _core.lower(token.strip(SPACING_MARKS))


def learn(examples: Examples, weights: Mapping[str, float]) -> tuple[ConfidenceModel, ConfidenceReport]:
    """Fits and calibrates; InputError where there are too few sentences."""
    count = len(examples.features)
    if count < LEAST_SENTENCES:
        raise InputError(
            f"only {count} lines could be used; confidence needs at least {LEAST_SENTENCES} sentences with references"
        )
    decoder = sorted({name for features in examples.features for name in features.decoder})
    names = [*SENTENCE_FEATURES, *decoder]
    # A word's row knows its sentence, so that folds keep sentences whole.
    words = [
        (number, row, float(right))
        for number, (features, rights) in enumerate(zip(examples.features, examples.word_right, strict=True))
        for row, right in zip(features.words, rights, strict=True)
    ]
    words = words[:: -(-len(words) // MOST_WORDS)]
    sentences = [
        (number, sentence_values(features, names), right)
        for number, (features, right) in enumerate(zip(examples.features, examples.sentence_right, strict=True))
    ]
    shared = SENTENCE_RIDGE * len(words) / count
    ridges = [shared if name not in OWN_FEATURES else RIDGE for name in WORD_FEATURES]
    word, word_measured = crossfitted(list(WORD_FEATURES), words, ridges)
    sentence, sentence_measured = crossfitted(names, sentences, [SENTENCE_RIDGE] * len(names))
    report = ConfidenceReport(count, word_measured, sentence_measured)
    return ConfidenceModel(NBEST, dict(weights), word, sentence, report), report


def crossfitted(
    names: list[str], examples: Sequence[tuple[int, list[float], float]], ridges: list[float]
) -> tuple[Calibrated, Measurement]:
    folds = [[example for example in examples if example[0] % FOLDS == fold] for fold in range(FOLDS)]
    scores: list[list[float]] = []
    for fold in range(FOLDS):
        others = [example for number, part in enumerate(folds) if number != fold for example in part]
        regression = fit([row for _, row, _ in others], [right for _, _, right in others], ridges)
        scores.append([regression.logit(row) for _, row, _ in folds[fold]])
    rights = [[right for _, _, right in part] for part in folds]
    promised: list[float] = []
    for fold in range(FOLDS):
        rest = [number for number in range(FOLDS) if number != fold]
        curve = fit_curve([s for n in rest for s in scores[n]], [y for n in rest for y in rights[n]])
        promised += [read_curve(curve, score) for score in scores[fold]]
    outcomes = [y for part in rights for y in part]
    final = Calibrated(
        names,
        fit([row for _, row, _ in examples], [right for _, _, right in examples], ridges),
        fit_curve([s for part in scores for s in part], outcomes),
    )
    return final, measured(promised, outcomes)


def unseen(opened: OpenedModel, source: Sequence[str], reference: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The lines that the model was not trained on."""
    seen = seen_lines(opened.overlay.index, source) if opened.overlay is not None else set()
    left = [number for number in range(len(source)) if number not in seen]
    if not seen or len(source) != len(reference):
        return source, reference
    if len(left) < LEAST_SENTENCES <= len(source):
        raise SeenTextError(
            f"{len(seen):,} of {len(source):,} lines are in the model's own training text, which it knows by heart;"
            " learned from them, confidence would be near 1 whatever is translated. Give text that was held out"
        )
    return [source[number] for number in left], [reference[number] for number in left]


def learn_confidence(
    model: str | Path,
    source: Sequence[str],
    reference: Sequence[str],
    options: DecodeOptions | None = None,
    *,
    threads: int = 1,
    progress: Progress | None = None,
    scratch: _core.ScratchSpace | None = None,
) -> ConfidenceReport:
    """Learns confidence.json from held-out text, puts it into the model, and says how well it does.

    Lines that the model was trained on are left out; InputError where too few others are left. The model's files obey
    the limit of `scratch`.
    """
    opened = OpenRequest(Path(model), scratch=scratch).open()
    source, reference = unseen(opened, source, reference)
    examples = collect(opened, source, reference, options, threads=threads, progress=progress)
    confidence, report = learn(examples, opened.weights)
    with (
        revising_model(ModelDirectory.open(model), lambda manifest: manifest) as directory,
        writing(directory / "confidence.json") as stream,
    ):
        stream.write(confidence.to_json().encode())
    return report
