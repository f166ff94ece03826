"""`dragoman serve` as a program: how it starts, what it logs, a thousand connections, and how it stops."""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.translator import Translator
from tests.unit.learn.support import make_model as make_learning_model
from tests.unit.translate.support import make_model

pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")

SECRET = "maison"
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("serve") / "fr-en.model")


@contextlib.contextmanager
def program(model: Path, log: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "dragoman", "serve", "-m", str(model), "--port", "0", *arguments]
    with (
        log.open("w") as stream,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stream, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("Translating fr to en at http://127.0.0.1:"), log.read_text()
            yield process, line.split()[-1]
        finally:
            process.kill()


def ask(url: str, path: str, body: dict[str, object] | None = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


def resident(url: str) -> int:
    line = next(line for line in ask(url, "metrics").splitlines() if line.startswith("dragoman_resident_bytes "))
    return int(line.split()[1])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_starts_logs_and_stops_in_order(model: Path, tmp_path: Path, number: signal.Signals) -> None:
    log = tmp_path / "log"
    with program(model, log) as (process, url):
        said = ask(url, "translate", {"q": f"La {SECRET} bleue.", "source": "fr", "target": "en", "api_key": "hidden"})
        assert json.loads(said) == {"translatedText": "The blue house."}
        ask(url, f"translate?langpair=fr%7Cen&q={SECRET}")
        process.send_signal(number)
        assert process.wait(20) == 0
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["started", "request", "request", "stopped"]
    assert lines[1]["route"] == "/translate"
    assert lines[1]["status"] == 200
    assert lines[1]["pair"] == "fr-en"
    assert lines[1]["characters"] == 16
    assert SECRET not in log.read_text()
    assert "hidden" not in log.read_text()


def test_text_is_logged_only_if_asked_for(model: Path, tmp_path: Path) -> None:
    with program(model, tmp_path / "log", "--log-text") as (_, url):
        ask(url, "translate", {"q": f"La {SECRET}.", "source": "fr", "target": "en"})
    assert SECRET in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--port", "99999"], 2, "--port"),
        (["--queue", "-1"], 2, "--queue"),
        (["--host", "no.such.host.invalid"], 2, "no.such.host.invalid"),
        (["--keys", "no-such-file"], 1, "no-such-file"),
        (["-m", "no-such-model"], 1, "no-such-model"),
        (["--anonymous", "everything"], 2, "anonymous"),
    ],
)
def test_refusals(model: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, says: str) -> None:
    assert run(["serve", "-m", str(model), "--port", "0", *arguments]) == code
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error
    assert error.count("\n") == 1


def test_two_models_of_one_pair_and_a_port_in_use(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "-m", str(model), "-m", str(model), "--port", "0"]) == 2
    assert "both translate fr to en" in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert run(["serve", "-m", str(model), "--port", str(taken.getsockname()[1])]) == 1
    assert "choose another with --port" in capsys.readouterr().err


async def many(port: int, count: int) -> list[int]:
    """Opens all connections before the first asks anything; the status each one got."""
    body = json.dumps({"q": "Le chat voit la maison bleue.", "source": "fr", "target": "en"}).encode()
    request = f"POST /translate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        writer.write(request.encode() + body)
        await writer.drain()
        answer = await reader.read()
        writer.close()
        return int(answer.split()[1])

    return await asyncio.gather(*(one(*stream) for stream in streams))


def test_a_thousand_connections(model: Path, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 1300:
        pytest.skip(f"this machine allows only {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1300), hard))
    with program(model, tmp_path / "log", "--threads", "2", "--queue", "32") as (process, url):
        port = int(url.rstrip("/").rsplit(":", 1)[1])
        before = resident(url)
        statuses = asyncio.run(many(port, 1000))
        assert len(statuses) == 1000
        assert set(statuses) == {200, 429}
        assert statuses.count(200) >= 34
        # Idle ones do no harm either.
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(500)]
        assert "The house." in ask(url, "translate", {"q": "La maison.", "source": "fr", "target": "en"})
        assert resident(url) - before < 150 * MEGABYTE
        for connection in idle:
            connection.close()
        process.terminate()
        assert process.wait(20) == 0


def test_memory_stays_bounded_under_hostile_load(model: Path, tmp_path: Path) -> None:
    with program(model, tmp_path / "log", "--body-seconds", "2") as (_, url):
        port = int(url.rstrip("/").rsplit(":", 1)[1])
        before = resident(url)
        head = b"POST /translate_file HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        head += b"Content-Length: 9000000\r\n\r\n--x\r\nContent-Disposition: form-data; name=a\r\n\r\n"
        connections = []
        for _ in range(40):
            connection = socket.create_connection(("127.0.0.1", port), timeout=10)
            with contextlib.suppress(OSError):
                connection.sendall(head + b"a" * 4_000_000)
            connections.append(connection)
        assert json.loads(ask(url, "health")) == {"status": "ok"}
        assert resident(url) - before < 250 * MEGABYTE
        for connection in connections:
            connection.close()
        assert "The house." in ask(url, "translate", {"q": "La maison.", "source": "fr", "target": "en"})


def test_a_killed_server_has_every_lesson_it_acknowledged(tmp_path: Path) -> None:
    path = make_learning_model(tmp_path / "fr-en.model")
    acknowledged: list[str] = []
    with program(path, tmp_path / "log") as (process, url):

        def teach(number: int) -> None:
            for each in range(1000):
                text = {"q": f"mot{number}x{each}", "s": f"word{number}x{each}", "source": "fr", "target": "en"}
                try:
                    acknowledged.extend(json.loads(ask(url, "suggest", text))["ids"])
                except OSError:
                    return

        threads = [threading.Thread(target=teach, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        while len(acknowledged) < 60:
            time.sleep(0.001)
        process.kill()
        for thread in threads:
            thread.join()
    with program(path, tmp_path / "log") as (_, url):
        answer = ask(url, "translate", {"q": "mot0x0", "source": "fr", "target": "en"})
        assert json.loads(answer)["translatedText"].lower() == "word0x0"
    assert set(acknowledged) <= set(Translator.load(path).overlay.names())
