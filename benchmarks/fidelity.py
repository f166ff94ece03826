"""What a translation lost or put in, counted from text alone, so that any system can be asked: names, months,
negations, placeholders and tags lost, words from nowhere, and a word translated in several ways within a document.

What only the source asks for would be wrong half of the time: a good translation may say "nobody came" for "ne … pas",
or call a town otherwise. So names, months and negations count where the reference has kept them, and only then. Words
from nowhere and several translations need links; they are those of one alignment model for all systems, which is ours.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from dragoman._core import Tokenizer
from dragoman.align.aligner import AlignmentModel

PLACEHOLDER = re.compile(r"%(?:\d+\$)?[sdif]|%\d|\{\w*\}|\$\[?\w+\]?|\$\{\w+\}")
TAG = re.compile(r"</?[A-Za-z][^<>]*>")
WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
NEGATION = {
    "en": r"\b(?:not|no|never|nothing|nobody|none|nor|neither|cannot|without)\b|n['’]t\b",
    "fr": r"\b(?:ne|pas|jamais|rien|aucune?s?|personne|ni|sans)\b|\bn['’]",
    "de": r"\b(?:nicht|kein\w*|nie|niemals|nichts|niemand\w*|weder|ohne)\b",
    "cs": r"\b(?:ne|není|nikdy|nic|nikdo|žádn\w+|bez|ani)\b"
    r"|\bne(?!bo\b|boť\b|j|ž\b|zi|chal|chá|chť|děl|bez|dávn|mluvň|rv|přít|hod|mocn)\w{3,}",
}
MONTHS = {
    "en": "january february march april may june july august september october november december",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "cs": "led(?:en|na|nu) únor\\w* březn\\w*|březen dubn\\w*|duben květn\\w*|květen červ(?:en|na|nu)"
    " červen(?:ec|ce|ci) srpn\\w*|srpen září říjn\\w*|říjen listopad\\w* prosin\\w+",
}
# These words are other words more often than months.
AMBIGUOUS = {"en": {2, 4}, "fr": {2}, "de": {4}, "cs": set()}
BEFORE_A_BEGINNING = re.compile(r"(?:^|[.!?:…]['\"”»)]?\s*[-–—]?\s*)['\"“„«(]?$")
COMMON = 100
BEGINNING = 5


def negated(text: str, language: str) -> bool:
    return re.search(NEGATION[language], text.lower()) is not None


def months_of(text: str, language: str) -> Counter[int]:
    """Month names; those that are other words too count beside a number alone."""
    months: Counter[int] = Counter()
    for number, form in enumerate(MONTHS[language].split()):
        plain = rf"\b(?:{form})\b"
        beside_a_number = rf"\d\.?\s+(?:{form})\b|{plain}\s+\d"
        pattern = beside_a_number if number in AMBIGUOUS[language] else plain
        months[number] += len(re.findall(pattern, text.lower()))
    return +months


def names_of(text: str) -> Counter[str]:
    """Words with a capital that do not begin a sentence, where most words have none."""
    words = list(WORD.finditer(text))
    if sum(word.group()[0].isupper() for word in words) > len(words) / 2:
        return Counter()
    inside = (word for word in words if not BEFORE_A_BEGINNING.search(text[: word.start()]))
    return Counter(word.group() for word in inside if word.group()[0].isupper() and len(word.group()) > 2)


def losses(source: str, output: str, reference: str, languages: tuple[str, str]) -> Counter[str]:
    """What of each kind there was to keep, and how much of it is lost."""
    counts: Counter[str] = Counter()
    kept = names_of(source) & Counter(WORD.findall(reference))
    counts["names"] = kept.total()
    counts["names_lost"] = (kept - Counter(WORD.findall(output))).total()
    months = months_of(source, languages[0]) & months_of(reference, languages[1])
    counts["months"] = months.total()
    counts["months_lost"] = (months - months_of(output, languages[1])).total()
    if negated(source, languages[0]) and negated(reference, languages[1]):
        counts["negations"] = 1
        counts["negations_lost"] = not negated(output, languages[1])
    for name, pattern in (("placeholders", PLACEHOLDER), ("tags", TAG)):
        wanted = Counter(pattern.findall(source))
        counts[name] = wanted.total()
        counts[f"{name}_lost"] = (wanted - Counter(pattern.findall(output))).total()
    return counts


class Linked:
    """Source sentences and what a system gave, with the links between their words."""

    def __init__(
        self, model: AlignmentModel, sources: Sequence[str], outputs: Sequence[str], languages: tuple[str, str]
    ) -> None:
        sides = (
            [line.lower() for line in Tokenizer(language).tokenize(list(lines), model=True)]
            for language, lines in zip(languages, (sources, outputs), strict=True)
        )
        self.sources, self.outputs = sides
        self.links = model.align(self.sources, self.outputs)
        # The commonest words come everywhere and mean little.
        self.common = tuple(
            {word for word, _ in Counter(word for line in lines for word in line.split()).most_common(COMMON)}
            for lines in (self.sources, self.outputs)
        )

    def from_nowhere(self) -> int:
        """Output words of letters that are linked to nothing, none of the commonest, and stand in no source line."""
        known = {word for line in self.sources for word in line.split()}
        total = 0
        for output, links in zip(self.outputs, self.links, strict=True):
            linked = {target for _, target in links}
            words = enumerate(output.split())
            total += sum(
                word.isalpha() and at not in linked and word not in self.common[1] and word not in known
                for at, word in words
            )
        return total

    def several(self, page: int) -> tuple[int, int]:
        """Source words that come again within so many lines, and how many of those became several things, counted by
        the beginnings of what they are linked to."""
        again = several = 0
        for begin in range(0, len(self.sources), page):
            became: dict[str, list[str]] = defaultdict(list)
            for at in range(begin, min(begin + page, len(self.sources))):
                ours, theirs = self.sources[at].split(), self.outputs[at].split()
                for place, word in enumerate(ours):
                    linked = [theirs[j] for i, j in self.links[at] if i == place and theirs[j] not in self.common[1]]
                    if word.isalpha() and word not in self.common[0] and linked:
                        became[word].append(" ".join(other[:BEGINNING] for other in linked))
            again += sum(len(forms) > 1 for forms in became.values())
            several += sum(len(forms) > 1 and len(set(forms)) > 1 for forms in became.values())
        return again, several
