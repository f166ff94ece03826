"""Who watches trainings in tests."""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager

from dragoman.pipeline.stage import Made, Progress, Stage


class Silence:
    """Shows nothing."""

    def stage(self, stage: Stage) -> AbstractContextManager[Progress]:
        return contextlib.nullcontext(lambda done, total: None)

    def made(self, made: Made) -> None: ...

    def warn(self, message: str) -> None: ...
