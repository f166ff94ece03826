"""A stage of training: a function of named input files and options that fills a folder, and what came of it.

Stages know nothing of each other. The same inputs and options give the same files, so what a stage made is known by a
hash of them, and a stage whose hash is known already is not run again. How many threads there are, how much progress
is shown and whether a run was interrupted change nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.version import __version__

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Stage:
    """`function` is module:name; `version` is raised when a change of the code changes what the stage makes."""

    name: str
    function: str
    version: int
    does: str


@dataclass(frozen=True, slots=True)
class Request:
    """What a stage works on. `keep` is a folder that outlives a killed run, for stages that can go on in the middle."""

    inputs: Mapping[str, Path]
    options: Mapping[str, Any]
    out: Path
    keep: Path
    threads: int
    progress: Progress

    def input(self, name: str) -> Path:
        return self.inputs[name]

    def has(self, name: str) -> bool:
        return name in self.inputs


# A stage returns facts about what it made: numbers for the plan of later stages and for the summary.
StageFunction = Callable[[Request], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a stage took; None where the system does not tell."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int | None


@dataclass(frozen=True, slots=True)
class Made:
    """What a finished stage left behind."""

    stage: str
    folder: Path
    facts: dict[str, Any]
    files: dict[str, str] = field(default_factory=dict)  # name -> SHA-256
    cost: Cost | None = None
    skipped: bool = False

    def file(self, name: str) -> Path:
        return self.folder / name

    def has(self, name: str) -> bool:
        return name in self.files


def stage_key(stage: Stage, options: Mapping[str, Any], input_hashes: Mapping[str, str]) -> str:
    """The hash that stands for everything a stage's result depends on."""
    identity = {
        "stage": stage.name,
        "version": stage.version,
        "tool": __version__,
        "options": options,
        "inputs": input_hashes,
    }
    text = json.dumps(identity, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
