"""What the value of an option must be, beyond its type and limits: empty where it will do, else what it must be. It is
asked before any work begins."""

from __future__ import annotations

import re

from dragoman.durations import parse_seconds
from dragoman.errors import ConfigError
from dragoman.sizes import parse_bytes


def size(text: str) -> str:
    """Bytes, or nothing for no limit."""
    try:
        parse_bytes(text or "1")
    except ConfigError:
        return "a size, written as 200MB or 1.5GB"
    return ""


def size_or_auto(text: str) -> str:
    return "" if text == "auto" else size(text or "none")


def duration(text: str) -> str:
    """Time, or nothing for no limit."""
    try:
        parse_seconds(text or "1s")
    except ConfigError:
        return "a time, written as 90s, 30min or 2h"
    return ""


def held_out(text: str) -> str:
    """How many pairs to hold out."""
    share = re.fullmatch(r"(\d{1,3}(?:\.\d{1,18})?)%", text)
    fits = text == "auto" or re.fullmatch(r"\d{1,18}", text) or (share and float(share[1]) < 100)
    return "" if fits else "a number of pairs, a share such as 1% or auto"


def name(text: str) -> str:
    return "" if text.strip() else "source, file, or the name of an attribute"


def numbers(text: str) -> list[float] | None:
    """Numbers with spaces or commas between them."""
    try:
        return [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        return None


def least_counts(text: str) -> str:
    """Of n-grams, for each length."""
    given = numbers(text)
    if given and all(count >= 1 and count == int(count) for count in given) and given == sorted(given):
        return ""
    return "whole numbers separated by spaces, at least 1 and none below the one before"


def discounts(text: str) -> str:
    """Of modified Kneser-Ney, or nothing to have none."""
    given = numbers(text)
    fits = given == [] or (given is not None and len(given) == 3)
    if fits and all(0 < discount <= most for discount, most in zip(given or (), (1, 2, 3), strict=False)):
        return ""
    return "three numbers separated by spaces, above 0 and at most 1, 2 and 3"


def stored_bits(bits: int) -> str:
    return "from 2 to 16, or 0 for floats" if bits == 1 else ""


def direct_bits(bits: int) -> str:
    return "from 2 to 8, or 32 for floats" if 8 < bits < 32 else ""


def ratio(factor: float) -> str:
    """The longer side over the shorter."""
    return "at least 1, or 0 for no limit" if 0 < factor < 1 else ""


def multiple_of_64(size: int) -> str:
    """Of a network whose heads have 64 numbers."""
    return "a multiple of 64" if size % 64 else ""
