"""Text as people and programs type it: what other spaces, missing accents, quotation marks and numbers cost.

    python -m benchmarks.as_typed MODEL SOURCE REFERENCE [--threads N]

Translates SOURCE as it is, with a space between all tokens, and without accents. Prints JSON: BLEU of each; spacing
errors for each thousand places where two neighbours stand in output and reference alike; and of the source as it is,
sentences with one quotation that do not have one in the output, sentences that got a quotation mark from nowhere, and
numbers that are lost or made up (numbers may change their separators, nothing else; some become words rightly).
"""

from __future__ import annotations

import argparse
import difflib
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import sacrebleu

from benchmarks.measure import report
from dragoman import Translator
from dragoman._core import Tokenizer, testing

QUOTES = '"“”„«»'
NUMBER = re.compile(r"\d+(?:[.,:\u00a0\u202f]\d+)*")
BARE = str.maketrans("", "", "￭▁")


def tokens_apart(lines: list[str], language: str) -> list[str]:
    return [line.translate(BARE) for line in Tokenizer(language).tokenize(lines)]


def without_accents(lines: list[str]) -> list[str]:
    return ["".join(c for c in unicodedata.normalize("NFD", line) if not unicodedata.combining(c)) for line in lines]


def spacing_errors(outputs: list[str], references: list[str], language: str) -> dict[str, float]:
    tokenizer = Tokenizer(language)
    places = errors = 0
    for output, reference in zip(outputs, references, strict=True):
        spans = [testing.token_spans(tokenizer, text) for text in (output, reference)]
        words = [
            [text[begin:end].lower() for begin, end in each]
            for text, each in zip((output, reference), spans, strict=True)
        ]
        for i, j, size in difflib.SequenceMatcher(None, words[0], words[1], autojunk=False).get_matching_blocks():
            for at in range(1, size):
                apart = [
                    each[begin + at][0] > each[begin + at - 1][1] for each, begin in zip(spans, (i, j), strict=True)
                ]
                places += 1
                errors += apart[0] != apart[1]
    return {"places": places, "errors": errors, "per_thousand": round(1000 * errors / max(1, places), 2)}


def is_one_quotation(text: str) -> bool:
    marks = "".join(c for c in text if c in QUOTES)
    return marks in ('""', "“”", "„“", "„”", "«»", "»«") and not re.search(r'"\s*"', text)


def faults(sources: list[str], outputs: list[str]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for source, output in zip(sources, outputs, strict=True):
        if is_one_quotation(source):
            counts["quotations"] += 1
            counts["quotations_wrong"] += not is_one_quotation(output)
        if not set(source) & set(QUOTES):
            counts["quotation_marks_made_up"] += bool(set(output) & set(QUOTES))
        wanted, found = (Counter(re.sub(r"\D", "", number) for number in NUMBER.findall(t)) for t in (source, output))
        counts["numbers"] += wanted.total()
        counts["numbers_lost"] += (wanted - found).total()
        counts["numbers_made_up"] += (found - wanted).total()
    return dict(counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("--threads", type=int, default=0)
    arguments = parser.parse_args()
    sources = arguments.source.read_text(encoding="utf-8").splitlines()
    references = arguments.reference.read_text(encoding="utf-8").splitlines()
    translator = Translator.load(arguments.model)
    manifest = translator.model.manifest
    ways = {
        "as it is": sources,
        "tokens apart": tokens_apart(sources, manifest.source_lang),
        "without accents": without_accents(sources),
    }
    made: dict[str, Any] = {}
    for way, lines in ways.items():
        outputs = [str(result) for result in translator.translate(lines, threads=arguments.threads)]
        score = sacrebleu.corpus_bleu(outputs, [references], lowercase=True, force=True).score
        made[way] = {
            "bleu": round(score, 2),
            "spacing": spacing_errors(outputs, references, manifest.target_lang),
            **(faults(sources, outputs) if way == "as it is" else {}),
        }
    report(made)


if __name__ == "__main__":
    main()
