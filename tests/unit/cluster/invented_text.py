"""Sentence pairs of two languages that nobody speaks, as many as are wanted."""

from __future__ import annotations

import random
from pathlib import Path


def write_pairs(folder: Path, count: int, seed: int = 1, words: int = 18) -> tuple[Path, Path]:
    """Words of either language stand for each other, in an order that now and then is another."""
    chance = random.Random(seed)
    lexicon = [
        (f"{'bcdfglmnprst'[n % 12]}{'aeiou'[n % 5]}{n}", f"{'vwzkh'[n % 5]}{'aeiou'[n % 3]}{n}") for n in range(400)
    ]
    paths = folder / "train.fr", folder / "train.en"
    with paths[0].open("w") as source, paths[1].open("w") as target:
        for _ in range(count):
            chosen = [lexicon[min(399, int(chance.expovariate(0.02)))] for _ in range(chance.randint(4, 2 * words))]
            theirs = [word for _, word in chosen]
            if chance.random() < 0.3:
                at = chance.randrange(len(theirs) - 1)
                theirs[at : at + 2] = reversed(theirs[at : at + 2])
            source.write(" ".join(word for word, _ in chosen).capitalize() + " .\n")
            target.write(" ".join(theirs).capitalize() + " .\n")
    return paths
