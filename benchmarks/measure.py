"""What every benchmark shares: where the corpora are, and CPU time and peak memory of a piece of work.

Work is measured in a child process of its own, so that peak memory is that work's and nothing else's.
"""

from __future__ import annotations

import json
import lzma
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.harness.table import NotHereError

SHARED = Path(os.environ.get("DRAGOMAN_SHARED", Path(__file__).resolve().parent.parent.parent / "shared"))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a piece of work took: CPU of all its threads and children, wall clock, peak resident memory."""

    cpu_seconds: float
    wall_seconds: float
    peak_mb: float

    def as_json(self) -> dict[str, float]:
        return {name: round(value, 3) for name, value in asdict(self).items()}


def corpus_lines(name: str, limit: int | None = None) -> list[str]:
    """Lines of a shared corpus file, e.g. corpus_lines("multi30k/train.fr")."""
    path = SHARED / "corpora" / f"{name}.xz"
    if not path.exists():
        raise NotHereError(f"corpora/{name}.xz is not here")
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        lines: list[str] = []
        for line in stream:
            if limit is not None and len(lines) >= limit:
                break
            lines.append(line.rstrip("\n"))
    return lines


def run_command(command: Sequence[str | Path], **options: Any) -> Cost:
    """Runs a program to its end; raises if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "cost"
        launch = [sys.executable, "-ES", Path(__file__).with_name("launch.py"), told, *command]
        begin = time.perf_counter()
        status = subprocess.run([str(part) for part in launch], **options).returncode
        wall = time.perf_counter() - begin
        if status != 0:
            raise subprocess.CalledProcessError(status, [str(part) for part in command])
        cpu_seconds, kilobytes = told.read_text().split()
    return Cost(float(cpu_seconds), wall, float(kilobytes) / 1024)


def run_function(function: Callable[..., Any], *arguments: Any) -> tuple[Any, Cost]:
    """Calls a function in a forked child; its result comes back pickled with what it cost."""
    with tempfile.TemporaryFile() as answer:
        begin = time.perf_counter()
        pid = os.fork()
        if pid == 0:
            try:
                pickle.dump(function(*arguments), answer)
                answer.flush()
                os._exit(0)
            except BaseException as error:
                print(f"{function.__name__}: {error!r}", file=sys.stderr)
                os._exit(1)
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - begin
        if status != 0:
            raise RuntimeError(f"{function.__name__} failed")
        answer.seek(0)
        result = pickle.load(answer)
    return result, Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def report(results: dict[str, Any]) -> None:
    """Prints the results as JSON."""
    print(json.dumps(results, indent=2, ensure_ascii=False))
