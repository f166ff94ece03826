"""Scores of translations by sacreBLEU: BLEU cased and uncased, chrF, TER, each with its signature and interval.

Intervals and comparisons are bootstrap resampling (Koehn 2004): test sets drawn from the test set with replacement,
the same ones for both systems of a comparison. sacreBLEU and what it needs are imported here alone, and only when
somebody asks for scores.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from dragoman import _core
from dragoman.errors import ConfigError, InputError
from dragoman.evaluate.bleu_tokenizer import OWN_TOKENIZERS, TOKENIZERS, UNSPACED_TOKENIZERS
from dragoman.extras import install_command
from dragoman.references import require_as_long

METRICS = ("BLEU", "BLEU-lc", "chrF", "TER")


@dataclass(frozen=True, slots=True)
class MetricScore:
    """A score, the middle 95 % of scores on resampled test sets, and what makes the figure repeatable."""

    name: str
    score: float
    low: float
    high: float
    signature: str


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """This system's score less the other's; p is how likely chance alone gives so much.

    The interval of the difference is worked out for BLEU.
    """

    name: str
    difference: float
    p_value: float
    low: float | None = None
    high: float | None = None


def metric(name: str, tokenize: str) -> Any:
    """A metric of sacreBLEU, or one sentence on how to get that; `tokenize` is the tokenizer for BLEU."""
    try:
        metrics = importlib.import_module("sacrebleu.metrics")
    except ImportError:
        message = f"evaluating needs sacreBLEU, which is not installed; run `{install_command('evaluate')}`"
        raise ConfigError(message) from None
    if name == "chrF":
        return metrics.CHRF()
    if name == "TER":
        # Else a line without spaces is one word.
        unspaced = tokenize in UNSPACED_TOKENIZERS
        return metrics.TER(normalized=unspaced, asian_support=unspaced)
    if tokenize not in TOKENIZERS:
        raise ConfigError(f"--tokenize must be one of {', '.join(TOKENIZERS)}, not '{tokenize}'", "tokenize")
    try:
        return metrics.BLEU(lowercase=name == "BLEU-lc", tokenize=tokenize, force=True)
    # What it says when a package, a dictionary or a file to fetch is missing.
    except (RuntimeError, ImportError, AssertionError, OSError) as error:
        said = " ".join(str(error).split()) or type(error).__name__
        message = f"sacreBLEU's tokenizer '{tokenize}' cannot be used here ({said}); get it, or choose --tokenize char"
        raise ConfigError(message, "tokenize") from None


def score(
    translations: list[str], references: list[list[str]], against: list[str] | None, samples: int, tokenize: str
) -> tuple[list[MetricScore], list[MetricScore], list[MetricDifference]]:
    """Scores of a system, scores of the one it is compared with, and the differences; the last two may be empty.

    `references` are texts that each have a translation of every line.
    """
    require_as_long(references)
    for lines in (translations, against):
        if lines is not None and len(lines) != len(references[0]):
            raise InputError(
                f"there are {len(lines)} translations and {len(references[0])} references;"
                " they must correspond line by line"
            )
    if not references[0]:
        raise InputError("there is nothing to evaluate: the text is empty")
    own, other, differences = [], [], []
    for name in METRICS:
        chosen = metric(name, tokenize)
        systems = [("against", against), ("system", translations)] if against is not None else [("", translations)]
        test = importlib.import_module("sacrebleu.significance").PairedTest(
            systems, {name: chosen}, references, test_type="bs", n_samples=samples
        )
        signatures, results = test()
        signature = str(next(iter(signatures.values())))
        rows = next(values for key, values in results.items() if key != "System")
        scores = [
            MetricScore(name, float(row.score), float(row.mean - row.ci), float(row.mean + row.ci), signature)
            for row in rows
        ]
        own.append(scores[-1])
        if against is not None:
            other.append(scores[0])
            # The test counts draws that differ more than the systems do, and so calls equal systems different.
            p_value = 1.0 if translations == against else float(rows[-1].p_value)
            bounds = difference_bounds(translations, against, references, name, samples, tokenize)
            differences.append(MetricDifference(name, scores[1].score - scores[0].score, p_value, *bounds))
    return own, other, differences


def difference_bounds(
    translations: list[str], against: list[str], references: list[list[str]], name: str, samples: int, tokenize: str
) -> tuple[float, float] | tuple[None, None]:
    """The middle 95 % of the differences in BLEU on resampled test sets; the core has equal statistics."""
    if not name.startswith("BLEU"):
        return None, None
    rows = [statistics(lines, references, tokenize, name == "BLEU-lc") for lines in (translations, against)]
    first, second = _core.bootstrap_bleu(rows, samples, 1)
    differences = sorted(100 * (a - b) for a, b in zip(first, second, strict=True))
    cut = samples // 40
    return differences[cut], differences[samples - cut - 1]


def statistics(translations: list[str], references: list[list[str]], tokenize: str, lowercase: bool) -> list[list[int]]:
    """For each line its BLEU statistics, by the core; sacreBLEU takes apart what the core cannot."""
    if tokenize in OWN_TOKENIZERS:
        return _core.bleu_statistics(translations, references[0], lowercase, tokenize, references[1:])
    words = metric("BLEU", tokenize).tokenizer
    # It lowers before it takes apart.
    ours, first, *further = (
        [words((line.lower() if lowercase else line).rstrip()) for line in lines]
        for lines in (translations, *references)
    )
    return _core.bleu_statistics(ours, first, False, "none", further)
