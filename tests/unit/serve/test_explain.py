"""Explanations and glossaries of the server: the spelling of its keys, and that no client names a file to read."""

from __future__ import annotations

from pathlib import Path

from dragoman.serve.explain import camel_case
from tests.unit.serve.support import Server

FR_EN = {"source": "fr", "target": "en"}
FREE = ("features", "contributions", "attributes")


def test_a_glossary_is_text_and_never_a_file(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text("maison\tSECRET\n")
    for glossary in (str(path), {str(path): str(path)}):
        answer = server.post("/translate", q="La maison.", glossary=glossary, **FR_EN).json
        assert answer["translatedText"] == "The house."
    assert server.post("/translate", q="La #maison.", glossary={"#maison": "#1"}, **FR_EN).status == 200


def test_keys_of_explanations_are_spelt_in_one_way(server: Server) -> None:
    """The server's own spelling, but for names of features and attributes."""

    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value).union(*(keys(item) for key, item in value.items() if key not in FREE))
        return set[str]().union(*map(keys, value)) if isinstance(value, list) else set()

    found = server.post("/translate", q="Le chat noir dort.", explain=True, **FR_EN).json["explanation"]
    assert {"sourceTokens", "targetSpan", "wordConfidence", "children", "origins"} <= keys(found)
    assert not [key for key in keys(found) if "_" in key]
    assert "LanguageModel_OOV" in camel_case({"features": {"LanguageModel_OOV": 1.0}})["features"]
