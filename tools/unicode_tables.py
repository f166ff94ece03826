"""Writes core/text/unicode_tables.inc: what the core knows about characters, as ranges.

The tables are generated once from Python's unicodedata and committed, so that every build, whatever its Python or
C library, gives the same tokens. Run `python tools/unicode_tables.py` with a newer Python to move to a newer Unicode.
unicodedata has no scripts; they are read off the character names, which is exact for the scripts kept apart here.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

OUTPUT = Path(__file__).resolve().parent.parent / "core" / "text" / "unicode_tables.inc"

# The order is that of enum class Category in unicode.h.
CATEGORIES = [
    "Cn",
    "Lu",
    "Lt",
    "Ll",
    "Lm",
    "Lo",
    "Mn",
    "Mc",
    "Me",
    "Nd",
    "Nl",
    "No",
    "Pc",
    "Pd",
    "Ps",
    "Pe",
    "Pi",
    "Pf",
    "Po",
    "Sm",
    "Sc",
    "Sk",
    "So",
    "Zs",
    "Zl",
    "Zp",
    "Cc",
    "Cf",
    "Co",
    "Cs",
]

# The order is that of enum class Script in unicode.h, after common, inherited and other.
SCRIPTS = [
    "LATIN",
    "GREEK",
    "CYRILLIC",
    "ARMENIAN",
    "GEORGIAN",
    "HEBREW",
    "ARABIC",
    "SYRIAC",
    "THAANA",
    "DEVANAGARI",
    "BENGALI",
    "GURMUKHI",
    "GUJARATI",
    "ORIYA",
    "TAMIL",
    "TELUGU",
    "KANNADA",
    "MALAYALAM",
    "SINHALA",
    "THAI",
    "LAO",
    "TIBETAN",
    "MYANMAR",
    "KHMER",
    "ETHIOPIC",
    "CHEROKEE",
    "MONGOLIAN",
    "HANGUL",
    "HIRAGANA",
    "KATAKANA",
    "BOPOMOFO",
    "HAN",
]
COMMON, INHERITED, OTHER = 0, 1, 2

# Blocks of pictographs, including code points not assigned yet: a newer emoji is an emoji to an older table.
PICTOGRAPHS = [
    (0x231A, 0x231B), (0x2328, 0x2328), (0x23CF, 0x23CF), (0x23E9, 0x23FA), (0x24C2, 0x24C2), (0x25AA, 0x25AB),
    (0x25B6, 0x25B6), (0x25C0, 0x25C0), (0x25FB, 0x25FE), (0x2600, 0x27BF), (0x2934, 0x2935), (0x2B05, 0x2B07),
    (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55), (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3297),
    (0x3299, 0x3299), (0x1F000, 0x1F0FF), (0x1F10D, 0x1F10F), (0x1F12F, 0x1F12F), (0x1F16C, 0x1F171),
    (0x1F17E, 0x1F17F), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A), (0x1F1AD, 0x1F1E5), (0x1F201, 0x1F20F),
    (0x1F21A, 0x1F21A), (0x1F22F, 0x1F22F), (0x1F232, 0x1F23A), (0x1F23C, 0x1F23F), (0x1F249, 0x1F3FA),
    (0x1F400, 0x1F53D), (0x1F546, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F774, 0x1F77F), (0x1F7D5, 0x1F7FF),
    (0x1F80C, 0x1F80F), (0x1F848, 0x1F84F), (0x1F85A, 0x1F85F), (0x1F888, 0x1F88F), (0x1F8AE, 0x1F8FF),
    (0x1F90C, 0x1F93A), (0x1F93C, 0x1F945), (0x1F947, 0x1FAFF), (0x1FC00, 0x1FFFD),
]  # fmt: skip


def script_of(c: int) -> int:
    category = unicodedata.category(chr(c))
    if category[0] not in "LMN" or category in ("Nd", "No"):
        return COMMON
    name = unicodedata.name(chr(c), "")
    words = name.replace("-", " ").split()
    if "CJK" in words[:1] or "IDEOGRAPHIC" in words[:1] or c in (0x3005, 0x3007, 0x303B):
        return 3 + SCRIPTS.index("HAN")
    for word in words:
        if word in SCRIPTS and not name.startswith(("OLD ", "MATHEMATICAL ")):
            return 3 + SCRIPTS.index(word)
    if c in (0xAA, 0xBA) or name in ("KELVIN SIGN", "ANGSTROM SIGN"):
        return 3 + SCRIPTS.index("LATIN")
    if name == "OHM SIGN":
        return 3 + SCRIPTS.index("GREEK")
    if category in ("Mn", "Me") and name.startswith(("COMBINING", "VARIATION SELECTOR")):
        return INHERITED
    if category == "Lm" or name.startswith(("MATHEMATICAL", "MICRO")):
        return COMMON
    return OTHER


def simple_lower(c: int) -> int:
    # İ is the one letter whose full lower case is two code points; its simple one is i.
    return ord("i") if c == 0x130 else ord(chr(c).lower())


def simple_upper(c: int) -> int:
    for mapped in (chr(c).upper(), chr(c).title()):
        if len(mapped) == 1:
            return ord(mapped)
    return c


def canonical(c: int) -> list[int]:
    text = unicodedata.decomposition(chr(c))
    return [] if not text or text.startswith("<") else [int(part, 16) for part in text.split()]


def composes(c: int) -> bool:
    """Whether NFC ever produces c from its decomposition (false for singletons and composition exclusions)."""
    parts = canonical(c)
    return len(parts) == 2 and unicodedata.normalize("NFC", "".join(map(chr, parts))) == chr(c)


def ranges(value: Callable[[int], int]) -> Iterator[tuple[int, int, int]]:
    """Maximal runs (first, last, value) of equal non-zero values."""
    first, current = 0, value(0)
    for c in range(1, sys.maxunicode + 2):
        here = value(c) if c <= sys.maxunicode else -1
        if here != current:
            if current:
                yield first, c - 1, current
            first, current = c, here


def strided(mapping: Callable[[int], int]) -> Iterator[tuple[int, int, int, int]]:
    """Runs (first, last, stride, delta) of code points that map to themselves + delta; case pairs alternate."""
    pending: list[tuple[int, int]] = [(c, mapping(c) - c) for c in range(sys.maxunicode + 1) if mapping(c) != c]
    while pending:
        first, delta = pending[0]
        best: list[tuple[int, int]] = []
        for stride in (1, 2):
            run = [pending[0]]
            for entry in pending[1:]:
                if entry == (run[-1][0] + stride, delta):
                    run.append(entry)
                elif entry[0] > run[-1][0] + stride:
                    break
            best = max(best, run, key=len)
        yield first, best[-1][0], best[1][0] - first if len(best) > 1 else 1, delta
        taken = set(best)
        pending = [entry for entry in pending if entry not in taken]


def table(name: str, kind: str, rows: list[tuple[int, ...]]) -> str:
    cells = ["{" + ",".join(map(str, row)) + "}" for row in rows]
    lines, line = [], ""
    for cell in cells:
        if len(line) + len(cell) + 1 > 118:
            lines.append(line)
            line = ""
        line += cell + ","
    return f"constexpr {kind} {name}[] = {{\n" + "\n".join([*lines, line]) + "\n};\n"


def main() -> None:
    pictographs = {c for first, last in PICTOGRAPHS for c in range(first, last + 1)}
    decomposed = [(c, *canonical(c)) for c in range(sys.maxunicode + 1) if canonical(c)]
    # Starters that a preceding character may swallow: NFC_Quick_Check is not "yes" for them.
    seconds = {row[2] for row in decomposed if len(row) == 3 and composes(row[0])}
    text = "// Generated by tools/unicode_tables.py; do not edit. Code points are decimal.\n"
    text += f'constexpr const char unicode_version_text[] = "{unicodedata.unidata_version}";\n'
    for name, value in (
        ("category_ranges", lambda c: CATEGORIES.index(unicodedata.category(chr(c)))),
        ("script_ranges", script_of),
        ("combining_ranges", lambda c: unicodedata.combining(chr(c))),
    ):
        text += table(name, "ValueRange", list(ranges(value)))
    for name, member in (
        ("space_ranges", lambda c: chr(c).isspace()),
        ("pictograph_ranges", lambda c: c in pictographs),
        (
            "not_quickly_nfc_ranges",
            lambda c: (
                bool(unicodedata.combining(chr(c)))
                or c in seconds
                or bool(canonical(c) and not composes(c))
                or 0x1161 <= c <= 0x1175
                or 0x11A8 <= c <= 0x11C2
            ),
        ),
    ):
        text += table(name, "Range", [row[:2] for row in ranges(member)])
    text += table("lower_runs", "CaseRun", list(strided(simple_lower)))
    text += table("upper_runs", "CaseRun", list(strided(simple_upper)))
    text += table("decompositions", "Decomposition", [(*row, 0)[:3] for row in decomposed])
    text += table(
        "compositions", "Composition", sorted((row[1], row[2], row[0]) for row in decomposed if composes(row[0]))
    )
    OUTPUT.write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
