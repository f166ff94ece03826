"""Memory of a server over many requests of every kind.

    python -m benchmarks.soak_memory [--requests 100000] [--connections 4] [--words 500] [--model MODEL]

Texts, batches, HTML, files, explanations, alternatives, glossaries, detection, both interfaces, lessons, removals of
lessons, and requests that are refused come in random order. At most `--words` lessons are in force at once, so that
what the server must know soon stays the same. Fifty times, resident memory and the part of it that is no mapped file
are read from /proc, so this runs on Linux. `growth_mb` is how much more there was in the last fifth of the run than in
the second; `per_1000_requests_kb` is the slope over the second half. Prints JSON; exits with 1 if a good request
failed. MODEL is copied first; without one, a model of the phrasebook is made.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measure import report
from benchmarks.soak_server import SoakServer, letters, make_soak_model, running
from dragoman.model.directory import ModelDirectory
from examples.demo.phrasebook import phrases
from tests.unit.serve.client import JSON, Answer

MEGABYTE = 1 << 20


def memory_of(pid: int) -> dict[str, float]:
    """Resident megabytes of a process, and those that are no file's."""
    found: dict[str, float] = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name in ("Rss", "Anonymous"):
            found[name.lower()] = round(int(rest.split()[0]) / 1024, 2)
    return found


class Traffic:
    """Requests of all kinds, made by any number of threads."""

    def __init__(self, server: SoakServer, languages: tuple[str, str], texts: list[str], words: int) -> None:
        self._server = server
        self._pair = {"source": languages[0], "target": languages[1]}
        self._texts = texts
        self._most_words = words
        self._taught: dict[str, str] = {}  # id by word
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()
        self.failures: list[dict[str, Any]] = []
        good: list[tuple[int, Callable[[random.Random], Answer]]] = [
            (45, self._text),
            (6, self._batch),
            (6, self._html),
            (6, self._explain),
            (4, self._glossary),
            (3, self._apertium),
            (3, self._file),
            (6, self._detect),
            (9, self._teach),
            (6, self._forget),
        ]
        self._good = [function for weight, function in good for _ in range(weight)]

    def one(self, chance: random.Random) -> None:
        """One request; of a hundred, six are bad."""
        if chance.random() < 0.06:
            reply, name, fine = self._bad(chance), "bad", range(400, 500)
        else:
            function = chance.choice(self._good)
            name, fine = function.__name__.strip("_"), range(200, 300)
            reply = function(chance)
        with self._lock:
            self.counts[f"{name} {reply.status}"] += 1
            if reply.status not in fine and reply.status != 429 and len(self.failures) < 10:
                self.failures.append({"kind": name, "status": reply.status, "body": reply.body[:300].decode()})

    def _sentence(self, chance: random.Random) -> str:
        words = chance.choice(self._texts).split()
        if self._taught and chance.random() < 0.3:
            with self._lock:
                words.append(chance.choice(list(self._taught) or ["mot"]))
        return " ".join(words)

    def _text(self, chance: random.Random) -> Answer:
        text = chance.choice((" ", "\n")).join(self._sentence(chance) for _ in range(chance.choice((1, 1, 1, 3, 12))))
        source = "auto" if chance.random() < 0.1 else self._pair["source"]
        return self._server.post(
            "/translate", q=text, source=source, target=self._pair["target"], alternatives=chance.choice((0, 0, 0, 3))
        )

    def _batch(self, chance: random.Random) -> Answer:
        texts = [self._sentence(chance) for _ in range(chance.randint(2, 8))]
        return self._server.post("/translate", q=texts, **self._pair)

    def _html(self, chance: random.Random) -> Answer:
        text = f"<p>{self._sentence(chance)} <b>{self._sentence(chance)}</b></p><ul><li>{self._sentence(chance)}</ul>"
        return self._server.post("/translate", q=text, format="html", **self._pair)

    def _explain(self, chance: random.Random) -> Answer:
        return self._server.post("/translate", q=self._sentence(chance), explain=True, **self._pair)

    def _glossary(self, chance: random.Random) -> Answer:
        text = self._sentence(chance)
        terms = {word: word.upper() for word in text.split()[:2]}
        return self._server.post("/translate", q=text, glossary=terms, **self._pair)

    def _apertium(self, chance: random.Random) -> Answer:
        pair = "|".join(self._pair.values())
        return self._server.post("/translate", langpair=pair, q=self._sentence(chance))

    def _file(self, chance: random.Random) -> Answer:
        content = "\n".join(self._sentence(chance) for _ in range(chance.randint(1, 20))).encode()
        reply = self._server.upload("/translate_file", f"file{chance.randint(0, 99)}.txt", content, **self._pair)
        return self._server.download(reply) if reply.status == 200 else reply

    def _detect(self, chance: random.Random) -> Answer:
        return self._server.post("/detect", q=self._sentence(chance))

    def _teach(self, chance: random.Random) -> Answer:
        """A new translation of a word that may have one already; where there are enough, of one that has."""
        word = f"zq{letters(chance.randrange(self._most_words))}w"
        reply = self._server.post("/suggest", q=word, s=f"xk{letters(chance.randrange(10**6))}", **self._pair)
        if reply.status == 200:
            with self._lock:
                self._taught[word] = reply.json["ids"][0]
        return reply

    def _forget(self, chance: random.Random) -> Answer:
        with self._lock:
            word = chance.choice(list(self._taught)) if self._taught else ""
            name = self._taught.pop(word, "")
        if not name:
            return self._teach(chance)
        return self._server.post("/forget", ids=[name], **self._pair)

    def _bad(self, chance: random.Random) -> Answer:
        pair = self._pair
        choices: list[Callable[[], Answer]] = [
            lambda: self._server.ask("POST", "/translate", b"{" * chance.randint(1, 10_000), JSON),
            lambda: self._server.ask("POST", "/translate", json.dumps({"q": "a" * 50_000, **pair}).encode(), JSON),
            lambda: self._server.post("/translate", q="x", source="xx", target=pair["target"]),
            lambda: self._server.post("/translate", q=7, **pair),
            lambda: self._server.ask("GET", f"/{letters(chance.randrange(10**9))}"),
            lambda: self._server.upload("/translate_file", "a.exe", b"MZ" * 1000, **pair),
            lambda: self._server.upload("/translate_file", "a.xlf", b"<xliff>" * 1000, **pair),
            lambda: self._server.ask("DELETE", "/translate", b""),
            lambda: self._server.post("/forget", ids=["not-ours"], **pair),
            lambda: self._server.post("/suggest", q="", s="x", **pair),
        ]
        return chance.choice(choices)()


def fit(xs: list[float], ys: list[float]) -> float:
    """Slope of the line of least squares."""
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle_x) ** 2 for x in xs)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / spread if spread else 0.0


def flatness(samples: list[dict[str, float]], name: str) -> dict[str, float]:
    values = [sample[name] for sample in samples]
    fifth = max(1, len(values) // 5)
    second, last = values[fifth : 2 * fifth], values[-fifth:]
    half = samples[len(samples) // 2 :]
    slope = fit([sample["requests"] for sample in half], [sample[name] for sample in half])
    return {
        "growth_mb": round(sum(last) / len(last) - sum(second) / len(second), 2),
        "per_1000_requests_kb": round(slope * 1000 * 1024, 2),
    }


def measure(model: Path, log: Path, texts: list[str], requests: int, connections: int, words: int) -> dict[str, Any]:
    manifest = ModelDirectory.open(model).manifest
    with running(model, log, "--queue", "256") as server:
        traffic = Traffic(server, (manifest.source_lang, manifest.target_lang), texts, words)
        samples: list[dict[str, float]] = [{"requests": 0, **memory_of(server.pid)}]
        done = 0
        lock = threading.Lock()
        step = max(1, requests // 50)

        def work(number: int) -> None:
            nonlocal done
            chance = random.Random(number)
            while True:
                with lock:
                    if done >= requests or server.died():
                        return
                    done += 1
                    if done % step == 0:
                        samples.append({"requests": done, **memory_of(server.pid)})
                traffic.one(chance)

        begun = time.perf_counter()
        threads = [threading.Thread(target=work, args=(number,)) for number in range(connections)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - begun
        died = server.died()
        overlay = model / "overlay" / "log"
        return {
            "requests": done,
            "seconds": round(seconds, 1),
            "died": died,
            "kinds": dict(sorted(traffic.counts.items())),
            "failures": traffic.failures,
            "log_mb": round(overlay.stat().st_size / MEGABYTE, 2) if overlay.exists() else 0,
            "resident": flatness(samples, "rss"),
            "anonymous": flatness(samples, "anonymous"),
            "samples": samples,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--words", type=int, default=500)
    parser.add_argument("--model", type=Path, help="instead of one made of the phrasebook")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        model = Path(directory) / "soak.model"
        make_soak_model(model, given.model)
        texts = [source for source, _ in phrases()]
        made = measure(model, Path(directory) / "log", texts, given.requests, given.connections, given.words)
    report(made)
    sys.exit(1 if made["failures"] or made["died"] else 0)


if __name__ == "__main__":
    main()
