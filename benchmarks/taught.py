"""How well a language model foretells a domain that it is taught: perplexity, for several ways to mix.

    python -m benchmarks.taught LM [--sentences 1000] [--share 0.2,0.4,0.6] [--spread 100,10,10,5 ...]

LM is the lm.bin of a model of debates. Everyday sentences (tatoeba.fr-en) are counted as the index counts those of
added pairs, and others of the same kind scored, which the figures in docs/results/learning.md were not made with; then
debates, which should lose little. The arithmetic is that of tests/reference/taught_model.py. Beside it the rivals: LM
by itself, and a model built anew from the text of LM and the added sentences. Prints JSON.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.help_pages import words_of
from benchmarks.live import everyday_pairs, short_pairs, tokens
from benchmarks.measure import corpus_lines, report
from dragoman import _core
from tests.reference import taught_model
from tests.reference.taught_model import TaughtModel

STEPS = (10, 100, 1000, 10_000)
# The first of the test part are those that translations are compared with.
FIRST_SENTENCE = 2500

Scored = list[tuple[list[str], list[float]]]


def scored(model: _core.LanguageModel, text: bytes) -> Scored:
    """Sentences, and what the model says of each word and the end."""
    _, found = model.score_text(text, per_token=True)
    sentences: Scored = []
    at = 0
    for line in text.decode().splitlines():
        words = line.split()
        sentences.append((words, [log10_prob for log10_prob, _, _ in found[at : at + len(words) + 1]]))
        at += len(words) + 1
    return sentences


def perplexity(sentences: Scored, taught: TaughtModel | None) -> float:
    total, count = 0.0, 0
    for words, own in sentences:
        total += taught.log10_score(words, own) if taught else sum(own)
        count += len(own)
    return round(10 ** (-total / count), 1)


def anew(texts: Sequence[bytes], heldout: bytes) -> float:
    text = _core.LmText()
    for each in texts:
        text.add(each)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "lm.bin")
        _core.lm_estimate(text, 5, [1], [0.5, 1.0, 1.5]).write(path)
        return perplexity(scored(_core.LanguageModel(path), heldout), None)


def numbers(text: str) -> tuple[float, ...]:
    return tuple(float(each) for each in text.split(","))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lm")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--share", type=numbers, default=(taught_model.SHARE,))
    parser.add_argument("--spread", type=numbers, nargs="+", default=[taught_model.SPREAD])
    parser.add_argument("--train", type=int, default=100_000, help="sentences of debates that LM was built from")
    arguments = parser.parse_args()
    added = everyday_pairs(STEPS[-1])
    seen = {words_of(source) for source, _ in added}
    test = short_pairs("tatoeba.fr-en/test")[FIRST_SENTENCE : FIRST_SENTENCE + arguments.sentences]
    everyday = tokens("en", [target for source, target in test if words_of(source) not in seen])
    debates = tokens("en", corpus_lines("europarl.fr-en/dev.en", arguments.sentences // 2))
    taught_lines = [line.split() for line in tokens("en", [target for _, target in added]).decode().splitlines()]
    model = _core.LanguageModel(arguments.lm)
    sets = {"everyday": scored(model, everyday), "debates": scored(model, debates)}
    results: dict[str, object] = {
        "own": {name: perplexity(sentences, None) for name, sentences in sets.items()},
        "anew, everyday": {},
        "mixed": [],
    }
    trained = tokens("en", corpus_lines("europarl.fr-en/train.en", arguments.train))
    rivals = {}
    for count in STEPS:
        more = "".join(" ".join(line) + "\n" for line in taught_lines[:count]).encode()
        rivals[count] = anew([trained, more], everyday)
    results["anew, everyday"] = rivals
    rows = []
    for spread in arguments.spread:
        for share in arguments.share:
            taught_model.SPREAD, taught_model.SHARE = spread, share
            row: dict[str, object] = {"spread": spread, "share": share}
            for count in STEPS:
                taught = TaughtModel(taught_lines[:count])
                row[str(count)] = {name: perplexity(sentences, taught) for name, sentences in sets.items()}
            rows.append(row)
    results["mixed"] = rows
    report(results)


if __name__ == "__main__":
    main()
