"""The commonest form of each word by the plainest counting: no headings, quotation marks or colons in the text."""

from __future__ import annotations

from collections import Counter, defaultdict


def commonest_forms(lines: list[str]) -> dict[str, str]:
    """Words seen away from sentence starts whose commonest form is the only commonest."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for line in lines:
        start = True
        for token in line.split():
            if token in {".", "!", "?"}:
                start = True
                continue
            if not start:
                counts[token.lower()][token] += 1
            start = False
    forms: dict[str, str] = {}
    for word, seen in counts.items():
        ranked = seen.most_common(2)
        if len(ranked) == 1 or ranked[0][1] > ranked[1][1]:
            forms[word] = ranked[0][0]
    return forms
