"""Who may do what, how often, and how much at once."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from tests.unit.serve.support import Server, running

from dragoman.errors import ConfigError
from dragoman.serve.answers import Refusal
from dragoman.serve.keys import Gate, read_keys

FR_EN = {"source": "fr", "target": "en"}
KEYS = f"""
[[key]]
name = "reader"
key = "reader-key"
rights = ["translate"]

[[key]]
name = "teacher"
sha256 = "{hashlib.sha256(b"teacher-key").hexdigest()}"
rights = ["translate", "teach", "sources"]

[[key]]
key = "slow-key-1"
rate = 2

[[key]]
key = "watcher-1"
rights = ["metrics"]
"""


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "keys.toml"
    path.write_text(KEYS)
    return path


@pytest.fixture(scope="module")
def locked(model: Path, keys: Path):  # type: ignore[no-untyped-def]
    with running([model], keys=str(keys)) as server:
        yield server


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
    assert locked.get("/metrics", headers={"Authorization": "Bearer watcher-1"}).status == 200


def test_where_a_key_may_stand(locked: Server) -> None:
    header = {"Authorization": "Bearer reader-key"}
    assert locked.post("/translate", headers=header, q="La maison.", **FR_EN).status == 200
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
    assert server.post("/translate", headers=foreign, q="La maison.", **FR_EN).status == 200
    answer = server.post("/translate", headers=foreign, q="La maison.", explain=True, **FR_EN).json
    assert "sources" not in answer["explanation"]
    assert server.post("/suggest", headers=foreign, q="a", s="b", **FR_EN).status == 403
    # A name of the attacker's that points to this machine.
    rebound = {"Host": "evil.example"}
    assert server.post("/suggest", headers=rebound, q="a", s="b", **FR_EN).status == 403
    own = {"Origin": server.url}
    assert server.post("/suggest", headers=own, q="a", s="b", **FR_EN).status != 403


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
