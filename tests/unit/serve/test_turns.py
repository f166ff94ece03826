"""Long lines and short requests on one thread: work is done in turns, and ends when nobody waits for it."""

from __future__ import annotations

import concurrent.futures
import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from dragoman.serve.engine import MOST_SENTENCE_WORDS, options_of
from dragoman.serve.pair import View
from dragoman.serve.workers import Stopped
from dragoman.translation_job import TranslationJob
from tests.unit.serve.support import Server, running

FR_EN = {"source": "fr", "target": "en"}
SENTENCES = "Le chien et le chat voit la maison bleue. " * 470
WORDS = "chat maison chien bleue rouge voit " * 560


def wait_for(condition: Any) -> bool:
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.001)
    return bool(condition())


@pytest.mark.parametrize("line", [SENTENCES, WORDS])
@pytest.mark.parametrize("route", ["text", "html", "file"])
def test_a_short_request_is_answered_before_a_long_line(
    model: Path, monkeypatch: pytest.MonkeyPatch, line: str, route: str
) -> None:
    ended: list[str] = []
    begun = threading.Event()
    advance = TranslationJob.advance

    with running([model], threads=1, request_seconds=0.0, file_seconds=0.0) as server:
        workers = server.context.engine.workers

        def noted(self: TranslationJob, words: int, **how: Any) -> bool:
            is_long = sum(map(len, self._texts)) > 1000
            if is_long and not begun.is_set():
                begun.set()
                # The only thread is here until the short request waits for it.
                assert wait_for(lambda: workers._pool._work_queue.qsize() > 0)
            done = advance(self, words, **how)
            if done:
                ended.append("long" if is_long else "short")
            return done

        monkeypatch.setattr(TranslationJob, "advance", noted)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            if route == "file":
                long = pool.submit(server.upload, "/translate_file", "a.txt", line.encode(), **FR_EN)
            else:
                long = pool.submit(server.post, "/translate", q=line, format=route, **FR_EN)
            assert begun.wait(30)
            assert server.post("/translate", q="La maison.", **FR_EN).json == {"translatedText": "The house."}
            assert long.result().status == 200
    assert ended == ["short", "long"]


def leave(server: Server, path: str, body: bytes, kind: str, when: threading.Event) -> None:
    """A caller that hangs up before it has its answer."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection((server.host, server.port), timeout=30) as connection:
        connection.sendall(head.encode() + body)
        assert when.wait(30)


@pytest.mark.parametrize("route", ["/translate", "/translate?langpair=fr|en", "/translate_file"])
def test_work_stops_in_the_middle_when_the_caller_goes_away(
    model: Path, monkeypatch: pytest.MonkeyPatch, route: str
) -> None:
    begun, stopped = threading.Event(), threading.Event()

    def endless(self: TranslationJob, words: int, *, progress: Any, **how: Any) -> bool:
        begun.set()
        try:
            # What the core does inside a long sentence.
            wait_for(lambda: progress(0, 1))
        except Stopped:
            stopped.set()
            raise
        return True

    monkeypatch.setattr(TranslationJob, "advance", endless)
    with running([model], threads=1, request_seconds=0.0, file_seconds=0.0) as server:
        if route == "/translate_file":
            parts = [f'--x\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in FR_EN.items()]
            parts += ['--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nmot\r\n--x--\r\n']
            leave(server, route, "".join(parts).encode(), "multipart/form-data; boundary=x", begun)
        else:
            body = json.dumps({"q": "La maison.", **FR_EN}).encode()
            leave(server, route.replace("|", "%7C"), body, "application/json", begun)
        assert stopped.wait(30)
        monkeypatch.undo()
        assert server.post("/translate", q="La maison.", **FR_EN).json == {"translatedText": "The house."}


def test_sentences_are_cut_whatever_the_model_says(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    view = View(next(iter(server.context.engine.pairs.values())))
    assert 0 < options_of(view).max_sentence_words <= MOST_SENTENCE_WORDS
