"""Memories over HTTP: requests say which apply and which one is taught."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.learn.support import make_model
from tests.unit.serve.support import Server, running

FR_EN = {"source": "fr", "target": "en"}
TEXT = "Le zorglub voit la maison."
ACME, OTHER, NEITHER = "The snark sees the house.", "The boojum sees the house.", "The zorglub sees the house."


def teach(server: Server) -> list[str]:
    first = server.post("/suggest", q="Le zorglub dort.", s="The snark sleeps.", memory="acme", **FR_EN).json
    second = server.post("/suggest", q="Le zorglub dort.", s="The boojum sleeps.", memory="other", **FR_EN).json
    assert first["ids"] == second["ids"]
    return list(first["ids"])


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Server]:
    with running([make_model(tmp_path / "fr-en.model", weight=10)]) as server:
        yield server


def translated(server: Server, **more: Any) -> str:
    answer = server.post("/translate", q=TEXT, **FR_EN, **more)
    return str(answer.json.get("translatedText") or answer.error)


def test_requests_say_which_apply(school: Server) -> None:
    teach(school)
    assert translated(school, memories="acme") == ACME
    assert translated(school, memories=["other"]) == OTHER
    assert translated(school, memories={"acme": 9, "other": 1}) == ACME
    assert translated(school, memories="default") == NEITHER
    assert translated(school, memories="default", format="html") == NEITHER
    found = school.post("/matches", q="Le zorglub dort.", memories="other", **FR_EN).json["matches"]
    assert (found[0]["memory"], found[0]["target"]) == ("other", "The boojum sleeps.")
    assert school.post("/complete", q=TEXT, prefix="The", memories="acme", **FR_EN).json["rest"] == ACME[3:]
    units = school.get("/tm/fr/en/unit/Le%20zorglub%20dort.?memories=acme").json
    assert units[0]["target"] == "The snark sleeps."
    explained = school.post("/translate", q=TEXT, memories="other", explain=True, **FR_EN).json["explanation"]
    assert {each["memory"] for each in explained["sources"].values() if "memory" in each} == {"other"}


def test_lessons_are_those_of_a_memory(school: Server) -> None:
    ids = teach(school)
    everything = school.post("/lessons", **FR_EN).json
    assert everything["memories"] == {"default": 0, "acme": 1, "other": 1}
    assert sorted(lesson["memory"] for lesson in everything["lessons"]) == ["acme", "other"]
    assert [lesson["target"] for lesson in school.post("/lessons", memory="acme", **FR_EN).json["lessons"]] == [
        "The snark sleeps."
    ]
    better = {"q": "Le zorglub dort.", "s": "The jabberwock sleeps.", "ids": ids, "memory": "acme", **FR_EN}
    assert school.post("/suggest", **better).json["ids"] == ids
    assert translated(school, memories="acme") == "The jabberwock sees the house."
    assert translated(school, memories="other") == OTHER
    # Without its memory it is the default one's, which has no such lesson.
    assert school.post("/forget", ids=ids, **FR_EN).json["removed"] == 0
    assert school.post("/forget", ids=ids, memory="acme", **FR_EN).json["removed"] == 1
    assert translated(school) == OTHER


def test_what_is_no_memory_gets_a_sentence(school: Server) -> None:
    teach(school)
    assert translated(school, memories="acne").endswith("no memory called acne; there are: default, acme, other")
    for wrong in ("a=b=c", [5], {"acme": 0}, 5, "acme=1000"):
        assert school.post("/translate", q=TEXT, memories=wrong, **FR_EN).status == 400
    assert school.post("/suggest", q=TEXT, s=ACME, memory="a,b", **FR_EN).status == 400


def test_names_are_told_to_those_who_may_see_the_text(tmp_path: Path) -> None:
    with running([make_model(tmp_path / "fr-en.model")], anonymous="translate") as server:
        next(iter(server.context.engine.models.values())).translator.add("Un bidule.", "A gizmo.", memory="acme")
        assert translated(server, memories="acne").endswith("there is no memory called acne")


def test_the_server_may_say_which_apply(tmp_path: Path) -> None:
    with running([make_model(tmp_path / "fr-en.model", weight=10)], use="other,missing") as server:
        assert translated(server) == NEITHER
        teach(server)
        assert translated(server) == OTHER
        assert translated(server, memories="acme") == ACME
