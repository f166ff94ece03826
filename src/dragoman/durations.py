"""Lengths of time as people write and read them."""

from __future__ import annotations

import re

from dragoman.errors import ConfigError

UNITS = {"s": 1, "min": 60, "h": 3600, "d": 86400}


def parse_seconds(text: str, option: str = "time") -> float:
    """Reads `90s`, `30min`, `1.5 h` or `2d`."""
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*(s|min|h|d)\s*", text)
    seconds = float(match[1]) * UNITS[match[2]] if match else 0.0
    if not seconds:
        raise ConfigError(f"{option}: '{text}' is not a time; write it as 90s, 30min or 2h", option)
    return seconds


def format_seconds(seconds: float) -> str:
    """`4000` as `1.1 h`."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5970 else f"{seconds / 3600:.1f} h"
