"""The process a stage runs in, so that its peak of memory is its own and a crash ends nothing else.

The request comes as one line of JSON on standard input, which the parent then keeps open: when it closes, the parent is
gone, and so is this process. Progress, the result and errors go back as lines of JSON; whatever else writes to standard
output ends up on standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any, TextIO

from dragoman.errors import DragomanError
from dragoman.pipeline.stage import Request, StageFunction

PROGRESS_SECONDS = 0.1


def main() -> int:
    request = json.loads(sys.stdin.buffer.readline())
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="surrogateescape", buffering=1)
    os.dup2(2, 1)
    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        facts = run(request, channel)
    except KeyboardInterrupt:
        return 130
    except BaseException as error:
        send(channel, {"error": describe(error)})
        return 1
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cost = {"cpu_seconds": sum(each.ru_utime + each.ru_stime for each in usages), "peak_bytes": peak_bytes()}
    send(channel, {"result": facts, "cost": cost})
    return 0


def end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def run(request: dict[str, Any], channel: TextIO) -> dict[str, Any]:
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PROGRESS_SECONDS or done == total:
            last = now
            send(channel, {"progress": [done, total]})

    module, name = request["function"].split(":")
    function: StageFunction = getattr(importlib.import_module(module), name)
    facts: dict[str, Any] = function(
        Request(
            inputs={key: Path(path) for key, path in request["inputs"].items()},
            options=request["options"],
            out=Path(request["out"]),
            keep=Path(request["keep"]),
            threads=request["threads"],
            progress=progress,
        )
    )
    return facts


def send(channel: TextIO, message: dict[str, Any]) -> None:
    try:
        channel.write(json.dumps(message) + "\n")
    except BrokenPipeError:
        os._exit(1)


def describe(error: BaseException) -> dict[str, Any]:
    """What the parent needs to raise the same error."""
    if isinstance(error, DragomanError):
        fields = {name: getattr(error, name) for name in ("path", "offset", "option", "line") if hasattr(error, name)}
        return {"kind": type(error).__name__, "message": str(error), **fields}
    if isinstance(error, OSError):
        name = None if error.filename is None else os.fsdecode(error.filename)
        return {"kind": "OSError", "errno": error.errno, "message": error.strerror or str(error), "filename": name}
    if isinstance(error, MemoryError):
        return {"kind": "MemoryError", "message": str(error)}
    return {"kind": "crash", "message": repr(error), "traceback": traceback.format_exc()}


def peak_bytes() -> int | None:
    """The most memory this process, or one it started, has held."""
    unit = 1 if sys.platform == "darwin" else 1024
    return max(own_peak_bytes(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit)


def own_peak_bytes() -> int:
    """Not ru_maxrss where there is better: that includes what ran before exec."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # Not through the interpreter's end, where the thread that watches the parent may be in the way.
    os._exit(code)
