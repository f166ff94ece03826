"""Texts as clean lines: each on one line, in one Unicode form (normalise.h), with a count of every kind of change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from dragoman import _core
from dragoman.errors import InputError

LINE_BREAKS = re.compile(r"[\n\r]+")
EXTRA_SPACES = re.compile(rb" {2,}")
# Characters that normalisation removes and that no sound text has: a pair with one is damaged, or not text at all.
DAMAGE = re.compile(
    rb"[\x01-\x08\x0e-\x1b\x7f]|\xc2[\x81\x8d\x8f\x90\x9d]|\xef\xb7[\x90-\xaf]"
    rb"|(?:\xef|[\xf0-\xf4][\x8f\x9f\xaf\xbf])\xbf[\xbe\xbf]"
)


def as_lines(texts: Sequence[str], changes: Counter[str]) -> bytes:
    """Texts as UTF-8, a line each; line breaks inside a text become spaces, and are counted."""
    block = "\n".join((*texts, ""))
    if "\r" in block or block.count("\n") != len(texts):
        changed = [LINE_BREAKS.subn(" ", text) for text in texts]
        changes["line_ends"] += sum(count for _, count in changed)
        block = "\n".join((*(text for text, _ in changed), ""))
    try:
        return block.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError("a text holds half a surrogate pair, which is no character; write it as UTF-8") from None


def normalise_lines(block: bytes, changes: Counter[str], keep_damage: bool) -> bytes:
    """Lines in normal form, with single spaces between words. With `keep_damage`, lines with control characters stay
    as they are, so that cleaning sees and drops them; else those characters are removed."""
    normal, counts = _core.normalise(block)
    changes.update({kind: count for kind, count in counts.items() if count})
    if keep_damage and (counts["controls"] or counts["noncharacters"]):
        pairs = zip(block.split(b"\n"), normal.split(b"\n"), strict=True)
        normal = b"\n".join(raw if DAMAGE.search(raw) else clean for raw, clean in pairs)
    if b"\t" in normal:
        normal = normal.replace(b"\t", b" ")
    if b"  " in normal:
        normal = EXTRA_SPACES.sub(b" ", normal)
    if b" \n" in normal or b"\n " in normal or normal.startswith(b" "):
        normal = b"\n".join(line.strip(b" ") for line in normal.split(b"\n"))
    return normal
