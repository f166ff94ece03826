"""Where the steps of weights are kept: MODEL/overlay/steps.jsonl beside the log, and after compaction in the model.

A step is written before the lesson it belongs to, so that whoever finds the lesson finds the step.
"""

from __future__ import annotations

import os
from pathlib import Path

from dragoman.files import naming, open_plain, sync_names
from dragoman.model.manifest import OVERLAY

STEPS = "steps.jsonl"


class StepsFile:
    """The file of one model directory. For one thread at a time; `append` needs the model's lock."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / OVERLAY / STEPS
        self._offset = 0  # read up to here

    def read_news(self) -> bytes:
        """Whole lines that were written since the last call."""
        try:
            with open_plain(self.path) as stream:
                stream.seek(self._offset)
                data = stream.read()
        except FileNotFoundError:
            return b""
        # A line that is not whole yet is read again.
        data = data[: data.rfind(b"\n") + 1]
        self._offset += len(data)
        return data

    def append(self, lines: bytes) -> None:
        """Writes lines after those that were read, and syncs them."""
        with naming(self.path):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            with os.fdopen(descriptor, "r+b") as stream:
                # What a killed writer left goes.
                stream.truncate(self._offset)
                stream.seek(self._offset)
                stream.write(lines)
                stream.flush()
                os.fsync(stream.fileno())
            sync_names(self.path.parent)
        self._offset += len(lines)


def carry_steps(old: Path, new: Path) -> None:
    """Takes the steps of lessons over that were taught while a model was compacted; those before them do no harm."""
    steps = old / OVERLAY / STEPS
    if steps.exists():
        (new / OVERLAY).mkdir(exist_ok=True)
        (new / OVERLAY / STEPS).write_bytes(steps.read_bytes())
