"""Errors that cross from a child to its parent: described as JSON there, and raised here as what they were."""

from __future__ import annotations

import os
import traceback
from typing import Any

from dragoman import errors
from dragoman.errors import DragomanError

KINDS: dict[str, type[DragomanError]] = {
    kind.__name__: kind for kind in (errors.FormatError, errors.ConfigError, errors.InputError, DragomanError)
}


class ChildCrashError(RuntimeError):
    """A fault of the program: what the child raised is no error that it knows."""


def described(error: BaseException) -> dict[str, Any]:
    if isinstance(error, DragomanError):
        fields = {name: getattr(error, name) for name in ("path", "offset", "option", "line") if hasattr(error, name)}
        return {"kind": type(error).__name__, "message": str(error), "fields": fields}
    if isinstance(error, OSError):
        name = None if error.filename is None else os.fsdecode(error.filename)
        return {"kind": "OSError", "errno": error.errno, "message": error.strerror or str(error), "filename": name}
    if isinstance(error, MemoryError):
        return {"kind": "MemoryError", "message": str(error)}
    return {"kind": "crash", "message": repr(error), "traceback": traceback.format_exc()}


def raised(description: dict[str, Any], what: str) -> BaseException:
    """The error that was described; `what` is the child's name in a sentence."""
    kind, message = description["kind"], description["message"]
    if kind in KINDS:
        return KINDS[kind](message, **description["fields"])
    if kind == "OSError":
        return OSError(description["errno"], message, description["filename"])
    if kind == "MemoryError":
        return DragomanError(f"{what} ran out of memory; give it a machine with more memory, or less text")
    return ChildCrashError(f"{what}: {message}\n{description['traceback']}")
