"""Sentence pairs in the formats that other programs read, written as they come: TMX 1.4, XLIFF 1.2, and TSV.

So that nobody is locked in: what these files say is what the readers of dragoman.corpus read back, texts and all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dragoman.errors import ConfigError
from dragoman.version import __version__

# What XML 1.0 has no way to write.
NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Attributes that a unit of TMX has of its own; others become properties.
TMX_ATTRIBUTES = ("creationid", "creationdate", "changeid", "changedate", "lastusagedate", "usagecount")
# What a unit of XLIFF, and its target, say of who translated it.
XLIFF_BY_MACHINE = ("", ' state="needs-review-translation" state-qualifier="mt-suggestion"')
XLIFF_BY_PEOPLE = (' approved="yes"', ' state="translated"')
BY_EXTENSION = {".tmx": "tmx", ".xlf": "xliff", ".xliff": "xliff", ".tsv": "tsv"}


@dataclass(frozen=True, slots=True)
class ExchangePair:
    """A pair to write; one that `by_machine` was translated is marked so, where a format can."""

    source: str
    target: str
    id: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    by_machine: bool = False


def written(pairs: Iterable[ExchangePair], format: str, languages: tuple[str, str]) -> Iterator[str]:
    """The text of a file of these pairs, piece by piece."""
    if format != "tsv" and not all(languages):
        raise ConfigError(f"{format} files name their languages, which the model does not say; write TSV instead", "to")
    return FORMATS[format](pairs, languages)


def write_tsv(pairs: Iterable[ExchangePair], languages: tuple[str, str]) -> Iterator[str]:
    """Source and target between tabs, a pair on each line."""
    for pair in pairs:
        yield f"{one_cell(pair.source)}\t{one_cell(pair.target)}\n"


def write_tmx(pairs: Iterable[ExchangePair], languages: tuple[str, str]) -> Iterator[str]:
    source_lang, target_lang = map(attribute, languages)
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
        f'<header creationtool="dragoman" creationtoolversion="{__version__}" segtype="sentence" o-tmf="dragoman"'
        f' adminlang="en" srclang={source_lang} datatype="plaintext"/>\n<body>\n'
    )
    for pair in pairs:
        own = {"tuid": pair.id, **{name: pair.attributes.get(name, "") for name in TMX_ATTRIBUTES}}
        if pair.by_machine:
            own["creationid"] = "MT"
        marks = "".join(f" {name}={attribute(value)}" for name, value in own.items() if value)
        yield f"<tu{marks}>{''.join(tmx_properties(pair))}\n"
        yield f"<tuv xml:lang={source_lang}><seg>{content(pair.source)}</seg></tuv>\n"
        yield f"<tuv xml:lang={target_lang}><seg>{content(pair.target)}</seg></tuv>\n</tu>\n"
    yield "</body>\n</tmx>\n"


def tmx_properties(pair: ExchangePair) -> Iterator[str]:
    for name, value in pair.attributes.items():
        if name == "note":
            yield f"<note>{content(value)}</note>"
        elif name not in TMX_ATTRIBUTES:
            yield f"<prop type={attribute(name.removeprefix('prop:'))}>{content(value)}</prop>"


def write_xliff(pairs: Iterable[ExchangePair], languages: tuple[str, str]) -> Iterator[str]:
    source_lang, target_lang = map(attribute, languages)
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
        f'<file original="dragoman" datatype="plaintext" source-language={source_lang} target-language={target_lang}>\n'
        f'<header><tool tool-id="dragoman" tool-name="Dragoman" tool-version="{__version__}"/></header>\n<body>\n'
    )
    for number, pair in enumerate(pairs, start=1):
        name = f" resname={attribute(pair.id)}" if pair.id else ""
        approved, state = XLIFF_BY_MACHINE if pair.by_machine else XLIFF_BY_PEOPLE
        yield f'<trans-unit id="{number}"{name}{approved} xml:space="preserve">\n'
        yield f"<source>{content(pair.source)}</source>\n<target{state}>{content(pair.target)}</target>\n"
        yield from (f"<note>{content(f'{key}: {value}')}</note>\n" for key, value in pair.attributes.items())
        yield "</trans-unit>\n"
    yield "</body>\n</file>\n</xliff>\n"


FORMATS: dict[str, Callable[[Iterable[ExchangePair], tuple[str, str]], Iterator[str]]] = {
    "tmx": write_tmx,
    "xliff": write_xliff,
    "tsv": write_tsv,
}


# A carriage return that is written as it is would be read as a line end, and either in an attribute as a space. The
# library's own functions for this bring half a web client along, which every translation would load.
IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
IN_ATTRIBUTE = IN_TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})


def content(text: str) -> str:
    return NOT_XML.sub("\ufffd", text).translate(IN_TEXT)


def attribute(text: str) -> str:
    """With its quotes."""
    return f'"{NOT_XML.sub(chr(0xFFFD), text).translate(IN_ATTRIBUTE)}"'


def one_cell(text: str) -> str:
    return " ".join(re.split(r"[\t\r\n]+", text))
