"""Random damage to every text file that a model directory may hold or a command reads: one clear sentence or a normal
answer, never a traceback, never the end of the process."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.damaged_text import damaged_reads
from tests.fuzz.text_files import KINDS

# Under a minute for a change, and what is worth some minutes now and then.
TRIES = [60, pytest.param(500, marks=pytest.mark.slow)]


@pytest.mark.parametrize("tries", TRIES)
@pytest.mark.parametrize("kind", KINDS)
def test_text_files(kind: str, tries: int, tmp_path: Path) -> None:
    results = list(damaged_reads(kind, tmp_path, tries, random.Random(f"{kind} {tries}")))
    findings = [finding for finding in results if finding]
    assert len(results) == tries + 1
    assert not findings, f"{len(findings)} of {len(results)}\n\n" + "\n\n".join(findings[:5])
