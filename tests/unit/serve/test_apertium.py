"""Apertium APy's interface, and the requests of OmegaT and Weblate."""

from __future__ import annotations

import json

import pytest

from tests.unit.serve.support import Server


def test_translate(server: Server) -> None:
    answer = server.get("/translate", langpair="fra|eng", q="La maison.")
    assert answer.json == {
        "responseData": {"translatedText": "The house."},
        "responseDetails": None,
        "responseStatus": 200,
    }
    assert server.form("/translate", langpair="fr|en", q="La maison.").json == answer.json


def test_unknown_words_get_a_star(server: Server) -> None:
    def text(**more: str) -> str:
        return str(
            server.get("/translate", langpair="fra|eng", q="La maison xyzzy. Plugh !", **more).json["responseData"]
        )

    assert "*xyzzy" in text()
    assert "*Plugh" in text(markUnknown="yes")
    assert "*" not in text(markUnknown="no")


def test_omegat_with_a_raw_bar(server: Server) -> None:
    answer = server.ask("GET", "/translate?q=La%20maison.&markUnknown=no&langpair=fr|en&key=bwuxb5jS")
    assert answer.json["responseStatus"] == 200
    assert server.ask("GET", "/translate?q=La%20maison.&langpair=fr_FR|en_GB").json["responseStatus"] == 200


def test_weblate(server: Server) -> None:
    pairs = server.get("/listPairs").json
    assert pairs["responseData"] == [{"sourceLanguage": "fra", "targetLanguage": "eng"}]
    assert pairs["responseStatus"] == 200
    found = pairs["responseData"][0]
    asked = f"{found['sourceLanguage']}|{found['targetLanguage']}"
    assert server.get("/translate", langpair=asked, q="test", markUnknown="no").json["responseStatus"] == 200


@pytest.mark.parametrize(
    ("query", "status", "explanation"),
    [
        ({"langpair": "fra|spa", "q": "x"}, 400, "That pair is not installed"),
        ({"langpair": "eng|fra", "q": "x"}, 400, "That pair is not installed"),
        ({"langpair": "fra", "q": "x"}, 400, "That pair is invalid, use e.g. eng|spa"),
        ({"langpair": "fra|eng"}, 400, "Missing argument q"),
        ({"langpair": "fra|eng", "q": "x", "format": "rtf"}, 400, "the format rtf is not supported; use txt or html"),
    ],
)
def test_errors_in_both_shapes(server: Server, query: dict[str, str], status: int, explanation: str) -> None:
    answer = server.get("/translate", **query)
    assert answer.status == status
    assert answer.json["status"] == "error"
    assert answer.json["code"] == answer.json["responseStatus"] == status
    assert answer.json["explanation"] == answer.json["responseDetails"] == explanation
    assert answer.json["message"] == "Bad Request"


def test_lists(server: Server) -> None:
    assert server.get("/list", q="pairs").json == server.get("/listPairs").json
    assert server.get("/listPairs", src="fra").json["responseData"]
    assert server.get("/listPairs", src="deu").json["responseData"] == []
    both = server.get("/listPairs", include_deprecated_codes="").json["responseData"]
    assert {"sourceLanguage": "fr", "targetLanguage": "en"} in both
    assert server.get("/list", q="analysers").json == {}
    assert server.get("/list", q="nonsense").status == 400


def test_names_and_identification(server: Server) -> None:
    assert server.get("/listLanguageNames", locale="en", languages="eng spa zzz").json == {
        "eng": "English",
        "spa": "Spanish",
    }
    assert server.get("/listLanguageNames", locale="en").json == {"eng": "English", "fra": "French"}
    found = server.get("/identifyLang", q="Le chat et la maison sont dans la rue.").json
    assert set(found) == {"fra"}
    assert found["fra"] > 0.9
    assert server.get("/identifyLang").status == 400


def test_jsonp(server: Server) -> None:
    answer = server.get("/listPairs", callback="jQuery.cb_1")
    assert answer.headers["Content-Type"].startswith("application/javascript")
    assert answer.text.startswith("/**/jQuery.cb_1({")
    json.loads(answer.text[len("/**/jQuery.cb_1(") : -1])
    assert server.get("/listPairs", callback="alert(1)//").status == 400


def test_documents(server: Server) -> None:
    answer = server.upload("/translateDoc", "a.html", b"<p>La <b>maison</b>.</p>", langpair="fra|eng")
    assert answer.status == 200
    assert b"<p>The <b>house</b>.</p>" in answer.body
    assert server.upload("/translateDoc", "a.html", b"x", langpair="fra|xxx").json["explanation"]


def test_others(server: Server) -> None:
    assert server.get("/pairprefs").json["responseData"] == {}
    assert "uptime" in server.get("/stats").json["responseData"]
