"""One server with a small model, for the tests that need no other options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.translate.support import make_model

pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")

from tests.unit.serve.support import Server, running


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("serve") / "fr-en.model")


@pytest.fixture(scope="session")
def server(model: Path) -> Iterator[Server]:
    with running([model]) as started:
        yield started
