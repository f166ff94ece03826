"""What children are asked to do in tests."""

from __future__ import annotations

import os
from typing import Any

from dragoman import errors
from dragoman.child.channel import Channel


def echo(argument: Any, channel: Channel) -> Any:
    print("this goes to standard error, not into the answer")
    for number, part in enumerate(argument):
        channel.row(part)
        channel.progress(number + 1, len(argument))
    return argument


def fail(argument: dict[str, Any], channel: Channel) -> None:
    raise getattr(errors, argument["kind"])(argument["message"], **argument["fields"])


def open_nothing(argument: str, channel: Channel) -> None:
    with open(argument):  # noqa: PTH123
        pass


def use_all_memory(argument: None, channel: Channel) -> None:
    raise MemoryError


def divide(argument: int, channel: Channel) -> int:
    return 1 // argument


def die(argument: int, channel: Channel) -> None:
    os.kill(os.getpid(), argument)


def leave(argument: int, channel: Channel) -> None:
    os._exit(argument)
