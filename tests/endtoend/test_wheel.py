"""`make wheel`: builds, checks and tries the distribution, or says which part of it this machine cannot do."""

from __future__ import annotations

import faulthandler
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# It compiles everything twice, which takes as long as it takes.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]


def test_the_distribution_is_built_and_works_in_an_empty_environment() -> None:
    # Nor may the watch over tests that hang end this one.
    faulthandler.cancel_dump_traceback_later()
    made = subprocess.run([sys.executable, "packaging/make_wheel.py"], cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    assert made.stdout.count("La maison dort ici. → The house sleeps here.") == 2 - made.stdout.count("SKIPPED")
    assert len(list((ROOT / "dist").glob("dragoman-*.tar.gz"))) == 1
    assert list((ROOT / "dist").glob("dragoman-*.whl"))
    if "SKIPPED" in made.stdout:
        pytest.skip(next(line.strip() for line in made.stdout.splitlines() if "SKIPPED" in line))
    assert list((ROOT / "dist").glob("dragoman-*-cp312-abi3-*.whl"))
