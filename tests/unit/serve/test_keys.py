"""Who may do what, how often, and how much at once."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from starlette.requests import Request

from dragoman.errors import ConfigError
from dragoman.serve.answers import Refusal
from dragoman.serve.body import Fields
from dragoman.serve.context import anonymous_rights
from dragoman.serve.keys import WRONG_KEYS, Gate, read_keys
from tests.unit.serve.support import Server, running

FR_EN = {"source": "fr", "target": "en"}


def test_rights(locked: Server) -> None:
    def status(path: str = "/translate", **values: str) -> tuple[int, str]:
        answer = locked.post(path, **{"q": "La maison.", "s": "The house.", **FR_EN, **values})
        return answer.status, answer.json.get("error", "")

    assert status() == (403, "Please contact the server operator to get an API key")
    assert status(api_key="nonsense") == (403, "Invalid API key")
    assert status(api_key="reader-key")[0] == 200
    assert status(api_key="teacher-key")[0] == 200
    assert status("/suggest", api_key="reader-key")[0] == 403
    assert status("/suggest", api_key="teacher-key")[0] in (200, 501)
    assert status("/detect")[0] == 403
    assert locked.get("/languages").status == 200
    assert locked.get("/frontend/settings").json["keyRequired"]
    assert locked.get("/metrics").status == 403
    assert locked.get("/metrics", {"Authorization": "Bearer watcher-1"}).status == 200


def test_wrong_keys_are_slowed_whatever_the_rate(keys: Path) -> None:
    gate = Gate(read_keys(keys), frozenset(), rate=0)
    gate.admit("reader-key", "10.0.0.1", "translate")
    statuses = []
    for number in range(50):
        with pytest.raises(Refusal) as refused:
            gate.admit(f"guess {number}", "10.0.0.1", "translate")
        statuses.append(refused.value.status)
    assert 1 <= statuses.count(403) <= WRONG_KEYS + 1
    assert statuses[-1] == 429
    # Not even a right guess is told from a wrong one now, but who was known here goes on, and so do other addresses.
    with pytest.raises(Refusal, match="Slowdown"):
        gate.admit("teacher-key", "10.0.0.1", "translate")
    gate.admit("reader-key", "10.0.0.1", "translate")
    gate.admit("teacher-key", "10.0.0.2", "translate")


def test_what_is_remembered_of_keys_is_bounded(keys: Path) -> None:
    gate = Gate(read_keys(keys), frozenset(), rate=0)
    for number in range(25_000):
        address = f"10.{number // 65536}.{number // 256 % 256}.{number % 256}"
        gate.admit("reader-key", address, "translate")
        with pytest.raises(Refusal):
            gate.admit("guess guess", address, "translate")
    assert len(gate._proven) == 20_000
    assert len(gate._buckets) == 20_000


def test_what_a_model_knows_is_named_for_those_who_may_translate(locked: Server, server: Server, model: Path) -> None:
    def states(of: Server, **headers: str) -> dict[str, str]:
        return dict(of.get("/frontend/settings", headers).json["states"])

    assert states(locked) == {}
    assert states(locked, Authorization="Bearer nonsense") == {}
    assert states(locked, Authorization="Bearer watcher-1") == {}
    own = states(locked, Authorization="Bearer reader-key")["fr-en"]
    assert own == states(locked, Authorization="Bearer reader-key")["fr-en"]
    # Nothing of the disk shows, and no two servers give the same name to the same model.
    found = (model / "model.json").stat()
    assert f"{found.st_ino:x}" not in own
    assert f"{found.st_mtime_ns:x}" not in own
    assert states(server)["fr-en"] != own


@pytest.mark.parametrize(
    ("client", "host", "more", "allowed"),
    [
        ("127.0.0.1", "127.0.0.1:5000", {}, True),
        ("::1", "[::1]:5000", {}, True),
        ("::ffff:127.0.0.1", "localhost:5000", {}, True),
        ("10.0.0.7", "10.0.0.1:5000", {}, False),
        ("10.0.0.7", "localhost:5000", {}, False),
        ("127.0.0.1", "translate.example.org", {}, False),
        ("127.0.0.1", "localhost", {"x-forwarded-for": "10.0.0.7"}, False),
        ("127.0.0.1", "localhost", {"forwarded": "for=10.0.0.7"}, False),
        ("127.0.0.1", "localhost", {"origin": "https://evil.example"}, False),
        ("unknown", "", {}, False),
    ],
)
@pytest.mark.parametrize("listening", ["127.0.0.1", "0.0.0.0"])
def test_counters_are_for_this_machine_where_there_are_no_keys(
    server: Server, client: str, host: str, more: dict[str, str], allowed: bool, listening: str
) -> None:
    options = dataclasses.replace(server.context.options, host=listening)
    context = dataclasses.replace(
        server.context, options=options, gate=Gate({}, anonymous_rights(options), options.rate)
    )
    headers = [(name.encode(), value.encode()) for name, value in {"host": host, **more}.items()]
    request = Request({"type": "http", "client": (client, 1), "headers": headers, "state": {}})
    if allowed:
        context.admit(request, Fields(), "metrics")
    else:
        with pytest.raises(Refusal):
            context.admit(request, Fields(), "metrics")


def test_where_a_key_may_stand(locked: Server) -> None:
    header = {"Authorization": "Bearer reader-key"}
    assert locked.post("/translate", header, q="La maison.", **FR_EN).status == 200
    assert locked.form("/translate", q="x", api_key="reader-key", **FR_EN).status == 200
    assert locked.get("/translate", langpair="fra|eng", q="x", key="reader-key").status == 200
    answer = locked.get("/translate", langpair="fra|eng", q="x")
    assert (answer.status, answer.json["status"]) == (403, "error")


def test_training_text_is_shown_to_those_who_may(locked: Server) -> None:
    def sources(key: str) -> bool:
        answer = locked.post("/translate", q="La maison.", explain=True, api_key=key, **FR_EN).json
        return "sources" in answer["explanation"]

    assert sources("teacher-key")
    assert not sources("reader-key")


def test_a_rate(locked: Server) -> None:
    answers = [locked.post("/translate", q="x", api_key="slow-key-1", **FR_EN) for _ in range(4)]
    assert [each.status for each in answers].count(200) == 2
    assert answers[-1].status == 429
    assert answers[-1].error.startswith("Slowdown:")
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60


def test_other_sites_may_translate_but_not_teach_or_read(server: Server) -> None:
    foreign = {"Origin": "https://evil.example"}
    assert server.post("/translate", foreign, q="La maison.", **FR_EN).status == 200
    answer = server.post("/translate", foreign, q="La maison.", explain=True, **FR_EN).json
    assert "sources" not in answer["explanation"]
    assert server.post("/suggest", foreign, q="a", s="b", **FR_EN).status == 403
    # A name of the attacker's that points to this machine.
    rebound = {"Host": "evil.example"}
    assert server.post("/suggest", rebound, q="a", s="b", **FR_EN).status == 403
    own = {"Origin": server.url}
    assert server.post("/suggest", own, q="a", s="b", **FR_EN).status != 403


def test_a_server_that_answers_to_no_other_page(model: Path) -> None:
    with running([model], cors_origin="none") as server:
        assert "Access-Control-Allow-Origin" not in server.get("/languages").headers
        assert server.get("/listPairs", callback="f").status == 403
        assert server.get("/listPairs").status == 200
    with running([model], cors_origin="https://example.org") as server:
        assert server.get("/languages").headers["Access-Control-Allow-Origin"] == "https://example.org"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"a = {chr(91) * 5000}", "TOML"),
        ("", "key"),
        ("[[key]]\nkey = 'short'", "8 characters"),
        ("[[key]]\nkey = 'long enough'\nrights = ['fly']", "fly"),
        ("[[key]]\nkey = 'long enough'\nright = ['translate']", "right"),
        ("[[key]]\nkey = 'long enough'\n[[key]]\nkey = 'long enough'", "the same"),
        ("[[key]]\nkey = 'long enough'\nrate = -1", "rate"),
        ("nonsense", "TOML"),
    ],
)
def test_bad_key_files(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=says):
        read_keys(path)


def test_addresses_are_forgotten_in_time() -> None:
    gate = Gate({}, frozenset({"translate"}), rate=1)
    for number in range(30_000):
        gate.admit(None, f"10.0.{number // 256}.{number % 256}", "translate")
    assert len(gate._buckets) == 20_000
    with pytest.raises(Refusal, match="Slowdown"):
        gate.admit(None, "10.0.117.47", "translate")
