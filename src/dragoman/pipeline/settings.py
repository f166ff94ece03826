"""All options of all stages in one place, from keyword arguments, a TOML file and `--set stage.option=value`.

A TOML file has the names of the command line's flags at its top (source, source_lang, out, memory, ...), and one table
for each stage with that stage's options by their names:

    source_lang = "fr"
    memory = "200MB"
    [align]
    model = "hmm"
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from dragoman import config
from dragoman.errors import ConfigError


@dataclass(frozen=True, slots=True)
class StageOptions:
    """The options of every stage that has some; a field is a table of a TOML file."""

    read: config.ReadOptions = field(default_factory=config.ReadOptions)
    clean: config.CleanOptions = field(default_factory=config.CleanOptions)
    split: config.SplitOptions = field(default_factory=config.SplitOptions)
    align: config.AlignOptions = field(default_factory=config.AlignOptions)
    index: config.IndexOptions = field(default_factory=config.IndexOptions)
    lm: config.LmOptions = field(default_factory=config.LmOptions)
    neural_lm: config.NlmOptions = field(default_factory=config.NlmOptions)
    judge_network: config.JudgeOptions = field(default_factory=config.JudgeOptions)
    decode: config.DecodeOptions = field(default_factory=config.DecodeOptions)
    tune: config.TuneOptions = field(default_factory=config.TuneOptions)


Given = dict[str, dict[str, Any]]
Options = TypeVar("Options")


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{path}: is not a TOML file ({error}); see docs/how-to/train.md for an example", "config"
        ) from error


def split_tables(values: Mapping[str, Any]) -> tuple[dict[str, Any], Given]:
    """What stands at the top, and the tables of the stages."""
    top = {name: value for name, value in values.items() if not isinstance(value, Mapping)}
    tables = {name: dict(value) for name, value in values.items() if isinstance(value, Mapping)}
    return top, tables


def parse_assignments(assignments: Iterable[str]) -> Given:
    """`align.model=hmm` and its like."""
    given: Given = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        stage, dot, option = name.strip().partition(".")
        if not equals or not dot:
            raise ConfigError(f"--set {assignment}: write it as stage.option=value, such as align.model=hmm", "set")
        given.setdefault(stage, {})[option] = value.strip()
    return given


def merged(*layers: Given) -> Given:
    """Later layers win."""
    result: Given = {}
    for layer in layers:
        for stage, values in layer.items():
            result.setdefault(stage, {}).update(values)
    return result


def stage_options(given: Given) -> StageOptions:
    """The options of every stage; ConfigError that names what is not known or cannot be used."""
    kinds = typing.get_type_hints(StageOptions)
    for stage in given:
        if stage not in kinds:
            raise ConfigError(f"there are no options for '{stage}'; {nearest(stage, kinds, 'stages are')}", stage)
    return StageOptions(**{stage: make(stage, kinds[stage], values) for stage, values in given.items()})


def make(stage: str, kind: type[Options], values: Mapping[str, Any]) -> Options:
    """An instance of a class of options."""
    hints = typing.get_type_hints(kind)
    fields = {entry.name: entry for entry in dataclasses.fields(kind)}  # type: ignore[arg-type]
    checked = {}
    for name, value in values.items():
        option = f"{stage}.{name}"
        if name not in fields:
            raise ConfigError(f"{option} is not an option; {nearest(name, fields, f'{stage} has')}", option)
        checked[name] = converted(option, value, hints[name])
        choices = fields[name].metadata.get("choices")
        if choices and checked[name] not in choices:
            raise ConfigError(f"{option} is one of {', '.join(choices)}, not '{value}'", option)
    options = kind(**checked)
    # Those of the training itself are flags.
    config.require_limits(options, "--" if stage == "train" else f"{stage}.")
    return options


def nearest(name: str, known: Iterable[str], otherwise: str) -> str:
    """The end of a sentence about a name that is not known: the one that was meant or, where none is near, all."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 1)
    return f"did you mean {near[0]}?" if near else f"{otherwise} {', '.join(names)}"


def converted(name: str, value: Any, kind: Any) -> Any:
    """A value of TOML or of the command line as the type the option has."""
    if isinstance(kind, types.UnionType):
        kind = next(part for part in typing.get_args(kind) if part is not type(None))
    words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    if kind is bool and isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is kind:
        return value
    if kind is str and type(value) in (int, float):
        return str(value)
    if isinstance(value, str) and kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            pass
    wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}.get(kind, str(kind))
    raise ConfigError(f"{name} must be {wanted}, not {value!r}", name)
