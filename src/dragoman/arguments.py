"""Arguments of Python calls that are not what they are meant to be: each gets a sentence that names it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dragoman.config import MOST, DecodeOptions
from dragoman.errors import ConfigError


def wrong(name: str, wanted: str, value: object) -> ConfigError:
    """The refusal of a value of another type."""
    return ConfigError(f"{name} must be {wanted}, not {type(value).__name__} ({shown(value)})", name)


def shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def require_text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise wrong(name, "a string", value)
    return value


def require_whole(name: str, value: Any, least: int = 0) -> int:
    if type(value) is not int:
        raise wrong(name, "a whole number", value)
    if not least <= value <= MOST:
        raise ConfigError(f"{name} must be from {least} to {MOST}, not {value}", name)
    return value


def require_flag(name: str, value: Any) -> bool:
    if type(value) is not bool:
        raise wrong(name, "True or False", value)
    return value


def require_path(name: str, value: Any) -> Path:
    if isinstance(value, str | os.PathLike) and isinstance(path := os.fspath(value), str):
        return Path(path)
    raise wrong(name, "a path", value)


def require_decode_options(value: Any) -> DecodeOptions | None:
    if value is not None and not isinstance(value, DecodeOptions):
        raise wrong("options", "DecodeOptions or None", value)
    return value


def require_paths(name: str, value: Any) -> list[Path]:
    """One path or several."""
    if isinstance(value, list | tuple):
        return [require_path(f"{name}[{number}]", path) for number, path in enumerate(value)]
    if isinstance(value, str | os.PathLike):
        return [require_path(name, value)]
    raise wrong(name, "a path or a list of paths", value)


def required_weights(weights: Any) -> Any:
    """A path, or a copy that nobody else has."""
    if not isinstance(weights, Mapping):
        return None if weights is None else require_path("weights", weights)
    for name, value in weights.items():
        if not isinstance(name, str) or isinstance(value, bool) or not isinstance(value, int | float):
            raise wrong("weights", "a path, or a mapping of names to numbers", {name: value})
    return {name: float(value) for name, value in weights.items()}


def required_texts(text: Any) -> list[str]:
    if isinstance(text, str):
        return [text]
    if not isinstance(text, list | tuple):
        raise wrong("text", "a string or a list of strings", text)
    return [require_text(f"text[{number}]", part) for number, part in enumerate(text)]
