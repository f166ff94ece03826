"""Brute-force rule extraction: the definitions, spelled out with loops over everything.

A bitext is a list of (source words, target words, links). The rule set of a pair is found by trying every source span
with every choice of gaps; matches of a pattern by trying every choice of positions. Nothing here is shared with the
core: it is slow, obvious and the judge.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Pair = tuple[list[str], list[str], set[tuple[int, int]]]
Span = tuple[int, int]
GAP = "<gap>"

MASK = (1 << 64) - 1


@dataclass(frozen=True)
class Limits:
    max_rule_span: int = 15
    max_rule_symbols: int = 5
    max_nonterminals: int = 2
    min_gap_size: int = 1
    max_samples: int = 300
    tight: bool = True
    loose_phrases: bool = False
    long_phrases: bool = False
    lone_words: bool = False
    seed: int = 1


def mix(x: int) -> int:
    """The finaliser of splitmix64."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def sample_order(seed: int, sentence: int) -> int:
    return mix(mix(seed) ^ sentence)


# --- Spans of one sentence pair -------------------------------------------------------------------------------------


def target_spans(pair: Pair, begin: int, end: int, widest: int, tight: bool) -> list[Span]:
    """Target spans that make a phrase pair with source span [begin, end); tight ones have one at most."""
    _source, target, links = pair
    inside = [j for i, j in links if begin <= i < end]
    if not inside:
        return []
    if tight and not (any(i == begin for i, _ in links) and any(i == end - 1 for i, _ in links)):
        return []
    low, high = min(inside), max(inside) + 1
    if any(low <= j < high and not begin <= i < end for i, j in links):
        return []
    linked = {j for _, j in links}
    found = []
    for first in range(low, -1, -1):
        if first < low and first in linked:
            break
        for last in range(high, len(target) + 1):
            if last > high and last - 1 in linked:
                break
            if last - first <= widest:
                found.append((first, last))
            if tight:
                break
        if tight:
            break
    return found


def source_symbols(words: Sequence[str], span: Span, gaps: Sequence[Span]) -> tuple[str, ...]:
    symbols: list[str] = []
    at = span[0]
    for gap in [*gaps, (span[1], span[1])]:
        symbols += words[at : gap[0]]
        if gap[0] < gap[1]:
            symbols.append(GAP)
        at = gap[1]
    return tuple(symbols)


def is_spanning(span: Span, gaps: Sequence[Span], limits: Limits) -> bool:
    """Gaps lie in order inside the span, apart from each other, and leave a word."""
    at = span[0]
    for number, (begin, end) in enumerate(gaps):
        if end - begin < limits.min_gap_size or begin < at or (number > 0 and begin == at):
            return False
        at = end
    words = span[1] - span[0] - sum(end - begin for begin, end in gaps)
    if at > span[1] or words < 1:
        return False
    symbols = words + len(gaps)
    if not gaps and limits.long_phrases:
        return True
    return span[1] - span[0] <= limits.max_rule_span and symbols <= limits.max_rule_symbols


def gap_choices(span: Span, limits: Limits) -> Iterator[tuple[Span, ...]]:
    """Every way to cut up to max_nonterminals gaps out of a span."""
    cuts = [
        (a, b)
        for a in range(span[0], span[1])
        for b in range(a + limits.min_gap_size, span[1] + 1)
        if span[1] - span[0] <= limits.max_rule_span
    ]
    for number in range(limits.max_nonterminals + 1):
        for gaps in itertools.combinations(cuts, number):
            if is_spanning(span, gaps, limits):
                yield gaps


Yield = tuple[tuple[str, ...], tuple[tuple[int, int], ...]]


def yields(pair: Pair, span: Span, gaps: Sequence[Span], limits: Limits) -> set[Yield]:
    """Target sides, with links, that a source span with these gaps gives."""
    _source, target, links = pair
    length = span[1] - span[0]
    widest = max(limits.max_rule_span, 2 * length) if limits.long_phrases else limits.max_rule_span
    words = [i for i in range(*span) if not any(a <= i < b for a, b in gaps)]
    if not any(i in words for i, _ in links):
        return set()
    tight = limits.tight and not (limits.loose_phrases and not gaps)
    wholes = target_spans(pair, *span, widest, tight)
    parts = [target_spans(pair, *gap, limits.max_rule_span, limits.tight) for gap in gaps]
    symbol_of: dict[int, int] = {}
    at = 0
    for i in range(*span):
        if i in words:
            symbol_of[i] = at
            at += 1
        elif any(a == i for a, _ in gaps):
            at += 1
    found = set()
    for whole in wholes:
        for choice in itertools.product(*parts):
            if any(a < whole[0] or b > whole[1] for a, b in choice):
                continue
            if len(choice) == 2 and choice[0][0] < choice[1][1] and choice[1][0] < choice[0][1]:
                continue
            side: list[str] = []
            place: dict[int, int] = {}
            j = whole[0]
            while j < whole[1]:
                inside = [k for k, (a, b) in enumerate(choice) if a <= j < b]
                if inside:
                    side.append(f"[X,{inside[0] + 1}]")
                    j = choice[inside[0]][1]
                else:
                    place[j] = len(side)
                    side.append(target[j])
                    j += 1
            rule_links = sorted((symbol_of[i], place[j]) for i, j in links if i in symbol_of)
            found.add((tuple(side), tuple(rule_links)))
    return found


# --- Matches and samples --------------------------------------------------------------------------------------------


def phrases_of(pattern: Sequence[str]) -> list[list[str]]:
    """The contiguous pieces of a pattern that begins and ends with a word."""
    return [list(group) for is_gap, group in itertools.groupby(pattern, lambda s: s == GAP) if not is_gap]


def match_positions(words: Sequence[str], phrases: Sequence[Sequence[str]], limits: Limits) -> list[tuple[int, ...]]:
    """Where the phrases of a pattern begin, for every match in a sentence."""
    places = [
        [i for i in range(len(words) - len(phrase) + 1) if list(words[i : i + len(phrase)]) == list(phrase)]
        for phrase in phrases
    ]
    found = []
    for begins in itertools.product(*places):
        ends = [b + len(phrase) for b, phrase in zip(begins, phrases, strict=True)]
        if any(later - end < limits.min_gap_size for end, later in zip(ends, begins[1:], strict=False)):
            continue
        if len(phrases) > 1 and ends[-1] - begins[0] > limits.max_rule_span:
            continue
        found.append(begins)
    return sorted(found)


@dataclass
class Bitext:
    pairs: list[Pair]
    left_out: int | None = None
    matches: dict[tuple[str, ...], list[tuple[int, int, tuple[int, ...]]]] = field(default_factory=dict)

    def all_matches(self, pattern: tuple[str, ...], limits: Limits) -> list[tuple[int, int, tuple[int, ...]]]:
        """(order of the sentence, sentence, positions), in sampling order."""
        if pattern not in self.matches:
            phrases = phrases_of(pattern)
            self.matches[pattern] = sorted(
                (sample_order(limits.seed, number), number, begins)
                for number, pair in enumerate(self.pairs)
                if number != self.left_out
                for begins in match_positions(pair[0], phrases, limits)
            )
        return self.matches[pattern]

    def sample(self, pattern: tuple[str, ...], limits: Limits) -> list[tuple[int, int, tuple[int, ...]]]:
        return self.all_matches(pattern, limits)[: limits.max_samples]

    def bounded_sample(self, pattern: tuple[str, ...], limits: Limits) -> list[tuple[int, int, tuple[int, ...]]]:
        """Matches that extend a sampled match of the prefix, which is sampled in the same way."""
        if GAP not in pattern:
            return self.sample(pattern, limits)
        prefix = pattern[:-1]
        while prefix[-1] == GAP:
            prefix = prefix[:-1]
        before = {(number, begins) for _, number, begins in self.bounded_sample(prefix, limits)}
        phrases = len(phrases_of(prefix))
        return [m for m in self.all_matches(pattern, limits) if (m[1], m[2][:phrases]) in before][: limits.max_samples]


# --- The grammar of an input sentence -------------------------------------------------------------------------------


@dataclass
class Counts:
    samples: int
    mass: int
    count: int
    links: tuple[tuple[int, int], ...]


def input_patterns(words: Sequence[str], limits: Limits) -> set[tuple[str, ...]]:
    found = set()
    for begin in range(len(words)):
        for end in range(begin + 1, len(words) + 1):
            for gaps in gap_choices((begin, end), limits):
                found.add(source_symbols(words, (begin, end), gaps))
    return found


def edge_spans(
    words: Sequence[str], begins: tuple[int, ...], phrases: list[list[str]], left: bool, right: bool, limits: Limits
) -> Iterator[tuple[Span, list[Span]]]:
    """Every span with gaps that a match of the core pattern can be part of, for the pattern's edge gaps."""
    ends = [b + len(p) for b, p in zip(begins, phrases, strict=True)]
    inner = list(zip(ends, begins[1:], strict=False))
    lefts = range(begins[0] - limits.min_gap_size, -1, -1) if left else [begins[0]]
    rights = range(ends[-1] + limits.min_gap_size, len(words) + 1) if right else [ends[-1]]
    for begin in lefts:
        for end in rights:
            gaps = [(begin, begins[0])] * left + inner + [(ends[-1], end)] * right
            if is_spanning((begin, end), gaps, limits):
                yield (begin, end), gaps


def lone_target(pair: Pair, at: int) -> tuple[str, ...]:
    """The longest stretch of target words that a source word is linked to, the first of several."""
    _, target, links = pair
    linked = {j for i, j in links if i == at}
    stretches = [
        target[begin:end]
        for begin in range(len(target))
        for end in range(begin, len(target) + 1)
        if linked.issuperset(range(begin, end))
    ]
    return tuple(max(stretches, key=len, default=()))


def grammar(
    bitext: Bitext, words: Sequence[str], limits: Limits, bounded: bool = False
) -> dict[tuple[tuple[str, ...], tuple[str, ...]], Counts]:
    """All rules for an input sentence: (source symbols, target symbols) -> counts and links."""
    found = {}
    for pattern in input_patterns(words, limits):
        left, right = pattern[0] == GAP, pattern[-1] == GAP
        core = pattern[left : len(pattern) - right]
        sample = bitext.bounded_sample(core, limits) if bounded else bitext.sample(core, limits)
        counts: dict[tuple[str, ...], Counter[tuple[tuple[int, int], ...]]] = defaultdict(Counter)
        mass = 0
        for _, number, begins in sample:
            pair = bitext.pairs[number]
            here: dict[tuple[str, ...], tuple[tuple[int, int], ...]] = {}
            for span, gaps in edge_spans(pair[0], begins, phrases_of(core), left, right, limits):
                for target, links in yields(pair, span, gaps, limits):
                    here[target] = min(here.get(target, links), links)
            mass += bool(here)
            for target, links in here.items():
                counts[target][links] += 1
        if limits.lone_words and len(pattern) == 1 and not counts:
            for _, number, (at,) in sample:
                widest = max(limits.max_rule_span, 2) if limits.long_phrases else limits.max_rule_span
                target = lone_target(bitext.pairs[number], at)
                if 0 < len(target) <= widest:
                    counts[target][tuple((0, j) for j in range(len(target)))] += 1
                    mass += 1
        for target, alignments in counts.items():
            links = min(alignments, key=lambda a: (-alignments[a], a))
            found[pattern, target] = Counts(len(sample), mass, alignments.total(), links)
    return found


# --- Features -------------------------------------------------------------------------------------------------------


class Lexicon:
    """Link counts of word pairs; None is NULL, which words without links are linked to."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.pairs: Counter[tuple[str | None, str | None]] = Counter()
        for source, target, links in pairs:
            for i, j in links:
                self.pairs[source[i], target[j]] += 1
            for i, word in enumerate(source):
                if not any(a == i for a, _ in links):
                    self.pairs[word, None] += 1
            for j, word in enumerate(target):
                if not any(b == j for _, b in links):
                    self.pairs[None, word] += 1
        self.sources: Counter[str | None] = Counter()
        self.targets: Counter[str | None] = Counter()
        for (s, t), count in self.pairs.items():
            self.sources[s] += count
            self.targets[t] += count

    def target_given_source(self, target: str | None, source: str | None) -> float:
        return self.pairs[source, target] / self.sources[source] if self.sources[source] else 0.0

    def source_given_target(self, source: str | None, target: str | None) -> float:
        return self.pairs[source, target] / self.targets[target] if self.targets[target] else 0.0


def cost(probability: float) -> float:
    return -math.log10(probability) if probability > 0 else 99.0


def features(lexicon: Lexicon, source: Sequence[str], target: Sequence[str], counts: Counts) -> dict[str, float]:
    source_words = [s for s in source if s != GAP]
    target_words = [t for t in target if t not in ("[X,1]", "[X,2]")]
    return {
        "EgivenFCoherent": -math.log10(counts.count / counts.samples),
        "SampleCountF": math.log10(1 + counts.samples),
        "CountEF": math.log10(1 + counts.count),
        "MaxLexFgivenE": sum(
            cost(max(lexicon.source_given_target(s, t) for t in [*target_words, None])) for s in source_words
        ),
        "MaxLexEgivenF": sum(
            cost(max(lexicon.target_given_source(t, s) for s in [*source_words, None])) for t in target_words
        ),
        "IsSingletonF": float(counts.mass == 1),
        "IsSingletonFE": float(counts.count == 1),
    }
