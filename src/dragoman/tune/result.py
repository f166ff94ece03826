"""What tuning reports, and how its weights get into the model."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.config import DecodeOptions, TuneOptions
from dragoman.model.directory import ModelDirectory, revising_model
from dragoman.model.manifest import Manifest
from dragoman.model.weights import write_weights


@dataclass(frozen=True, slots=True)
class TuneRound:
    """One translation of the tuning text: the weights it was made with, and how good it is."""

    number: int
    bleu: float  # 0 to 100
    length_ratio: float  # words of the translation by words of the reference
    fresh: int  # candidates nobody had proposed before
    candidates: int  # in the pool afterwards
    narrowed: int  # sentences whose search ran out of memory or time
    weights: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclass(frozen=True, slots=True)
class TuneResult:
    """The best weights, and the rounds that led to them."""

    weights: dict[str, float]
    bleu: float
    tokenize: str  # sacreBLEU's name of the tokenizer
    rounds: list[TuneRound]
    best_round: int
    why_stopped: str
    # Of the best round, where a judge has changed it since.
    unjudged_bleu: float | None = None
    options: TuneOptions = field(default_factory=TuneOptions)
    decode: DecodeOptions = field(default_factory=DecodeOptions)

    def as_json(self) -> dict[str, Any]:
        judged = {} if self.unjudged_bleu is None else {"unjudged_bleu": self.unjudged_bleu}
        return {
            "bleu": self.bleu,
            **judged,
            "tokenize": self.tokenize,
            "best_round": self.best_round,
            "why_stopped": self.why_stopped,
            "weights": self.weights,
            "rounds": [tune_round.as_json() for tune_round in self.rounds],
        }


class TuningInterrupted(KeyboardInterrupt):
    """Ctrl-C during tuning; `result` is what was reached, or None before the first round had ended."""

    def __init__(self, result: TuneResult | None) -> None:
        super().__init__()
        self.result = result


def write_tuned(model: str | Path, result: TuneResult) -> None:
    """Puts the weights into a model, which stays as it was if anything goes wrong."""

    def record(manifest: Manifest) -> Manifest:
        tuned, decode = dataclasses.asdict(result.options), dataclasses.asdict(result.decode)
        scores = {
            "bleu": round(result.bleu, 4),
            "tokenize": result.tokenize,
            "rounds": len(result.rounds),
            "best_round": result.best_round,
        }
        if result.unjudged_bleu is not None:
            scores["unjudged_bleu"] = round(result.unjudged_bleu, 4)
        return dataclasses.replace(
            manifest,
            # The weights are for this search, so whoever translates uses it.
            options={**manifest.options, "tune": tuned, "decode": decode},
            scores={**manifest.scores, "tune": scores},
        )

    opened = ModelDirectory.open(model)
    with revising_model(opened, record) as directory:
        write_weights(directory / "weights.txt", result.weights)
