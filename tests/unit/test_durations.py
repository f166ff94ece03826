"""Lengths of time, read and written."""

from __future__ import annotations

import pytest

from dragoman.durations import format_seconds, parse_seconds
from dragoman.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("30min", 1800), (" 1.5 h ", 5400), ("2d", 172_800), ("0.5s", 0.5)]
)
def test_what_is_a_time(text: str, seconds: float) -> None:
    assert parse_seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "min", "0min", "-1h", "1 week", "30MIN", "1e3s", "9" * 30 + "s"])
def test_what_is_none(text: str) -> None:
    with pytest.raises(ConfigError, match="write it as 90s, 30min or 2h"):
        parse_seconds(text)


@pytest.mark.parametrize(
    ("seconds", "text"), [(7.4, "7 s"), (99, "99 s"), (100, "2 min"), (4000, "67 min"), (7200, "2.0 h")]
)
def test_how_it_is_written(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
