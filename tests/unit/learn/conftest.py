"""A database, and a model whose replicas share corrections in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.learn.postgres import PostgresServer, postgres_server
from tests.unit.learn.support import make_model


@pytest.fixture(scope="module")
def database() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("original") / "fr-en.model", live={"follow_weights": True})


@pytest.fixture
def url(database: PostgresServer) -> Iterator[str]:
    """Of a database that is empty."""
    import psycopg

    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS dragoman_change, dragoman_index, dragoman_series")
    yield database.url
