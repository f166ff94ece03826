"""Restoring case: held-out text is lowercased and written again; the share of words and sentences that come back.

`shape` gives the restorer a source of nothing but shape (every letter of the reference itself replaced by x or X), so
only the sentence-initial and all-capital information reaches it; `other side` gives it the real sentence of the other
language. No links are given. Beside it, on the same tokens: sacremoses' truecaser trained on the same lines and run on
the lowercased text, then its detruecaser; and a capital at the first letter alone. `headings learned from`
learns without leaving headings out.

    python -m benchmarks.casing [--lines N]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from sacremoses import MosesDetruecaser, MosesTruecaser

from benchmarks.measure import corpus_lines, report, run_function
from dragoman._core import Tokenizer, testing

Restore = Callable[[list[str], list[str]], list[str]]

# name: language, training files, held-out file, the other language's file
SETS = {
    "europarl.en": ("en", ["europarl.fr-en/train.en"], "europarl.fr-en/test.en", "europarl.fr-en/test.fr"),
    "europarl.fr": ("fr", ["europarl.fr-en/train.fr"], "europarl.fr-en/test.fr", "europarl.fr-en/test.en"),
    "europarl.de": ("de", ["europarl.en-de/train.de"], "europarl.en-de/test.de", "europarl.en-de/test.en"),
    "multi30k.en": ("en", ["multi30k/train.en"], "multi30k/test.en", "multi30k/test.de"),
    "multi30k.fr": ("fr", ["multi30k/train.fr"], "multi30k/test.fr", "multi30k/test.en"),
    "multi30k.de": ("de", ["multi30k/train.de"], "multi30k/test.de", "multi30k/test.en"),
    "multi30k.cs": ("cs", ["multi30k/train.cs"], "multi30k/test.cs", "multi30k/test.en"),
    "libreoffice.en": (
        "en",
        ["libreoffice-help.en-cs/train.en"],
        "libreoffice-help.en-cs/test.en",
        "libreoffice-help.en-cs/test.cs",
    ),
    "libreoffice.cs": (
        "cs",
        ["libreoffice-help.en-cs/train.cs"],
        "libreoffice-help.en-cs/test.cs",
        "libreoffice-help.en-cs/test.en",
    ),
    "newstest.en": (
        "en",
        ["europarl.fr-en/train.en"],
        "newstest/en-cs/newstest2012.en",
        "newstest/en-cs/newstest2012.cs",
    ),
    "newstest.fr": (
        "fr",
        ["europarl.fr-en/train.fr"],
        "newstest/fr-en/newstest2012.fr",
        "newstest/fr-en/newstest2012.en",
    ),
    "newstest.de": (
        "de",
        ["europarl.en-de/train.de"],
        "newstest/en-de/newstest2012.de",
        "newstest/en-de/newstest2012.en",
    ),
    "newstest.cs": (
        "cs",
        ["libreoffice-help.en-cs/train.cs", "wesnoth.en-cs/train.cs", "tatoeba.en-cs/train.cs", "multi30k/train.cs"],
        "newstest/en-cs/newstest2012.cs",
        "newstest/en-cs/newstest2012.en",
    ),
}


def tokenized(lines: list[str], language: str) -> list[str]:
    """Without joiner marks, which sacremoses would take for letters."""
    marks = str.maketrans("", "", "￭▁")
    return [line.translate(marks) for line in Tokenizer(language).tokenize(lines)]


def shape_only(line: str) -> str:
    """Every capital X, every other letter x: a source whose words are never the target's."""
    return "".join("X" if c.isupper() else "x" if c.isalpha() else c for c in line)


def score(restored: list[str], reference: list[str]) -> dict[str, float]:
    words = right = whole = 0
    for got, want in zip(restored, reference, strict=True):
        pairs = [(g, w) for g, w in zip(got.split(), want.split(), strict=True) if w.lower() != w.upper()]
        good = sum(g == w for g, w in pairs)
        words += len(pairs)
        right += good
        whole += good == len(pairs)
    return {"words": round(100 * right / words, 2), "sentences": round(100 * whole / len(reference), 2)}


def with_casing(learned: testing.Casing) -> Restore:
    return lambda lowered, source: learned.restore(lowered, [[] for _ in lowered], source)


def moses(train: list[str], lowered: list[str]) -> list[str]:
    truecaser = MosesTruecaser(is_asr=False)
    truecaser.train([line.split() for line in train], processes=1)
    detruecaser = MosesDetruecaser()
    return [" ".join(detruecaser.detruecase(" ".join(truecaser.truecase(line)))) for line in lowered]


def learn_and_restore(train: list[str], language: str, lowered: list[str], shape: list[str]) -> list[str]:
    return with_casing(testing.Casing.learn("\n".join(train).encode(), language, threads=1))(lowered, shape)


def measure(language: str, train: list[str], reference: list[str], other: list[str]) -> dict[str, object]:
    text = "\n".join(train).encode()
    lowered = testing.lowercase(reference)
    # The apostrophe is no matter of case.
    straight = [line.replace("’", "'") for line in reference]
    shape = [shape_only(line) for line in straight]
    begin = time.process_time()
    learned = testing.Casing.learn(text, language, threads=1)
    seconds = time.process_time() - begin
    headings = testing.Casing.learn(text, language, skip_headings=False, threads=1)

    def result(lines: list[str]) -> dict[str, float]:
        return score([line.replace("’", "'") for line in lines], straight)

    _, our_cost = run_function(learn_and_restore, train, language, lowered, shape)
    rival, rival_cost = run_function(moses, train, lowered)
    return {
        "training_lines": len(train),
        "learning_cpu_seconds_per_mb": round(seconds / (len(text) / 1e6), 4),
        "dragoman, shape": result(with_casing(learned)(lowered, shape)) | our_cost.as_json(),
        "dragoman, other side": result(with_casing(learned)(lowered, other)),
        "dragoman, headings learned from": result(with_casing(headings)(lowered, shape)),
        "sacremoses": result(rival) | rival_cost.as_json(),
        "first letter": result([line[:1].upper() + line[1:] for line in lowered]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=40000, help="training lines of each file")
    parser.add_argument("--only", help="names that contain this")
    arguments = parser.parse_args()
    results: dict[str, object] = {}
    for name, (language, files, test, other) in SETS.items():
        if arguments.only and arguments.only not in name:
            continue
        train = tokenized([line for file in files for line in corpus_lines(file, arguments.lines)], language)
        held_out = tokenized(corpus_lines(test), language)
        other_side = tokenized(corpus_lines(other), other.rsplit(".", 1)[1])
        pairs = [(a, b) for a, b in zip(held_out, other_side, strict=True) if a and b]
        results[name] = measure(language, train, [a for a, _ in pairs], [b for _, b in pairs])
    report(results)


if __name__ == "__main__":
    main()
