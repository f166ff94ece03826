"""The weights of the judge, learned last: it reads what the search found with all others, which stay as they are.

The search knows nothing of the judge, so one list of candidates for each line is all there is to learn from, and two
weights are few enough for exact line searches.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from dragoman import _core
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.model.weights import JUDGE_WEIGHTS
from dragoman.tune.decoding import Decoder, DevSet


@dataclass(frozen=True, slots=True)
class JudgeTuned:
    """Weights of the judge's features, and BLEU with it, 0 to 100."""

    weights: dict[str, float]
    bleu: float


def judged_set(dev: DevSet, decode: DecodeOptions) -> DevSet:
    """The set to tune on, with the judge's features, and all that it reads of each line."""
    search = {**dataclasses.asdict(decode), "kbest": decode.judged}
    return DevSet(dev.source, dev.target, dev.further, search, [*dev.features, *JUDGE_WEIGHTS], dev.tokenize)


def tune_judge(
    decoder: Decoder,
    dev: DevSet,
    weights: Mapping[str, float],
    start: Mapping[str, float],
    options: TuneOptions,
    threads: int,
) -> JudgeTuned:
    """`weights` are those of all other features; `start` is where to begin. Nothing for the judge where it does not
    help."""
    begin = {**weights, **start}
    candidates, _, _ = decoder(begin)
    pool = _core.TuningPool(len(dev.source), len(dev.features))
    pool.add(candidates)
    fixed = [place for place, name in enumerate(dev.features) if name not in start]
    silent = [weights.get(name, 0.0) for name in dev.features]

    def climbed(point: list[float], starts: int) -> tuple[float, list[float]]:
        learned, bleu = pool.mert(point, starts, options.directions, options.seed, threads, fixed=fixed)
        return bleu, learned

    # Among equals the silent one.
    bleu, best = climbed(silent, 1)
    heard = climbed([begin[name] for name in dev.features], options.starts)
    if heard[0] > bleu:
        bleu, best = heard
    learned = dict(zip(dev.features, best, strict=True))
    return JudgeTuned({name: learned[name] for name in start}, 100 * bleu)
