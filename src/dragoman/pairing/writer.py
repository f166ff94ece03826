"""Pairs as a file: TMX, the exchange format of translation memories, or tab-separated columns.

Both say how probable each pair is and where it comes from, and `dragoman train` reads both, with that as provenance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dragoman.corpus.pair import SentencePair
from dragoman.errors import ConfigError
from dragoman.exchange import ExchangePair, written
from dragoman.files import writing

# What would end a line or a column.
BREAKS = re.compile(r"[\t\n\r]+")
FORMATS = (".tmx", ".tsv")


def require_format(path: str | Path) -> None:
    """ConfigError unless the name says a format that pairs can be written in."""
    if Path(path).suffix.lower() not in FORMATS:
        raise ConfigError(f"{path}: name the output .tmx or .tsv", "out")


def write_pairs(path: str | Path, pairs: Iterable[SentencePair], source_lang: str, target_lang: str) -> None:
    """Writes the file whole or not at all, in the format that its name says."""
    require_format(path)
    if Path(path).suffix.lower() == ".tmx":
        units = (ExchangePair(pair.source, pair.target, pair.id, pair.origin.attributes) for pair in pairs)
        pieces = written(units, "tmx", (source_lang, target_lang))
    else:
        pieces = tsv_lines(pairs)
    with writing(path) as stream:
        for piece in pieces:
            stream.write(piece.encode())


def tsv_lines(pairs: Iterable[SentencePair]) -> Iterator[str]:
    """With a first line that names the columns: the two texts, and what is known of each pair."""
    names: tuple[str, ...] | None = None
    for pair in pairs:
        if names is None:
            names = tuple(pair.origin.attributes)
            yield "\t".join(("source", "target", *names)) + "\n"
        cells = (pair.source, pair.target, *(pair.origin.attributes.get(name, "") for name in names))
        yield "\t".join(BREAKS.sub(" ", cell) for cell in cells) + "\n"
