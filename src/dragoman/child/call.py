"""The parent: has a function called in a child and waits for what comes of it."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dragoman.child.crossing import raised
from dragoman.child.typed_json import as_json
from dragoman.errors import DragomanError
from dragoman.progress import Progress


@dataclass(frozen=True, slots=True)
class Cost:
    """What a child took; None where the system does not tell."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the function returned, as JSON, and what that took."""

    result: Any
    cost: Cost


def nothing(*_: Any) -> None: ...


def call(
    function: str,
    argument: Any,
    *,
    what: str,
    advice: str,
    progress: Progress = nothing,
    row: Callable[[Any], None] = nothing,
) -> Answer:
    """Calls `function`, a module:name that takes the argument, JSON or a dataclass, and a Channel. The process is gone
    when this returns or raises. `what` names it in sentences about its end, and `advice` says what to do then."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "dragoman.child"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    last: dict[str, Any] = {}
    try:
        process.stdin.write(json.dumps({"function": function, "argument": as_json(argument)}).encode() + b"\n")
        process.stdin.flush()
        for line in process.stdout:
            message = json.loads(line.decode("utf-8", "surrogateescape"))
            if "progress" in message:
                progress(*message["progress"])
            elif "row" in message:
                row(message["row"])
            else:
                last = message
        code = process.wait()
    except BrokenPipeError:
        code = process.wait()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
    if "error" in last:
        raise raised(last["error"], what)
    if "result" not in last:
        raise unanswered(code, what, advice)
    return Answer(last["result"], Cost(time.perf_counter() - begin, **last["cost"]))


def unanswered(code: int, what: str, advice: str) -> BaseException:
    """Why a process gave no answer."""
    if code in (130, -signal.SIGINT):
        return KeyboardInterrupt()
    if code == -signal.SIGKILL:
        return DragomanError(
            f"{what} was killed, most likely because memory ran out; {advice}, on a machine with more memory or with"
            " less text"
        )
    return DragomanError(f"{what} ended unexpectedly (exit code {code}); {advice}")
