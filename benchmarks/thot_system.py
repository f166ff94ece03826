"""thot (PyPI sil-thot, trained and driven by sil-machine): a phrase-based system, from text to translations.

    python -m benchmarks.thot_system WORK fr-en [--corpus multi30k]

It knows neither case nor spacing, so it reads words in lower case, marked by our tokenizer so that lines can be put
together again. Its own trainer does all the rest, with HMM alignment and a trigram model, and tunes on 1,000 pairs that
it holds out of the training text, for most of an hour; what is in WORK already is not trained again. Prints JSON.
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
from benchmarks.trained import scores_of
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


def is_trained(work: Path) -> bool:
    return (work / "parameters").exists()


def translate(work: Path, lines: list[str], languages: tuple[str, str]) -> tuple[list[str], float]:
    model = opened_thot(work)
    sources = marked(lines, languages[0])
    begin = time.process_time()
    outputs = [" ".join(model.translate(source).translation_tokens) for source in sources]
    seconds = time.process_time() - begin
    return Tokenizer(languages[1]).detokenize(outputs), 1000 * seconds / len(lines)


def translated(work: Path, lines: list[str], languages: tuple[str, str]) -> tuple[list[str], dict[str, float]]:
    """Lines in lower case, milliseconds of CPU a sentence, and memory of the process."""
    (outputs, milliseconds), cost = run_function(translate, work, lines, languages)
    return outputs, {"ms": milliseconds, "memory_mb": cost.peak_mb * 1024**2 / 1e6}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("pair")
    parser.add_argument("--corpus", default="multi30k")
    given = parser.parse_args()
    source, target = given.pair.split("-")
    if not is_trained(given.work):
        sides = [marked(corpus_lines(f"{given.corpus}/train.{lang}"), lang) for lang in (source, target)]
        run_function(train_thot, given.work, sides)
    lines, references = (corpus_lines(f"{given.corpus}/test.{lang}") for lang in (source, target))
    outputs, costs = translated(given.work, lines, (source, target))
    report(scores_of(outputs, references) | costs)


if __name__ == "__main__":
    main()
