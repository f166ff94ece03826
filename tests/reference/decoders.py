"""Exhaustive decoders: every derivation of a tiny grammar, its features, its score. Exponential, obvious, slow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

WORD = -0.43429448190325176  # log10 e, what a word costs
ORIENTATIONS = ("Monotone", "Swap", "Discontinuous")


@dataclass(frozen=True)
class Rule:
    """Sides are words, with integers 0 and 1 for the gaps."""

    source: tuple[str | int, ...]
    target: tuple[str | int, ...]
    features: tuple[tuple[str, float], ...] = ()

    def line(self) -> str:
        def side(symbols: Sequence[str | int]) -> str:
            return " ".join(f"[X,{s + 1}]" if isinstance(s, int) else s for s in symbols)

        values = " ".join(f"{name}={value}" for name, value in self.features)
        return f"[X] ||| {side(self.source)} ||| {side(self.target)} ||| {values}"


@dataclass
class Backoff:
    """A back-off model read from ARPA text, looked up from the longest context down."""

    probs: dict[tuple[str, ...], float] = field(default_factory=dict)
    backoffs: dict[tuple[str, ...], float] = field(default_factory=dict)
    order: int = 0

    @classmethod
    def read(cls, text: str) -> Backoff:
        model = cls()
        for line in text.splitlines():
            if line.startswith("\\") and line.endswith("-grams:"):
                model.order = int(line[1 : line.index("-")])
            elif model.order and "\t" in line:
                parts = line.split("\t")
                ngram = tuple(parts[1].split(" "))
                model.probs[ngram] = float(parts[0])
                if len(parts) > 2:
                    model.backoffs[ngram] = float(parts[2])
        return model

    def known(self, word: str) -> bool:
        return (word,) in self.probs and word not in ("<s>", "</s>", "<unk>")

    def word(self, context: tuple[str, ...], word: str) -> float:
        context = context[-(self.order - 1) :] if self.order > 1 else ()
        if (*context, word) in self.probs:
            return self.probs[(*context, word)]
        if not context:
            return self.probs[("<unk>",)]
        return self.backoffs.get(context, 0.0) + self.word(context[1:], word)

    def sentence(self, words: Sequence[str]) -> float:
        context: tuple[str, ...] = ("<s>",)
        total = 0.0
        for word in words:
            name = word if self.known(word) else "<unk>"
            total += self.word(context, name)
            context = (*context, name)
        return total + self.word(context, "</s>")


@dataclass(frozen=True)
class Derived:
    words: tuple[str, ...]
    features: dict[str, float]
    score: float


def finish(words: tuple[str, ...], features: Counter[str], weights: dict[str, float], lm: Backoff | None) -> Derived:
    values = dict(features)
    if lm:
        values["LanguageModel"] = lm.sentence(words)
        values["LanguageModel_OOV"] = sum(not lm.known(word) for word in words)
    values = {name: value for name, value in values.items() if value != 0}
    return Derived(words, values, sum(weights.get(name, 0.0) * value for name, value in values.items()))


def with_pass_through(rules: Sequence[Rule], sentence: Sequence[str]) -> list[Rule]:
    """Words that no rule of one word translates pass through."""
    known = {rule.source[0] for rule in rules if len(rule.source) == 1}
    extra = [Rule((word,), (word,), (("PassThrough", 1.0),)) for word in dict.fromkeys(sentence) if word not in known]
    return [*rules, *extra]


def own_features(rule: Rule) -> Counter[str]:
    features = Counter(dict(rule.features))
    features["WordPenalty"] += WORD * sum(isinstance(s, str) for s in rule.target)
    features["SourceWordPenalty"] += WORD * sum(isinstance(s, str) for s in rule.source)
    features["RuleCount"] += 1
    return features


def plus(left: Counter[str], right: Counter[str]) -> Counter[str]:
    total = Counter(left)
    total.update(right)
    return total


def hierarchical(
    rules: Sequence[Rule], sentence: Sequence[str], weights: dict[str, float], lm: Backoff | None, max_span: int = 0
) -> list[Derived]:
    """Every derivation with glue, best first."""
    rules = with_pass_through(rules, sentence)
    size = len(sentence)
    limit = max_span or size
    memory: dict[tuple[int, int], list[tuple[tuple[str, ...], Counter[str]]]] = {}

    def matches(symbols: Sequence[str | int], begin: int, end: int) -> Iterator[list[tuple[int, int]]]:
        """Spans of the gaps for every way the symbols cover [begin, end)."""
        if not symbols:
            if begin == end:
                yield []
            return
        if isinstance(symbols[0], str):
            if begin < end and sentence[begin] == symbols[0]:
                yield from matches(symbols[1:], begin + 1, end)
            return
        for middle in range(begin + 1, end + 1):
            for rest in matches(symbols[1:], middle, end):
                yield [(begin, middle), *rest]

    def spans(begin: int, end: int) -> list[tuple[tuple[str, ...], Counter[str]]]:
        if (begin, end) in memory:
            return memory[begin, end]
        found = []
        for rule in rules:
            contiguous = not any(isinstance(s, int) for s in rule.source)
            if end - begin > limit and not contiguous:
                continue
            for gaps in matches(rule.source, begin, end):
                choices: list[list[tuple[tuple[str, ...], Counter[str]]]] = [[]]
                for span in gaps:
                    choices = [[*choice, option] for choice in choices for option in spans(*span)]
                for choice in choices:
                    words: list[str] = []
                    features = own_features(rule)
                    for symbol in rule.target:
                        words.extend([symbol] if isinstance(symbol, str) else choice[symbol][0])
                    for option in choice:
                        features = plus(features, option[1])
                    found.append((tuple(words), features))
        memory[begin, end] = found
        return found

    chains: list[list[tuple[tuple[str, ...], Counter[str]]]] = [[((), Counter())]]
    for end in range(1, size + 1):
        made = []
        for begin in range(end):
            for words, features in spans(begin, end):
                for before, before_features in chains[begin]:
                    glue = Counter({"Glue": 1.0 if begin else 0.0})
                    made.append((before + words, plus(plus(before_features, features), glue)))
        chains.append(made)
    results = [finish(words, features, weights, lm) for words, features in chains[size]]
    return sorted(results, key=lambda each: -each.score)


def phrase_based(
    rules: Sequence[Rule],
    sentence: Sequence[str],
    weights: dict[str, float],
    lm: Backoff | None,
    distortion_limit: int = 6,
) -> list[Derived]:
    """Every sequence of phrases the distortion limit allows, best first."""
    rules = [r for r in with_pass_through(rules, sentence) if not any(isinstance(s, int) for s in r.source)]
    size = len(sentence)
    results: list[Derived] = []

    def orient(before: tuple[int, int], now: tuple[int, int]) -> str:
        if now[0] == before[1]:
            return "Monotone"
        return "Swap" if now[1] == before[0] else "Discontinuous"

    def extend(
        covered: frozenset[int], last: tuple[int, int], last_rule: Rule | None, words: tuple[str, ...], f: Counter[str]
    ) -> None:
        def order(now: tuple[int, int], rule: Rule | None) -> Counter[str]:
            which = orient(last, now)
            fired: Counter[str] = Counter()
            for each, side in ((last_rule, "After"), (rule, "Before")):
                if each:
                    fired[which + side] += dict(each.features).get(which + side, 0.0)
            return fired

        if len(covered) == size:
            results.append(finish(words, plus(f, order((size, size), None)), weights, lm))
            return
        first = min(set(range(size)) - covered)
        for begin in range(first, size):
            if abs(begin - last[1]) > distortion_limit:
                continue
            for rule in rules:
                end = begin + len(rule.source)
                if tuple(sentence[begin:end]) != rule.source or covered & set(range(begin, end)):
                    continue
                if begin > first and end - first > distortion_limit:
                    continue
                own = own_features(rule)
                for name in [n for n in own if n.endswith(("Before", "After"))]:
                    del own[name]
                own["Distortion"] -= abs(begin - last[1])
                features = plus(plus(f, own), order((begin, end), rule))
                target = tuple(str(s) for s in rule.target)
                extend(covered | set(range(begin, end)), (begin, end), rule, words + target, features)

    extend(frozenset(), (0, 0), None, (), Counter())
    return sorted(results, key=lambda each: -each.score)
