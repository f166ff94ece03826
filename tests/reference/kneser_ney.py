"""Interpolated modified Kneser-Ney as the definition says it (Chen & Goodman 1999), with counts in dictionaries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

Ngram = tuple[str, ...]
FALLBACK = (0.5, 1.0, 1.5)


def estimate(
    sentences: Sequence[Sequence[str]], order: int, min_counts: Sequence[int] = (1,)
) -> dict[Ngram, tuple[float, float]]:
    """Probability and back-off weight (not logarithms) of every n-gram that stays."""
    raw: Counter[Ngram] = Counter()
    for sentence in sentences:
        marked = ("<s>", *sentence, "</s>")
        for end in range(1, len(marked) + 1):
            for begin in range(max(0, end - order), end):
                raw[marked[begin:end]] += 1
    left = defaultdict(set)
    for ngram in raw:
        left[ngram[1:]].add(ngram[0])
    adjusted = {n: raw[n] if len(n) == order or n[0] == "<s>" else len(left[n]) for n in raw if n != ("<s>",)}

    def stays(ngram: Ngram) -> bool:
        return len(ngram) == 1 or raw[ngram] >= min_counts[min(len(ngram), len(min_counts)) - 1]

    discount = {}
    for length in range(1, order + 1):
        t = Counter(count for ngram, count in adjusted.items() if len(ngram) == length)
        amounts = list(FALLBACK)
        if t[1] and t[2] and t[3]:
            y = t[1] / (t[1] + 2 * t[2])
            estimated = [i - (i + 1) * y * t[i + 1] / t[i] for i in (1, 2, 3)]
            if all(0 < amount <= i for i, amount in enumerate(estimated, 1)):
                amounts = estimated
        discount[length] = [0.0, *amounts]

    words = {ngram[0] for ngram in adjusted if len(ngram) == 1} | {"<unk>"}
    continuations = defaultdict(list)
    for ngram in adjusted:
        continuations[ngram[:-1]].append(ngram)
    total = {h: sum(adjusted[n] for n in ngrams) for h, ngrams in continuations.items()}

    def taken(ngram: Ngram) -> float:
        return discount[len(ngram)][min(adjusted[ngram], 3)] if stays(ngram) else adjusted[ngram]

    gamma = {h: sum(map(taken, ngrams)) / total[h] for h, ngrams in continuations.items()}
    model = {("<s>",): (1.0, gamma.get(("<s>",), 1.0))}
    for ngram in sorted({*adjusted, ("<unk>",)}, key=len):
        context = ngram[:-1]
        lower = model[ngram[1:]][0] if context and stays(ngram) else 1 / len(words)
        if stays(ngram):
            count = adjusted.get(ngram, 0)
            own = (count - discount[len(ngram)][min(count, 3)]) / total[context]
            model[ngram] = (own + gamma[context] * lower, gamma.get(ngram, 1.0))
    return model
