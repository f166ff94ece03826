"""Extrapolating counts that grow more slowly than the text: types, and n-grams of each length.

On a doubly logarithmic scale such a count is nearly a line whose slope falls a little with every doubling. Three sizes
of a sample (a quarter, a half, the whole) give the slope and how it falls; the fall is carried on, damped, because a
sample's own last doublings exaggerate it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

DAMPING = 0.5
LEAST_SLOPE = 0.3


def extrapolate(counts: Sequence[int], factor: float) -> float:
    """What becomes of a count, given at a quarter, a half and the whole of a sample, in a text `factor` times as
    long."""
    quarter, half, whole = (max(1, count) for count in counts)
    if factor <= 1:
        return float(whole * factor ** math.log2(max(whole / half, 1.0)))
    slope = math.log2(whole / half)
    fall = max(0.0, math.log2(half / quarter) - slope) * DAMPING
    doublings = math.log2(factor)
    log2_count = math.log2(whole)
    while doublings > 0:
        step = min(1.0, doublings)
        slope = max(min(slope, LEAST_SLOPE), slope - fall * step)
        log2_count += slope * step
        doublings -= step
    return float(2.0**log2_count)
