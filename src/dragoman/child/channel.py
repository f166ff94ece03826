"""The child's way to its parent."""

from __future__ import annotations

import json
import os
import time
from typing import Any, TextIO

from dragoman.child.typed_json import as_json

PROGRESS_SECONDS = 0.1


class Channel:
    """Lines of JSON; where the parent no longer reads them, this process ends."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last_progress = 0.0

    def progress(self, done: int, total: int) -> None:
        """Not more often than somebody who watches can see."""
        now = time.monotonic()
        if now - self._last_progress >= PROGRESS_SECONDS or done == total:
            self._last_progress = now
            self.send({"progress": [done, total]})

    def row(self, value: Any) -> None:
        """A part of the result that need not wait for the rest: JSON, or a dataclass."""
        self.send({"row": as_json(value)})

    def send(self, message: dict[str, Any]) -> None:
        try:
            self._stream.write(json.dumps(message) + "\n")
        except BrokenPipeError:
            os._exit(1)
