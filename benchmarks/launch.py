"""Runs a program and tells what it cost, from a process so small that it adds nothing to the program's memory.

    python benchmarks/launch.py COST PROGRAM [ARGUMENT]...

The kernel's peak memory of a process begins with that of the process that started it, so a program of a few megabytes
that was started from one of hundreds would seem to take hundreds. COST receives CPU seconds and kilobytes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(cost: str, *command: str) -> int:
    process = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    Path(cost).write_text(f"{usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}")
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) % 256)
