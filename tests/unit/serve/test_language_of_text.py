"""What a server says of languages: which there are, which a text is in, and that it is not in the one it should be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.serve.support import Server, running
from tests.unit.translate.support import TEXTS, make_model, pairs_of

DIRECTIONS = [("fr", "en"), ("en", "fr"), ("de", "en"), ("eu", "cy")]
GREEK = " ".join(TEXTS["el"])


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Four models: both ways between two languages, one way from a third, and two that no table knows."""
    folder = tmp_path_factory.mktemp("several")
    models = [
        make_model(folder / f"{source}-{target}.model", languages=(source, target), pairs=pairs_of(source, target))
        for source, target in DIRECTIONS
    ]
    with running(models) as server:
        yield server


def offered_by_weblate(server: Server) -> set[tuple[str, str]]:
    """Pairs that Weblate offers: it takes the codes of /languages, and wants both of a pair among them."""
    codes = {language["code"] for language in server.get("/languages").json}
    return {(source, target) for source in codes for target in codes if source != target}


def test_weblate_offers_every_pair(several: Server, server: Server) -> None:
    assert set(DIRECTIONS) <= offered_by_weblate(several)
    assert ("fr", "en") in offered_by_weblate(server)


def test_languages_have_their_targets(several: Server) -> None:
    targets = {language["code"]: language["targets"] for language in several.get("/languages").json}
    assert targets == {"cy": [], "de": ["en"], "en": ["fr"], "eu": ["cy"], "fr": ["en"]}


def test_many_models_of_any_form_of_code(tmp_path: Path) -> None:
    codes = [("pt_BR", "en"), ("zh", "en"), ("sr_Latn", "ger")]
    models = [
        make_model(tmp_path / f"{number}.model", languages=pair, pairs=pairs_of("fr", "en"))
        for number, pair in enumerate(codes)
    ]
    with running(models) as server:
        assert {("pt-BR", "en"), ("zh-Hans", "en"), ("sr-Latn", "de")} <= offered_by_weblate(server)


@pytest.mark.parametrize("code", ["fr", "en", "de", "eu", "cy"])
def test_each_language_of_a_model_is_detected(several: Server, code: str) -> None:
    best = several.post("/detect", q=" ".join(TEXTS[code])).json[0]
    assert best["language"] == code
    assert best["confidence"] > 50


@pytest.mark.parametrize("text", [GREEK, " ".join(TEXTS["he"]), "12 : 30", "これは家です。猫が犬を見る。"])
def test_what_is_in_no_language_of_a_model_is_said_to_be_undetermined(several: Server, text: str) -> None:
    assert several.post("/detect", q=text).json == [{"language": "und", "confidence": 0.0}]
    assert several.get("/identifyLang", q=text).json == {"und": 0.0}
    answer = several.post("/translate", q=text, source="auto", target="en", explain=True, alternatives=2).json
    assert answer["translatedText"] == text
    assert answer["detectedLanguage"] == {"language": "und", "confidence": 0.0}
    assert answer["explanation"] is None


def test_what_an_undetermined_text_looks_like(several: Server) -> None:
    def look(text: str) -> Any:
        return several.post("/translate", q=text, source="auto", target="en").json["looksLike"]

    assert look(GREEK) == {"language": "el", "name": "Greek"}
    assert look(" ".join(TEXTS["he"])) == {"language": "und", "name": "Hebrew script"}


def test_a_mixed_batch_is_translated_where_it_can_be(several: Server) -> None:
    texts = [TEXTS["fr"][0], GREEK, TEXTS["de"][0], TEXTS["en"][0]]
    answer = several.post("/translate", q=texts, source="auto", target="en").json
    assert answer["translatedText"][1] == GREEK
    assert answer["translatedText"][3] == TEXTS["en"][0]
    assert answer["translatedText"][0] != TEXTS["fr"][0]
    assert [guess["language"] for guess in answer["detectedLanguage"]] == ["fr", "und", "de", "en"]
    assert [bool(look) for look in answer["looksLike"]] == [False, True, False, False]


def test_a_language_that_cannot_be_translated_there_is_named(several: Server) -> None:
    answer = several.post("/translate", q=" ".join(TEXTS["de"]), source="auto", target="fr")
    assert answer.error == "French (fr) is not available as a target language from German (de)"


@pytest.mark.parametrize(("said", "target"), DIRECTIONS)
@pytest.mark.parametrize("code", ["fr", "en", "de", "eu", "cy", "el"])
def test_text_in_another_language_than_was_said(several: Server, said: str, target: str, code: str) -> None:
    """Also between languages without lists of words, by what the models know."""
    for form in ("text", "html"):
        answer = several.post("/translate", q=" ".join(TEXTS[code]), source=said, target=target, format=form).json
        assert answer.get("looksLike", {}).get("language", said) == code


def test_nothing_is_taught_in_a_language_nobody_recognises(several: Server) -> None:
    refused = several.post("/suggest", q=GREEK, s="The house", source="auto", target="en")
    assert refused.status == 400
    assert "looks like Greek; name it in source" in refused.error


def test_a_file_in_a_language_nobody_recognises(several: Server) -> None:
    refused = several.upload("/translate_file", "a.txt", GREEK.encode(), source="auto", target="en")
    assert refused.status == 400
    assert "looks like Greek" in refused.error
