"""Memory of this process: as the budget counts it (mapped files of the model, and anonymous memory), and all of it."""

from __future__ import annotations

import resource
import sys
import threading
from pathlib import Path
from types import TracebackType

SAMPLE_SECONDS = 0.002


def anonymous_bytes() -> int | None:
    """Resident memory that is no file's; None where the system does not say."""
    return status_bytes("RssAnon")


def resident_bytes() -> int:
    """Memory held now, where the system says; else the most that ever was."""
    held = status_bytes("VmRSS")
    return held if held is not None else peak_resident_bytes()


def peak_resident_bytes() -> int:
    """The most memory held so far."""
    # Not ru_maxrss where there is better: that includes what ran before exec.
    peak = status_bytes("VmHWM")
    if peak is not None:
        return peak
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def status_bytes(name: str) -> int | None:
    """A line of Linux' /proc/self/status."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:")), None)


def mapped_bytes(folder: str | Path) -> int | None:
    """Bytes of the address space that are files of the folder; None where the system does not say."""
    try:
        maps = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return None
    prefix = f"{Path(folder).resolve()}/"
    sizes: dict[str, int] = {}
    for line in maps:
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and fields[5].startswith(prefix):
            begin, end = (int(part, 16) for part in fields[0].split("-"))
            # Mapped twice, it is the same memory.
            sizes[fields[5]] = max(sizes.get(fields[5], 0), end - begin)
    return sum(sizes.values())


class MemorySampler:
    """Watches anonymous memory while a block runs: the system keeps no peak of it. `peak_anonymous` is None where the
    system does not tell."""

    def __init__(self) -> None:
        self.peak_anonymous: int | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            self._look()

    def _look(self) -> None:
        now = anonymous_bytes()
        if now is not None:
            self.peak_anonymous = max(self.peak_anonymous or 0, now)

    def __enter__(self) -> MemorySampler:
        self._thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
        self._look()
