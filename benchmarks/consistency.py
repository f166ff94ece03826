"""Consistency within a document: whether a word that comes again becomes the same again, and what that does to BLEU.

    python -m benchmarks.consistency MODEL SOURCE TARGET [--sentences 600] [--page 40] [--weights 0,0.5,1]

SOURCE and TARGET are text in order, raw, of which every `--page` lines are taken for a document. Each is translated by
itself; with the machine's own translations of the lines before as context; and with the references of the lines before,
as if a translator had confirmed them. Lines go in batches, and a batch sees those before it. Prints JSON: of the words
that come more than once in a document, commonest ones left out, the share that became several things, counted by the
beginnings of what they are linked to; and BLEU.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.live import bleu
from benchmarks.measure import report
from dragoman import Translation, Translator, _core

BATCH = 4
COMMON = 100
BEGINNING = 5
TextPair = tuple[str, str]


def contexts(kind: str, pairs: list[TextPair], outputs: list[str]) -> list[TextPair]:
    if kind == "alone":
        return []
    done = pairs[: len(outputs)]
    return [(source, out if kind == "machine" else target) for (source, target), out in zip(done, outputs, strict=True)]


def translated(translator: Translator, page: list[TextPair], kind: str) -> list[Translation]:
    made: list[Translation] = []
    for begin in range(0, len(page), BATCH):
        context = contexts(kind, page[:begin], [each.text for each in made])
        made += translator.translate([source for source, _ in page[begin : begin + BATCH]], context=context)
    return made


def choices(page: list[Translation], common: tuple[set[str], set[str]]) -> dict[str, set[str]]:
    """What became of the words that come in more than one line."""
    found: dict[str, list[str]] = defaultdict(list)
    for translation in page:
        for sentence in translation.sentences:
            ours = [token.lower() for token in sentence.source_tokens]
            theirs = [token.lower() for token in sentence.target_tokens]
            for at, word in enumerate(ours):
                linked = [theirs[j] for i, j in sentence.alignment if i == at and theirs[j] not in common[1]]
                if word.isalpha() and word not in common[0] and linked:
                    found[word].append(" ".join(each[:BEGINNING] for each in linked))
    return {word: set(made) for word, made in found.items() if len(made) > 1}


def measured(translator: Translator, pages: list[list[TextPair]], kind: str) -> dict[str, Any]:
    vocabulary = str(translator.model.file("vocab.bin"))
    common = tuple(set(_core.vocabulary_words(vocabulary, side, COMMON)) for side in ("source", "target"))
    outputs, words, several = [], 0, 0
    for page in pages:
        made = translated(translator, page, kind)
        outputs += [each.text for each in made]
        became = choices(made, (common[0], common[1]))
        words += len(became)
        several += sum(len(each) > 1 for each in became.values())
    references = [target for page in pages for _, target in page]
    return {
        "words_that_come_again": words,
        "became_several_things": several,
        "share": round(several / max(1, words), 4),
        "bleu": bleu(outputs, references),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--sentences", type=int, default=600)
    parser.add_argument("--page", type=int, default=40)
    parser.add_argument("--weights", type=lambda text: [float(each) for each in text.split(",")], default=[0.5])
    arguments = parser.parse_args()
    sides = [path.read_text(encoding="utf-8").splitlines() for path in (arguments.source, arguments.target)]
    pairs = [(source, target) for source, target in zip(*sides, strict=True) if source and target]
    pairs = pairs[: arguments.sentences]
    pages = [pairs[at : at + arguments.page] for at in range(0, len(pairs), arguments.page)]
    own = dict(Translator.load(arguments.model).weights)
    results: dict[str, Any] = {"alone": measured(Translator.load(arguments.model), pages, "alone")}
    for weight in arguments.weights:
        translator = Translator.load(arguments.model, weights={**own, "Consistency": weight})
        results[str(weight)] = {kind: measured(translator, pages, kind) for kind in ("machine", "confirmed")}
    report(results)


if __name__ == "__main__":
    main()
