"""Stored pairs over HTTP: ours, and as Weblate and Virtaal ask tmserver for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.unit.learn.support import make_model
from tests.unit.serve.support import Server, running

FR_EN = {"source": "fr", "target": "en"}


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Server]:
    with running([make_model(tmp_path / "fr-en.model")]) as server:
        yield server


def test_matches(server: Server) -> None:
    answer = server.post("/matches", q="La maison rouge.", most=2, atLeast=50, **FR_EN).json
    assert [match["percent"] for match in answer["matches"]] == [75, 75]
    first = answer["matches"][0]
    assert {"source", "target", "raw", "sourceChanges", "textChanges"} <= set(first)
    assert server.post("/matches", q="zorglub", **FR_EN).json == {"matches": []}
    assert server.post("/matches", q="x", source="fr", target="xx").status == 400


def test_a_lesson_is_a_match_until_it_is_forgotten(school: Server) -> None:
    source, target = "Le zorglub / a 50 % de « chance » ?", "The zorglub / has a 50 % « chance » ?"
    (name,) = school.post("/suggest", q=source, s=target, **FR_EN).json["ids"]
    (best,) = school.post("/matches", q=source, **FR_EN).json["matches"]
    assert (best["percent"], best["source"], best["target"], best["name"]) == (100, source, target, name)
    units = school.get(f"/tm/fr/en/unit/{quote(source, safe='')}").json
    assert units == [{"source": source, "target": target, "quality": 100, "context": name}]
    school.post("/forget", ids=[name], **FR_EN)
    assert school.get(f"/tm/fr/en/unit/{quote(source, safe='')}").json == []


def test_as_weblate_asks(server: Server) -> None:
    """Its codes are in lower case with underscores, and it reads text and quality of each."""
    languages = server.get("/tm/languages/").json
    assert languages == {"sourceLanguages": ["fr"], "targetLanguages": ["en"]}
    assert server.get("/tm/languages").status in (200, 307)
    assert server.get("/tm/fr/en/unit/La%20maison%0Ableue/.").status == 200
    found = server.get("/tm/fr/en_us/unit/La%20maison%20bleue.").json
    assert found[0]["target"] == "the blue house." and int(found[0]["quality"]) == 99


def test_as_virtaal_asks(server: Server) -> None:
    found = server.get("/tm/fr/en/unit/La%20maison%20rouge.?max_candidates=1&min_similarity=60").json
    assert len(found) == 1 and found[0]["quality"] == 75
    assert server.get("/tm/fr/xx/unit/a").status == 400


def test_stored_text_is_for_who_may_see_it(server: Server) -> None:
    foreign = {"Origin": "https://elsewhere.example", "Content-Type": "application/json"}
    answer = server.ask("POST", "/matches", '{"q":"La maison.","source":"fr","target":"en"}', foreign)
    assert answer.status == 403 and "sources" in answer.json["error"]
    assert server.ask("GET", "/tm/fr/en/unit/La%20maison.", None, foreign).status == 403


def test_typing_goes_on(server: Server) -> None:
    whole = server.post("/translate", q="La maison bleue.", **FR_EN).json["translatedText"]
    begun = server.post("/complete", q="La maison bleue.", **FR_EN).json
    assert begun == {"rest": whole, "nextWords": whole.split()[0]}
    answer = server.post("/complete", q="La maison bleue.", prefix="The bl", alternatives=2, **FR_EN).json
    assert answer["rest"] == "ue house." and answer["nextWords"] == "ue"
    assert len(answer["alternatives"]) == 2
    assert server.post("/complete", q="La maison.", prefix=3, **FR_EN).status == 400
    assert server.post("/complete", prefix="The", **FR_EN).status == 400
