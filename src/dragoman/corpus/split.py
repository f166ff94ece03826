"""Train, dev and test by content, not by place: whoever splits the same text, in any order, gets the same sets.

Pairs with the same key (source texts alike, or the same file or page) stay together. Groups are taken in the order of
their 64-bit hash, first for test, then for dev; a group that would overshoot the size asked for is left to training,
so sizes are met exactly wherever groups of one pair are at hand. Time O(n log n), 8 bytes and a flag per pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman import _core
from dragoman.config import SplitOptions
from dragoman.corpus.pair import Origin
from dragoman.errors import ConfigError

SPLITS = ("train", "dev", "test")
TRAIN, DEV, TEST = range(3)
KEY_LIMIT = 1 << 64
AUTO_PAIRS = 2000
AUTO_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Sizes:
    dev: int
    test: int


def wanted_sizes(options: SplitOptions, pairs: int) -> Sizes:
    """Numbers of pairs out of what the options say; raises ConfigError where nothing would be left to train on."""
    sizes = Sizes(size_of(options.dev, pairs), size_of(options.test, pairs))
    if pairs and sizes.dev + sizes.test >= pairs:
        raise ConfigError(
            f"--dev {options.dev} and --test {options.test} ask for {sizes.dev + sizes.test:,} pairs and leave none of"
            f" {pairs:,} to train on; ask for fewer, or for 0",
            "dev",
        )
    return sizes


def size_of(text: str, pairs: int) -> int:
    """`2000`, `1%`, `0.5%` or `auto`."""
    if text == "auto":
        return min(AUTO_PAIRS, int(pairs * AUTO_SHARE))
    return round(pairs * float(text[:-1]) / 100) if text.endswith("%") else int(text)


def assign(keys: Sequence[int], sizes: Sizes) -> bytearray:
    """A split number per pair. Only the smallest hashes matter, so only those are sorted, as many as prove enough."""
    bound = int(4 * (sizes.dev + sizes.test + 256) / max(len(keys), 1) * KEY_LIMIT)
    while True:
        members = Counter(key for key in keys if key < bound)
        chosen, filled = choose_groups(members, sizes, everything=bound >= KEY_LIMIT)
        if filled or bound >= KEY_LIMIT:
            return bytearray(chosen.get(key, TRAIN) for key in keys)
        bound *= 8


def choose_groups(members: Mapping[int, int], sizes: Sizes, everything: bool) -> tuple[dict[int, int], bool]:
    """The split of each group that is held out, and whether both sizes were met exactly."""
    order = sorted(members)
    chosen: dict[int, int] = {}
    filled = True
    for split, wanted in ((TEST, sizes.test), (DEV, sizes.dev)):
        room = wanted
        for key in order:
            if room == 0:
                break
            if key not in chosen and members[key] <= room:
                chosen[key] = split
                room -= members[key]
        if room == wanted > 0 and everything:
            # No group is small enough. Take the smallest, so that something is held out and something left.
            free = [key for key in order if key not in chosen]
            if len(free) > 1:
                chosen[min(free, key=lambda key: (members[key], key))] = split
        filled = filled and room == 0
    return chosen, filled


class GroupKeys:
    """Hashes of the file or attribute that pairs are kept together by; pairs that lack the attribute go by file."""

    def __init__(self, options: SplitOptions) -> None:
        self._by = options.split_by
        self._seed = options.split_seed % (1 << 64)
        self._known: dict[str, int] = {}
        self.lacking = 0

    def key(self, origin: Origin) -> int:
        group = origin.file if self._by == "file" else origin.attributes.get(self._by)
        if group is None:
            self.lacking += 1
            group = origin.file
        key = self._known.get(group)
        if key is None:
            key = self._known[group] = _core.hash_bytes(group.encode("utf-8", "surrogatepass"), self._seed)
        return key
