"""Teaching over HTTP: what is acknowledged is known, by everybody, on the disk, and can be taken back."""

from __future__ import annotations

import concurrent.futures
import errno
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman.learn.compaction import compact
from dragoman.learn.new_pairs import NewPair
from dragoman.translation_job import TranslationJob
from dragoman.translator import Translator
from tests.unit.learn.support import make_model
from tests.unit.serve.support import Server, running

FR_EN = {"source": "fr", "target": "en"}


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Server]:
    with running([make_model(tmp_path / "fr-en.model")]) as server:
        yield server


def translated(server: Server, text: str) -> str:
    return str(server.post("/translate", q=text, **FR_EN).json["translatedText"])


def lessons(server: Server) -> list[tuple[str, str]]:
    translator = next(iter(server.context.engine.pairs.values())).translator
    found = [translator.sources(each) for each in translator.overlay.added()]
    return sorted((each.source, each.target) for each in found if each is not None)


def test_the_next_translation_knows(school: Server) -> None:
    assert translated(school, "Le zorglub dort.") == "The zorglub sleeps."
    answer = school.form("/suggest", q="Le zorglub voit une maison.", s="The snark sees a house.", **FR_EN)
    assert answer.json["success"] is True
    assert translated(school, "Le zorglub voit une maison.") == "The snark sees a house."
    assert translated(school, "Le zorglub dort.") == "The snark sleeps."
    again = school.post("/suggest", q="Le zorglub  voit une maison.", s="The boojum sees a house.", **FR_EN).json
    assert again["ids"] == answer.json["ids"]
    assert translated(school, "Le zorglub dort.") == "The boojum sleeps."
    assert len(lessons(school)) == 1
    explained = school.post("/translate", q="Le zorglub dort.", explain=True, **FR_EN).json["explanation"]
    assert again["ids"][0] in [each.get("name") for each in explained["sources"].values()]
    forgotten = school.post("/forget", ids=again["ids"], **FR_EN).json
    assert forgotten == {"success": True, "removed": 1}
    assert translated(school, "Le zorglub dort.") == "The zorglub sleeps."
    assert school.post("/forget", ids="taught-unheard", **FR_EN).json["removed"] == 0


def test_what_was_trained_cannot_be_changed_over_http(school: Server) -> None:
    for answer in (
        school.post("/forget", ids=["line:1"], **FR_EN),
        school.post("/suggest", ids="line:1", q="La maison bleue.", s="Something else.", **FR_EN),
    ):
        assert answer.status == 400
        assert "dragoman remove" in answer.error
    assert translated(school, "La maison bleue.") == "The blue house."


@pytest.mark.parametrize(
    ("source", "target", "pairs"),
    [
        ("La maison. Le chat dort.", "A home. It naps.", [("La maison.", "A home."), ("Le chat dort.", "It naps.")]),
        ("La maison. Le chat dort.", "A cat at home.", [("La maison. Le chat dort.", "A cat at home.")]),
        ("La maison.\n\nLe chat.", "Home.\n\nCat.", [("La maison.", "Home."), ("Le chat.", "Cat.")]),
        ("La maison.\nLe chat.", "Home and cat.", [("La maison. Le chat.", "Home and cat.")]),
    ],
)
def test_texts_are_taught_by_the_sentence(
    school: Server, source: str, target: str, pairs: list[tuple[str, str]]
) -> None:
    assert school.post("/suggest", q=source, s=target, **FR_EN).status == 200
    assert lessons(school) == sorted(pairs)


def test_only_what_was_corrected_is_taught(school: Server) -> None:
    text = "La maison bleue. Le zorglub dort. Le chat voit la maison."
    answer = school.post("/suggest", q=text, s=translated(school, text).replace("zorglub", "snark"), **FR_EN)
    assert len(answer.json["ids"]) == 1
    assert lessons(school) == [("Le zorglub dort.", "The snark sleeps.")]
    same = school.post("/suggest", q=text, s=translated(school, text), **FR_EN)
    assert same.json["success"] is True
    assert same.json["ids"] == []
    # Somebody who sends one sentence means it.
    assert len(school.post("/suggest", q="La maison.", s="The house.", **FR_EN).json["ids"]) == 1


def test_lessons_are_listed_searched_edited_and_forgotten(school: Server) -> None:
    """Whoever taught them, and whatever their names are."""
    (pair,) = school.context.engine.pairs.values()
    taught = [NewPair(f"Le mot{n} dort.", f"The word{n} sleeps.", f"file.tsv:{n}", {"file": "file.tsv", "line": n})
              for n in range(1, 6)]  # fmt: skip
    pair.translator.add_pairs(taught)
    pair.translator.add_pairs([NewPair("Le mot3 dort.", "The word3 sleeps.", "again")])
    ids = school.post("/suggest", q="Le zorglub dort.", s="The snark sleeps.", **FR_EN).json["ids"]
    found = school.post("/lessons", **FR_EN).json
    assert found["total"] == len(found["lessons"]) == 6
    assert found["lessons"][0]["ids"] == ids
    third = school.post("/lessons", search="WORD3", **FR_EN).json["lessons"]
    assert [each["ids"] for each in third] == [["file.tsv:3", "again"]]
    assert third[0]["places"] == ["file.tsv:3"]
    assert third[0]["added"].endswith("Z")
    one, two = (school.post("/lessons", offset=n, limit=1, **FR_EN).json for n in (4, 5))
    assert one["total"] == two["total"] == 6
    assert one["lessons"] != two["lessons"]
    assert school.post("/lessons", offset=6, **FR_EN).json["lessons"] == []
    # Both of its names get what it is corrected to.
    changed = school.post("/suggest", ids=third[0]["ids"], q="Le mot3 dort.", s="The term sleeps.", **FR_EN)
    assert changed.json["ids"] == third[0]["ids"]
    assert translated(school, "Le mot3 dort.") == "The term sleeps."
    assert school.post("/lessons", **FR_EN).json["total"] == 6
    assert school.post("/forget", ids=["again"], **FR_EN).json["removed"] == 1
    assert translated(school, "Le mot3 dort.") == "The term sleeps."
    assert school.post("/forget", ids=["file.tsv:3", "file.tsv:1"], **FR_EN).json["removed"] == 2
    assert translated(school, "Le mot3 dort.") == "The mot3 sleeps."
    compact(pair.translator.model.path)
    left = school.post("/lessons", **FR_EN).json
    assert left["total"] == 4
    assert school.post("/forget", ids=left["lessons"][0]["ids"], **FR_EN).json["removed"] == 1


def test_lessons_are_for_those_who_may_see_them(tmp_path: Path) -> None:
    with running([make_model(tmp_path / "fr-en.model")], anonymous="translate") as server:
        assert server.post("/lessons", **FR_EN).status == 403


def test_what_looks_wrong_is_taught_by_force_alone(school: Server) -> None:
    swapped = {
        "q": "This is the house that they have been looking for.",
        "s": "C'est la maison que nous avons cherchée.",
    }
    answer = school.post("/suggest", **swapped, **FR_EN)
    assert answer.status == 400
    assert "swapped" in answer.error
    assert not lessons(school)
    assert school.post("/suggest", force=True, **swapped, **FR_EN).status == 200
    assert len(lessons(school)) == 1
    wrong = {"word": swapped["q"], "newWord": swapped["s"]}
    assert school.form("/suggest", langpair="fra|eng", **wrong).status == 400
    assert school.form("/suggest", langpair="fra|eng", force="true", **wrong).status == 200


def test_apertium_words(school: Server) -> None:
    answer = school.form("/suggest", langpair="fra|eng", word="bidule", newWord="gizmo", context="une bidule !")
    assert answer.json["responseStatus"] == 200
    assert translated(school, "Une bidule bleue.") == "A blue gizmo."


@pytest.mark.parametrize(
    "values",
    [
        {"q": "a"},
        {"s": "b"},
        {"q": " ", "s": " "},
        {"q": "a" * 15_000, "s": "b" * 15_000},
        {"q": ["a"], "s": "b"},
        {"q": "\ud800", "s": "b"},
    ],
)
def test_refusals(school: Server, values: dict[str, object]) -> None:
    assert school.post("/suggest", **FR_EN, **values).status == 400
    assert not lessons(school)


def test_a_model_that_cannot_learn_says_so(server: Server) -> None:
    answer = server.post("/suggest", q="a", s="b", **FR_EN)
    assert answer.status == 501
    assert answer.error.startswith("this model cannot learn")
    assert server.get("/frontend/settings").json["suggestions"] is False


def test_a_full_disk_is_no_success(school: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    translator = next(iter(school.context.engine.pairs.values())).translator
    monkeypatch.setattr(translator.overlay.log, "append", full)
    answer = school.post("/suggest", q="bidule", s="gizmo", **FR_EN)
    assert answer.status == 507
    assert answer.error == "the lesson could not be kept: No space left on device"
    assert "bidule" in translated(school, "une bidule")


def test_stopping_loses_no_lesson(tmp_path: Path) -> None:
    path = make_model(tmp_path / "fr-en.model")
    acknowledged: list[str] = []
    with running([path]) as server:

        def teach(number: int) -> None:
            for each in range(20):
                try:
                    answer = server.post("/suggest", q=f"mot{number}x{each}", s=f"word{number}x{each}", **FR_EN)
                except OSError:
                    return
                if answer.status == 200:
                    acknowledged.extend(answer.json["ids"])

        threads = [threading.Thread(target=teach, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        while len(acknowledged) < 10:
            time.sleep(0.001)
        server.uvicorn.should_exit = True
        for thread in threads:
            thread.join()
    assert set(acknowledged) <= set(Translator.load(path).overlay.names())


def test_a_long_request_sees_one_state(school: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons that come between the pieces of a request are for the next one."""
    lines = [f"Le zorglub dort. {'La maison bleue. ' * (40 + each)}" for each in range(6)]
    calls = 0
    path = next(iter(school.context.engine.pairs.values())).path
    advance = TranslationJob.advance

    def slowly(self: TranslationJob, *given: Any, **how: Any) -> bool:
        nonlocal calls
        calls += 1
        Translator.load(path).add("Le zorglub dort.", f"The snark{calls} sleeps.", id="lesson")
        return advance(self, *given, **how)

    monkeypatch.setattr(TranslationJob, "advance", slowly)
    for kind in ("text", "html"):
        answer = school.post("/translate", q=lines, format=kind, **FR_EN).json["translatedText"]
        assert calls >= 6
        assert len({text.split()[1] for text in answer}) == 1
    made = school.upload("/translateDoc", "long.txt", "\n".join(lines).encode(), langpair="fra|eng").text
    assert len({text.split()[1] for text in made.splitlines()}) == 1


def test_the_state_changes_with_lessons_of_anybody(school: Server) -> None:
    def state() -> str:
        explained = school.post("/translate", q="La maison.", explain=True, **FR_EN).json["explanation"]
        assert school.get("/frontend/settings").json["states"] == {"fr-en": explained["state"]}
        return str(explained["state"])

    first = state()
    assert state() == first
    school.post("/suggest", q="bidule", s="gizmo", **FR_EN)
    second = state()
    path = next(iter(school.context.engine.pairs.values())).path
    Translator.load(path).add("truc", "thing", id="from elsewhere")
    third = state()
    assert translated(school, "truc") == "thing"
    compact(path)
    assert len({first, second, third, state()}) == 4


def test_teaching_and_translating_side_by_side(school: Server) -> None:
    states = {"The zorglub sleeps.", "The snark sleeps.", "The boojum sleeps."}
    seen: list[str] = []

    def read(_: int) -> None:
        seen.append(translated(school, "Le zorglub dort."))

    def write(number: int) -> None:
        word = ("snark", "boojum")[number // 4 % 2]
        ids = school.post("/suggest", q="Le zorglub dort.", s=f"The {word} sleeps.", **FR_EN).json["ids"]
        if number % 3 == 0:
            school.post("/forget", ids=ids, **FR_EN)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda job: job[0](job[1]), [(write if n % 4 == 0 else read, n) for n in range(120)]))
    assert set(seen) <= states
