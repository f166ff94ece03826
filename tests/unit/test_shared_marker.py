"""The marker `shared` stands on every test that a stranger's clone leaves out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


def test_without_the_marker_nothing_shared_is_read(shared: Callable[[str], Path]) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"pytest\.mark\.shared"):
        shared("golden")


@pytest.mark.shared
def test_with_the_marker_it_is_read_or_the_test_skips(
    shared: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.conftest.SHARED", tmp_path)
    (tmp_path / "here").touch()
    assert shared("here") == tmp_path / "here"
    with pytest.raises(pytest.skip.Exception, match="DRAGOMAN_SHARED"):
        shared("not here")
