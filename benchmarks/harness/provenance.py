"""Under what conditions a figure was taken."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import dragoman
from benchmarks.harness.digests import ROOT, digests_of
from benchmarks.harness.table import Setting, Table


def commit(root: Path = ROOT) -> str:
    """The commit, with a plus sign where files that it has were changed; empty outside of git."""
    try:
        name = git(root, "rev-parse", "--short=12", "HEAD")
        return name + ("+" if git(root, "status", "--porcelain", "--untracked-files=no", "core", "src") else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def git(root: Path, *arguments: str) -> str:
    answer = subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True)
    return answer.stdout.strip()


def processor() -> str:
    """Model and widest vector instructions, without the name of the machine."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.machine()
    facts = dict(line.split(":", 1) for line in text.split("\n\n")[0].split("\n") if ":" in line)
    facts = {name.strip(): value.strip() for name, value in facts.items()}
    flags = facts.get("flags", "").split()
    vectors = next((name for name in ("avx512_vnni", "avx512f", "avx2") if name in flags), "")
    return " ".join(part for part in (facts.get("model name", platform.machine()), vectors) if part)


def versions(table: Table) -> dict[str, str]:
    known = {"dragoman": dragoman.__version__, "python": platform.python_version()}
    for name in table.rivals:
        try:
            known[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            known[name] = "not installed"
    return known


def provenance(table: Table, setting: Setting) -> dict[str, Any]:
    """Everything but the time, so that rows of one run share it."""
    return {
        "commit": commit(),
        "digests": digests_of(table),
        "versions": versions(table),
        "processor": processor(),
        "cores": cores(),
        "device": setting.device,
        "threads": setting.threads or cores(),
        "jobs": setting.jobs,
        "seeds": list(table.seeds),
        "command": f"python -m benchmarks {table.name} --{setting.size}",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
