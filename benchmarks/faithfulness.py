"""What a translation must carry over: quotation marks, brackets and numbers, counted for each thousand sentences.

    python -m benchmarks.faithfulness SOURCE --from fr --to en [--reference FILE]
        [--model NAME=DIR[:hierarchical|:phrase-based]] [--output NAME=FILE] [--show N] [--threads N]

Counts are of any number of models and of any number of finished translations (a rival's, say), and of the reference, as
a measure of what translators do. Prints JSON:

- quotations: sentences whose marks pair in the source, and of these how many have other pairs or a mark too many, be
  they “…”, „…“, «…», ‘…’ or straight;
- marks made up: quotation marks in the output of a sentence that has none;
- brackets: sentences whose brackets pair, and how many have others;
- numbers: how many there are, and how many are lost, changed, doubled or made up. Signs between groups and before
  decimals may change, two to twelve may be words, and the numbers of 15h30 and 15:30 are 15 and 30; whatever else
  differs counts, also what a translator would call right (XXI becomes 21st, 3 p.m. is 15).
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.measure import report
from dragoman import Translator
from dragoman.evaluate import evaluate_texts
from dragoman.model.options import decode_options

QUOTES = '"“”„«»'
SPACES = " \u00a0\u2009\u202f"
# Digits inside a name are its own; those of 15h30 are two numbers.
BEGIN = r"(?:(?<![A-Za-z\d])|(?<=\dh))"
NUMBER = re.compile(rf"{BEGIN}\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?!\d)(?:[.,]\d+)?|{BEGIN}\d+(?:[.,’']\d+)*")
GROUP = re.compile(rf"[{SPACES}.,’'](?=\d{{3}}(?!\d))")
WORDS = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "cs": "dva|dvě|dvou|dvěma tři|tří|třech čtyři|čtyř pět|pěti šest|šesti sedm|sedmi osm|osmi devět|devíti "
    "deset|deseti jedenáct|jedenácti dvanáct|dvanácti",
}


def spoken_numbers(language: str) -> dict[str, str]:
    """Numbers by their words."""
    rows = enumerate(WORDS.get(language, "").split(), start=2)
    return {form: str(value) for value, forms in rows for form in forms.split("|")}


def numbers_of(text: str) -> Counter[str]:
    """The numbers of a text, without signs between groups and with a point before decimals."""
    found: Counter[str] = Counter()
    for written in NUMBER.findall(text):
        plain = GROUP.sub("", written)
        found[re.sub("[,’']", ".", plain).lstrip("0") or "0"] += 1
    return found


def words_of(text: str, language: str) -> Counter[str]:
    spoken = spoken_numbers(language)
    return Counter(spoken[word] for word in re.findall(r"\w+", text.lower()) if word in spoken)


def number_faults(source: str, output: str, languages: tuple[str, str]) -> Counter[str]:
    wanted, found = numbers_of(source), numbers_of(output)
    missing, extra = wanted - found, found - wanted
    missing -= words_of(output, languages[1])
    extra -= words_of(source, languages[0])
    doubled = Counter({number: count for number, count in extra.items() if number in wanted})
    made_up = (extra - doubled).total()
    # One that is missing and one that is there instead are one that was changed.
    changed = min(missing.total(), made_up)
    return Counter(
        numbers=wanted.total(),
        numbers_lost=missing.total() - changed,
        numbers_changed=changed,
        numbers_doubled=doubled.total(),
        numbers_made_up=made_up - changed,
    )


def quotations_of(text: str) -> int | None:
    """How many pairs of quotation marks there are, or None where they do not pair. An apostrophe closes only what ‘ has
    opened, and not inside a word."""
    signs = [c for c in text if c in QUOTES]
    straight = signs.count('"')
    opening = sum(signs.count(c) for c in "„«") + (signs.count("“") if "„" not in signs else 0)
    closing = sum(signs.count(c) for c in "”»") + (signs.count("“") if "„" in signs else 0)
    empty = straight and not all(part.strip() for part in text.split('"')[1::2])
    single, ends = text.count("‘"), len(re.findall(r"’(?!\w)", text))
    if straight % 2 or opening != closing or empty or single > ends:
        return None
    return straight // 2 + opening + single


def brackets_of(text: str) -> int | None:
    depth = pairs = 0
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        pairs += c == "("
        if depth < 0:
            return None
    return None if depth else pairs


def faults_of(source: str, output: str, languages: tuple[str, str]) -> Counter[str]:
    counts = number_faults(source, output, languages)
    for name, of in (("quotations", quotations_of), ("brackets", brackets_of)):
        if wanted := of(source):
            counts[name] += 1
            counts[f"{name}_wrong"] += of(output) != wanted
    if not set(source) & set(QUOTES):
        counts["marks_made_up"] += bool(set(output) & set(QUOTES))
    return counts


def summary(
    sources: list[str], outputs: list[str], references: list[str], languages: tuple[str, str]
) -> dict[str, Any]:
    faults: Counter[str] = Counter()
    for source, output in zip(sources, outputs, strict=True):
        faults.update(faults_of(source, output, languages))
    of = {"quotations", "brackets", "numbers"}
    made: dict[str, Any] = {name: count for name, count in sorted(faults.items()) if name in of}
    made |= {
        name: {"count": count, "per_thousand_sentences": round(1000 * count / len(sources), 2)}
        for name, count in sorted(faults.items())
        if name not in of
    }
    if references:
        made["bleu"] = round(evaluate_texts(outputs, references).score("BLEU"), 2)
    return made


def translated(model: str, sources: list[str], threads: int) -> list[str]:
    path, _, decoder = model.partition(":")
    options = decode_options(Path(path), {"decoder": decoder} if decoder else {})
    return [str(result) for result in Translator.load(path).translate(sources, options, threads=threads)]


def read_lines(path: str | Path) -> list[str]:
    return Path(path).read_text(encoding="utf-8").split("\n")[:-1]


def named(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (each.partition("=") for each in values)]


def show(sources: list[str], outputs: list[str], languages: tuple[str, str], most: int) -> list[dict[str, Any]]:
    """Sentences with faults, to be looked at."""
    found = []
    for source, output in zip(sources, outputs, strict=True):
        faults = faults_of(source, output, languages)
        kinds = [name for name, count in faults.items() if count and name not in ("quotations", "brackets", "numbers")]
        if kinds:
            found.append({"faults": kinds, "source": source, "output": output})
    return found[:most]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--from", dest="source_lang", required=True)
    parser.add_argument("--to", dest="target_lang", required=True)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--output", action="append", default=[])
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--threads", type=int, default=0)
    arguments = parser.parse_args()
    sources = read_lines(arguments.source)
    references = read_lines(arguments.reference) if arguments.reference else []
    languages = (arguments.source_lang, arguments.target_lang)
    outputs = {name: translated(model, sources, arguments.threads) for name, model in named(arguments.model)}
    outputs |= {name: read_lines(path) for name, path in named(arguments.output)}
    if references:
        outputs["reference"] = references
    made: dict[str, Any] = {"sentences": len(sources)}
    for name, lines in outputs.items():
        made[name] = summary(sources, lines, references, languages)
        if arguments.show:
            made[name]["shown"] = show(sources, lines, languages, arguments.show)
    report(made)


if __name__ == "__main__":
    main()
