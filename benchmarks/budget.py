"""BLEU against memory: the same text trained within several budgets and with several sets of language models.

    python -m benchmarks.budget 100000 96MB 192MB [--language-models ngram neural+conditioned auto] [--jobs 2]
    python -m benchmarks.budget 29000 40MB 46MB --corpus multi30k --random

europarl.fr-en is tuned on newstest2013 and tested on newstest2012 and its own test set, multi30k on its own sets. Where
not all pairs fit, the most useful are chosen (--fit). Memory is measured: mapped bytes of the model, and the peak of
anonymous memory of a process that translates. `random` beside --fit is what the same number of pairs drawn at random
give, with the aligner and the language models of all of the text, as --fit has them.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import random
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, report
from benchmarks.training import trained, write
from dragoman import _core
from dragoman.config import IndexOptions
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest
from dragoman.pipeline.stage import Request
from dragoman.pipeline.stages import index as index_stage

DEV = {"europarl.fr-en": "newstest/fr-en/newstest2013", "multi30k": "multi30k/dev"}
TESTS = {"europarl.fr-en": ["newstest/fr-en/newstest2012", "europarl.fr-en/test"], "multi30k": ["multi30k/test"]}


def spread(name: str, count: int) -> dict[str, list[str]]:
    """So many sentences of a set, evenly spread over it, in both languages."""
    sides = {lang: corpus_lines(f"{name}.{lang}") for lang in ("fr", "en")}
    step = max(1, len(sides["fr"]) // count)
    return {lang: lines[::step][:count] for lang, lines in sides.items()}


def files_for(corpus: str, folder: Path, pairs: int, sentences: int) -> dict[str, Any]:
    folder.mkdir(parents=True, exist_ok=True)
    parts = {
        "": {lang: corpus_lines(f"{corpus}/train.{lang}", pairs) for lang in ("fr", "en")},
        "dev_": spread(DEV[corpus], sentences),
        "test_": spread(TESTS[corpus][0], sentences),
    }
    return {
        f"{part}{side}": write(folder, f"{part}text.{lang}", lines[lang])
        for part, lines in parts.items()
        for side, lang in (("source", "fr"), ("target", "en"))
    }


def bleu_of(model: Path, name: str, sentences: int, threads: int) -> float:
    """Leaves the translations beside the model."""
    from dragoman.translator import Translator

    text = spread(name, sentences)
    made = [each.text for each in Translator.load(model).translate(text["fr"], threads=threads)]
    write(model.parent, f"{name.replace('/', '.')}.translations", made)
    rows = _core.bleu_statistics(made, text["en"], False)
    return round(100 * _core.bleu_score([sum(column) for column in zip(*rows, strict=True)]), 2)


def row_of(summary: dict[str, Any]) -> dict[str, Any]:
    memory = summary["memory"]
    return {
        "pairs": summary.get("fit", {}).get("pairs", summary["pairs"]["train"]),
        "bleu": summary["scores"]["BLEU"],
        "bleu_with_all_pairs": summary["scores"].get("BLEU with all pairs"),
        "files_mb": {name: round(size / 1e6, 1) for name, size in summary["files"].items() if size > 1e5},
        "mapped_mb": round(memory["mapped_bytes"] / 1e6, 1),
        "anonymous_mb": round(memory["anonymous_bytes"] / 1e6, 1),
        "total_mb": round(memory["total_bytes"] / 1e6, 1),
        "within_budget": memory["within_budget"],
        "ms_per_sentence": summary["speed"]["milliseconds_p50"],
        "cpu_seconds": {row["stage"]: round(row["cpu_seconds"] or 0, 1) for row in summary["stages"]},
        "peak_mb": {row["stage"]: round((row["peak_bytes"] or 0) / 1e6) for row in summary["stages"]},
        "warnings": summary["warnings"],
    }


def random_pairs(model: Path, work: Path, folder: Path, count: int) -> Path:
    """The same model with an index of so many training pairs drawn at random; links, language models and weights stay
    those of all of the text."""
    tokens, align = (next(work.glob(f"{stage}-*")) for stage in ("tokenize", "align"))
    inputs = {"source": tokens / "source.bin", "target": tokens / "target.bin", "links": align / "links.bin"}
    pairs = _core.IdText.open(str(inputs["source"]), True).sentences
    inputs["chosen"] = folder / "chosen.bin"
    _core.write_chosen(str(inputs["chosen"]), sorted(random.Random(1).sample(range(pairs), count)))
    index = folder / "random.index"
    index.mkdir()
    options = index_stage.IndexStageOptions("fr", "en", IndexOptions())
    indexed = index_stage.run(Request(inputs, options, index, index, 1, lambda done, total: None))
    files = {name: index / name for name in indexed.bytes}
    others = ("lm.bin", "nlm.bin", "source_nlm.bin", "judge.bin", "weights.txt", "text.json")
    files |= {name: model / name for name in others if (model / name).exists()}
    with building_model(folder / "random.model", Manifest("fr", "en")) as directory:
        for name, path in files.items():
            shutil.copy(path, directory / name)
    return folder / "random.model"


def one(folder: Path, files: dict[str, Any], budget: str, models: str, given: argparse.Namespace) -> dict[str, Any]:
    """A training in a copy of the work folder, so that several can run at once and share what was made before."""
    place = folder / f"{budget}.{models}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    subprocess.run(["cp", "-al", str(folder / "work"), str(place / "work")], check=True)
    # Links to these would be the same files.
    for name in ("log.jsonl", "jobs.json", "lock"):
        (place / "work" / name).unlink()
    (place / "work" / "lock").touch()
    threads = max(1, given.threads // given.jobs)
    summary = trained(
        place, files, "fr", "en", memory=budget, fit=True, language_models=models, threads=threads, **options_of(given)
    )
    row = row_of(summary)
    for name in TESTS[given.corpus][1:]:
        row[f"bleu {name}"] = bleu_of(place / "model", name, given.sentences, threads)
    if given.random and "fit" in summary:
        drawn = random_pairs(place / "model", place / "work", place, row["pairs"])
        row["bleu_random_pairs"] = bleu_of(drawn, TESTS[given.corpus][0], given.sentences, threads)
    return row


def options_of(given: argparse.Namespace) -> dict[str, Any]:
    stages = {"decode": {"decoder": given.decoder}, "tune": {"rounds": given.rounds}}
    return {"stages": stages, "tune": given.rounds > 0, "tune_words": given.tune_words, "keep_sources": False}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=int)
    parser.add_argument("budgets", nargs="+")
    parser.add_argument("--corpus", default="europarl.fr-en", choices=DEV)
    parser.add_argument("--language-models", nargs="+", default=["ngram"])
    parser.add_argument("--sentences", type=int, default=1000, help="of each dev and test set")
    parser.add_argument("--rounds", type=int, default=6, help="of tuning; 0 leaves the default weights")
    parser.add_argument("--tune-words", type=int, default=10_000)
    parser.add_argument("--decoder", default="hierarchical", choices=("hierarchical", "phrase-based"))
    parser.add_argument("--random", action="store_true", help="compare --fit with pairs drawn at random")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--jobs", type=int, default=1, help="trainings at a time")
    parser.add_argument("--threads", type=int, default=2, help="of all of them together")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.work or Path(temporary)
        files = files_for(given.corpus, folder, given.pairs, given.sentences)
        # Everything up to the index is the same for all, and so are networks that no budget cuts.
        models = "ngram" if given.language_models == ["ngram"] else "auto"
        trained(
            folder, files, "fr", "en", memory="4GB", language_models=models, tune=False, threads=given.threads,
            keep_sources=False, stages={"decode": {"decoder": "phrase-based"}},
        )  # fmt: skip
        configurations = [(budget, models) for models in given.language_models for budget in given.budgets]
        results: dict[str, Any] = {}
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            running = {pool.submit(one, folder, files, *each, given): each for each in configurations}
            for future in concurrent.futures.as_completed(running):
                budget, models = running[future]
                try:
                    results[f"{budget}, {models}"] = future.result()
                except Exception as error:
                    results[f"{budget}, {models}"] = {"error": str(error)}
                if given.work:
                    report({"finished so far": results})
        report({"corpus": given.corpus, "pairs": given.pairs, "sentences": given.sentences, "budgets": results})


if __name__ == "__main__":
    main()
