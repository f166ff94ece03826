"""N-grams of ARPA text as other programs write it: one tab after the probability, one before the back-off."""

from __future__ import annotations


def arpa_entries(text: str) -> dict[tuple[str, ...], tuple[float, float]]:
    """N-grams of ARPA text with log10 probability and back-off."""
    entries = {}
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) > 1:
            entries[tuple(fields[1].split(" "))] = (float(fields[0]), float(fields[2]) if len(fields) > 2 else 0.0)
    return entries
