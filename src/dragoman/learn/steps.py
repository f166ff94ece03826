"""The steps of weights that lessons have, and how they are written: lines of JSON.

The latest step of a lesson counts, and an empty one is none. A step without a lesson does nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from dragoman.files import writing
from dragoman.learn.weight_steps import Step, weights_name


class Steps:
    """Those of one opened model. For one thread at a time."""

    def __init__(self, lines: bytes = b"") -> None:
        self._steps: dict[int, tuple[str, Step]] = {}
        self.take(lines)

    def take(self, lines: bytes) -> None:
        """Takes over what was written since."""
        for stable_id, name, step in read_steps(lines):
            # A lesson that comes again is the latest.
            self._steps.pop(stable_id, None)
            self._steps[stable_id] = (name, step)

    def lines(self, steps: Mapping[int, Step], tuned: Mapping[str, float] | None) -> bytes:
        """What to write of lessons that are about to be learned; of those without a step, that there is none."""
        name = weights_name(tuned or {})
        return step_lines(
            (stable_id, name, step) for stable_id, step in steps.items() if step or stable_id in self._steps
        )

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
