"""Completion beside the interactive engine of thot (PyPI sil-thot and sil-machine), both on the same stream.

    python -m benchmarks.completion_thot MODEL TRAIN_SOURCE TRAIN_TARGET SOURCE TARGET WORK [--sentences 100]

thot's model (HMM alignment, its phrase table and trigram model, tuned by its own trainer) is made in WORK of the text
that MODEL was trained from, unless it is there. thot knows neither spacing nor case, so that what is typed here is
words in lower case with spaces between them: the sentences of TARGET as MODEL's tokenizer has them; our completions are
brought into that form, too. thot keeps a sentence's word graph while it is typed, which is not counted, and searches it
again after each key; we translate anew each time. Strokes are counted as in benchmarks.completion. Prints JSON.
"""

from __future__ import annotations

import argparse
import importlib
import pickle
from pathlib import Path
from typing import Any

from benchmarks.completion import Completer, measured
from benchmarks.measure import report
from dragoman import Translator
from dragoman.text import Tokenizer


def words(language: str, lines: list[str]) -> list[str]:
    text = "".join(f"{line}\n" for line in lines).encode()
    return Tokenizer(language).tokenize(text, model=True).decode().splitlines()


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


def thot_completer(work: Path) -> Completer:
    translation = importlib.import_module("machine.translation")
    thot = importlib.import_module("machine.translation.thot")
    parameters = pickle.loads((work / "parameters").read_bytes())
    model = thot.ThotSmtModel(thot.ThotWordAlignmentModelType.HMM, parameters)
    factory = translation.InteractiveTranslatorFactory(model)
    at_hand: dict[str, Any] = {}

    def complete(source: str, prefix: str) -> str:
        if source not in at_hand:
            at_hand.clear()
            at_hand[source] = factory.create(source)
        at_hand[source].set_prefix(prefix)
        result = next(at_hand[source].get_current_results(), None)
        found = [] if result is None else list(result.target_tokens)
        return rest_of(" ".join(found), prefix)

    return complete


def rest_of(text: str, prefix: str) -> str:
    """What follows a prefix; where a word of it came out otherwise, what follows as many words."""
    if text.startswith(prefix):
        return text[len(prefix) :]
    rest = " ".join(text.split()[len(prefix.split()) :])
    return rest if prefix.endswith(" ") else f" {rest}"


def our_completer(translator: Translator, raw: dict[str, str]) -> Completer:
    def complete(source: str, prefix: str) -> str:
        whole = str(translator.complete(raw[source], prefix)[0])
        return rest_of(words(translator.languages[1], [" ".join(whole.split())])[0] if whole.strip() else "", prefix)

    return complete


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("model", "train_source", "train_target", "source", "target", "work"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--sentences", type=int, default=100)
    arguments = parser.parse_args()
    translator = Translator.load(arguments.model)
    languages = translator.languages

    def read(path: Path) -> list[str]:
        return path.read_text(encoding="utf-8").splitlines()

    if not (arguments.work / "parameters").exists():
        texts = zip(languages, (arguments.train_source, arguments.train_target), strict=True)
        train_thot(arguments.work, [words(language, read(path)) for language, path in texts])
    sides = [read(path)[: arguments.sentences] for path in (arguments.source, arguments.target)]
    sources, targets = (words(language, lines) for language, lines in zip(languages, sides, strict=True))
    pairs = list(zip(sources, targets, strict=True))
    report(
        {
            "sentences": len(pairs),
            "dragoman": measured(our_completer(translator, dict(zip(sources, sides[0], strict=True))), pairs),
            "thot": measured(thot_completer(arguments.work), pairs),
        }
    )


if __name__ == "__main__":
    main()
