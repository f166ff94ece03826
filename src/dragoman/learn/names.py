"""names.tsv: what added pairs are called, once they are part of the index, where sources.bin does not say it.

That is all of them in a model that keeps no sources, else those that a lesson has besides its first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from dragoman.errors import FormatError
from dragoman.files import writing

NAMES = "names.tsv"
# Ids of pairs are below this; see core/index/live_index.
MOST_IDS = 1 << 57


def write_names(path: Path, names: Mapping[str, int]) -> None:
    """A line for each name: the stable id of its pair, and the name as a JSON string."""
    with writing(path) as stream:
        for name, stable_id in sorted(names.items(), key=lambda item: (item[1], item[0])):
            stream.write(f"{stable_id}\t{json.dumps(name, ensure_ascii=False)}\n".encode())


def read_names(path: Path) -> dict[str, int]:
    names = {}
    try:
        for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
            number, text = line.split("\t", 1)
            stable_id, name = int(number), json.loads(text)
            if not 0 <= stable_id < MOST_IDS or not isinstance(name, str):
                raise ValueError(f"{line[:80]!r} is no pair's name")
            name.encode()
            names[name] = stable_id
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: is damaged ({error}); copy the model again", str(path)) from error
    return names
