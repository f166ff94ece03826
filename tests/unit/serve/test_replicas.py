"""Servers that share their corrections: what one was taught all know, whatever happens to the database."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.learn.postgres import PostgresServer, postgres_server
from tests.unit.learn.support import make_model
from tests.unit.serve.support import Server, running

FR_EN = {"source": "fr", "target": "en"}
LESSON = {"q": "Le zorglub voit une maison.", "s": "The snark sees a house."}


@pytest.fixture
def database() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


def translated(server: Server, text: str) -> str:
    return str(server.post("/translate", q=text, **FR_EN).json["translatedText"])


def soon(server: Server, text: str, translation: str) -> None:
    deadline = time.monotonic() + 30
    while translated(server, text) != translation:
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


def test_replicas(tmp_path: Path, database: PostgresServer) -> None:
    first = make_model(tmp_path / "first.model")
    second = Path(shutil.copytree(first, tmp_path / "second.model"))
    with running([first], corrections=database.url) as one, running([second], corrections=database.url) as other:
        states = other.get("/frontend/settings").json["states"]
        ids = one.post("/suggest", **LESSON, **FR_EN).json["ids"]
        soon(other, "Le zorglub dort.", "The snark sleeps.")
        # Whoever keeps translations knows that they are old.
        assert other.get("/frontend/settings").json["states"] != states
        database.kill()
        for server in (one, other):
            assert translated(server, "Le zorglub dort.") == "The snark sleeps."
            refused = server.post("/suggest", q="Le truc dort.", s="The thing sleeps.", **FR_EN)
            assert refused.status == 503 and refused.headers["Retry-After"] == "5"
            assert "the database of corrections does not answer; try again when it does" in refused.error
            assert "127.0.0.1" not in refused.error
        database.start()
        assert other.post("/forget", ids=ids, **FR_EN).json["removed"] == 1
        soon(one, "Le zorglub dort.", "The zorglub sleeps.")
        assert one.post("/suggest", q="Le truc dort.", s="The thing sleeps.", **FR_EN).status == 200
        soon(other, "Le truc dort.", "The thing sleeps.")


def test_a_server_that_lost_track(tmp_path: Path, database: PostgresServer) -> None:
    """It is no fault of who teaches."""
    import psycopg

    with running([make_model(tmp_path / "fr-en.model")], corrections=database.url) as server:
        assert server.post("/suggest", **LESSON, **FR_EN).status == 200
        with psycopg.connect(database.url) as connection:
            connection.execute("UPDATE dragoman_series SET size = 0")
        refused = server.post("/suggest", q="Le truc dort.", s="The thing sleeps.", **FR_EN)
        assert refused.status == 503 and "cannot follow the corrections" in refused.error
        assert "127.0.0.1" not in refused.error
        assert translated(server, "Le zorglub dort.") == "The snark sleeps."
