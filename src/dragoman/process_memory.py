"""Memory of a process as the budget counts it: mapped files of the model, and anonymous memory."""

from __future__ import annotations

from pathlib import Path


def anonymous_bytes() -> int | None:
    """Resident memory that is no file's; None where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:")), None)


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
