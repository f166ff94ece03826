"""One server with a small model, for the tests that need no other options."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.translate.support import make_model

pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")

from tests.unit.serve.support import Server, running

KEYS = f"""
[[key]]
name = "reader"
key = "reader-key"
rights = ["translate"]

[[key]]
name = "teacher"
sha256 = "{hashlib.sha256(b"teacher-key").hexdigest()}"
rights = ["translate", "teach", "sources"]

[[key]]
key = "slow-key-1"
rate = 2

[[key]]
key = "watcher-1"
rights = ["metrics"]
"""


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("serve") / "fr-en.model")


@pytest.fixture(scope="session")
def server(model: Path) -> Iterator[Server]:
    with running([model]) as started:
        yield started


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "keys.toml"
    path.write_text(KEYS)
    return path


@pytest.fixture(scope="session")
def locked(model: Path, keys: Path) -> Iterator[Server]:
    with running([model], keys=str(keys)) as server:
        yield server
