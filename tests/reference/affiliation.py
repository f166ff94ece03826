"""Which source word stands behind each target word, word by word as thesis section 4.9 says it."""

from __future__ import annotations

from collections.abc import Sequence


def affiliate(links: Sequence[tuple[int, int]], source_length: int, target_length: int) -> list[int]:
    """One source position per target word; a pair without any links has them spread evenly over the source."""
    linked = {target: sorted({source for source, other in links if other == target}) for _, target in links}
    middle = {target: sources[(len(sources) - 1) // 2] for target, sources in linked.items()}
    if not middle:
        return [place * source_length // target_length for place in range(target_length)]
    # The nearest, the right one of two.
    return [middle[min(middle, key=lambda at: (abs(at - place), -at))] for place in range(target_length)]
