"""Rows of the attack that come as text: long lessons, reserved strings, requests, and Ctrl-C in the middle of a line.

Each says for each try what went wrong, or None.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import http.client
import io
import json
import random
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.soak_server import HOST, SoakServer, running
from dragoman.cli.main import run
from dragoman.errors import DragomanError
from dragoman.serve.keys import WRONG_KEYS
from dragoman.translator import Translator
from examples.demo.phrasebook import phrases
from tests.unit.learn.support import make_model

# What a lesson of any length may add to the process.
LESSON_MB = 200
RESERVED = (
    *("<s>", "</s>", "<unk>", "\\<s>", "\\", "\\data\\", "\\end\\", "|||", "||| [X,1] |||", "[X]", "[X,1]", "[X][X]"),
    *("{d0}", "{d}", "NULL", "null", "▁", "￭", "<keep>", "</keep>", "0-0", "&#124;", "\t", "#", "<s>barré</s>"),
)
TRAINING = (
    *("--source-lang", "fr", "--target-lang", "en", "--threads", "1", "--language-models", "ngram"),
    *("--set", "tune.rounds=1", "--set", "tune.kbest=5", "--set", "decode.pop_limit=10"),
)
LANGUAGES = {"source": "fr", "target": "en"}
SHORT = "La maison."
LONG = "chat maison chien bleue rouge voit "
PATHS = ("/translate", "/suggest", "/detect", "/translate_file", "/translateDoc")
SECONDS = 60


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def long_lessons(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    """Learned, or refused in a sentence; in bounded memory either way."""
    chance = random.Random(seed)
    translator = Translator.load(make_model(folder / "model"))
    translator.add("un chat", "a cat")
    for number in range(tries):
        sizes = [round(10 ** chance.uniform(0, 5)) for _ in range(2)]
        glue = chance.choice((" ", " ", " ", "", "\u3000", "-", "."))
        source, target = (glue.join(chance.choices(("mot", "chat", "x"), k=size)) for size in sizes)
        before = peak_mb()
        finding = None
        try:
            translator.add(source, target, id=str(number), force=True)
        except DragomanError as error:
            if "\n" in str(error) or len(str(error)) > 1000:
                finding = f"no sentence: {error!s:.300}"
        except Exception as error:
            finding = repr(error)
        if peak_mb() - before > LESSON_MB:
            finding = f"{peak_mb() - before:.0f} MB"
        yield finding and f"{sizes} words with {glue!r} between them: {finding}"


def with_reserved(line: str, chance: random.Random) -> str:
    """A line with strings among its words, or glued to them, that mean something inside the program."""
    words = line.split(" ")
    for _ in range(chance.choice((0, 1, 1, 2, 5))):
        at = chance.randrange(len(words))
        words[at] = chance.choice((" ", "", " ")).join(chance.sample((words[at], chance.choice(RESERVED)), 2))
    return " ".join(words)


def command(*arguments: str | Path) -> tuple[int, str, str]:
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = run([str(each) for each in arguments])
    return code, out.getvalue(), errors.getvalue()


def reserved_text(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    """A corpus that has them trains, and what was trained translates such text line by line."""
    chance = random.Random(seed)
    for number in range(tries):
        here = folder / str(number)
        here.mkdir()
        files: list[str | Path] = []
        for part, prefix, size in (("train", "", 60), ("dev", "dev-", 8), ("test", "test-", 8)):
            pairs = chance.sample(phrases(), size)
            for side, name in enumerate(("source", "target")):
                path = here / f"{part}.{name}"
                text = "".join(with_reserved(pair[side], chance) + "\n" for pair in pairs)
                path.write_text(text, encoding="utf-8")
                files += [f"--{prefix}{name}", path]
        code, _, said = command("train", *files, *TRAINING, "--out", here / "model")
        if code:
            yield f"corpus {number} of seed {seed}: train ended with {code}: {said[-500:]}"
            continue
        finding = None
        for decoder in ("hierarchical", "phrase-based"):
            code, text, said = command("translate", "-m", here / "model", here / "test.source", "--decoder", decoder)
            if code or text.count("\n") != 8:
                finding = f"corpus {number} of seed {seed}: translate ended with {code}: {text[-200:]} {said[-500:]}"
        yield finding


def sent(server: SoakServer, path: str, parts: list[bytes]) -> bytes:
    """What comes back for bytes as they are."""
    with socket.create_connection((HOST, server.port), timeout=SECONDS) as connection:
        made = b""
        with contextlib.suppress(OSError):
            for part in parts:
                connection.sendall(part)
            while chunk := connection.recv(1 << 16):
                made += chunk
        return made


def head(path: str, length: int) -> bytes:
    kind = "multipart/form-data; boundary=x" if "File" in path or "_file" in path else "application/json"
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Type: {kind}", f"Content-Length: {length}")
    return "\r\n".join((*lines, "Connection: close", "", "")).encode()


def oversized(server: SoakServer, chance: random.Random) -> str | None:
    """Who sends too much, and looks for an answer only when all is sent, can read why it was refused."""
    path, size = chance.choice(PATHS), chance.randint(10_200_000, 20_000_000)
    connection = http.client.HTTPConnection(HOST, server.port, timeout=SECONDS)
    with contextlib.closing(connection):
        connection.request("POST", path, b"a" * size, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        said = json.loads(answer.read()).get("error", "")
    return (
        None if answer.status in (413, 400) and 0 < len(said) < 200 else f"{path}, {size} bytes: {answer.status} {said}"
    )


def slow(server: SoakServer, chance: random.Random) -> str | None:
    """Who promises a body and sends half of it is not waited for."""
    path = chance.choice(PATHS)
    answer = sent(server, path, [head(path, 1000), b'{"q":'])
    return None if b" 408 " in answer[:40] else f"{path}, half a body: {answer[:100]!r}"


def broken(server: SoakServer, chance: random.Random) -> str | None:
    """Bodies of any content: an answer that is no fault of the server."""
    path = chance.choice(PATHS)
    body = bytearray(json.dumps({"q": chance.choice((SHORT, [SHORT, ""], None, {"a": 1})), **LANGUAGES}).encode())
    for _ in range(chance.randint(1, 5)):
        body[chance.randrange(len(body))] = chance.choice((0, 34, 91, 123, 128, 255, chance.randrange(256)))
    if chance.random() < 0.1:
        body = bytearray(b"[" * 100_000)
    answer = sent(server, path, [head(path, len(body)), bytes(body)])
    status = answer.split(b" ", 2)[1:2]
    return None if status and 200 <= int(status[0]) < 500 else f"{path}, {bytes(body)!r:.200}: {answer[:200]!r}"


def hostile_requests(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    chance = random.Random(seed)
    model = make_model(folder / "model")
    with (
        running(model, folder / "log") as patient,
        running(model, folder / "hasty log", "--body-seconds", "0.3") as hasty,
    ):
        for number in range(tries):
            kind = (oversized, slow, broken, broken, broken)[number % 5]
            # Megabytes may take a busy machine longer than the hasty one waits.
            server = hasty if kind is slow else patient
            try:
                finding = kind(server, chance)
                if server.post("/translate", q=SHORT, **LANGUAGES).status != 200:
                    finding = f"no answer any more after {kind.__name__}"
            except (OSError, http.client.HTTPException, ValueError) as error:
                finding = f"{kind.__name__}: {error!r}"
            yield finding


def wrong_keys(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    """Guesses are refused, soon unread; no guess is let in."""
    (folder / "keys.toml").write_text('[[key]]\nkey = "the-right-key"\n')
    with running(make_model(folder / "model"), folder / "log", "--keys", str(folder / "keys.toml")) as server:
        for number in range(tries):
            status = server.post("/translate", q=SHORT, api_key=f"guess {seed} {number}", **LANGUAGES).status
            # A slow machine may have earned a few more by then.
            slowed = status == 429 or number < 3 * WRONG_KEYS
            yield None if status in (403, 429) and slowed else f"guess {number} got {status}"


def short_beside_long(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    """On one thread, a short request is answered before the long lines that came first."""
    chance = random.Random(seed)
    with (
        running(make_model(folder / "model"), folder / "log", "--threads", "1", "--request-seconds", "0") as server,
        concurrent.futures.ThreadPoolExecutor(4) as pool,
    ):
        for _ in range(tries):
            line = chance.choice((LONG * 560, "Le chien et le chat voit la maison bleue. " * 470))
            waiting = [pool.submit(server.post, "/translate", q=line, **LANGUAGES) for _ in range(4)]
            time.sleep(0.05)
            status = server.post("/translate", q=SHORT, **LANGUAGES).status
            ended = sum(each.done() for each in waiting)
            statuses = [each.result().status for each in waiting]
            yield None if status == 200 and ended < 4 else f"{status} after {ended} of {statuses}"


def interrupts(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    """Ctrl-C in the middle of a long line ends `translate` with 130 and a word."""
    chance = random.Random(seed)
    model = make_model(folder / "model")
    line = (LONG * 100_000).encode() + b"\n"
    for _ in range(tries):
        process = subprocess.Popen(
            [sys.executable, "-m", "dragoman.cli.main", "translate", "-m", str(model)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            # Shells start background jobs with Ctrl-C ignored, which children inherit.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
        )
        assert process.stdin is not None
        # More than a pipe holds: when all is written, it is being read.
        process.stdin.write(line)
        process.stdin.close()
        process.stdin = None
        time.sleep(chance.uniform(0, 1))
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            yield f"not ended after {SECONDS} s"
            continue
        fine = process.returncode == 130 and b"Traceback" not in said
        yield None if fine else f"ended with {process.returncode}: {said.decode()[-500:]}"
