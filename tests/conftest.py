"""Fixtures for all tests. Shared corpora and golden files lie beside the checkout, or where DRAGOMAN_SHARED says."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test asserts a time: a busy machine is no failure.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("DRAGOMAN_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """shared("corpora/multi30k/test.en.xz") is a path, or skips the test visibly where it is not to be had."""

    def find(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"shared file {name} is not here; set DRAGOMAN_SHARED to the folder that holds it")
        return path

    return find
