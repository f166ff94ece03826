"""Completion beside the interactive engine of thot (PyPI sil-thot and sil-machine), both on the same stream.

    python -m benchmarks.completion_thot MODEL TRAIN_SOURCE TRAIN_TARGET WORK [--stream help] [--sentences 100]

thot's model (HMM alignment, its phrase table and trigram model, tuned by its own trainer) is made in WORK of the text
that MODEL was trained from, unless it is there. thot knows neither spacing nor case, so that what is typed here is
words in lower case with spaces between them: the sentences of a stream of benchmarks.translator_day as MODEL's
tokenizer has them; our completions are brought into that form, too. Both as they were trained, and learning each
sentence once it is typed. thot keeps a sentence's word graph while it is typed, which is not counted, and searches it
again after each key; we translate anew each time. Its queue of hypotheses has a thousand places, and waits for ever
for another one where a word graph is larger: here it has as many as it needs. Strokes are counted as in
benchmarks.completion. Prints JSON.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from queue import PriorityQueue
from typing import Any

from benchmarks.completion import Completer, measured
from benchmarks.measure import report
from benchmarks.thot_system import opened_thot, train_thot
from benchmarks.translator_day import STREAMS, TextPair, sentences
from dragoman import Translator
from dragoman.text import Tokenizer

# Is told the source and the target of a sentence that was typed.
Learner = Callable[[str, str], None]


def words(language: str, lines: list[str]) -> list[str]:
    text = "".join(f"{line}\n" for line in lines).encode()
    return Tokenizer(language).tokenize(text, model=True).decode().splitlines()


def thot_completer(work: Path) -> tuple[Completer, Learner]:
    translation = importlib.import_module("machine.translation")
    correction = importlib.import_module("machine.translation.error_correction_word_graph_processor")
    correction.PriorityQueue = lambda maxsize: PriorityQueue()  # type: ignore[attr-defined]
    factory = translation.InteractiveTranslatorFactory(opened_thot(work))
    at_hand: dict[str, Any] = {}

    def complete(source: str, prefix: str) -> str:
        if source not in at_hand:
            at_hand.clear()
            at_hand[source] = factory.create(source)
        at_hand[source].set_prefix(prefix)
        result = next(at_hand[source].get_current_results(), None)
        found = [] if result is None else list(result.target_tokens)
        return rest_of(" ".join(found), prefix)

    def learn(_source: str, target: str) -> None:
        (translator,) = at_hand.values()
        translator.set_prefix(target)
        translator.approve(False)
        at_hand.clear()

    return complete, learn


def rest_of(text: str, prefix: str) -> str:
    """What follows a prefix; where a word of it came out otherwise, what follows as many words."""
    if text.startswith(prefix):
        return text[len(prefix) :]
    rest = " ".join(text.split()[len(prefix.split()) :])
    return rest if prefix.endswith(" ") else f" {rest}"


def our_completer(translator: Translator, raw: dict[str, TextPair]) -> tuple[Completer, Learner]:
    def complete(source: str, prefix: str) -> str:
        whole = str(translator.complete(raw[source][0], prefix)[0])
        return rest_of(words(translator.languages[1], [" ".join(whole.split())])[0] if whole.strip() else "", prefix)

    def learn(source: str, _target: str) -> None:
        translator.add(*raw[source], force=True)

    return complete, learn


def learning(system: tuple[Completer, Learner], pairs: list[TextPair]) -> dict[str, Any]:
    complete, learn = system
    return measured(complete, pairs, learn)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("model", "train_source", "train_target", "work"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--stream", choices=list(STREAMS), default="help")
    parser.add_argument("--systems", default="dragoman,thot")
    parser.add_argument("--sentences", type=int, default=100)
    arguments = parser.parse_args()
    translator = Translator.load(arguments.model)
    languages = translator.languages

    def read(path: Path) -> list[str]:
        return path.read_text(encoding="utf-8").splitlines()

    if not (arguments.work / "parameters").exists():
        texts = zip(languages, (arguments.train_source, arguments.train_target), strict=True)
        train_thot(arguments.work, [words(language, read(path)) for language, path in texts])
    raw = sentences(STREAMS[arguments.stream], arguments.sentences)
    sides = (words(language, list(lines)) for language, lines in zip(languages, zip(*raw, strict=True), strict=True))
    pairs = list(zip(*sides, strict=True))
    by_source = {source: texts for (source, _), texts in zip(pairs, raw, strict=True)}
    results: dict[str, Any] = {"sentences": len(pairs)}
    with tempfile.TemporaryDirectory() as folder:
        if "dragoman" in arguments.systems:
            ours = Translator.load(shutil.copytree(arguments.model, Path(folder) / "model"))
            results["dragoman"] = measured(our_completer(ours, by_source)[0], pairs)
            results["dragoman, learning"] = learning(our_completer(ours, by_source), pairs)
        if "thot" in arguments.systems:
            results["thot"] = measured(thot_completer(arguments.work)[0], pairs)
            results["thot, learning"] = learning(thot_completer(arguments.work), pairs)
    report(results)


if __name__ == "__main__":
    main()
