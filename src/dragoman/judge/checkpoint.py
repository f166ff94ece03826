"""The state of a training run on disk, so that a killed run goes on where it was and ends with the same model.

A checkpoint names the text and options it belongs to and is refused by others.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import torch

from dragoman.errors import ConfigError
from dragoman.files import writing

VERSION = 1


def fingerprint(settings: dict[str, Any], *arrays: Any) -> str:
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    for array in arrays:
        if array is not None:
            digest.update(memoryview(array).cast("B"))
    return digest.hexdigest()


def write(path: Path, of: str, content: dict[str, Any]) -> None:
    """The file appears whole or not at all."""
    with writing(path) as stream:
        torch.save({"version": VERSION, "of": of, **content}, stream)


def read(path: Path, of: str) -> dict[str, Any]:
    """What a run on the same text and with the same options wrote."""
    try:
        content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        version, owner = content["version"], content["of"]
    except OSError:
        raise
    except Exception:
        raise ConfigError(f"{path} is no checkpoint of this program; delete it to begin anew", "checkpoint") from None
    if version != VERSION or owner != of:
        raise ConfigError(
            f"{path} is the checkpoint of a run on other text or with other options; delete it to begin anew, or use"
            " the same text and options to go on",
            "checkpoint",
        )
    return content
