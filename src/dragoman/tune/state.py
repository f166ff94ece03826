"""A folder that lets tuning go on where it was stopped.

It holds tuning.json, with the rounds so far and a fingerprint of what they were made from, and the candidates of each
round. The pool is filled from them in the same order, so a resumed run ends with the weights of one that was never
stopped.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from dragoman import _core
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.errors import ConfigError, FormatError
from dragoman.files import writing
from dragoman.model.directory import ModelDirectory
from dragoman.tune.result import TuneRound

FORMAT = 1


def fingerprint(
    model: ModelDirectory,
    source: list[str],
    references: list[list[str]],
    options: TuneOptions,
    decode: DecodeOptions,
    weights: Mapping[str, float] | None,
    tokenize: str,
    grammar: Path | None = None,
) -> str:
    """Changes when anything changes that the rounds depend on; how many there may be does not count.

    `weights` are those that somebody asked to begin with; the model's own do not count, since tuning replaces them.
    """
    settings = dataclasses.asdict(options)
    for name in ("rounds", "patience", "rule_megabytes"):
        del settings[name]
    # There was no other once.
    if tokenize != "13a":
        settings["tokenize"] = tokenize
    if grammar is not None:
        settings["grammar"] = hashlib.sha256(grammar.read_bytes()).hexdigest()
    files = {name: entry.sha256 for name, entry in model.manifest.files.items() if name != "weights.txt"}
    parts = [FORMAT, files, settings, dataclasses.asdict(decode), dict(weights or {}), source, *references]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class TuningState:
    """The rounds of one tuning run on disk, or nothing at all without a folder."""

    def __init__(self, folder: Path | None, identity: str) -> None:
        self.folder = folder
        self.identity = identity

    def load(self) -> list[tuple[TuneRound, _core.Candidates]]:
        """The rounds that were finished; none where the folder is new."""
        if self.folder is None:
            return []
        path = self.folder / "tuning.json"
        try:
            data = json.loads(path.read_bytes())
        except FileNotFoundError:
            return []
        except ValueError as error:
            raise FormatError(f"{path}: is not valid JSON; remove the folder to begin anew", str(path)) from error
        try:
            identity, rounds = data["fingerprint"], [TuneRound(**fields) for fields in data["rounds"]]
        except (KeyError, TypeError) as error:
            raise FormatError(f"{path}: was not written by this program; remove the folder", str(path)) from error
        if identity != self.identity:
            raise ConfigError(
                f"{self.folder} belongs to tuning with another model, text or options; remove it or name another",
                "state",
            )
        return [
            (tune_round, _core.Candidates.open(str(self.candidates_path(tune_round.number)))) for tune_round in rounds
        ]

    def save(self, rounds: list[TuneRound], candidates: _core.Candidates) -> None:
        """Stores the last round; the list is written after the candidates, so it names only what is there."""
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        candidates.save(str(self.candidates_path(rounds[-1].number)))
        data = {"fingerprint": self.identity, "rounds": [tune_round.as_json() for tune_round in rounds]}
        with writing(self.folder / "tuning.json") as stream:
            stream.write(json.dumps(data, indent=1).encode())

    def candidates_path(self, number: int) -> Path:
        assert self.folder is not None
        return self.folder / f"round-{number:02}.bin"
