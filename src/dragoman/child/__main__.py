"""The child: calls one function and says what came of it."""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import threading
import typing
from typing import Any

from dragoman.child.channel import Channel
from dragoman.child.crossing import described
from dragoman.child.typed_json import as_json, from_json
from dragoman.process_memory import peak_resident_bytes


def main() -> int:
    request = json.loads(sys.stdin.buffer.readline())
    channel = Channel(os.fdopen(os.dup(1), "w", encoding="utf-8", errors="surrogateescape", buffering=1))
    os.dup2(2, 1)
    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        result = called(request["function"], request["argument"], channel)
    except KeyboardInterrupt:
        return 130
    except BaseException as error:
        channel.send({"error": described(error)})
        return 1
    channel.send({"result": as_json(result), "cost": cost()})
    return 0


def called(function: str, argument: Any, channel: Channel) -> Any:
    """What the function returns; it gets its argument as the kind that it says it takes."""
    module, name = function.split(":")
    run = getattr(importlib.import_module(module), name)
    kind = next(iter(typing.get_type_hints(run).values()))
    return run(from_json(kind, argument), channel)


def end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def cost() -> dict[str, float | int]:
    """CPU time of this process and those it started, and the most memory one of them has held."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "cpu_seconds": sum(usage.ru_utime + usage.ru_stime for usage in usages),
        "peak_bytes": max(peak_resident_bytes(), usages[1].ru_maxrss * unit),
    }


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # Not through the interpreter's end, where the thread that watches the parent may be in the way.
    os._exit(code)
