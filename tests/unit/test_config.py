"""Limits of options: every number that means nothing is refused by name, wherever it comes from."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from dragoman import config
from dragoman.config import require_limits
from dragoman.errors import ConfigError
from dragoman.pipeline.settings import make

CLASSES = [kind for name, kind in vars(config).items() if name.endswith("Options")]
NUMBERS = [
    (kind, entry.name) for kind in CLASSES for entry in dataclasses.fields(kind) if type(entry.default) in (int, float)
]


@pytest.mark.parametrize("kind", CLASSES)
def test_defaults_are_within_limits(kind: type) -> None:
    require_limits(kind())


@pytest.mark.parametrize(("kind", "name"), NUMBERS)
@pytest.mark.parametrize("value", [-(2**70), 2**70, math.nan])
def test_numbers_that_mean_nothing_are_refused(kind: type, name: str, value: Any) -> None:
    options = kind(**{name: value})
    entry = next(entry for entry in dataclasses.fields(kind) if entry.name == name)
    # Unlimited: rates and times, limits that may be as high as one likes, and the dropout, which any negative number
    # leaves to the program.
    most = entry.metadata.get("most", math.inf if isinstance(entry.default, float) else 0)
    if (value > 0 and most == math.inf) or (value < 0 and entry.metadata.get("least") == -math.inf):
        return
    with pytest.raises(ConfigError, match=f"--{name.replace('_', '-')} must be"):
        require_limits(options)


def test_a_stage_names_its_option() -> None:
    with pytest.raises(ConfigError, match=r"decode.pop_limit must be at least 1, not -1"):
        make("decode", config.DecodeOptions, {"pop_limit": "-1"})
