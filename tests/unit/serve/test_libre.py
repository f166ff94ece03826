"""LibreTranslate's interface, route by route, and the requests its clients send."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.serve.support import Server, running
from tests.unit.translate.ambiguous import TERMS, make_ambiguous_model

FR_EN = {"source": "fr", "target": "en"}


def test_languages(server: Server) -> None:
    assert server.get("/languages").json == [
        {"code": "en", "name": "English", "targets": []},
        {"code": "fr", "name": "French", "targets": ["en"]},
    ]


def test_a_string_and_only_what_was_asked_for(server: Server) -> None:
    assert server.post("/translate", q="La maison bleue.", **FR_EN).json == {"translatedText": "The blue house."}


def test_an_array_keeps_its_order_and_its_length(server: Server) -> None:
    answer = server.post("/translate", q=["La maison.", "", "Le chat noir dort."], **FR_EN).json
    assert answer == {"translatedText": ["The house.", "", "The black cat sleeps."]}


def test_a_form(server: Server) -> None:
    answer = server.form("/translate", q="La maison & « le chat »", source="fr", target="en")
    assert "house" in answer.json["translatedText"]


def test_a_form_whose_letters_are_not_escaped(server: Server) -> None:
    """As `curl -d` sends it."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = server.ask("POST", "/translate", "q=« zorglub é »&source=fr&target=en", kind)
    assert "zorglub é" in answer.json["translatedText"]
    assert server.ask("POST", "/translate", b"q=\xe9&source=fr&target=en", kind).status == 400


@pytest.mark.parametrize("kind", ["text/plain", "", "application/x-www-form-urlencoded"])
def test_json_under_a_wrong_name(server: Server, kind: str) -> None:
    body = json.dumps({"q": "La maison.", **FR_EN})
    assert server.ask("POST", "/translate", body, {"Content-Type": kind}).json == {"translatedText": "The house."}


def test_auto_detects_each_text(server: Server) -> None:
    one = server.post("/translate", q="Le chat et la maison.", source="auto", target="en").json
    assert set(one) == {"translatedText", "detectedLanguage"}
    assert one["detectedLanguage"]["language"] == "fr"
    assert 0 <= one["detectedLanguage"]["confidence"] <= 100
    many = server.post("/translate", q=["Le chat", "la maison"], source="auto", target="en").json
    assert [each["language"] for each in many["detectedLanguage"]] == ["fr", "fr"]


def test_alternatives(server: Server) -> None:
    one = server.post("/translate", q="Le chat voit la maison.", alternatives=3, **FR_EN).json
    assert len(one["alternatives"]) == 3
    assert len({one["translatedText"], *one["alternatives"]}) == 4
    texts = ["Le chat voit la maison.", "Le chat voit la maison.\nLe chat noir dort."]
    many = server.post("/translate", q=texts, alternatives=2, **FR_EN).json
    assert [len(each) for each in many["alternatives"]] == [2, 2]
    assert all(text.count("\n") == 1 for text in many["alternatives"][1])
    html = server.post("/translate", q="<p>Le chat</p>", alternatives=2, format="html", **FR_EN).json
    assert html["alternatives"] == []
    assert server.form("/translate", q=texts[0], alternatives="1", **FR_EN).json["alternatives"]


@pytest.mark.parametrize(
    ("request_body", "message"),
    [
        ({**FR_EN}, "Invalid request: missing q parameter"),
        ({"q": "", **FR_EN}, "Invalid request: missing q parameter"),
        ({"q": [], **FR_EN}, "Invalid request: missing q parameter"),
        ({"q": "x", "target": "en"}, "Invalid request: missing source parameter"),
        ({"q": "x", "source": "fr"}, "Invalid request: missing target parameter"),
        ({"q": "x", "source": "zz", "target": "en"}, "zz is not supported"),
        ({"q": "x", "source": "fr", "target": "zz"}, "zz is not supported"),
        (
            {"q": "x", "source": "en", "target": "fr"},
            "French (fr) is not available as a target language from English (en)",
        ),
        ({"q": "x", "format": "bad", **FR_EN}, "bad format is not supported"),
        ({"q": "x", "alternatives": "many", **FR_EN}, "Invalid request: alternatives parameter is not a number"),
        ({"q": 7, **FR_EN}, "Invalid request: q must be a string or an array of strings"),
        ({"q": ["a", 7], **FR_EN}, "Invalid request: q must be a string or an array of strings"),
        ({"q": "x", "glossary": [1], **FR_EN}, "Invalid request: glossary must be an object"),
        ({"q": "x", "context": "a b", **FR_EN}, "Invalid request: context must be an array of [text, translation]"),
        ({"q": "x", "context": [["a"]], **FR_EN}, "Invalid request: context must be an array of [text, translation]"),
        ({"q": "x", "context": {"a": "b"}, **FR_EN}, "Invalid request: context must be an array of"),
        ({"q": "x", "context": [["a", 1]], **FR_EN}, "Invalid request: context must be an array of"),
    ],
)
def test_refusals(server: Server, request_body: dict[str, object], message: str) -> None:
    answer = server.post("/translate", **request_body)
    assert answer.status == 400
    assert answer.error.startswith(message)


def test_limits_say_so(server: Server) -> None:
    limit = server.context.options.char_limit
    answer = server.post("/translate", q="a" * (limit + 1), **FR_EN)
    assert (answer.status, answer.error) == (
        400,
        f"Invalid request: request ({limit + 1}) exceeds text limit ({limit})",
    )
    assert "exceeds text limit" in server.post("/translate", q=["a"] * 501, **FR_EN).error


@pytest.mark.parametrize("code", ["FR", "fr_CA", "fra", "fr-FR"])
def test_codes_in_many_spellings(server: Server, code: str) -> None:
    assert server.post("/translate", q="La maison.", source=code, target="EN").json["translatedText"] == "The house."


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
@pytest.mark.parametrize("path", ["/detect", "/suggest", "/translate_file"])
def test_wrong_methods(server: Server, method: str, path: str) -> None:
    assert server.ask(method, path).status == 405
    assert server.get("/translate").status == 405


def test_unknown_addresses_are_json(server: Server) -> None:
    answer = server.get("/nowhere")
    assert answer.status == 404
    assert "error" in answer.json


def test_detect(server: Server) -> None:
    guesses = server.form("/detect", q="Le chien et le chat sont dans la maison.").json
    assert [set(each) for each in guesses] == [{"confidence", "language"}]
    assert guesses[0]["language"] == "fr"
    assert guesses[0]["confidence"] > 90
    assert server.post("/detect", q="This is the house that they have.").json[0]["language"] == "en"
    assert server.post("/detect").status == 400


def test_settings_health_spec(server: Server) -> None:
    settings = server.get("/frontend/settings").json
    assert settings["charLimit"] == server.context.options.char_limit
    assert settings["language"]["source"] == {"code": "fr", "name": "French"}
    assert not settings["keyRequired"]
    assert ".txt" in settings["supportedFilesFormat"]
    for name in ("apiKeys", "filesTranslation", "frontendTimeout", "suggestions"):
        assert name in settings
    assert server.get("/health").json == {"status": "ok"}
    spec = server.get("/spec").json
    assert spec["swagger"] == "2.0"
    assert spec["info"]["title"] == "Dragoman"
    assert "/translate" in spec["paths"]


def test_cors(server: Server) -> None:
    answer = server.ask("OPTIONS", "/translate", headers={"Origin": "https://example.org"})
    assert answer.status < 300
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Access-Control-Allow-Headers"] == "Authorization, Content-Type"
    assert answer.headers["Access-Control-Allow-Methods"] == "GET, POST"
    assert server.get("/languages").headers["Access-Control-Allow-Origin"] == "*"


def test_metrics(server: Server) -> None:
    server.post("/translate", q="La maison.", **FR_EN)
    text = server.get("/metrics").text
    assert 'dragoman_requests_total{route="/translate",status="200"}' in text
    assert 'dragoman_request_seconds_bucket{route="/translate",le="+Inf"}' in text


class TestClients:
    """What the programs that speak to LibreTranslate send, and what they read."""

    def test_weblate(self, server: Server) -> None:
        codes = [each["code"] for each in server.get("/languages").json]
        assert "fr" in codes
        body = {"api_key": "", "q": ["Le chat voit [X12X] et la maison.", "La maison."], **FR_EN}
        answer = server.post("/translate", **body).json
        assert answer["translatedText"][0].count("[X12X]") == 1
        assert answer["translatedText"][1] == "The house."

    def test_mastodon(self, server: Server) -> None:
        content = (
            '<p>Le chat voit <span class="h-card"><a href="https://example.org/@bob" class="u-url mention">'
            "@<span>bob</span></a></span> &amp; la <strong>maison bleue</strong>.</p>"
        )
        for source in ("fr", "auto"):
            answer = server.post("/translate", q=[content], source=source, target="en", format="html", api_key="")
            text = answer.json["translatedText"][0]
            assert '<a href="https://example.org/@bob" class="u-url mention">@<span>bob</span></a>' in text
            assert "<strong>blue house</strong>" in text
            assert "&amp;" in text
        names = (
            '<a href="https://example.org/chat/noir"><span class="invisible">https://</span>'
            '<span class="ellipsis">example.org/chat</span><span class="invisible">/noir</span></a>',
            '<a href="https://example.org/tags/maison" class="mention hashtag" rel="tag">#<span>maison</span></a>',
        )
        text = server.post("/translate", q=f"<p>Le chat {names[0]} dort {names[1]}.</p>", format="html", **FR_EN).json
        assert all(name in text["translatedText"] for name in names)

    def test_discourse(self, server: Server) -> None:
        assert server.get("/languages").status == 200
        assert server.form("/detect", q="Le chat et la maison", api_key="k").json[0]["language"] == "fr"
        answer = server.form("/translate", q="<p>Le chat dort.</p>", format="html", api_key="k", **FR_EN)
        assert answer.json["translatedText"] == "<p>The cat sleeps.</p>"

    def test_wagtail(self, server: Server) -> None:
        texts = ["La <b>maison</b>.", '<a id="a1">Le chat</a> dort.']
        answer = server.post("/translate", q=texts, format="html", api_key="", **FR_EN).json["translatedText"]
        assert answer == ["The <b>house</b>.", '<a id="a1">The cat</a> sleeps.']

    def test_omegat_libre(self, server: Server) -> None:
        assert server.post("/translate", q="La maison.", **FR_EN).json["translatedText"] == "The house."

    def test_dialect(self, server: Server) -> None:
        assert server.get("/spec").json["info"]["title"]
        assert server.get("/frontend/settings").json["charLimit"]
        assert server.form("/detect", q="maison", api_key="x").status == 200


def test_explanation(server: Server) -> None:
    text = "😀 Le chat voit\nla maison xyzzy."
    answer = server.post("/translate", q=text, explain=True, **FR_EN).json
    translated, found = answer["translatedText"], answer["explanation"]
    for sentence in found["sentences"]:
        source = text[slice(*sentence["source"])]
        assert source in text
        words = [text[slice(*span)] for span in sentence["sourceTokens"]]
        assert all(words)
        others = [translated[slice(*span)] for span in sentence["targetTokens"]]
        assert all(others)
        for one, other in sentence["links"]:
            assert words[one] and others[other]
        for phrase in sentence["derivation"]:
            for origin in phrase["origins"]:
                pair = found["sources"][origin["pair"]]
                marked = " ".join(pair["source"][begin:end] for begin, end in origin["source"])
                assert marked.split() == phrase["source"].split() or "[X" in phrase["source"]
    assert [translated[slice(*last["targetTokens"][-2])] for last in found["sentences"][-1:]] == ["xyzzy"]
    assert found["sentences"][-1]["unknown"]


def test_a_context_per_request(tmp_path: Path) -> None:
    with running([make_ambiguous_model(tmp_path / "fr-en.model")]) as server:
        for term, choices in TERMS.items():
            for meant in choices:
                context = [["mot1", "word1"], [f"mot2 {term}.", f"word2 {meant}."]]
                for text in ({"q": f"mot5 {term} mot7."}, {"q": f"<p>mot5 {term}</p>", "format": "html"}):
                    answer = server.post("/translate", context=context, **text, **FR_EN).json
                    assert meant in answer["translatedText"].lower()
        limit = server.context.options.char_limit
        long = server.post("/translate", q="pile", context=[["a" * limit, "b"]], **FR_EN)
        assert (long.status, long.error) == (
            400,
            f"Invalid request: request ({limit + 1}) exceeds text limit ({limit})",
        )


def test_a_glossary_per_request(server: Server) -> None:
    answer = server.post("/translate", q="La maison.", glossary={"maison": "Mansion House"}, **FR_EN).json
    assert "Mansion House" in answer["translatedText"]
    kept = server.post("/translate", q="Le chat noir dort.", glossary={"chat noir": ""}, **FR_EN).json
    assert "chat noir" in kept["translatedText"]
    assert server.post("/translate", q="x", glossary={"a\tb": "c"}, **FR_EN).status == 400
    lines = server.post("/translate", q="La maison.", glossary="maison\tMansion House\n", **FR_EN).json
    assert lines["translatedText"] == "The Mansion House."
    silent = server.post("/translate", q="La maison.", glossary="chat\tcat\nmaison = Mansion\n", **FR_EN)
    assert silent.status == 400 and "line 2: there is no tab" in silent.json["error"]
