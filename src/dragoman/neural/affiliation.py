"""Which source word stands behind each target word: the centre of a source-conditioned model's window.

Thesis section 4.9: the one linked source word; of several the middle one, of an even number the left of the two in the
middle; an unlinked target word takes the affiliation of the nearest linked one, the right one of two equally near.
Linear in the words and links of a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence


def affiliate(links: Sequence[tuple[int, int]], source_length: int, target_length: int) -> list[int]:
    """One source position per target word; `links` are (source, target) positions from 0.

    A sentence without any links leaves the thesis' rules nothing to go by: its words are spread evenly over the source.
    """
    linked: list[list[int]] = [[] for _ in range(target_length)]
    for source, target in links:
        linked[target].append(source)
    centres = [middle(sources) for sources in linked]
    if source_length == 0 or all(centre is None for centre in centres):
        return [position * source_length // max(1, target_length) for position in range(target_length)]
    return spread(centres)


def middle(sources: list[int]) -> int | None:
    """The middle of the distinct positions, the left one of two; None of none."""
    distinct = sorted(set(sources))
    return distinct[(len(distinct) - 1) // 2] if distinct else None


def spread(centres: Sequence[int | None]) -> list[int]:
    """Fills the gaps from the nearest value, the right one on ties. There is at least one value."""
    count = len(centres)
    left_at = [-1] * count  # the nearest filled place at or left of each place
    right_at = [count] * count
    for place in range(count):
        left_at[place] = place if centres[place] is not None else (left_at[place - 1] if place else -1)
    for place in reversed(range(count)):
        right_at[place] = place if centres[place] is not None else (right_at[place + 1] if place + 1 < count else count)
    filled = []
    for place in range(count):
        left, right = left_at[place], right_at[place]
        nearest = right if left < 0 or (right < count and right - place <= place - left) else left
        value = centres[nearest]
        assert value is not None
        filled.append(value)
    return filled
