"""Numbers of bytes as people write and read them. Units are decimal, as on a data sheet: 1 MB is 1,000,000 bytes."""

from __future__ import annotations

import re

from dragoman.errors import ConfigError

# The B may be left out.
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 2**10, "MI": 2**20, "GI": 2**30}


def parse_bytes(text: str, option: str = "memory") -> int:
    """Reads `200MB`, `1.5 GB`, `64MiB` or a plain number of bytes."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", text)
    unit = UNITS.get(match[2].upper().removesuffix("B")) if match else None
    if match is None or unit is None:
        raise ConfigError(f"{option}: '{text}' is not a size; write it as 200MB or 1.5GB", option)
    size = int(float(match[1]) * unit)
    if size == 0:
        raise ConfigError(f"{option}: the size must be more than zero", option)
    return size


def format_bytes(size: int) -> str:
    """`1234567` as `1.2 MB`."""
    if size < 1000:
        return f"{size} B"
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.95:
            return f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} TB"
