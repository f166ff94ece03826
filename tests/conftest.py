"""Fixtures for all tests. Shared corpora and golden files lie beside the checkout, or where DRAGOMAN_SHARED says."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test asserts a time: a busy machine is no failure. Where a machine decides whether a change lands, examples are
# the same each time; everywhere else they are new ones.
settings.register_profile(
    "any machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # The same examples for everybody; `make test-slow` draws others, and what it finds becomes an example.
    derandomize=not os.environ.get("DRAGOMAN_RANDOM"),
)
settings.load_profile("any machine")

# Shells start background jobs with Ctrl-C ignored, which children inherit: tests that interrupt them would never end.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("DRAGOMAN_SHARED", ROOT.parent / "shared"))


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Callable[[str], Path]:
    """shared("corpora/multi30k/test.en.xz") is a path, or skips the test visibly where it is not to be had.

    Only tests marked `shared` may ask, so that the marker tells which tests a stranger's clone leaves out.
    """

    def find(name: str) -> Path:
        if request.node.get_closest_marker("shared") is None:
            pytest.fail(f"this test reads {name} of the shared folder: mark it with pytest.mark.shared")
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"shared file {name} is not here; set DRAGOMAN_SHARED to the folder that holds it")
        return path

    return find
