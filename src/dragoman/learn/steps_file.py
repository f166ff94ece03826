"""Where the steps of weights are kept: MODEL/overlay/steps.jsonl beside the log, and after compaction in the model.

A step is written before the lesson it belongs to, so that whoever finds the lesson finds the step; a step without a
lesson does nothing. The latest of a lesson counts, and an empty one is none.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from dragoman.files import naming, open_plain, sync_names, writing
from dragoman.learn.weight_steps import Step, weights_name
from dragoman.model.directory import ModelDirectory
from dragoman.model.manifest import OVERLAY

STEPS = "steps.jsonl"


class StepsFile:
    """The steps of one opened model. For one thread at a time; `record` needs the model's lock."""

    def __init__(self, model: ModelDirectory) -> None:
        self.path = model.path / OVERLAY / STEPS
        self._offset = 0  # read up to here
        self._steps: dict[int, tuple[str, Step]] = {}
        if model.has(STEPS):
            self._take(model.file(STEPS).read_bytes())

    def refresh(self) -> None:
        """Takes over what was written since."""
        try:
            with open_plain(self.path) as stream:
                stream.seek(self._offset)
                data = stream.read()
        except FileNotFoundError:
            return
        # A line that is not whole yet is read again.
        data = data[: data.rfind(b"\n") + 1]
        self._offset += len(data)
        self._take(data)

    def record(self, steps: Mapping[int, Step], tuned: Mapping[str, float] | None) -> None:
        """Writes down the steps of lessons that are about to be learned, for those without one that there is none."""
        name = weights_name(tuned or {})
        lines = [(stable_id, name, step) for stable_id, step in steps.items() if step or stable_id in self._steps]
        if not lines:
            return
        self.path.parent.mkdir(exist_ok=True)
        with naming(self.path):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            with os.fdopen(descriptor, "r+b") as stream:
                # What a killed writer left of a line goes.
                stream.truncate(self._offset)
                stream.seek(self._offset)
                stream.write(step_lines(lines))
                stream.flush()
                os.fsync(stream.fileno())
            sync_names(self.path.parent)
        self.refresh()

    def of(self, tuned: Mapping[str, float], is_there: Callable[[int], bool]) -> list[Step]:
        """Those from these weights, of lessons that are there, in the order they were taught."""
        name = weights_name(tuned)
        return [
            step for stable_id, (other, step) in self._steps.items() if step and other == name and is_there(stable_id)
        ]

    def write_to(self, path: Path, is_there: Callable[[int], bool]) -> None:
        """All steps of lessons that are there, as a file of a model; none where there are none."""
        path.unlink(missing_ok=True)
        kept = [
            (stable_id, name, step) for stable_id, (name, step) in self._steps.items() if step and is_there(stable_id)
        ]
        if kept:
            with writing(path) as stream:
                stream.write(step_lines(kept))

    def _take(self, data: bytes) -> None:
        for stable_id, name, step in read_steps(data):
            # A lesson that comes again is the latest.
            self._steps.pop(stable_id, None)
            self._steps[stable_id] = (name, step)


def step_lines(steps: Iterable[tuple[int, str, Step]]) -> bytes:
    """Steps of lessons as lines of JSON: the stable id, the name of the weights it starts from, and the step."""
    return b"".join(
        json.dumps({"id": stable_id, "tuned": name, "step": step}).encode() + b"\n" for stable_id, name, step in steps
    )


def read_steps(data: bytes) -> Iterable[tuple[int, str, Step]]:
    """What `step_lines` wrote; a line that is torn or makes no sense is as good as none."""
    for line in data.split(b"\n"):
        try:
            fields = json.loads(line)
            stable_id, name, step = fields["id"], fields["tuned"], fields["step"]
            numbers = {str(feature): float(value) for feature, value in step.items()}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
            continue
        if type(stable_id) is int and isinstance(name, str) and all(map(math.isfinite, numbers.values())):
            yield stable_id, name, numbers


def carry_steps(old: Path, new: Path) -> None:
    """Takes the steps of lessons over that were taught while a model was compacted; those before them do no harm."""
    steps = old / OVERLAY / STEPS
    if steps.exists():
        (new / OVERLAY).mkdir(exist_ok=True)
        (new / OVERLAY / STEPS).write_bytes(steps.read_bytes())
