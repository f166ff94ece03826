"""Learning at once: a model of parliament debates that is taught everyday sentences, one pair at a time.

    python -m benchmarks.live domain [--model MODEL] [--train 20000] [--test 500] [--weights 1,10] [--rival]
    python -m benchmarks.live domain --old tatoeba.en-cs --new libreoffice-help.en-cs ...
    python -m benchmarks.live domain --new PAIRS.tsv of the demo's help pages ...
    python -m benchmarks.live many [--model MODEL] [--train 20000] [--added 100000] [--rival]

The model is trained here with untuned weights, or MODEL is one that `dragoman train` made of the first `--train` pairs
of europarl.fr-en.

`domain`: pairs of the new domain (tatoeba.fr-en) are added with Translator.add up to 1, 10, 100, 1,000 and 10,000;
after each step BLEU on its test part, and on those of its sentences whose words, in this order, are no added sentence,
and CPU per sentence; last with lm.bin built anew from the text with the added pairs. `many`: so many pairs are added
one by one in one process; then, in that process, the time per sentence of both domains against that before, and right
after each of some more additions; the time to open the model, and all again after compaction. Of an addition the wall
time, the processor time of the thread that adds, and that of the process, which merges segments in another thread. The
rival is the same model built anew from all the pairs in one go, which is what learning costs without an overlay.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.help_pages import HelpPages, words_of
from benchmarks.measure import corpus_lines, report, run_function
from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions, IndexOptions
from dragoman.learn.compaction import compact
from dragoman.learn.overlay import open_overlay
from dragoman.model.directory import building_model, component_output
from dragoman.model.manifest import Manifest
from dragoman.model.weights import DEFAULT_WEIGHTS, write_weights
from dragoman.text import Tokenizer
from dragoman.translator import Translator

STEPS = [0, 1, 10, 100, 1000, 10000]


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


def build(path: Path, source: list[str], target: list[str], languages: tuple[str, str] = ("fr", "en")) -> None:
    """Index, aligner and language model of raw sentence pairs."""
    source_tokens, target_tokens = tokens(languages[0], source), tokens(languages[1], target)
    training = AlignmentModel.train(source_tokens, target_tokens, AlignOptions(threads=1))
    assert training.model is not None
    options = {"sample_seed": IndexOptions().sample_seed}
    with building_model(path, Manifest(*languages), overwrite=True) as directory:
        _core.build_index(str(directory), source_tokens, target_tokens, training.links, options)
        (directory / "text.json").write_text(json.dumps({"tokenizer": "language", "spacing": "apart"}))
        training.model.save(directory / "align.bin")
        text = _core.LmText()
        text.add(target_tokens)
        estimate(text, directory / "lm.bin")
        write_weights(directory / "weights.txt", DEFAULT_WEIGHTS)


def estimate(text: _core.LmText, path: Path) -> None:
    _core.lm_estimate(text, 4, [1], [0.5, 1.0, 1.5]).write(str(path))


def learn_language(model: Path) -> None:
    """The n-gram model anew from all that the index has, added pairs too; what users do with two commands."""
    text = _core.LmText()
    open_overlay(model).index.write_side(True, text.add)
    with component_output(model, "lm.bin") as path:
        estimate(text, path)


def languages_of(corpus: str) -> tuple[str, str]:
    """Those that the corpus is named after: tatoeba.fr-en."""
    source, target = corpus.split("/")[0].split(".")[1].split("-")
    return source, target


def short_pairs(prefix: str, limit: int | None = None) -> list[tuple[str, str]]:
    source, target = languages_of(prefix)
    lines = zip(corpus_lines(f"{prefix}.{source}", limit), corpus_lines(f"{prefix}.{target}", limit), strict=True)
    return [(source, target) for source, target in lines if 0 < len(source) < 400 and 0 < len(target) < 400]


def everyday_pairs(count: int, corpus: str = "tatoeba.fr-en") -> list[tuple[str, str]]:
    """Pairs to add; the corpora are sorted by length or by page, so they are drawn at random."""
    pairs = HelpPages.read(Path(corpus)).taught if corpus.endswith(".tsv") else short_pairs(f"{corpus}/train")
    return random.Random(1).sample(pairs, min(count, len(pairs)))


def test_pairs(count: int, corpus: str) -> list[tuple[str, str]]:
    if corpus.endswith(".tsv"):
        return random.Random(2).sample(HelpPages.read(Path(corpus)).tested, count)
    return short_pairs(f"{corpus}/test")[:count]


def measured(translator: Translator, test: list[tuple[str, str]], seen: set[str], batch: int = 100) -> dict[str, Any]:
    begin = time.process_time()
    outputs: list[str] = []
    for at in range(0, len(test), batch):
        outputs += [each.text for each in translator.translate([source for source, _ in test[at : at + batch]])]
    seconds = time.process_time() - begin
    unseen = [
        (out, target) for out, (source, target) in zip(outputs, test, strict=True) if words_of(source) not in seen
    ]
    return {
        "bleu": bleu(outputs, [target for _, target in test]),
        "bleu_unseen": bleu([out for out, _ in unseen], [target for _, target in unseen]),
        "unseen_sentences": len(unseen),
        "ms_per_sentence": round(1000 * seconds / len(test), 2),
    }


class Additions:
    """Pairs added one at a time, and what each took."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._wall: list[float] = []
        self._thread: list[float] = []
        self._process = 0.0

    def add(self, pair: tuple[str, str], number: int) -> None:
        begun, thread, process = time.perf_counter(), time.thread_time(), time.process_time()
        self._translator.add(*pair, id=f"added:{number}", force=True)
        self._wall.append(time.perf_counter() - begun)
        self._thread.append(time.thread_time() - thread)
        self._process += time.process_time() - process

    def as_json(self) -> dict[str, Any]:
        return {
            "wall": distribution(self._wall),
            "cpu": distribution(self._thread),
            "cpu_ms_with_merging": round(1000 * self._process / len(self._wall), 2),
            "segments": self._translator.overlay.index.segments,
        }


def distribution(seconds: list[float]) -> dict[str, float]:
    ranked = sorted(seconds)
    shares = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99, "longest_ms": 1.0}
    return {name: round(1000 * ranked[int(share * (len(ranked) - 1))], 2) for name, share in shares.items()}


def teach(
    model: Path, pairs: list[tuple[str, str]], test: list[tuple[str, str]], weight: int, steps_at: list[int]
) -> list[dict[str, Any]]:
    """Adds the pairs one by one and measures at each step."""
    translator = Translator.load(model, correction_weight=weight)
    translator.translate([source for source, _ in test[:5]])
    steps, additions = [], Additions(translator)
    for number in range(len(pairs) + 1):
        if number in steps_at:
            result = {"added": number, **measured(translator, test, {words_of(source) for source, _ in pairs[:number]})}
            if number:
                result["add"] = additions.as_json()
            steps.append(result)
            print(json.dumps({"weight": weight, **result}), file=sys.stderr, flush=True)
        if number < len(pairs):
            additions.add(pairs[number], number)
    return steps


def base_model(arguments: argparse.Namespace, work: Path, pairs: list[tuple[str, str]]) -> Path:
    if arguments.model:
        return Path(arguments.model)
    model = work / "base"
    if not model.exists():
        languages = languages_of(arguments.old)
        run_function(build, model, [source for source, _ in pairs], [target for _, target in pairs], languages)
    return model


def domain(arguments: argparse.Namespace, work: Path) -> dict[str, Any]:
    base = short_pairs(f"{arguments.old}/train", arguments.train)
    added = everyday_pairs(arguments.added, arguments.new)
    test = test_pairs(arguments.test, arguments.new)
    model = base_model(arguments, work, base)
    results: dict[str, Any] = {"test_sentences": len(test), "by_weight": {}}
    for weight in arguments.weights:
        taught = work / f"taught-{weight}"
        shutil.rmtree(taught, ignore_errors=True)
        shutil.copytree(model, taught)
        results["by_weight"][str(weight)], cost = run_function(teach, taught, added, test, weight, arguments.steps)
        results[f"peak_mb_weight_{weight}"] = round(cost.peak_mb, 1)
        _, cost = run_function(learn_language, taught)
        relearned = {"language_model_anew": cost.as_json(), **measured_child(taught, test)}
        results["by_weight"][str(weight)].append(relearned)
    if arguments.rival:
        results["built_anew"] = rebuilt(work, base + added, {"new": test}, languages_of(arguments.old))
    return results


def rebuilt(
    work: Path,
    pairs: list[tuple[str, str]],
    tests: dict[str, list[tuple[str, str]]],
    languages: tuple[str, str] = ("fr", "en"),
) -> dict[str, Any]:
    """The rival: alignment, index and language model of all pairs."""
    path = work / "rebuilt"
    _, cost = run_function(build, path, [source for source, _ in pairs], [target for _, target in pairs], languages)
    return {"build": cost.as_json(), **{name: measured_child(path, test) for name, test in tests.items()}}


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
        "europarl": short_pairs("europarl.fr-en/test")[: arguments.test // 5],
        "tatoeba": short_pairs("tatoeba.fr-en/test")[: arguments.test],
    }
    between = min(arguments.test, 200)
    pairs = everyday_pairs(arguments.added + between)
    added, later = pairs[: arguments.added], pairs[arguments.added :]

    def times(translator: Translator) -> dict[str, float]:
        found = {}
        for name, test in tests.items():
            translator.translate([source for source, _ in test[:20]])
            found[name] = measured(translator, test, set())["ms_per_sentence"]
        return found

    def add_all() -> dict[str, Any]:
        translator = Translator.load(taught)
        before = times(translator)
        additions = Additions(translator)
        for number, pair in enumerate(added):
            additions.add(pair, number)
        after = times(translator)
        # Caches of rules belong to one state of the model, so that an addition before every sentence empties them.
        seconds = 0.0
        for number, (pair, (source, _)) in enumerate(zip(later, tests["tatoeba"], strict=False)):
            translator.add(*pair, id=f"later:{number}", force=True)
            begin = time.process_time()
            translator.translate(source)
            seconds += time.process_time() - begin
        return {
            "each": additions.as_json(),
            "ms_per_sentence_before": before,
            "ms_per_sentence_after": after,
            "ratio": {name: round(after[name] / before[name], 3) for name in tests},
            "tatoeba_ms_right_after_an_addition": round(1000 * seconds / len(later), 2),
        }

    def measure(path: Path) -> dict[str, Any]:
        return {
            "open_cpu_seconds": run_function(opening, path)[0],
            **{name: measured_child(path, test) for name, test in tests.items()},
        }

    results: dict[str, Any] = {"added": len(added)}
    results["adding"], cost = run_function(add_all)
    results["adding"]["peak_mb"] = round(cost.peak_mb, 1)
    print(json.dumps(results), file=sys.stderr, flush=True)
    results |= {"before": measure(model), "opened again": measure(taught)}
    results["compaction"] = run_function(compact, taught)[1].as_json()
    results["compacted"] = measure(taught)
    if arguments.rival:
        results["built_anew"] = rebuilt(work, base + added, tests)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["domain", "many"])
    parser.add_argument("--train", type=int, default=20_000)
    parser.add_argument("--model", help="a model to start from")
    parser.add_argument("--old", default="europarl.fr-en", help="corpus that the model is of")
    parser.add_argument("--new", default="tatoeba.fr-en", help="corpus that it is taught, or pairs.tsv of help pages")
    parser.add_argument("--test", type=int, default=500)
    parser.add_argument("--added", type=int)
    parser.add_argument("--weights", type=lambda text: [int(each) for each in text.split(",")], default=[1, 10])
    parser.add_argument("--steps", type=lambda text: [int(each) for each in text.split(",")], default=STEPS)
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
