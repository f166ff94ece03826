"""What the scripts of this folder share: steps that say what they took, programs that are run, how both may fail."""

from __future__ import annotations

import contextlib
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "packaging"
DIST = ROOT / "dist"


class FaultError(Exception):
    """The result is not what it has to be; the message says what is wrong."""


class UnavailableError(Exception):
    """This machine lacks something that a step needs; the message says what, and what to do."""


def say(text: str) -> None:
    print(text, flush=True)


@contextlib.contextmanager
def step(title: str, *, counted: bool = True) -> Iterator[None]:
    """Names what happens, and says what it took when it is done: on a busy machine the processor's time means more.
    That of containers is not `counted`: they are not children of this process."""
    say(f"== {title}")
    wall, cpu = time.monotonic(), processor_seconds()
    yield
    processor = f", {processor_seconds() - cpu:.0f} s of processor time" if counted else ""
    say(f"   {time.monotonic() - wall:.0f} s{processor}")


def processor_seconds() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usage)


def run(command: Sequence[str | Path], *, folder: Path = ROOT, environment: Mapping[str, str] | None = None) -> str:
    """Runs a program and returns what it printed; its messages are shown if it fails."""
    result = attempt(command, folder=folder, environment=environment)
    if result.returncode:
        sys.stderr.write(result.stdout + result.stderr)
        raise FaultError(f"`{shlex.join(map(str, command))}` ended with {result.returncode}")
    return result.stdout


def attempt(
    command: Sequence[str | Path], *, folder: Path = ROOT, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )


def fresh(folder: Path) -> Path:
    """The folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def kilobytes(path: Path) -> str:
    return f"{path.stat().st_size / 1000:,.0f} kB"


def finish(main: Callable[[], None]) -> None:
    """Runs the script; what it cannot do is one sentence and an exit code: 1 a fault, 3 what this machine lacks."""
    try:
        main()
    except (FaultError, UnavailableError) as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(1 if isinstance(error, FaultError) else 3)
