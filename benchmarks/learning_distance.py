"""How far a model that was taught pairs of another domain is from one built anew with them, and what lies between.

    python -m benchmarks.learning_distance WORK [--old europarl.fr-en] [--new tatoeba.fr-en] [--train 100000]
        [--added 10000] [--test 500] [--tune 300] [--only 1 3]

Two models are built in WORK, unless they are there: of the first pairs of the old corpus, and of these with the added
pairs of the new one as text like any other, with the same options. Between the two, what a model that was taught them
one by one does without is given to it, one after the other: an n-gram model of all the text; an aligner that has seen
all of it, so that added pairs have its links; links of the old text, and a lexicon, by that aligner; last the pairs
are training text instead of corrections. With --tune the weights of the first and the last are tuned on so many
sentences of the new domain, which are neither taught nor tested. Prints JSON: BLEU, lowercased, on sentences of the new
domain that are not among the added ones, and CPU.
"""

from __future__ import annotations

import argparse
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.help_pages import TextPair, words_of
from benchmarks.live import build, everyday_pairs, languages_of, measured_child, short_pairs, test_pairs
from benchmarks.measure import report, run_function
from dragoman.config import TuneOptions
from dragoman.learn.new_pairs import NewPair
from dragoman.learn.overlay import open_overlay
from dragoman.model.directory import component_output
from dragoman.model.weights import read_weights, write_weights
from dragoman.translator import Translator
from dragoman.tune.tuning import tune_model


class Distance:
    """Models between the taught one and the one that was built anew."""

    def __init__(self, work: Path, old: list[TextPair], added: list[TextPair], languages: tuple[str, str]) -> None:
        self._work, self._old, self._added = work, old, added
        self._languages = languages
        self.costs: dict[str, Any] = {}
        self.before = self._built("before", old)
        self.anew = self._built("anew", old + added)

    def _built(self, name: str, pairs: list[TextPair]) -> Path:
        path = self._work / name
        if not path.exists():
            sides = [source for source, _ in pairs], [target for _, target in pairs]
            _, cost = run_function(build, path, *sides, self._languages)
            self.costs[f"build {name}"] = cost.as_json()
        return path

    def taught(self, name: str, model: Path, *parts: str, forgets: bool = False) -> Path:
        """A copy of a model with these parts of the one that was built anew, and then taught the pairs."""
        path = self._work / name
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(model, path)
        for part in parts:
            with component_output(path, part) as out:
                shutil.copy(self.anew / part, out)

        def teach() -> None:
            if forgets:
                first = len(self._old) + 1
                assert all(open_overlay(path).remove(f"line:{first + at}" for at in range(len(self._added))))
            translator = Translator.load(path)
            pairs = [NewPair(source, target, f"added:{at}") for at, (source, target) in enumerate(self._added)]
            translator.add_pairs(pairs, force=True)

        _, cost = run_function(teach)
        self.costs[f"teach {name}"] = cost.as_json()
        return path


def tuned(model: Path, dev: list[TextPair]) -> dict[str, float]:
    """Weights for this model; the model keeps its own."""
    options = TuneOptions(rounds=5)
    return dict(tune_model(model, [s for s, _ in dev], [t for _, t in dev], options, threads=1).weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--old", default="europarl.fr-en")
    parser.add_argument("--new", default="tatoeba.fr-en")
    parser.add_argument("--train", type=int, default=100_000)
    parser.add_argument("--added", type=int, default=10_000)
    parser.add_argument("--test", type=int, default=500)
    parser.add_argument("--tune", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="*", help="numbers of steps, from 0; the others are left out")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    added = everyday_pairs(arguments.added, arguments.new)
    seen = {words_of(source) for source, _ in added}
    test = [pair for pair in test_pairs(arguments.test, arguments.new) if words_of(pair[0]) not in seen]
    old = short_pairs(f"{arguments.old}/train", arguments.train)
    distance = Distance(arguments.work, old, added, languages_of(arguments.old))
    steps: dict[str, Callable[[], Path]] = {
        "nothing taught": lambda: distance.before,
        "taught": lambda: distance.taught("taught", distance.before),
        "and lm.bin anew": lambda: distance.taught("language", distance.before, "lm.bin"),
        "taught, links by an aligner of all": lambda: distance.taught("linked", distance.before, "align.bin"),
        "and lm.bin anew too": lambda: distance.taught("both", distance.before, "align.bin", "lm.bin"),
        "and the old text's links": lambda: distance.taught("old-links", distance.anew, forgets=True),
        "all built anew": lambda: distance.anew,
    }
    results: dict[str, Any] = {"test_sentences": len(test), "steps": {}}
    for number, (name, make) in enumerate(steps.items()):
        if arguments.only is None or number in arguments.only:
            results["steps"][name] = measured_child(make(), test)
    if arguments.tune:
        pool = [pair for pair in everyday_pairs(arguments.added + 3000, arguments.new) if words_of(pair[0]) not in seen]
        dev = random.Random(3).sample(pool, arguments.tune)
        for name, path in (("taught", arguments.work / "taught"), ("all built anew", distance.anew)):
            weights, cost = run_function(tuned, path, dev)
            copy = arguments.work / "tuned"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(path, copy)
            with component_output(copy, "weights.txt") as out:
                write_weights(out, {**read_weights(copy / "weights.txt"), **weights})
            results["steps"][f"{name}, tuned"] = {**measured_child(copy, test), "tuning": cost.as_json()}
    report({**results, "costs": distance.costs})


if __name__ == "__main__":
    main()
