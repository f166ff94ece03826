"""The core's trainer and PyTorch's beside each other, step by step: how far their weights are from each other.

    python -m benchmarks.nlm_steps [--device cuda] [--text europarl] [--lines 4000] [--dimension 256] [--steps 1 10 100]

Both begin with the same weights and take the same minibatches. After a single step the roots of AdaGrad's squares are
gradients, and their distance is told as well. Distances are those of whole tables, relative to the core's table; the
largest is printed with its name. Then each goes on with what the other has left half way. On a GPU products are those
of 32 bits, which training otherwise does without.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.measure import report, run_function
from benchmarks.nlm_trainers import linked, tokenized
from dragoman.config import NlmOptions
from dragoman.neural import core_training, train
from dragoman.neural.report import TrainingReport
from dragoman.neural.shape import make_plan

CORPORA = {"multi30k": "multi30k", "europarl": "europarl.fr-en"}


class HalfWayError(Exception):
    pass


class Comparison:
    def __init__(self, folder: Path, text: Path, sides: dict[str, Any], options: NlmOptions) -> None:
        self.folder, self.text, self.sides, self.options = folder, text, sides, options

    def trained(self, trainers: list[str], steps: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """By one after the other; the report, and weights and squares at the end."""
        checkpoint = self.folder / f"{'-'.join(trainers)}.{steps}"
        counted = core_training.read_text([self.text], self.options, *self.sides.values(), *([None] * 2))
        options = replace(self.options, minibatch=math.ceil(counted.tokens / steps), checkpoint_seconds=0.0)

        def run(trainer: str, **more: Any) -> TrainingReport:
            train.covers = lambda options: trainer == "core"  # type: ignore[attr-defined]
            chosen = replace(options, device="cuda" if trainer == "cuda" else "cpu")
            out = self.folder / "nlm.bin"
            return train.train_model(self.text, out, chosen, checkpoint=checkpoint, **self.sides, **more)

        def stop(done: int, total: int) -> None:
            if done > total / 2:
                raise HalfWayError

        for first in trainers[:-1]:
            with contextlib.suppress(HalfWayError):
                run(first, progress=stop)
        made = run(trainers[-1]).as_json()
        weights, squares = self.tables(options, checkpoint)
        train.remove_checkpoint(checkpoint)
        return made, weights, squares

    def tables(self, options: NlmOptions, checkpoint: Path) -> tuple[dict[str, Any], dict[str, Any]]:
        from dragoman.neural.tables import Stored

        text = core_training.read_text([self.text], options, *self.sides.values(), *([None] * 2))
        plan = make_plan(options, text.tokens, text.word_count, source=text.reads_source)
        owner, _ = core_training.core_trainer(text, options, plan, None, checkpoint)
        stored = Stored(owner.run)
        weights, squares = (
            {name: table.double().clone() for name, table in kind.items()} for kind in (stored.weights, stored.squares)
        )
        return weights, squares


def farthest(found: dict[str, Any], expected: dict[str, Any]) -> tuple[float, str]:
    return max(
        (float((found[name] - table).norm() / table.norm().clamp(min=1e-30)), name) for name, table in expected.items()
    )


def compare(comparison: Comparison, device: str, steps: int) -> dict[str, Any]:
    from dragoman.neural import trainer

    trainer.CHECK_STEPS = 1
    core, weights, squares = comparison.trained(["core"], steps)
    row: dict[str, Any] = {"steps": steps, "core_heldout": core["heldout_perplexity"]}
    kinds = [[device]] + ([["core", device], [device, "core"]] if steps > 2 else [])
    for kind in kinds:
        made, its_weights, its_squares = comparison.trained(kind, steps)
        name = "_then_".join(kind)
        row[f"{name}_heldout"] = made["heldout_perplexity"]
        row[f"{name}_weights"], row[f"{name}_farthest"] = farthest(its_weights, weights)
        if steps == 1:
            roots = [{name: table.sqrt() for name, table in kind.items()} for kind in (its_squares, squares)]
            row[f"{name}_gradients"] = farthest(roots[0], roots[1])[0]
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--text", choices=CORPORA, default="europarl")
    parser.add_argument("--lines", type=int, default=4000)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--steps", type=int, nargs="+", default=[1, 10, 100])
    given = parser.parse_args()
    os.environ["NVIDIA_TF32_OVERRIDE"] = "0"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        text, source = (
            tokenized(f"{CORPORA[given.text]}/train.{side}", given.lines, place / side) for side in ("en", "fr")
        )
        both: dict[str, Any] = {"source": source, "links": linked(source, text, place / "links")}
        for conditioned in (False, True):
            options = NlmOptions(
                dimension=given.dimension, epochs=1, threads=1, dropout=0.0, clustering="frequency",
                min_count=2, heldout=0.1,
            )  # fmt: skip
            sides = both if conditioned else {"source": None, "links": None}
            comparison = Comparison(place, text, sides, options)
            for steps in given.steps:
                row, _ = run_function(compare, comparison, "cuda" if given.device == "cuda" else "torch", steps)
                report({"conditioned": conditioned, "dimension": given.dimension, **row})


if __name__ == "__main__":
    main()
