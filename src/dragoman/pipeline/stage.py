"""A stage of training: a function of named input files and options that fills a folder, and what came of it.

Stages know nothing of each other. The same inputs and options give the same files, so what a stage made is known by a
hash of them, and a stage whose hash is known already is not run again. How many threads there are, how much memory for
working, how much progress is shown and whether a run was interrupted change nothing.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from dragoman import _core
from dragoman.child.call import Cost
from dragoman.child.channel import Channel
from dragoman.child.typed_json import from_json
from dragoman.cluster.workers import ClusterPlace
from dragoman.config import MOST_OF_ALL
from dragoman.progress import Progress
from dragoman.version import __version__

Options = TypeVar("Options")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class NoOptions:
    """Of a stage whose inputs say everything."""


@dataclass(frozen=True, slots=True)
class Languages:
    """Of a stage that needs to know no more than what the text is written in."""

    source_lang: str
    target_lang: str


@dataclass(frozen=True, slots=True)
class Request(Generic[Options]):
    """What a stage works on. `keep` is a folder that outlives a killed run, for stages that can go on in the middle.
    `scratch` holds what grows with the text where memory for working is limited."""

    inputs: Mapping[str, Path]
    options: Options
    out: Path
    keep: Path
    threads: int
    progress: Progress
    # Whose workers do the pieces of the work, for stages that have such.
    cluster: ClusterPlace | None = None
    scratch: _core.ScratchSpace | None = None

    def input(self, name: str) -> Path:
        return self.inputs[name]

    def has(self, name: str) -> bool:
        return name in self.inputs

    def text(self, name: str) -> _core.IdText:
        """An input that is a text. What it was hashed as when its stage was done, the runner knows."""
        return _core.IdText.open(str(self.inputs[name]), True, self.scratch)

    def links(self, name: str = "links") -> _core.StoredLinks:
        return _core.StoredLinks.open(str(self.inputs[name]), True, self.scratch)

    def known_words(self) -> bytes | None:
        """The target words of an index, one a line, where a language model is to know no others."""
        if not self.has("vocabulary"):
            return None
        words = _core.vocabulary_words(str(self.inputs["vocabulary"]), "target", MOST_OF_ALL)
        return "".join(f"{word}\n" for word in words).encode()

    def chosen(self) -> list[int] | None:
        """Numbers of the pairs to use, where it is not all of them."""
        return _core.read_chosen(str(self.inputs["chosen"]), True) if self.has("chosen") else None


@dataclass(frozen=True, slots=True)
class Stage(Generic[Options, Result]):
    """`run` is a function at the top of a module that returns facts about what it made: numbers for the plan of later
    stages and for the summary. `version` is raised when a change of the code changes what the stage makes."""

    name: str
    run: Callable[[Request[Options]], Result]
    version: int
    does: str

    @property
    def function(self) -> str:
        return f"{self.run.__module__}:{self.run.__qualname__}"

    @property
    def result_type(self) -> type[Result]:
        kind: type[Result] = typing.get_type_hints(self.run)["return"]
        return kind


@dataclass(frozen=True, slots=True)
class StageResult(Generic[Result]):
    """What a finished stage left behind."""

    stage: str
    folder: Path
    facts: Result
    files: dict[str, str] = field(default_factory=dict)  # name -> SHA-256
    cost: Cost | None = None
    skipped: bool = False

    def file(self, name: str) -> Path:
        return self.folder / name

    def has(self, name: str) -> bool:
        return name in self.files


def stage_key(stage: Stage[Any, Any], options: Mapping[str, Any], input_hashes: Mapping[str, str]) -> str:
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


@dataclass(frozen=True, slots=True)
class StageCall:
    """A request on its way to a child; what its options mean, the stage knows."""

    stage: str
    inputs: dict[str, str]
    options: dict[str, Any]
    out: str
    keep: str
    threads: int
    cluster: ClusterPlace | None
    work_memory: int | None


def as_call(stage: Stage[Options, Any], request: Request[Options], work_memory: int | None = None) -> StageCall:
    return StageCall(
        stage=stage.function,
        inputs={name: str(path) for name, path in request.inputs.items()},
        options=dataclasses.asdict(request.options),  # type: ignore[call-overload]
        out=str(request.out.absolute()),
        keep=str(request.keep.absolute()),
        threads=request.threads,
        cluster=request.cluster,
        work_memory=work_memory,
    )


RUN_HERE = f"{__name__}:run_here"


def run_here(call: StageCall, channel: Channel) -> Any:
    """Runs a stage in this process; its facts."""
    module, name = call.stage.split(":")
    run = getattr(importlib.import_module(module), name)
    (options_type,) = typing.get_args(typing.get_type_hints(run)["request"])
    return run(
        Request(
            inputs={key: Path(path) for key, path in call.inputs.items()},
            options=from_json(options_type, call.options),
            out=Path(call.out),
            keep=Path(call.keep),
            threads=call.threads,
            progress=channel.progress,
            cluster=call.cluster,
            # Beside the result, and not in a /tmp that may itself be memory.
            scratch=_core.ScratchSpace(call.out, call.work_memory) if call.work_memory else None,
        )
    )
