"""The French-English phrasebook that ships with the project: what the demo uses where no other text is to be had."""

from __future__ import annotations

from importlib import resources
from pathlib import Path


def phrasebook_path() -> Path:
    """A file of lines `French<TAB>English`, sorted by theme: everyday talk, food, shopping, travel, time, health,
    work, software, longer sentences. Its words recur in new combinations, so that new sentences made of them can be
    translated from it."""
    return Path(str(resources.files("examples.demo") / "phrasebook.tsv"))


def phrases() -> list[tuple[str, str]]:
    """(French, English) of every line."""
    with phrasebook_path().open(encoding="utf-8", newline="\n") as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream]
    return [(source, target) for source, target in rows]
