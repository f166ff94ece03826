"""Sizes as people write them."""

from __future__ import annotations

import pytest

from dragoman.errors import ConfigError
from dragoman.sizes import format_bytes, parse_bytes


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("200MB", 200_000_000),
        ("1.5 GB", 1_500_000_000),
        ("64MiB", 64 << 20),
        ("1024", 1024),
        ("7 kb", 7000),
        ("3B", 3),
        ("3k", 3000),
    ],
)
def test_parse(text: str, size: int) -> None:
    assert parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "MB", "-1MB", "0", "1 TBs", "1BB", "1,5GB", "nan"])
def test_refuse(text: str) -> None:
    with pytest.raises(ConfigError, match="memory"):
        parse_bytes(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_960, "1.0 MB"), (123_456_789, "123.5 MB"), (10**13, "10.0 TB")],
)
def test_format(size: int, text: str) -> None:
    assert format_bytes(size) == text
