"""Stages for tests of the runner: each does one thing that stages do, or that happens to them."""

from __future__ import annotations

import errno
import os
import signal
import time
from typing import Any

from dragoman.errors import InputError
from dragoman.pipeline.stage import Request


def upper(request: Request) -> dict[str, Any]:
    text = request.input("text").read_text() + request.options.get("suffix", "")
    (request.out / "text").write_text(text.upper())
    print("this goes to standard error, not into the answer")
    request.progress(1, 1)
    return {"characters": len(text), "threads": request.threads}


def refuse(request: Request) -> dict[str, Any]:
    raise InputError("line 7 is odd", 7)


def full_disk(request: Request) -> dict[str, Any]:
    (request.out / "half").write_text("half")
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(request.out / "half"))


def killed(request: Request) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def broken(request: Request) -> dict[str, Any]:
    return {"x": 1 // 0}


def slow(request: Request) -> dict[str, Any]:
    """Says that it has begun, by a file, and takes until somebody stops it."""
    request.keep.mkdir(parents=True, exist_ok=True)
    (request.keep / "begun").write_text("")
    time.sleep(600)
    return {}
