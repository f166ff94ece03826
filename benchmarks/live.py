"""Learning at once: a model of parliament debates that is taught everyday sentences, one pair at a time.

    python -m benchmarks.live domain [--model MODEL | --train 20000] [--test 500] [--weights 1,10] [--work DIR]
    python -m benchmarks.live many [--model MODEL | --train 20000] [--added 100000] [--work DIR]

The model is trained here with untuned weights, or MODEL is one that `dragoman train` made of europarl.fr-en.

`domain`: trained on europarl.fr-en, then pairs of tatoeba.fr-en are added with Translator.add up to 1, 10, 100, 1,000
and 10,000; after each step BLEU on tatoeba's test part, on those of its sentences that are in no added pair, CPU per
sentence, and the wall time of an add (median, 99th percentile, longest). The rival is the same index built anew from
all the pairs in one go, which is what learning costs without an overlay. `many`: time per sentence of both domains with
and without so many added pairs, before and after compaction, and the time to open the model.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, report, run_function
from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions, IndexOptions
from dragoman.decode.weights import DEFAULT_WEIGHTS, write_weights
from dragoman.live.compaction import compact
from dragoman.live.overlay import NewPair
from dragoman.model import Manifest, building_model
from dragoman.text import Tokenizer
from dragoman.translator import Translator

STEPS = (0, 1, 10, 100, 1000, 10000)


def bleu(outputs: list[str], references: list[str]) -> float | None:
    """Lowercased, because the models that this script trains know nothing of case."""
    if not outputs:
        return None
    try:
        sacrebleu = importlib.import_module("sacrebleu")
    except ImportError:
        return None
    return round(float(sacrebleu.corpus_bleu(outputs, [references], lowercase=True).score), 2)


def tokens(language: str, lines: list[str]) -> bytes:
    return Tokenizer(language).tokenize("".join(line + "\n" for line in lines).encode(), model=True)


def build(path: Path, source: list[str], target: list[str]) -> None:
    """Index, aligner and language model of raw sentence pairs."""
    source_tokens, target_tokens = tokens("fr", source), tokens("en", target)
    training = AlignmentModel.train(source_tokens, target_tokens, AlignOptions(threads=1))
    assert training.model is not None
    options = {"sample_seed": IndexOptions().sample_seed}
    with building_model(path, Manifest("fr", "en"), overwrite=True) as directory:
        _core.build_index(str(directory), source_tokens, target_tokens, training.links, options)
        (directory / "text.json").write_text(json.dumps({"tokenizer": "language"}))
        training.model.save(directory / "align.bin")
        text = _core.LmText()
        text.add(target_tokens)
        _core.lm_estimate(text, 4, [1], [0.5, 1.0, 1.5]).write(str(directory / "lm.bin"))
        write_weights(directory / "weights.txt", DEFAULT_WEIGHTS)


def short_pairs(prefix: str, limit: int | None = None) -> list[tuple[str, str]]:
    lines = zip(corpus_lines(f"{prefix}.fr", limit), corpus_lines(f"{prefix}.en", limit), strict=True)
    return [(source, target) for source, target in lines if 0 < len(source) < 400 and 0 < len(target) < 400]


def everyday_pairs(count: int) -> list[tuple[str, str]]:
    """Pairs to add; the corpus is sorted by length, so they are drawn at random."""
    pairs = short_pairs("tatoeba.fr-en/train")
    return random.Random(1).sample(pairs, min(count, len(pairs)))


def measured(translator: Translator, test: list[tuple[str, str]], seen: set[str], batch: int = 100) -> dict[str, Any]:
    begin = time.process_time()
    outputs: list[str] = []
    for at in range(0, len(test), batch):
        outputs += [each.text for each in translator.translate([source for source, _ in test[at : at + batch]])]
    seconds = time.process_time() - begin
    unseen = [(out, target) for out, (source, target) in zip(outputs, test, strict=True) if source not in seen]
    return {
        "bleu": bleu(outputs, [target for _, target in test]),
        "bleu_unseen": bleu([out for out, _ in unseen], [target for _, target in unseen]),
        "unseen_sentences": len(unseen),
        "ms_per_sentence": round(1000 * seconds / len(test), 2),
    }


def distribution(seconds: list[float]) -> dict[str, float]:
    ranked = sorted(seconds)
    return {
        "median_ms": round(1000 * statistics.median(ranked), 2),
        "p99_ms": round(1000 * ranked[int(0.99 * (len(ranked) - 1))], 2),
        "longest_ms": round(1000 * ranked[-1], 2),
    }


def teach(model: Path, pairs: list[tuple[str, str]], test: list[tuple[str, str]], weight: int) -> list[dict[str, Any]]:
    """Adds the pairs one by one and measures at each step."""
    translator = Translator.load(model, correction_weight=weight)
    translator.translate([source for source, _ in test[:5]])
    steps, took, cpu = [], list[float](), 0.0
    for number in range(len(pairs) + 1):
        if number in STEPS or number == len(pairs):
            seen = {source for source, _ in pairs[:number]}
            result = {"added": number, **measured(translator, test, seen)}
            if took:
                result["add"] = {**distribution(took), "cpu_ms": round(1000 * cpu / len(took), 2)}
                result["segments"] = translator.overlay.index.segments
            steps.append(result)
            print(json.dumps({"weight": weight, **result}), file=sys.stderr, flush=True)
        if number < len(pairs):
            source, target = pairs[number]
            begin, begin_cpu = time.perf_counter(), time.process_time()
            translator.add(source, target, id=f"tatoeba:{number}")
            took.append(time.perf_counter() - begin)
            cpu += time.process_time() - begin_cpu
    return steps


def base_model(arguments: argparse.Namespace, work: Path, pairs: list[tuple[str, str]]) -> Path:
    if arguments.model:
        return Path(arguments.model)
    model = work / "base"
    if not model.exists():
        run_function(build, model, [source for source, _ in pairs], [target for _, target in pairs])
    return model


def domain(arguments: argparse.Namespace, work: Path) -> dict[str, Any]:
    base = short_pairs("europarl.fr-en/train", arguments.train)
    added = everyday_pairs(arguments.added)
    test = short_pairs("tatoeba.fr-en/test")[: arguments.test]
    model = base_model(arguments, work, base)
    results: dict[str, Any] = {"test_sentences": len(test), "by_weight": {}}
    for weight in arguments.weights:
        taught = work / f"taught-{weight}"
        shutil.rmtree(taught, ignore_errors=True)
        shutil.copytree(model, taught)
        results["by_weight"][str(weight)], cost = run_function(teach, taught, added, test, weight)
        results[f"peak_mb_weight_{weight}"] = round(cost.peak_mb, 1)
    if arguments.rival:
        both = work / "rebuilt"
        together = base + added
        _, cost = run_function(build, both, [source for source, _ in together], [target for _, target in together])
        results["built_anew"] = {**measured_child(both, test), "build": cost.as_dict()}
    return results


def measured_child(model: Path, test: list[tuple[str, str]]) -> dict[str, Any]:
    def work() -> dict[str, Any]:
        translator = Translator.load(model)
        translator.translate([source for source, _ in test[:5]])
        return measured(translator, test, set())

    result, cost = run_function(work)
    return {**result, "peak_mb": round(cost.peak_mb, 1)}


def opening(model: Path) -> float:
    begin = time.process_time()
    Translator.load(model).translate("Bonjour .")
    return round(time.process_time() - begin, 3)


def many(arguments: argparse.Namespace, work: Path) -> dict[str, Any]:
    base = short_pairs("europarl.fr-en/train", arguments.train)
    model, taught = base_model(arguments, work, base), work / "many"
    shutil.rmtree(taught, ignore_errors=True)
    shutil.copytree(model, taught)
    tests = {
        "europarl": short_pairs("europarl.fr-en/test")[: arguments.test],
        "tatoeba": short_pairs("tatoeba.fr-en/test")[: arguments.test],
    }
    added = everyday_pairs(arguments.added)

    def measure(path: Path) -> dict[str, Any]:
        return {
            "open_cpu_seconds": run_function(opening, path)[0],
            **{name: measured_child(path, test) for name, test in tests.items()},
        }

    def add_all() -> dict[str, Any]:
        translator = Translator.load(taught)
        took = []
        for at in range(0, len(added), 10):
            begin = time.perf_counter()
            translator.add_pairs([NewPair(source, target) for source, target in added[at : at + 10]])
            took.append(time.perf_counter() - begin)
        return {"batches_of_10": distribution(took), "segments": translator.overlay.index.segments}

    results: dict[str, Any] = {"added": len(added), "before": measure(model)}
    results["adding"] = run_function(add_all)[0]
    results["after"] = measure(taught)
    results["compaction"] = run_function(compact, taught)[1].as_dict()
    results["compacted"] = measure(taught)
    for name in tests:
        before = results["before"][name]["ms_per_sentence"]
        results[f"{name} time ratio"] = round(results["after"][name]["ms_per_sentence"] / before, 3)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["domain", "many"])
    parser.add_argument("--train", type=int, default=20_000)
    parser.add_argument("--model", help="a model to start from")
    parser.add_argument("--test", type=int, default=500)
    parser.add_argument("--added", type=int)
    parser.add_argument("--weights", type=lambda text: [int(each) for each in text.split(",")], default=[1, 10])
    parser.add_argument("--rival", action="store_true", help="also build the index anew from all pairs")
    parser.add_argument("--work", type=Path)
    arguments = parser.parse_args()
    arguments.added = arguments.added or (10_000 if arguments.what == "domain" else 100_000)
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.work or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        report((domain if arguments.what == "domain" else many)(arguments, work))


if __name__ == "__main__":
    main()
