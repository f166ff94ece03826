"""Texts as lines for the translator, and its results as texts again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dragoman.translation import SentenceTranslation, Translation


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A text of any number of lines; sentences with the place of each in the source and in the translation."""

    source: str
    text: str
    alternatives: list[str] = field(default_factory=list)
    sentences: list[tuple[int, int, SentenceTranslation]] = field(default_factory=list)


def lines_of(text: str) -> tuple[list[str], list[str]]:
    """Lines without their ends, and the ends, which stay as they are."""
    lines, ends = [], []
    for line in text.split("\n"):
        body = line.rstrip("\r")
        lines.append(body)
        ends.append(line[len(body) :] + "\n")
    ends[-1] = ends[-1][:-1]
    return lines, ends


def joined(text: str, translations: Sequence[Translation], most: int) -> TranslatedText:
    """The translations of a text's lines as one; alternatives differ from the best in one line, best first."""
    lines, ends = lines_of(text)
    best = [translation.text for translation in translations]
    best_text = "".join(part for pair in zip(best, ends, strict=True) for part in pair)
    choices = sorted(
        (translation.score - other.score, number, rank)
        for number, translation in enumerate(translations)
        for rank, other in enumerate(translation.alternatives[1:], start=1)
    )
    alternatives = []
    for _, number, rank in choices[:most]:
        other = [*best[:number], translations[number].alternatives[rank].text, *best[number + 1 :]]
        alternatives.append("".join(part for pair in zip(other, ends, strict=True) for part in pair))
    sentences = []
    source_at = target_at = 0
    for line, end, translation in zip(lines, ends, translations, strict=True):
        sentences += [
            (source_at + sentence.source_span[0], target_at + sentence.target_span[0], sentence)
            for sentence in translation.sentences
        ]
        source_at += len(line) + len(end)
        target_at += len(translation.text) + len(end)
    return TranslatedText(text, best_text, alternatives, sentences)
