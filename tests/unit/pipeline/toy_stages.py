"""Stages for tests of the runner: each does one thing that stages do, or that happens to them."""

from __future__ import annotations

import errno
import os
import signal
import time
from dataclasses import dataclass

from dragoman.errors import InputError
from dragoman.pipeline.stage import Request


@dataclass(frozen=True)
class Toy:
    """`threads` change nothing that a stage makes."""

    suffix: str = ""
    threads: int = 0


@dataclass(frozen=True)
class Toyed:
    characters: int = 0
    threads: int = 0


def upper(request: Request[Toy]) -> Toyed:
    text = request.input("text").read_text() + request.options.suffix
    (request.out / "text").write_text(text.upper())
    print("this goes to standard error, not into the answer")
    request.progress(1, 1)
    return Toyed(len(text), request.threads)


def refuse(request: Request[Toy]) -> Toyed:
    raise InputError("line 7 is odd", 7)


def full_disk(request: Request[Toy]) -> Toyed:
    (request.out / "half").write_text("half")
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(request.out / "half"))


def killed(request: Request[Toy]) -> Toyed:
    os.kill(os.getpid(), signal.SIGKILL)
    return Toyed()


def broken(request: Request[Toy]) -> Toyed:
    return Toyed(1 // 0)


def slow(request: Request[Toy]) -> Toyed:
    """Says that it has begun, by a file, and takes until somebody stops it."""
    request.keep.mkdir(parents=True, exist_ok=True)
    (request.keep / "begun").write_text("")
    time.sleep(600)
    return Toyed()
