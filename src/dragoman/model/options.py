"""How a model wants to be searched: the options its weights were tuned and its scores measured with.

They stand in model.json under options.decode. Whoever translates uses them, but for what he asks for himself: weights
that were tuned for phrases are of little use to rules with gaps.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dragoman.config import DecodeOptions, require_limits
from dragoman.errors import ConfigError, FormatError
from dragoman.model.directory import ModelDirectory
from dragoman.model.manifest import MANIFEST


def decode_options(model: ModelDirectory | str | Path, given: Mapping[str, Any] | None = None) -> DecodeOptions:
    """The model's options, with those that were `given` in their place."""
    opened = model if isinstance(model, ModelDirectory) else ModelDirectory.open(model)
    options = dataclasses.replace(options_of_model(opened), **(given or {}))
    require_limits(options)
    return options


def options_of_model(model: ModelDirectory) -> DecodeOptions:
    """What model.json says; options it does not name have their defaults, names of other versions are passed over."""
    said = model.manifest.options.get("decode", {})
    known = {entry.name: entry for entry in dataclasses.fields(DecodeOptions)}
    chosen = {name: value for name, value in said.items() if name in known} if isinstance(said, dict) else {}
    try:
        for name, value in chosen.items():
            choices = known[name].metadata.get("choices")
            if type(value) is not type(known[name].default) or (choices and value not in choices):
                raise ConfigError(f"{name} cannot be {value!r}", name)
        options = DecodeOptions(**chosen)
        require_limits(options)
    except ConfigError as error:
        path = model.path / MANIFEST
        raise FormatError(
            f"{path}: options.decode: {error}; correct it there or copy the model again", str(path)
        ) from None
    return options
