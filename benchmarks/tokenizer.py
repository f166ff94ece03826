"""The tokenizer beside sacremoses: exact round trips, speed, vocabulary and out-of-vocabulary rate.

    python -m benchmarks.tokenizer [--lines N] [--rival-lines N] [--vocabulary-lines N]

Round trips and speed are measured on every shared corpus file; sacremoses, which is slow, sees an evenly spaced sample
of the same lines, and both are compared on that sample where they are compared. `without_marks` is the share of lines
that detokenize to the original when all marks are taken off, which is how text comes out of a decoder that produces
none. White space is compared as runs. Types and OOV rates are of lower-cased newstest text, marks included, against
the vocabulary of training text of the same language; `ratio` is ours over sacremoses' and should be at most 1.05.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Any

from benchmarks.measure import SHARED, corpus_lines, report, run_function
from dragoman._core import Tokenizer

MARKS = "￭▁"

TRAINING = {
    "fr": ["europarl.fr-en/train.fr"],
    "en": ["europarl.fr-en/train.en"],
    "de": ["europarl.en-de/train.de"],
    "cs": [f"{name}.en-cs/train.cs" for name in ("tatoeba", "wesnoth", "gnome-app-help", "libreoffice-help")],
}
NEWS = {"fr": "fr-en", "en": "fr-en", "de": "en-de", "cs": "en-cs"}


def corpus_files() -> list[str]:
    root = SHARED / "corpora"
    return sorted(str(path.relative_to(root))[:-3] for path in root.rglob("*.xz"))


def squeezed(line: str) -> str:
    return " ".join(line.split())


def without_marks(token_line: str) -> str:
    return " ".join(token.strip(MARKS) for token in token_line.split(" "))


def sampled(lines: list[str], count: int) -> list[str]:
    step = max(1, len(lines) // count)
    return lines[::step][:count]


def percent(part: int, whole: int) -> float:
    return round(100 * part / max(1, whole), 3)


def measure_ours(lines: list[str], language: str) -> dict[str, Any]:
    """Everything about our tokenizer on these lines, on one core."""
    tokenizer = Tokenizer(language)
    text = "".join(f"{line}\n" for line in lines).encode()
    begin = time.process_time()
    tokens = tokenizer.tokenize(text)
    tokenize_seconds = time.process_time() - begin
    begin = time.process_time()
    back = tokenizer.detokenize(tokens)
    detokenize_seconds = time.process_time() - begin
    token_lines = tokens.decode().split("\n")[:-1]
    restored = back.decode().split("\n")[:-1]
    wanted = [squeezed(line) for line in lines]
    bare = tokenizer.detokenize([without_marks(line) for line in token_lines])
    types = Counter(token for line in token_lines for token in line.split(" ") if token)
    marked = {token: count for token, count in types.items() if token[0] in MARKS or token[-1] in MARKS}
    count = sum(types.values())
    return {
        "lines": len(lines),
        "tokens": count,
        "round_trip_percent": percent(sum(map(str.__eq__, wanted, restored)), len(lines)),
        "without_marks_percent": percent(sum(map(str.__eq__, wanted, bare)), len(lines)),
        "tokenize_million_tokens_per_second": round(count / tokenize_seconds / 1e6, 2),
        "detokenize_million_tokens_per_second": round(count / detokenize_seconds / 1e6, 2),
        "marked_tokens_percent": percent(sum(marked.values()), count),
        "marked_types_percent": percent(len(marked), len(types)),
        "commonest_marked": dict(Counter(marked).most_common(12)),
    }


def measure_rival(lines: list[str], language: str) -> dict[str, Any]:
    """sacremoses and ours on the same sample of lines."""
    from sacremoses import MosesDetokenizer, MosesTokenizer

    tokenizer, detokenizer = MosesTokenizer(language), MosesDetokenizer(language)
    begin = time.process_time()
    rival = [tokenizer.tokenize(line, escape=False) for line in lines]
    seconds = time.process_time() - begin
    rival_back = [detokenizer.detokenize(tokens, unescape=False) for tokens in rival]
    ours = Tokenizer(language)
    ours_back = ours.detokenize([without_marks(line) for line in ours.tokenize(lines)])
    wanted = [squeezed(line) for line in lines]
    count = sum(map(len, rival))
    return {
        "lines": len(lines),
        "sacremoses_million_tokens_per_second": round(count / seconds / 1e6, 4),
        "sacremoses_round_trip_percent": percent(sum(map(str.__eq__, wanted, rival_back)), len(lines)),
        "ours_without_marks_percent": percent(sum(map(str.__eq__, wanted, ours_back)), len(lines)),
    }


def vocabulary(language: str, lines: int) -> dict[str, Any]:
    """Types and out-of-vocabulary rate on newstest2012 and newstest2013 against training text."""
    from sacremoses import MosesTokenizer

    moses, ours = MosesTokenizer(language), Tokenizer(language)

    def split_rival(text: list[str]) -> list[list[str]]:
        return [moses.tokenize(line.lower(), escape=False) for line in text]

    def split_ours(text: list[str]) -> list[list[str]]:
        return [line.split() for line in ours.tokenize(text, model=True)]

    train = [
        line for name in TRAINING[language] for line in sampled(corpus_lines(name), lines // len(TRAINING[language]))
    ]
    test = [
        line for year in (2012, 2013) for line in corpus_lines(f"newstest/{NEWS[language]}/newstest{year}.{language}")
    ]
    results: dict[str, Any] = {"training_lines": len(train), "test_lines": len(test)}
    for name, split in (("ours", split_ours), ("sacremoses", split_rival)):
        known = {token for line in split(train) for token in line}
        seen = Counter(token for line in split(test) for token in line)
        unknown = sum(count for token, count in seen.items() if token not in known)
        results[name] = {
            "training_types": len(known),
            "test_tokens": sum(seen.values()),
            "test_types": len(seen),
            "oov_tokens": unknown,
            "oov_percent": round(100 * unknown / sum(seen.values()), 3),
        }
    for key in ("training_types", "test_types", "oov_tokens", "oov_percent"):
        results[f"{key}_ratio"] = round(results["ours"][key] / results["sacremoses"][key], 3)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--lines", type=int, default=None, help="lines of each file (default: all)")
    parser.add_argument("--rival-lines", type=int, default=1000, help="lines of each file for sacremoses")
    parser.add_argument("--vocabulary-lines", type=int, default=40000, help="training lines for the vocabulary")
    arguments = parser.parse_args()
    files: dict[str, Any] = {}
    for name in corpus_files():
        language = name.rsplit(".", 1)[1]
        lines = corpus_lines(name, arguments.lines)
        ours, cost = run_function(measure_ours, lines, language)
        rival = measure_rival(sampled(lines, arguments.rival_lines), language)
        files[name] = {"ours": ours, "sample": rival, "peak_mb": round(cost.peak_mb)}
    words = {language: vocabulary(language, arguments.vocabulary_lines) for language in TRAINING}
    report({"files": files, "vocabulary": words})


if __name__ == "__main__":
    main()
