"""What goes wrong with a database that replicas share: nothing is appended to what a replica does not know, and whoever
teaches is told what became of it.
"""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dragoman.errors import ConfigError, UnavailableError
from dragoman.learn.compaction import compact
from dragoman.translator import Translator
from tests.unit.learn.postgres import PostgresServer, free_port, postgres_server
from tests.unit.learn.replica import SECONDS, assert_equal, change, copies, lost, names, replicas, soon, stored


def test_a_database_that_is_away(original: Path, tmp_path: Path, url: str, database: PostgresServer) -> None:
    one, other = replicas(original, tmp_path, url)
    one.add("Le bidule dort.", "The gizmo sleeps.", id="1")
    soon(lambda: other.overlay.log.size() == one.overlay.log.size())
    database.kill()
    try:
        for translator in (one, other):
            assert str(translator.translate("Le bidule dort.")) == "The gizmo sleeps."
            with pytest.raises(UnavailableError, match="does not answer"):
                translator.add("Le truc dort.", "The thing sleeps.", id="2")
            with pytest.raises(UnavailableError):
                translator.remove("1")
        with pytest.raises(UnavailableError):
            Translator.load(tmp_path / "0.model", corrections=url)
    finally:
        database.start()
    one.add("Le truc dort.", "The thing sleeps.", id="2")
    assert_equal([one, other])
    assert list(names(other)) == ["1", "2"]


@pytest.mark.parametrize("address", ["nothing", "postgresql://127.0.0.1:1/x", "mysql://127.0.0.1/x"])
def test_what_is_no_database(original: Path, tmp_path: Path, address: str) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises((ConfigError, UnavailableError), match=r"address of a database|does not answer"):
        Translator.load(copies(original, tmp_path, 1)[0], corrections=address)


@pytest.fixture
def silence(database: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replicas hear of what others do only when they teach."""
    monkeypatch.setattr("dragoman.learn.shared_log.follow", lambda *given: None)


@pytest.mark.usefixtures("silence")
def test_a_replica_that_was_left_behind(original: Path, tmp_path: Path, url: str) -> None:
    """All that it does not know was compacted and deleted, and nothing follows that it could stumble over."""
    one, other = replicas(original, tmp_path, url)
    one.add("Le bidule dort.", "The gizmo sleeps.", id="1")
    for _ in range(2):
        compact(tmp_path / "0.model", corrections=url)
    assert stored(url) == 0
    with pytest.raises(UnavailableError, match="copy the model from a replica"):
        other.add("Le truc dort.", "The thing sleeps.", id="2")
    assert stored(url) == 0


def test_a_gap_is_noticed_without_teaching(original: Path, tmp_path: Path, url: str) -> None:
    one, other = replicas(original, tmp_path, url)
    one.add("Le bidule dort.", "The gizmo sleeps.", id="1")
    assert_equal([one, other])
    change(url, "UPDATE dragoman_series SET size = size + 50")
    soon(lambda: "copy the model from a replica" in lost(other))


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("DELETE FROM dragoman_change; UPDATE dragoman_series SET size = 0", "database is older than this replica"),
        ("DELETE FROM dragoman_change; DELETE FROM dragoman_index; DELETE FROM dragoman_series", "not in the database"),
    ],
)
def test_a_database_of_earlier(original: Path, tmp_path: Path, url: str, command: str, sentence: str) -> None:
    hears, teaches = replicas(original, tmp_path, url)
    for translator in (hears, teaches):
        translator.add("Le bidule dort.", "The gizmo sleeps.", id="1")
    change(url, command)
    with pytest.raises(UnavailableError, match=sentence):
        teaches.add("Le truc dort.", "The thing sleeps.", id="2")
    soon(lambda: sentence in lost(hears))
    assert stored(url) == 0
    again = Translator.load(tmp_path / "0.model", corrections=url)
    again.add("Le truc dort.", "The thing sleeps.", id="2")
    assert list(names(again)) == ["2"]


def test_a_commit_whose_answer_was_lost(
    original: Path, tmp_path: Path, url: str, database: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever teaches is told what became of it, or that nobody knows."""
    import psycopg

    one, other = replicas(original, tmp_path, url)
    commit = psycopg.Connection.commit

    def cut_off(before: bool, away: bool) -> Callable[[object], None]:
        def cut(connection: psycopg.Connection[object]) -> None:
            monkeypatch.setattr(psycopg.Connection, "commit", commit)
            if not before:
                commit(connection)
            connection.close()
            if away:
                database.kill()
            raise psycopg.OperationalError("the connection is lost")

        return cut

    def add(name: str, **how: bool) -> None:
        monkeypatch.setattr(psycopg.Connection, "commit", cut_off(**how))
        one.add(f"Le truc{name} dort.", f"The thing{name} sleeps.", id=name)

    add("1", before=False, away=False)
    with pytest.raises(UnavailableError, match="connection is lost"):
        add("2", before=True, away=False)
    with pytest.raises(UnavailableError, match="not known whether it was kept"):
        add("3", before=False, away=True)
    database.start()
    soon(lambda: list(names(one)) == ["1", "3"])
    one.add("Le bidule dort.", "The gizmo sleeps.", id="4")
    assert_equal([one, other])


def test_nobody_waits_for_a_commit_but_who_teaches(
    original: Path, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    (one,) = replicas(original, tmp_path, url, 1)
    one.add("Le bidule dort.", "The gizmo sleeps.", id="1")
    commit = psycopg.Connection.commit
    begun, ended = threading.Event(), threading.Event()

    def slowly(connection: psycopg.Connection[object]) -> None:
        begun.set()
        assert ended.wait(SECONDS)
        commit(connection)

    monkeypatch.setattr(psycopg.Connection, "commit", slowly)
    teaching = threading.Thread(target=one.add, args=["Le truc dort.", "The thing sleeps."])
    teaching.start()
    try:
        assert begun.wait(SECONDS)
        with ThreadPoolExecutor(1) as reader:
            known = reader.submit(lambda: [lesson.ids[0] for lesson in one.overlay.lessons()])
            assert known.result(SECONDS / 2) == ["1"]
    finally:
        ended.set()
        teaching.join()


def test_following_goes_on_whatever_happens(
    original: Path, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from dragoman.learn.series import Series

    one, other = replicas(original, tmp_path, url)
    news = Series.news
    failures: Counter[int] = Counter()

    def failing(self: Series, connection: object, start: int) -> object:
        failures[id(self)] += 1
        if failures[id(self)] <= 3:
            raise RuntimeError(f"something that nobody thought of in {id(self)}")
        return news(self, connection, start)

    monkeypatch.setattr(Series, "news", failing)
    one.add("Le bidule dort.", "The gizmo sleeps.", id="1")
    assert_equal([one, other])
    told = [record.getMessage() for record in caplog.records if "nobody thought of" in record.getMessage()]
    assert told and len(told) == len(set(told))


def test_a_log_of_many_pages(original: Path, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = replicas(original, tmp_path, url, 1)
    for number in range(7):
        one.add(f"Le truc{number} dort.", f"The thing{number} sleeps.", id=str(number))
    for page in (1, 3, 7, 8):
        monkeypatch.setattr("dragoman.learn.series.PAGE", page)
        again = Translator.load(tmp_path / "0.model", corrections=url)
        assert list(names(again)) == list(names(one))


@pytest.mark.parametrize("password", ["geh/eim", "geh@eim", "geh%eim", "1/geh@eim", "geh eim", "geh:eim", "geh#eim"])
def test_no_sentence_has_a_password(original: Path, tmp_path: Path, password: str) -> None:
    pytest.importorskip("psycopg")
    model = copies(original, tmp_path, 1)[0]
    with pytest.raises((ConfigError, UnavailableError)) as raised:
        Translator.load(model, corrections=f"postgresql://me:{password}@127.0.0.1:1/there")
    assert "eim" not in str(raised.value) and "geh" not in str(raised.value)


def test_options_of_an_address_are_kept(url: str) -> None:
    from dragoman.learn.database import connect

    with connect(f"{url}?options=-c%20geqo%3Doff%20-c%20synchronous_commit%3Doff") as connection:
        settings = {name: connection.execute(f"SHOW {name}").fetchone()[0] for name in ("geqo", "synchronous_commit")}
    assert settings == {"geqo": "off", "synchronous_commit": "on"}


def test_a_port_that_somebody_else_took(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own database comes up on another."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = [taken.getsockname()[1], free_port()]
        monkeypatch.setattr("tests.unit.learn.postgres.free_port", iter(ports).__next__)
        with postgres_server() as server:
            assert server.port == ports[1]
