"""The library of the core as it was built here, and small programs that measure it without Python."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness.digests import ROOT
from benchmarks.harness.table import NotHereError

NATIVE = ROOT / "benchmarks" / "native"


def compile_with_core(source: str, out: Path, flags: Sequence[str] = ()) -> Path:
    """A program of benchmarks/native."""
    libraries = [path for path in ROOT.glob("build/*/core/libdragoman_core.a") if "debug" not in path.parts]
    if not libraries or shutil.which("g++") is None:
        raise NotHereError("the core is not built here: make build" if not libraries else "g++")
    library = max(libraries, key=lambda path: path.stat().st_mtime)
    command = ["g++", "-std=c++20", "-O3", "-DNDEBUG", f"-I{ROOT / 'core'}", *flags, NATIVE / source, library]
    subprocess.run([*map(str, command), "-lpthread", "-o", str(out)], check=True)
    return out
