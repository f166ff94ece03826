"""Requests that mean harm, or are broken: a clear error each, and the server goes on serving."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman.serve.answers import MOST_LEFT_BYTES, drain
from tests.unit.documents.office.packages import word
from tests.unit.serve.support import Server, running

FR_EN = {"source": "fr", "target": "en"}
JSON_KIND = "application/json"
JSON = {"Content-Type": JSON_KIND}


@pytest.fixture(scope="module")
def guarded(model: Path) -> Iterator[Server]:
    """Short of patience and room."""
    with running([model], body_seconds=0.4, file_limit=50_000, threads=1, queue=1, request_seconds=5.0) as server:
        yield server


def raw(server: Server, *parts: bytes, pause: float = 0.0, wait: float = 10.0) -> bytes:
    """Sends bytes as they are and returns all that comes back until the server hangs up."""
    with socket.create_connection((server.host, server.port), timeout=wait) as connection:
        for part in parts:
            try:
                connection.sendall(part)
            except OSError:
                break
            time.sleep(pause)
        made = b""
        try:
            while chunk := connection.recv(65536):
                made += chunk
        except OSError:
            pass
        return made


def still_serves(server: Server) -> None:
    assert server.post("/translate", q="La maison.", **FR_EN).json == {"translatedText": "The house."}


def head(length: int | None, path: str = "/translate", kind: str = "application/json") -> bytes:
    size = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n{size}\r\n\r\n".encode()


def test_a_declared_huge_body_is_refused_unread(guarded: Server) -> None:
    answer = raw(guarded, head(10**12), b"{")
    assert b" 413 " in answer.splitlines()[0]
    assert b"larger than" in answer
    still_serves(guarded)


def test_an_undeclared_huge_body_is_refused_when_it_is_too_much(guarded: Server) -> None:
    chunk = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"
    answer = raw(guarded, head(None), *[chunk] * 200)
    assert b" 413 " in answer.splitlines()[0]
    still_serves(guarded)


@pytest.mark.parametrize("path", ["/translate", "/suggest", "/translate_file", "/translateDoc"])
@pytest.mark.parametrize("size", [10_200_000, 11_000_000, 30_000_000])
@pytest.mark.parametrize("chunked", [False, True])
def test_who_sends_too_much_can_read_why(server: Server, path: str, size: int, chunked: bool) -> None:
    """Even who looks for an answer only when all is sent."""
    kind = {"Content-Type": "multipart/form-data; boundary=x" if "_file" in path or "Doc" in path else JSON_KIND}
    blocks = [b"a" * 1_000_000] * (size // 1_000_000) + [b"a" * (size % 1_000_000)]
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
    with contextlib.closing(connection):
        body = iter([block for block in blocks if block]) if chunked else b"".join(blocks)
        connection.request("POST", path, body, kind, encode_chunked=chunked)
        answer = connection.getresponse()
        assert answer.status in (413, 400)
        assert answer.headers["Connection"] == "close"
        assert 0 < len(json.loads(answer.read())["error"]) < 200
    still_serves(server)


def test_who_waits_for_permission_is_not_kept(server: Server) -> None:
    asks = head(10**9).replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
    answer = raw(server, asks, wait=60)
    assert b" 413 " in answer.splitlines()[0]
    assert b" 100 " not in answer


def test_what_is_read_in_vain_is_bounded(server: Server) -> None:
    received = 0

    async def receive() -> dict[str, Any]:
        nonlocal received
        received += 1_000_000
        return {"type": "http.request", "body": b"a" * 1_000_000, "more_body": True}

    asyncio.run(drain(receive))
    assert received == MOST_LEFT_BYTES


@pytest.mark.parametrize("path", ["/translate", "/detect", "/suggest", "/translate_file", "/translateDoc"])
def test_slow_bodies(guarded: Server, path: str) -> None:
    answer = raw(guarded, head(1000, path), b'{"q":', pause=0.1)
    assert b" 408 " in answer.splitlines()[0]
    still_serves(guarded)


def test_slow_and_absent_headers(guarded: Server) -> None:
    assert raw(guarded, b"POST /translate HTTP/1.1\r\nHost: x\r\n") == b""
    assert raw(guarded) == b""
    # After a whole request, half of another.
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert raw(guarded, whole, b"GET /health HT", pause=0.2).count(b"HTTP/1.1 200") == 1
    still_serves(guarded)


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 100,
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        head(-5) + b"{}",
        b"\x16\x03\x01\x02\x00\x01\x00",
    ],
)
def test_what_is_no_http(guarded: Server, data: bytes) -> None:
    answer = raw(guarded, data)
    assert answer == b"" or b" 400 " in answer.splitlines()[0]
    still_serves(guarded)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"[" * 90_000,
        b'{"a":' * 20_000,
        b'{"q": ' + b"9" * 5_000 + b"}",
        b'{"q":"\xff\xfe"}',
        b'{"q":"\\ud800","source":"fr","target":"en"}',
        b'{"q":"a\\u0000b","source":{},"target":"en"}',
        b'{"q":"x","source":["fr"],"target":"en"}',
        b'{"q":{"a":1},"source":"fr","target":"en"}',
        b'{"q":"x","source":"fr","target":"en","alternatives":1e400}',
        b'{"q":"x","source":"' + b"f" * 10_000 + b'","target":"en"}',
        b'{"q":"x","source":"fr","target":"en","format":7}',
    ],
)
def test_broken_bodies(server: Server, body: bytes) -> None:
    answer = server.ask("POST", "/translate", body, JSON)
    assert answer.status == 400
    assert 0 < len(answer.error) < 200
    still_serves(server)


@pytest.mark.parametrize("number", [10**30, -5, "007", 2.0])
def test_odd_numbers_of_alternatives_are_bounded(server: Server, number: object) -> None:
    answer = server.post("/translate", q="Le chat voit la maison.", alternatives=number, **FR_EN)
    assert answer.status == 200
    assert len(answer.json.get("alternatives", [])) <= 20


def test_broken_forms(server: Server) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert server.ask("POST", "/translate", b"q=%ff%fe&source=fr&target=en", form).status == 400
    assert server.ask("POST", "/translate", b"&".join([b"a=b"] * 5000), form).status == 400
    assert server.ask("GET", "/translate?langpair=fr|en&q=%ff").status == 400
    multipart = {"Content-Type": "multipart/form-data; boundary=x"}
    for body in (b"", b"--x", b"--x\r\n\r\n\r\n--x--", b"junk", b"--x\r\nContent-Disposition: form-data\r\n\r\n--x--"):
        assert server.ask("POST", "/translate_file", body, multipart).status == 400
    assert server.ask("POST", "/translate_file", b"x", {"Content-Type": "multipart/form-data"}).status == 400


@pytest.mark.parametrize(
    "text",
    [
        "<b>" * 6000,
        "<b>la " * 3000,
        "<div>" * 3900 + "la maison",
        "<a href='" * 2000,
        "<!--" * 5000,
        "<script>" * 2500,
        "&" * 20_000,
        "&#x" + "f" * 19_000 + ";",
        "<p>" + "<b>la</b> " * 1900,
        "la" + " " * 19_000 + "maison",
        "<x0>" * 4000,
        "<" * 20_000,
        "</" * 10_000,
        "<pre>" + "\n" * 19_000,
    ],
)
def test_deep_and_odd_html(server: Server, text: str) -> None:
    answer = server.post("/translate", q=text, format="html", **FR_EN)
    assert answer.status == 200
    assert answer.json["translatedText"].count("<b>") == text.count("<b>")
    still_serves(server)


@pytest.mark.parametrize(
    "text", ["\u202e\u200f" * 5000, "a" * 20_000, "🏠" * 2000, "a b " * 2000, "\n" * 20_000, ".\n" * 900]
)
def test_odd_text(server: Server, text: str) -> None:
    answer = server.post("/translate", q=text, explain=True, **FR_EN)
    assert answer.status in (200, 504)
    still_serves(server)


@pytest.mark.parametrize(
    "name",
    [
        "../../../../tmp/x.txt",
        "..\\..\\x.txt",
        "/etc/passwd.txt",
        "\x01x.txt",
        "a;b`c$(d).txt",
        ".txt",
        "é" * 300 + ".txt",
        '"\r\nX: y.txt',
    ],
)
def test_file_names(server: Server, name: str) -> None:
    answer = server.upload(
        "/translate_file", name.replace('"', "%22").replace("\r\n", "%0D%0A"), b"La maison.", **FR_EN
    )
    if answer.status == 400:
        return
    address = answer.json["translatedFileUrl"]
    path = address.removeprefix(server.url)
    assert path.startswith("/download_file/")
    assert "/" not in path.removeprefix("/download_file/")
    assert ".." not in path
    fetched = server.get(path)
    assert fetched.body == b"The house."
    assert fetched.headers["Content-Disposition"].startswith("attachment")
    assert "X" not in fetched.headers


@pytest.mark.parametrize(
    "path",
    [
        "/download_file/../../etc/passwd",
        "/download_file/%2e%2e%2fetc%2fpasswd",
        "/../page/page.js",
        "/page/__init__.py",
        "//etc/passwd",
    ],
)
def test_paths_that_lead_out(server: Server, path: str) -> None:
    assert server.get(path).status == 404


def test_files_that_are_too_large_or_not_text(guarded: Server) -> None:
    answer = guarded.upload("/translate_file", "a.txt", b"a" * 200_000, **FR_EN)
    assert answer.status == 413
    for content in (b"\xff\xff\x00", b"PK\x03\x04" + b"\0" * 100, b"%PDF-1.7"):
        answer = guarded.upload("/translate_file", "a.txt", content, **FR_EN)
        assert answer.status == 400
        assert len(answer.error) < 200
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;&b;">]><xliff version="1.2">&d;</xliff>'
    )
    assert guarded.upload("/translate_file", "a.xlf", bomb, **FR_EN).status == 400
    # A document of a few bytes that is a large one.
    document = word("<w:p><w:r><w:t>La maison.</w:t></w:r></w:p>" * 4_000)
    assert len(document) < 10_000
    for source in ("fr", "auto"):
        answer = guarded.upload("/translate_file", "a.docx", document, source=source, target="en")
        assert answer.status == 400 and "unpacks to more than the 50,000 bytes" in answer.error
    assert "file format not supported" in guarded.upload("/translate_file", "a.exe", b"MZ", **FR_EN).error


def test_work_beyond_the_queue_is_told_to_slow_down(guarded: Server) -> None:
    text = "Le chien et le chat voit la maison bleue. " * 100

    def ask(number: int) -> int:
        return guarded.post("/translate", q=text, **FR_EN).status

    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        statuses = list(pool.map(ask, range(12)))
    assert set(statuses) <= {200, 429, 504}
    assert 429 in statuses
    assert 200 in statuses
    still_serves(guarded)


def test_time_limits(model: Path) -> None:
    text = "Le chien et le chat voit la maison bleue. " * 200
    with running([model], request_seconds=0.05) as server:
        answer = server.post("/translate", q=text, **FR_EN)
        assert (answer.status, "0.05 s" in answer.error) == (504, True)
        assert server.get("/translate", langpair="fr|en", q=text[:1500] * 4).status == 408


def test_many_large_bodies_share_one_budget(model: Path) -> None:
    with running([model], body_seconds=0.5, char_limit=40_000) as server:
        server.context.budget.total = 1_000_000
        connections = [socket.create_connection((server.host, server.port), timeout=10) for _ in range(4)]
        for connection in connections:
            connection.sendall(head(500_000) + b" " * 400_000)
        answers = [connection.recv(300) for connection in connections]
        for connection in connections:
            connection.close()
        assert any(b" 429 " in answer.splitlines()[0] for answer in answers)
        assert all(b" 429 " in answer.splitlines()[0] or b" 408 " in answer.splitlines()[0] for answer in answers)
        deadline = time.monotonic() + 10
        while server.context.budget.used and time.monotonic() < deadline:
            time.sleep(0.02)
        assert server.context.budget.used == 0
        still_serves(server)


def test_faults_do_not_tell_what_users_wrote(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    secret = "geheimnis"
    engine = server.context.engine
    original = engine.translate_text

    async def broken(*given: object, **more: object) -> object:
        raise ValueError(secret)

    engine.translate_text = broken  # type: ignore[assignment]
    try:
        with caplog.at_level("INFO", logger="dragoman.serve"):
            answer = server.post("/translate", q=secret, **FR_EN)
    finally:
        engine.translate_text = original  # type: ignore[method-assign]
    assert answer.status == 500
    assert secret not in answer.text
    from dragoman.serve.log import JsonLines

    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    assert any("ValueError at" in line.get("fault", "") for line in lines)
    assert all(secret not in json.dumps(line) for line in lines)
