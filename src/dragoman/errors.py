"""What Dragoman raises. Every message is one sentence that says what to do; the command line prints it and exits."""

from __future__ import annotations


class DragomanError(Exception):
    """Base of everything Dragoman raises on purpose."""

    exit_code = 1


def excerpt(text: str) -> str:
    """Text of a file as it may stand inside a message: on one line, and not too much of it."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "..."


class FormatError(DragomanError):
    """A file that is damaged, truncated, foreign or newer than this program."""

    def __init__(self, message: str, path: str = "", offset: int = 0) -> None:
        super().__init__(message)
        self.path = path
        self.offset = offset


class ConfigError(DragomanError):
    """An option whose value cannot be used."""

    exit_code = 2

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


class InputError(DragomanError):
    """Text or data that cannot be used; `line` is 1-based, 0 where there is none to name."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class UnavailableError(DragomanError):
    """Something outside that does not answer now; it may later.

    `told` says so to callers of a server, whom it does not concern where that is.
    """

    def __init__(self, message: str, told: str = "") -> None:
        super().__init__(message)
        self.told = told or "something that this needs is away; try again later"
