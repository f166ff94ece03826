"""Pairs through two models, where the server was asked to offer them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.serve.support import Server, running
from tests.unit.translate.support import INTO_GERMAN, make_model

TEXT = "Une maison rouge."
LAST = "Ein rotes haus."
CHAINED = {"source": "fr", "target": "de"}


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("serve") / "en-de.model", pairs=INTO_GERMAN, languages=("en", "de"))


@pytest.fixture(scope="module")
def through(model: Path, german: Path) -> Iterator[Server]:
    with running([model, german], through=True) as server:
        yield server


def test_only_when_asked(model: Path, german: Path, through: Server) -> None:
    with running([model, german]) as server:
        refused = server.post("/translate", **CHAINED, q=TEXT)
        assert refused.status == 400 and "not available as a target" in refused.error
        assert server.get("/frontend/settings").json["through"] == []
    assert through.get("/frontend/settings").json["through"] == [["fr", "en", "de"]]
    targets = {each["code"]: each["targets"] for each in through.get("/languages").json}
    assert targets["fr"] == ["de", "en"] and targets["en"] == ["de"]
    assert "dragoman_models 2\n" in through.get("/metrics").text


def test_text_html_and_files(through: Server) -> None:
    assert through.post("/translate", **CHAINED, q=TEXT).json["translatedText"] == LAST
    many = through.post("/translate", **CHAINED, q=[TEXT, "La maison bleue."]).json["translatedText"]
    assert many == [LAST, "Das blaue haus."]
    html = through.post("/translate", **CHAINED, q="<p>Une <b>maison</b> rouge.</p>", format="html")
    assert html.json["translatedText"] == "<p>Ein rotes <b>haus</b>.</p>"
    apertium = through.get("/translate", langpair="fra|deu", q=TEXT, markUnknown="no")
    assert apertium.json["responseData"]["translatedText"] == LAST
    name = through.upload("/translate_file", "a.txt", f"{TEXT}\n\n{TEXT}".encode(), **CHAINED).json["translatedFileUrl"]
    assert through.get(f"/download_file/{name.rpartition('/')[2]}").text == f"{LAST}\n\n{LAST}"
    both = through.upload("/translate_file", "a.po", b'msgid "La maison."\nmsgstr ""\n', **CHAINED)
    assert both.status == 400 and "cannot go through a third" in both.error


def test_explanations_of_both_steps(through: Server) -> None:
    answer = through.post("/translate", **CHAINED, q=TEXT, explain=True, alternatives=2).json
    assert answer["translatedText"] == LAST
    explanation = answer["explanation"]
    assert explanation["through"] == ["fr", "en", "de"]
    assert [(step["source"], step["target"]) for step in explanation["steps"]] == [("fr", "en"), ("en", "de")]
    assert explanation["steps"][1]["text"] == LAST
    for step in explanation["steps"]:
        assert step["sentences"] and step["sources"]
    states = through.get("/frontend/settings").json["states"]
    assert explanation["state"] == states["fr-de"]
    alone = through.post("/translate", source="fr", target="en", q=TEXT, explain=True).json
    assert "through" not in alone["explanation"]


def test_what_goes_with_one_model_is_refused(through: Server) -> None:
    glossary = through.post("/translate", **CHAINED, q=TEXT, glossary={"maison": "Bau"})
    assert glossary.status == 400 and "goes through en" in glossary.error
    context = through.post("/translate", **CHAINED, q=TEXT, context=[["la maison", "der Bau"]])
    assert context.status == 400 and "goes through en" in context.error
    lesson = through.post("/suggest", **CHAINED, q=TEXT, s="Ein Haus.")
    assert lesson.status >= 400 and "teach fr to en, or en to de" in lesson.error
