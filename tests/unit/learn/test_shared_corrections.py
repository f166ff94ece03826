"""Corrections that replicas share in a database: one order, nothing acknowledged lost, the same translations on all."""

from __future__ import annotations

import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.errors import ConfigError, UnavailableError
from dragoman.learn.compaction import compact
from dragoman.translator import Translator
from tests.unit.learn.killed import holding
from tests.unit.learn.postgres import PostgresServer, free_port, postgres_server
from tests.unit.learn.support import make_model
from tests.unit.learn.test_weight_steps import LESSONS

SECONDS = 30.0
TEXT = "Le bidule dort. Une maison zorglub et un truc."


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


def copies(original: Path, folder: Path, count: int) -> list[Path]:
    return [Path(shutil.copytree(original, folder / f"{number}.model")) for number in range(count)]


def replicas(original: Path, folder: Path, url: str, count: int = 2) -> list[Translator]:
    return [Translator.load(path, corrections=url) for path in copies(original, folder, count)]


def soon(check: Callable[[], bool]) -> None:
    """Another thread has to hear of it; how fast it does is no matter of tests."""
    deadline = time.monotonic() + SECONDS
    while not check():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


def names(translator: Translator) -> dict[str, int]:
    translator.translate("maison")
    return translator.overlay.names()


def assert_equal(translators: list[Translator]) -> None:
    """They know the same, down to the last bit of their weights."""
    first, *others = translators
    for other in others:
        soon(lambda other=other: other.overlay.log.size() == first.overlay.log.size())
        assert names(other) == names(first)
        assert str(other.translate(TEXT)) == str(first.translate(TEXT))
        assert other.weights == first.weights
        assert [lesson.as_json() for lesson in other.lessons()] == [lesson.as_json() for lesson in first.lessons()]


def test_a_correction_on_one_is_used_by_all(original: Path, tmp_path: Path, url: str) -> None:
    one, other, third = replicas(original, tmp_path, url, 3)
    before = str(other.translate("Le bidule dort."))
    one.add("Le bidule dort.", "The gizmo sleeps.", id="1")
    soon(lambda: str(other.translate("Le bidule dort.")) == "The gizmo sleeps.")
    other.add("Le truc dort.", "The thing sleeps.", id="2")
    assert other.remove("1")
    soon(lambda: list(names(one)) == ["2"])
    assert str(one.translate("Le bidule dort.")) == before
    assert_equal([one, other, third])
    late = Translator.load(tmp_path / "0.model", corrections=url)
    assert_equal([one, late])


def test_weights_follow_on_all(original: Path, tmp_path: Path, url: str) -> None:
    one, other = replicas(original, tmp_path, url)
    tuned = dict(one.weights)
    for translator, (name, pair) in zip([one, other] * 2, LESSONS.items(), strict=False):
        translator.add(*pair, id=name, force=True)
    assert_equal([one, other])
    assert dict(one.weights) != tuned
    for name in LESSONS:
        assert other.remove(name)
    assert_equal([one, other])
    assert dict(one.weights) == tuned


def test_many_writers_have_one_order(original: Path, tmp_path: Path, url: str) -> None:
    """What a model that one process taught would know, whoever did which part."""
    chance = random.Random(7)
    shared = replicas(original, tmp_path, url, 3)
    alone = Translator.load(shutil.copytree(original, tmp_path / "alone.model"))
    words = ["bidule", "truc", "machin", "zorglub", "maison"]
    for number in range(60):
        writer = chance.choice(shared)
        name = str(chance.randrange(12))
        if chance.random() < 0.3:
            assert writer.remove(name) == alone.remove(name)
        else:
            pair = f"Le {chance.choice(words)} dort.", f"The {chance.choice(words)}{number % 3} sleeps."
            writer.add(*pair, id=name)
            alone.add(*pair, id=name)
    assert_equal(shared)
    assert names(shared[0]) == names(alone)
    assert str(shared[0].translate(TEXT)) == str(alone.translate(TEXT))
    assert shared[0].weights == alone.weights


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


def test_the_log_of_a_directory_is_closed(
    original: Path, tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (model,) = copies(original, tmp_path, 1)
    pair = ["--source", "Le bidule dort.", "--target", "The gizmo sleeps.", "--id", "memo"]
    assert run(["add", "-m", str(model), *pair]) == 0
    assert run(["add", "-m", str(model), *pair, "--corrections", url]) == 2
    assert "has corrections of its own" in capsys.readouterr().err
    assert run(["compact", "-m", str(model)]) == 0
    assert run(["add", "-m", str(model), *pair, "--corrections", url]) == 0
    capsys.readouterr()
    assert run(["add", "-m", str(model), *pair]) == 2
    assert "are kept in postgresql://127.0.0.1/postgres; name it with --corrections" in capsys.readouterr().err
    monkeypatch.setenv("DRAGOMAN_CORRECTIONS", url)
    assert run(["lessons", "-m", str(model)]) == 0
    assert "memo" in capsys.readouterr().out
    assert run(["remove", "-m", str(model), "--last"]) == 0
    assert run(["export", "-m", str(model)]) == 0


def test_a_port_that_somebody_else_took(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own database comes up on another."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = [taken.getsockname()[1], free_port()]
        monkeypatch.setattr("tests.unit.learn.postgres.free_port", iter(ports).__next__)
        with postgres_server() as server:
            assert server.port == ports[1]


@pytest.mark.parametrize("address", ["nothing", "postgresql://127.0.0.1:1/x", "mysql://127.0.0.1/x"])
def test_what_is_no_database(original: Path, tmp_path: Path, address: str) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises((ConfigError, UnavailableError), match=r"address of a database|does not answer"):
        Translator.load(copies(original, tmp_path, 1)[0], corrections=address)


def test_compaction_agrees_on_a_point(original: Path, tmp_path: Path, url: str) -> None:
    one, other, third = replicas(original, tmp_path, url, 3)
    paths = [tmp_path / f"{number}.model" for number in range(3)]
    one.add("Le zorglub dort.", "The snark sleeps.", id="forgotten")
    one.add("Le bidule dort.", "The gizmo sleeps.", id="1")
    one.remove("forgotten")
    assert compact(paths[0], corrections=url).added == 1
    # Before the others, and by all of them.
    one.add("Le truc dort.", "The thing sleeps.", id="2")
    other.add("Le machin dort.", "The gear sleeps.", id="3")
    assert compact(paths[1], corrections=url).added == 1
    assert contents(paths[0]) == contents(paths[1])
    third.add("Une maison zorglub", "A house of snarks", id="4")
    assert other.remove("1")
    assert_equal_names([one, other, third], {"2", "3", "4"})
    texts = [str(each.translate(TEXT)) for each in (one, other)]
    assert texts[0] == texts[1]
    # Compacted again, the text that was merged the first time leaves the database.
    for path in paths[:2]:
        compact(path, corrections=url)
    assert contents(paths[0]) == contents(paths[1])
    assert stored(url) == 4
    assert not holding(paths[0], "snark sleeps")
    with pytest.raises(ConfigError, match="copy the model from a replica"):
        Translator.load(paths[2], corrections=url)
    assert_equal_names([one, other], {"2", "3", "4"})


def test_compaction_back_to_an_index_of_earlier(original: Path, tmp_path: Path, url: str) -> None:
    """Its corrections go on from the last compaction; those before are deleted and not missed."""
    (path,) = copies(original, tmp_path, 1)

    def compacted_after(change: Callable[[Translator], object]) -> bytes:
        change(Translator.load(path, corrections=url))
        for _ in range(2):
            compact(path, corrections=url)
        assert stored(url) == 0
        return (path / "bitext.bin").read_bytes()

    start = (path / "bitext.bin").read_bytes()
    first = compacted_after(lambda one: one.add("Le bidule dort.", "The gizmo sleeps.", id="1"))
    for _ in range(2):
        second = compacted_after(lambda one: one.add("Le truc dort.", "The thing sleeps.", id="2"))
        assert first != second
        assert compacted_after(lambda one: one.remove("2")) == first
    assert compacted_after(lambda one: one.remove("1")) == start
    assert names(Translator.load(path, corrections=url)) == {}


def test_compaction_of_what_was_removed_since(original: Path, tmp_path: Path, url: str) -> None:
    one, other = replicas(original, tmp_path, url)
    paths = [tmp_path / f"{number}.model" for number in range(2)]
    one.add("Le bidule dort.", "The gizmo sleeps.", id="1")
    assert compact(paths[0], corrections=url).added == 1
    assert one.remove("1")
    assert compact(paths[1], corrections=url).added == 1
    assert contents(paths[0]) == contents(paths[1])
    for path in paths:
        assert compact(path, corrections=url).removed == 1
    assert contents(paths[0]) == contents(paths[1])
    assert_equal_names([one, other], set())


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


def lost(translator: Translator) -> str:
    """Why it cannot be taught any more."""
    from dragoman.learn.shared_log import SharedLog

    log = translator.overlay.log
    assert isinstance(log, SharedLog)
    return str(log.lost)


def change(url: str, command: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(command)


def assert_equal_names(translators: list[Translator], expected: set[str]) -> None:
    for translator in translators:
        soon(
            lambda translator=translator: (
                {record.id for lesson in translator.lessons() for record in lesson.records} | set(names(translator))
                == expected
            )
        )


def contents(model: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(model.iterdir()) if path.is_file()}


def stored(url: str) -> int:
    import psycopg

    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM dragoman_change").fetchone()
    assert row is not None
    return int(row[0])


# Teaches pairs and says of each that it was taken.
WRITER = """
import sys
from dragoman.errors import UnavailableError
from dragoman.translator import Translator
model, url, name, count = sys.argv[1:]
translator = Translator.load(model, corrections=url)
for number in range(int(count)):
    while True:
        try:
            translator.add(f"Le mot{name}x{number} dort.", f"The word{name}x{number} sleeps.", id=f"{name} {number}")
            break
        except UnavailableError:
            pass
    print(f"{name} {number}", flush=True)
"""


@pytest.mark.parametrize(("writers", "pairs", "deaths"), [(2, 40, 2), pytest.param(3, 700, 8, marks=pytest.mark.slow)])
def test_kills_lose_nothing_acknowledged(
    original: Path, tmp_path: Path, url: str, database: PostgresServer, writers: int, pairs: int, deaths: int
) -> None:
    """Writers are killed at any moment and so is the database; whatever a writer said is there, in its order."""
    chance = random.Random(deaths)
    models = copies(original, tmp_path, writers)
    reader = Translator.load(shutil.copytree(original, tmp_path / "reader.model"), corrections=url)
    said: list[str] = []
    for round_number in range(deaths):
        started = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(model), url, f"{round_number}-{number}", str(pairs)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for number, model in enumerate(models)
        ]
        assert started[0].stdout is not None
        said.append(started[0].stdout.readline().strip())
        time.sleep(chance.random())
        if round_number % 2:
            database.kill()
            database.start()
            time.sleep(chance.random())
        for number, process in enumerate(started):
            if number == 0:
                process.kill()
            output, _ = process.communicate(timeout=300)
            said += output.splitlines()
    fresh = Translator.load(models[0], corrections=url)
    assert_equal([fresh, reader])
    found = list(names(reader))
    assert set(said) <= set(found)
    # Besides them only what a killed writer had no time to say.
    assert len(set(found) - set(said)) <= deaths
    for name in {each.split()[0] for each in found}:
        own = [int(each.split()[1]) for each in found if each.split()[0] == name]
        assert own == list(range(len(own)))


def test_without_the_driver(original: Path, tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from dragoman.cli.main import run\n"
        f"sys.exit(run(['lessons', '-m', {str(copies(original, tmp_path, 1)[0])!r}, '--corrections', 'postgresql://x']))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 2 and "need psycopg, which is not installed; get it with" in result.stderr


def test_nobody_else_loads_the_driver() -> None:
    program = "import sys, dragoman.cli.learn, dragoman.serve.run; sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
