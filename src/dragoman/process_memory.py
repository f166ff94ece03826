"""Memory of this process: all that is resident, and as a budget counts it, mapped files of the model and the rest."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def status_bytes(name: str) -> int | None:
    """One line of what Linux says of a process's memory; None on other systems."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:")), None)


def anonymous_bytes() -> int | None:
    """Resident memory that is no file's; None where the system does not say."""
    return status_bytes("RssAnon")


def resident_bytes() -> int:
    """Memory the process holds now, where the system tells; else the most it ever held."""
    return status_bytes("VmRSS") or peak_resident_bytes()


def peak_resident_bytes() -> int:
    """The most it ever held. Not ru_maxrss where there is better: that includes what ran before exec."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return status_bytes("VmHWM") or (peak if sys.platform == "darwin" else peak * 1024)


def mapped_bytes(folder: str | Path) -> int | None:
    """Bytes of this process's address space that are files of the folder; None where the system does not say."""
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
