"""Teaching over HTTP: what is acknowledged is known, in order, by everybody, and can be taken back."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.serve.support import Pupil, Server, running, teachable

FR_EN = {"source": "fr", "target": "en"}


@pytest.fixture
def school(model: Path) -> Iterator[tuple[Server, Pupil]]:
    with running([model]) as server:
        yield server, teachable(server)


def translated(server: Server, text: str) -> str:
    return str(server.post("/translate", q=text, **FR_EN).json["translatedText"])


def test_the_next_translation_knows(school: tuple[Server, Pupil]) -> None:
    server, pupil = school
    answer = server.form("/suggest", q="La maison bleue.", s="Blue is the house.", **FR_EN)
    assert answer.json["success"] is True
    assert translated(server, "La maison bleue.") == "Blue is the house."
    again = server.post("/suggest", q="La maison bleue.", s="The azure house.", **FR_EN).json
    assert again["ids"] == answer.json["ids"]
    assert translated(server, "La maison bleue.") == "The azure house."
    assert len(pupil.lessons) == 1
    forgotten = server.post("/forget", ids=again["ids"], **FR_EN).json
    assert forgotten["removed"] == 1
    assert forgotten["lessons"] == 3
    assert translated(server, "La maison bleue.") == "The blue house."
    assert server.post("/forget", ids="unheard", **FR_EN).json["removed"] == 0


@pytest.mark.parametrize(
    ("source", "target", "pairs"),
    [
        ("La maison. Le chat dort.", "A home. It naps.", [("La maison.", "A home."), ("Le chat dort.", "It naps.")]),
        ("La maison. Le chat dort.", "A cat at home.", [("La maison. Le chat dort.", "A cat at home.")]),
        ("La maison.\n\nLe chat.", "Home.\n\nCat.", [("La maison.", "Home."), ("Le chat.", "Cat.")]),
        ("La maison.\nLe chat.", "Home and cat.", [("La maison. Le chat.", "Home and cat.")]),
    ],
)  # fmt: skip
def test_texts_are_taught_by_the_sentence(
    school: tuple[Server, Pupil], source: str, target: str, pairs: list[tuple[str, str]]
) -> None:
    server, pupil = school
    assert server.post("/suggest", q=source, s=target, **FR_EN).status == 200
    assert list(pupil.lessons.values()) == pairs


def test_apertium_words(school: tuple[Server, Pupil]) -> None:
    server, pupil = school
    answer = server.form("/suggest", langpair="fra|eng", word="xyzzy", newWord="magic", context="xyzzy !")
    assert answer.json["responseStatus"] == 200
    assert list(pupil.lessons.values()) == [("xyzzy", "magic")]


@pytest.mark.parametrize(
    "values",
    [{"q": "a"}, {"s": "b"}, {"q": " ", "s": " "}, {"q": "a" * 15_000, "s": "b" * 15_000}, {"q": ["a"], "s": "b"}],
)
def test_refusals(school: tuple[Server, Pupil], values: dict[str, object]) -> None:
    server, pupil = school
    assert server.post("/suggest", **FR_EN, **values).status == 400
    assert not pupil.lessons


def test_a_model_that_cannot_learn_says_so(server: Server) -> None:
    pair = next(iter(server.context.engine.pairs.values()))
    if pair.learns:
        pytest.skip("this model learns")
    answer = server.post("/suggest", q="a", s="b", **FR_EN)
    assert answer.status == 501
    assert answer.error.startswith("this model cannot learn")
    assert server.get("/frontend/settings").json["suggestions"] is False


def test_stopping_loses_no_lesson(model: Path) -> None:
    with running([model]) as server:
        pupil = teachable(server)
        pupil.seconds = 0.1
        statuses: list[int] = []

        def teach(number: int) -> None:
            try:
                statuses.append(server.post("/suggest", q=f"mot {number}", s=f"word {number}", **FR_EN).status)
            except OSError:
                statuses.append(0)

        threads = [threading.Thread(target=teach, args=(number,)) for number in range(10)]
        for thread in threads:
            thread.start()
        while not pupil.lessons:
            pass
        server.uvicorn.should_exit = True
        for thread in threads:
            thread.join()
    assert statuses.count(200) >= 1
    # Acknowledged or not, whatever was taken in is there.
    assert len(pupil.lessons) >= statuses.count(200)


def test_teaching_and_translating_side_by_side(school: tuple[Server, Pupil]) -> None:
    server, _ = school
    states = ["The blue house.", "One.", "Two."]
    seen: list[str] = []

    def read(_: int) -> None:
        seen.append(translated(server, "La maison bleue."))

    def write(number: int) -> None:
        ids = server.post("/suggest", q="La maison bleue.", s=states[1 + number % 2], **FR_EN).json["ids"]
        if number % 3 == 0:
            server.post("/forget", ids=ids, **FR_EN)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda job: job[0](job[1]), [(write if n % 4 == 0 else read, n) for n in range(80)]))
    assert set(seen) <= set(states)
