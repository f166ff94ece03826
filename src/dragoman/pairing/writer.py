"""Pairs as a file: TMX, the exchange format of translation memories, or tab-separated columns.

Both say how probable each pair is and where it comes from, and `dragoman train` reads both, with that as provenance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from dragoman.corpus.pair import SentencePair
from dragoman.errors import ConfigError
from dragoman.files import writing
from dragoman.version import __version__

# What XML cannot hold, and what would end a line or a column.
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
BREAKS = re.compile(r"[\t\n\r]+")
FORMATS = (".tmx", ".tsv")


def require_format(path: str | Path) -> None:
    """ConfigError unless the name says a format that pairs can be written in."""
    if Path(path).suffix.lower() not in FORMATS:
        raise ConfigError(f"{path}: name the output .tmx or .tsv", "out")


def write_pairs(path: str | Path, pairs: Iterable[SentencePair], source_lang: str, target_lang: str) -> None:
    """Writes the file whole or not at all, in the format that its name says."""
    require_format(path)
    lines = tmx_lines if Path(path).suffix.lower() == ".tmx" else tsv_lines
    with writing(path) as stream:
        for line in lines(pairs, source_lang, target_lang):
            stream.write(f"{line}\n".encode())


def tmx_lines(pairs: Iterable[SentencePair], source_lang: str, target_lang: str) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<tmx version="1.4">'
    yield (
        f'<header creationtool="dragoman" creationtoolversion={quoteattr(__version__)} segtype="sentence"'
        f' o-tmf="dragoman" adminlang="en" srclang={quoteattr(source_lang)} datatype="plaintext"/>'
    )
    yield "<body>"
    for pair in pairs:
        yield f"<tu tuid={quoteattr(NO_XML.sub('', pair.id))}>"
        for name, value in pair.origin.attributes.items():
            yield f"<prop type={quoteattr(name)}>{xml_text(value)}</prop>"
        yield f"<tuv xml:lang={quoteattr(source_lang)}><seg>{xml_text(pair.source)}</seg></tuv>"
        yield f"<tuv xml:lang={quoteattr(target_lang)}><seg>{xml_text(pair.target)}</seg></tuv>"
        yield "</tu>"
    yield "</body>"
    yield "</tmx>"


def tsv_lines(pairs: Iterable[SentencePair], source_lang: str, target_lang: str) -> Iterator[str]:
    names: tuple[str, ...] | None = None
    for pair in pairs:
        if names is None:
            names = tuple(pair.origin.attributes)
            yield "\t".join(("source", "target", *names))
        cells = (pair.source, pair.target, *(pair.origin.attributes.get(name, "") for name in names))
        yield "\t".join(BREAKS.sub(" ", cell) for cell in cells)


def xml_text(text: str) -> str:
    return escape(NO_XML.sub("", text))
