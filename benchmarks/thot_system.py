"""thot (PyPI sil-thot, trained and driven by sil-machine): a phrase-based system, from text to translations.

    python -m benchmarks.thot_system WORK fr-en [--corpus multi30k]

It knows neither case nor spacing, so it reads words in lower case, marked by our tokenizer so that lines can be put
together again. Its own trainer does all the rest, with HMM alignment and a trigram model, and tunes on a part of the
training text that it holds out. Prints JSON.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import pickle
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, report, run_function
from dragoman._core import Tokenizer


def installed() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in ("thot", "machine"))


def train_thot(work: Path, sides: list[list[str]]) -> None:
    corpora, thot = importlib.import_module("machine.corpora"), importlib.import_module("machine.translation.thot")
    for name in ("tm", "lm"):
        (work / name).mkdir(parents=True, exist_ok=True)
    for name, lines in zip(("source", "target"), sides, strict=True):
        (work / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    corpus = corpora.TextFileTextCorpus(work / "source").align_rows(corpora.TextFileTextCorpus(work / "target"))
    parameters = thot.ThotSmtParameters(
        translation_model_filename_prefix=str(work / "tm" / "src_trg"),
        language_model_filename_prefix=str(work / "lm" / "trg.lm"),
    )
    with thot.ThotSmtModelTrainer(thot.ThotWordAlignmentModelType.HMM, corpus, parameters) as trainer:
        trainer.train()
        trainer.save()
        (work / "parameters").write_bytes(pickle.dumps(trainer.parameters))


def opened_thot(work: Path) -> Any:
    thot = importlib.import_module("machine.translation.thot")
    parameters = pickle.loads((work / "parameters").read_bytes())
    return thot.ThotSmtModel(thot.ThotWordAlignmentModelType.HMM, parameters)


def marked(lines: list[str], language: str) -> list[str]:
    return Tokenizer(language).tokenize([line.lower() for line in lines])


def translated(work: Path, lines: list[str], languages: tuple[str, str]) -> dict[str, Any]:
    """Lines in lower case, and milliseconds of CPU a sentence."""
    model = opened_thot(work)
    sources = marked(lines, languages[0])
    begin = time.process_time()
    outputs = [" ".join(model.translate(source).translation_tokens) for source in sources]
    milliseconds = 1000 * (time.process_time() - begin) / len(lines)
    return {"lines": Tokenizer(languages[1]).detokenize(outputs), "ms": milliseconds}


def whole_system(work: Path, corpus: str, pair: str) -> tuple[list[str], dict[str, float]]:
    """Translations of the corpus' test set, and what training and translating took."""
    source, target = pair.split("-")
    if not (work / "parameters").exists():
        sides = [marked(corpus_lines(f"{corpus}/train.{language}"), language) for language in (source, target)]
        run_function(train_thot, work, sides)
    test = corpus_lines(f"{corpus}/test.{source}")
    told, cost = run_function(translated, work, test, (source, target))
    return told["lines"], {"ms": told["ms"], "memory_mb": cost.peak_mb * 1024**2 / 1e6}


def main() -> None:
    from benchmarks.trained import scores_of

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("pair")
    parser.add_argument("--corpus", default="multi30k")
    given = parser.parse_args()
    lines, costs = whole_system(given.work, given.corpus, given.pair)
    report(scores_of(lines, corpus_lines(f"{given.corpus}/test.{given.pair.split('-')[1]}")) | costs)


if __name__ == "__main__":
    main()
