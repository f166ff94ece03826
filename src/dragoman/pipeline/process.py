"""Runs a stage in a process of its own (child.py) and raises here what it raised there."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from typing import Any

from dragoman import errors
from dragoman.errors import DragomanError
from dragoman.pipeline.stage import Cost, Request, Stage

KINDS: dict[str, type[DragomanError]] = {
    kind.__name__: kind for kind in (errors.FormatError, errors.ConfigError, errors.InputError, DragomanError)
}


class StageCrashError(RuntimeError):
    """A fault of the program: what the stage raised is no error that it knows."""


def run_in_child(stage: Stage, request: Request) -> tuple[dict[str, Any], Cost]:
    """The stage's facts and cost; its process is gone when this returns or raises."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "dragoman.pipeline.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    answer: dict[str, Any] = {}
    try:
        process.stdin.write(json.dumps(as_message(stage, request)).encode() + b"\n")
        process.stdin.flush()
        for line in process.stdout:
            message = json.loads(line.decode("utf-8", "surrogateescape"))
            if "progress" in message:
                request.progress(*message["progress"])
            else:
                answer = message
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
    if "error" in answer:
        raise error_of(stage, answer["error"])
    if "result" not in answer:
        raise ended(stage, code)
    cost = Cost(time.perf_counter() - begin, answer["cost"]["cpu_seconds"], answer["cost"]["peak_bytes"])
    return answer["result"], cost


def as_message(stage: Stage, request: Request) -> dict[str, Any]:
    return {
        "function": stage.function,
        "inputs": {name: str(path) for name, path in request.inputs.items()},
        "options": request.options,
        "out": str(request.out.absolute()),
        "keep": str(request.keep.absolute()),
        "threads": request.threads,
    }


def error_of(stage: Stage, described: dict[str, Any]) -> BaseException:
    kind = described.pop("kind")
    message = described.pop("message")
    if kind in KINDS:
        known = KINDS[kind]
        return known(message, **described)
    if kind == "OSError":
        return OSError(described["errno"], message, described["filename"])
    if kind == "MemoryError":
        return DragomanError(
            f"stage {stage.name} ran out of memory; give it a machine with more, or train on less text"
        )
    return StageCrashError(f"stage {stage.name}: {message}\n{described['traceback']}")


def ended(stage: Stage, code: int) -> BaseException:
    """Why a process gave no answer."""
    if code == 130 or code == -signal.SIGINT:
        return KeyboardInterrupt()
    if code == -signal.SIGKILL:
        return DragomanError(
            f"stage {stage.name} was killed, most likely because memory ran out; run the same command again to go on"
            " from there, on a machine with more memory or with less text"
        )
    return DragomanError(
        f"stage {stage.name} ended unexpectedly (exit code {code}); run the same command again to go on from there"
    )
