"""`make container`: builds the image, serves from it and teaches it; where podman cannot, it says why."""

from __future__ import annotations

import faulthandler
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The exit code for what this machine lacks.
UNAVAILABLE = 3

# It compiles everything unless the wheel is there, which takes as long as it takes.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]


def test_the_image_serves_a_model_that_it_cannot_write_to() -> None:
    # Nor may the watch over tests that hang end this one.
    faulthandler.cancel_dump_traceback_later()
    made = subprocess.run([sys.executable, "packaging/make_container.py"], cwd=ROOT, capture_output=True, text=True)
    if made.returncode == UNAVAILABLE:
        pytest.skip(made.stderr.strip())
    assert made.returncode == 0, made.stdout + made.stderr
    assert "stopped in order" in made.stdout
    assert "Read-only file system" in made.stdout
