"""Corrections that replicas share in a database: one order, nothing acknowledged lost, the same translations on all."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.errors import ConfigError
from dragoman.learn.compaction import compact
from dragoman.translator import Translator
from tests.unit.learn.killed import holding
from tests.unit.learn.postgres import PostgresServer
from tests.unit.learn.replica import (
    TEXT,
    assert_equal,
    assert_equal_names,
    contents,
    copies,
    names,
    replicas,
    soon,
    stored,
)
from tests.unit.learn.test_weight_steps import LESSONS


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
