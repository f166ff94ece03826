"""Models from strangers, with hashes made to fit: an answer or one sentence, never a crash, a hang or much memory.

The readers of the core are attacked by themselves, under sanitizers, in core/tests/fuzz.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.fuzz.strange_models import FILES, make_model, strange_uses, use


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("strange") / "model")


def attack(model: Path, name: str, folder: Path, tries: int, first: int = 0) -> None:
    for finding in strange_uses(model, name, folder, tries, first):
        assert finding is None, finding


def test_the_model_itself_is_used_without_findings(model: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(model, tmp_path / "copy")
    assert use(copy) == []
    assert set(FILES) - {"model.json"} <= {path.name for path in model.iterdir()}


@pytest.mark.parametrize("name", FILES)
def test_strange_files(model: Path, tmp_path: Path, name: str) -> None:
    attack(model, name, tmp_path, 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_many_strange_files(model: Path, tmp_path: Path, name: str) -> None:
    attack(model, name, tmp_path, 1000, first=1000)
