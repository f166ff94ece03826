"""Kernels for 64-bit ARM, compiled by a cross compiler and run by an emulator where both are installed."""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPILER, EMULATOR = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64")
PROGRAMS = {
    "check_lanes": [],
    "check_kernels": ["core/nlm/training_kernels.cpp"],
}

pytestmark = pytest.mark.skipif(
    COMPILER is None or (EMULATOR is None and platform.machine() != "aarch64"),
    reason="needs aarch64-linux-gnu-g++ and qemu-aarch64 (Debian: g++-aarch64-linux-gnu, qemu-user)",
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_arm_kernels_compute_what_they_should(program: str, tmp_path: Path) -> None:
    built = tmp_path / program
    compiler = [COMPILER, "-std=c++20", "-O2", "-static", "-Wall", "-Wextra", "-Werror", "-Icore"]
    sources = [f"core/tests/arm/{program}.cpp", *PROGRAMS[program]]
    subprocess.run([*compiler, "-DDRAGOMAN_KERNELS=baseline", *sources, "-o", built], cwd=ROOT, check=True)
    found = subprocess.run([EMULATOR, built] if EMULATOR else [built], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "")


def test_arm_kernels_of_queries_compile(tmp_path: Path) -> None:
    compiler = [COMPILER, "-std=c++20", "-O2", "-c", "-Wall", "-Wextra", "-Werror", "-Icore"]
    source = "core/nlm/kernels.cpp"
    subprocess.run([*compiler, "-DDRAGOMAN_KERNELS=baseline", source, "-o", tmp_path / "k.o"], cwd=ROOT, check=True)
