"""What a process is told about its own memory."""

from __future__ import annotations

import pytest

from dragoman import process_memory


def test_resident_memory_is_plausible() -> None:
    assert 5_000_000 < process_memory.resident_bytes() <= process_memory.peak_resident_bytes() < 1 << 40


def test_where_the_system_tells_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_memory, "status_bytes", lambda name: None)
    assert process_memory.anonymous_bytes() is None
    assert process_memory.resident_bytes() == process_memory.peak_resident_bytes() > 5_000_000
