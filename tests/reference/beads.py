"""Sentence pairs of two documents by a full dynamic program: what core/align/bead_search.h finds in its band.

Every score is the logarithm of how much more probable something is in a bead than by chance; a sentence without a
partner scores its kind alone.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

KINDS = {(1, 1): 0.85, (1, 0): 0.02, (0, 1): 0.02, (2, 1): 0.045, (1, 2): 0.045, (2, 2): 0.01}
KINDS |= {(3, 1): 0.005, (1, 3): 0.005}
BELIEVED, CORRELATION = 50, 0.5
EXPLAINED = 0.6

Bead = tuple[int, int, int, int]
# p(target | source) and p(source | target); `known` are the words of either side that it has seen.
Lexicon = Callable[[str, str], tuple[float, float]]


@dataclass
class Document:
    sentences: list[list[str]]
    characters: list[int]
    paragraphs: list[int]

    def length(self, first: int, count: int) -> float:
        return max(1, sum(self.characters[first : first + count]))

    def __post_init__(self) -> None:
        self.counts = Counter(token for sentence in self.sentences for token in sentence)

    def share(self, word: str) -> float:
        return (self.counts[word] + 1) / (self.counts.total() + len(self.counts) + 2 + 2000)


class Scores:
    def __init__(
        self,
        source: Document,
        target: Document,
        lexicon: Lexicon | None,
        known: tuple[set[str], set[str]],
        earlier: Sequence[Bead] = (),
        ratio: float = 0,
    ) -> None:
        self.source, self.target, self.lexicon = source, target, lexicon
        self.known: dict[tuple[int, int, int, int], float] = {}
        self.partners = self.make_partners()
        self.expected = self.make_expected(known)
        kinds = Counter((b - a, d - c) for a, b, c, d in earlier)
        total = BELIEVED + len(earlier)
        self.shares = {kind: (BELIEVED * prior + kinds[kind]) / total for kind, prior in KINDS.items()}
        whole = [bead for bead in earlier if bead[0] < bead[1] and bead[2] < bead[3]]
        ours = sum(sum(source.characters[a:b]) for a, b, _, _ in whole)
        theirs = sum(sum(target.characters[c:d]) for _, _, c, d in whole)
        if not ours or not theirs:
            ours, theirs = sum(source.characters), sum(target.characters)
        self.ratio = math.log(ratio or max(theirs, 1) / max(ours, 1))
        self.set_paragraphs(whole)

    def make_partners(self) -> dict[tuple[str, str], tuple[float, float]]:
        found = {}
        for s in {word for sentence in self.source.sentences for word in sentence}:
            for t in {word for sentence in self.target.sentences for word in sentence}:
                shares = self.target.share(t), self.source.share(s)
                both = [
                    p if p >= max(0.01, 2 * share) else 0.0
                    for p, share in zip(self.lexicon(s, t) if self.lexicon else (0.0, 0.0), shares, strict=True)
                ]
                if s == t and max(shares) <= 1 / 500:
                    both = [max(0.5, p) for p in both]
                if any(both):
                    found[s, t] = both[0], both[1]
        return found

    def make_expected(self, known: tuple[set[str], set[str]]) -> list[set[str]]:
        """Words of either side with a probable partner, whether or not that is in the other document."""
        expected = [{s for s, t in self.partners if s == t}, {t for s, t in self.partners if s == t}]
        for s in known[0] if self.lexicon else ():
            for t in known[1]:
                forward, backward = self.lexicon(s, t)  # type: ignore[misc]
                if s in self.source.counts and backward >= max(0.1, 2 * self.source.share(s)):
                    expected[0].add(s)
                if t in self.target.counts and forward >= max(0.1, 2 * self.target.share(t)):
                    expected[1].add(t)
        return expected

    def set_paragraphs(self, whole: Sequence[Bead]) -> None:
        self.together = {(a, b): 0.0 for a in (False, True) for b in (False, True)}
        self.inside = [{False: 0.0, True: 0.0} for _ in range(2)]
        p, q = (len(set(side.paragraphs)) / max(1, len(side.sentences)) for side in (self.source, self.target))
        deviation = math.sqrt(p * (1 - p) * q * (1 - q))
        if not deviation:
            return
        covariance = BELIEVED * CORRELATION * deviation
        for a, _, c, _ in whole:
            covariance += ((a in self.source.paragraphs) - p) * ((c in self.target.paragraphs) - q)
        covariance = max(0.0, covariance / (BELIEVED + len(whole)))
        for a, b in self.together:
            alone = (p if a else 1 - p) * (q if b else 1 - q)
            self.together[a, b] = math.log(max(alone + (covariance if a == b else -covariance), 1e-4 * alone) / alone)
        correlation = min(covariance / deviation, 1 - 1e-4)
        for table, share in zip(self.inside, (p, q), strict=True):
            table[False] = math.log((1 - share * (1 - correlation)) / (1 - share))
            table[True] = math.log(1 - correlation)

    def score(self, i: int, j: int, g: int, h: int) -> float:
        if (i, j, g, h) not in self.known:
            share = math.log(self.shares[g, h])
            parts = (self.lengths, self.openings, self.words) if g and h else ()
            self.known[i, j, g, h] = share + sum(part(i, j, g, h) for part in parts)
        return self.known[i, j, g, h]

    def lengths(self, i: int, j: int, g: int, h: int) -> float:
        def density(x: float, mean: float, variance: float) -> float:
            return -((x - mean) ** 2) / (2 * variance) - math.log(variance) / 2

        logs = [math.log(self.target.length(k, h)) for k in range(len(self.target.sentences) - h + 1)]
        mean = sum(logs) / len(logs)
        variance = max(0.0, sum(x * x for x in logs) / len(logs) - mean * mean) + 6.8 * math.exp(-mean)
        ours = self.source.length(i, g)
        return density(logs[j], math.log(ours) + self.ratio, 6.8 / ours + 0.01) - density(logs[j], mean, variance)

    def openings(self, i: int, j: int, g: int, h: int) -> float:
        sides = ((self.source, i, g, self.inside[0]), (self.target, j, h, self.inside[1]))
        inner = sum(table[k in side.paragraphs] for side, at, n, table in sides for k in range(at + 1, at + n))
        return inner + self.together[i in self.source.paragraphs, j in self.target.paragraphs]

    def words(self, i: int, j: int, g: int, h: int) -> float:
        ours = Counter(word for sentence in self.source.sentences[i : i + g] for word in sentence)
        theirs = Counter(word for sentence in self.target.sentences[j : j + h] for word in sentence)
        total = 0.0
        for t, count in theirs.items():
            given = sum(n * self.partners.get((s, t), (0, 0))[0] for s, n in ours.items()) / max(1, ours.total())
            total += count * self.gain(given, self.target.share(t), t in self.expected[1])
        for s, count in ours.items():
            given = sum(n * self.partners.get((s, t), (0, 0))[1] for t, n in theirs.items()) / max(1, theirs.total())
            total += count * self.gain(given, self.source.share(s), s in self.expected[0])
        return total / 2

    @staticmethod
    def gain(given: float, share: float, expected: bool) -> float:
        return (math.log(1 - EXPLAINED) if expected else 0) + math.log1p(EXPLAINED / (1 - EXPLAINED) * given / share)

    def total(self, beads: Sequence[Bead]) -> float:
        return sum(self.score(a, c, b - a, d - c) for a, b, c, d in beads)

    def best(self) -> float:
        """The highest score of any beads that cover both documents."""
        return self.search(max)

    def search(self, join: Callable[[list[float]], float], through: Bead | None = None) -> float:
        """The ways over all cells joined, or those alone that have the bead `through`."""
        n, m = len(self.source.sentences), len(self.target.sentences)
        # By cell, and by whether the bead lies before it.
        table = {(0, 0, False): 0.0}
        for i, j in itertools.product(range(n + 1), range(m + 1)):
            ways: dict[bool, list[float]] = {False: [], True: []}
            for g, h in KINDS:
                is_bead = (i - g, i, j - h, j) == through
                for had in (False, True):
                    if (i - g, j - h, had) in table:
                        ways[had or is_bead].append(table[i - g, j - h, had] + self.score(i - g, j - h, g, h))
            for had, scores in ways.items():
                if scores:
                    table[i, j, had] = join(scores)
        return table[n, m, through is not None]
