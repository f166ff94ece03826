"""Replicas that share corrections, killed while clients teach them; 10,000 corrections are `python -m
benchmarks.replicas`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server's packages are not installed")

from benchmarks.replicas import faults, killed_and_taught
from benchmarks.soak_server import phrasebook_model


@pytest.mark.slow
def test_kills_lose_nothing_acknowledged_and_replicas_end_equal(tmp_path: Path) -> None:
    phrasebook_model(tmp_path / "model")
    figures = killed_and_taught(tmp_path / "model", tmp_path, corrections=300, servers=3, clients=3, pause=1)
    assert not faults(figures)
    assert figures["acknowledged"] == 301 <= figures["changes_in_the_database"]
    assert figures["moments_of_kills"] >= 2
