"""Codes and names of languages as the two interfaces spell them.

LibreTranslate returns BCP 47 (`pt-BR`, `zh-Hans`) and also takes its old two-letter names (`pb`, `zh`, `zt`); Apertium
lists three letters (`fra`) and takes two or a locale (`pt_BR`). Whatever a caller writes is compared in canonical form.
"""

from __future__ import annotations

from collections.abc import Iterable

from dragoman.corpus.language_names import known_name
from dragoman.corpus.languages import TWO_LETTERS, canonical, matches

AUTO = "auto"
# What BCP 47 calls a language that is not known.
UNDETERMINED = "und"

# What LibreTranslate called languages before it used BCP 47.
ALIASES = {"pb": "pt-br", "zh": "zh-hans", "zt": "zh-hant"}

# The three letters of ISO 639-3, not the older bibliographic ones that the table of corpora also knows.
BIBLIOGRAPHIC = frozenset((
    "alb", "arm", "baq", "bur", "chi", "cze", "dut", "fre", "geo", "ger", "gre", "ice", "mac", "may", "per", "rum",
    "slo", "wel",
))  # fmt: skip
THREE_LETTERS = {two: three for three, two in TWO_LETTERS.items() if three not in BIBLIOGRAPHIC}


def plain(code: str) -> str:
    """The form codes are compared in."""
    code = canonical(code)
    return ALIASES.get(code, code)


def bcp47(code: str) -> str:
    """`pt_br` -> `pt-BR`, `zh` -> `zh-Hans`: scripts with a capital, regions in capitals."""
    first, *rest = plain(code).split("-")
    return "-".join(
        [first, *(part.title() if len(part) == 4 else part.upper() if len(part) == 2 else part for part in rest)]
    )


def iso639_3(code: str) -> str:
    """`fr` -> `fra`, `pt-BR` -> `por_BR`, as Apertium writes codes; unknown ones as they are."""
    first, *rest = bcp47(code).split("-")
    return "_".join([THREE_LETTERS.get(first, first), *rest])


def name_of(code: str) -> str:
    """The English name; the code itself for a language the table does not have."""
    return known_name(plain(code)) or bcp47(code)


def resolve(wanted: str, available: Iterable[str]) -> str | None:
    """The available code a caller means: the same one, else one of which it is a form (`fr_CA` for `fr`)."""
    code = plain(wanted)
    known = list(available)
    for candidate in known:
        if plain(candidate) == code:
            return candidate
    return next((candidate for candidate in known if matches(code, plain(candidate))), None)
