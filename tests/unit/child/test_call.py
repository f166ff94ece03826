"""A function called in another process: what goes there and comes back, and how it may end."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from dragoman.child.call import Answer, call
from dragoman.child.crossing import ChildCrashError
from dragoman.errors import ConfigError, DragomanError, FormatError, InputError

ODD = ["", "é \ud800 \U0001f600", "line\nend\r\u2028", "\0", None, 1.5, [1, {"a": []}], "x" * 200_000]


def asked(function: str, argument: Any, **more: Any) -> Answer:
    return call(f"tests.unit.child.functions:{function}", argument, what="the child", advice="try again", **more)


def test_whatever_json_holds_goes_there_and_back() -> None:
    rows: list[Any] = []
    progress: list[tuple[int, int]] = []
    answer = asked("echo", ODD, row=rows.append, progress=lambda *done: progress.append(done))
    assert answer.result == rows == ODD and progress[-1] == (len(ODD), len(ODD))
    assert 0 < answer.cost.cpu_seconds < 60 and answer.cost.seconds > 0
    assert answer.cost.peak_bytes is not None and answer.cost.peak_bytes > 10**6


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (FormatError, {"path": "a.bin", "offset": 7}),
        (ConfigError, {"option": "memory"}),
        (InputError, {"line": 3}),
        (DragomanError, {}),
    ],
)
def test_errors_are_raised_as_what_they_were(kind: type[DragomanError], fields: dict[str, Any]) -> None:
    with pytest.raises(kind, match=r"^it is odd: 'é'$") as caught:
        asked("fail", {"kind": kind.__name__, "message": "it is odd: 'é'", "fields": fields})
    assert type(caught.value) is kind
    assert {name: getattr(caught.value, name) for name in fields} == fields


def test_errors_of_the_system_keep_their_file() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        asked("open_nothing", "/no such/\udcff file")
    assert caught.value.filename == "/no such/\udcff file" and caught.value.strerror


@pytest.mark.parametrize(
    ("function", "argument", "kind", "message"),
    [
        ("use_all_memory", None, DragomanError, "^the child ran out of memory; "),
        ("divide", 0, ChildCrashError, "ZeroDivisionError"),
        ("no_such", 0, ChildCrashError, "no_such"),
        ("die", signal.SIGKILL, DragomanError, "^the child was killed, .* memory ran out; try again, on a machine"),
        ("die", signal.SIGSEGV, DragomanError, r"^the child ended unexpectedly \(exit code -11\); try again$"),
        ("leave", 0, DragomanError, r"^the child ended unexpectedly \(exit code 0\); try again$"),
        ("leave", 130, KeyboardInterrupt, "^$"),
    ],
)
def test_ends_without_an_answer(function: str, argument: Any, kind: type[BaseException], message: str) -> None:
    with pytest.raises(kind, match=message):
        asked(function, argument)
