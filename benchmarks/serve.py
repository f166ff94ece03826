"""What the server costs: requests a second and latency at 1, 8 and 64 connections on one and two threads, memory after
100 and after many requests, and beside it the same lines through the library without a server.

    python -m benchmarks.serve --model fr-en.model [--lines test.fr] [--seconds 5] [--many 100000]

One request is one line of text; for memory, where their number is what matters, one of the shortest fifth of the lines.
The client runs in this process, so on a machine with few cores it takes a share of them: `cpu_ms` per request, the
server's own processor time, is the figure that load from elsewhere changes least.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, report
from dragoman.evaluate.speed import percentile
from dragoman.translator import Translator

CONNECTIONS = (1, 8, 64)


@dataclass(frozen=True)
class Running:
    port: int

    def metric(self, name: str) -> float:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=60) as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith(f"dragoman_{name} "):
                    return float(line.split()[1])
        raise LookupError(name)


@contextlib.contextmanager
def server(model: Path, threads: int) -> Iterator[Running]:
    command = [sys.executable, "-m", "dragoman.cli.main", "serve", "-m", str(model), "--port", "0"]
    command += ["--threads", str(threads), "--queue", "128"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().split()[-1].rstrip("/").rsplit(":", 1)[1])
        try:
            yield Running(port)
        finally:
            process.terminate()


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: str, pair: tuple[str, str]) -> int:
    """One request on an open connection; its status."""
    body = json.dumps({"q": line, "source": pair[0], "target": pair[1]}).encode()
    head = f"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    size = next(int(line[15:]) for line in answer.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    await reader.readexactly(size)
    return int(answer[9:12])


async def load(
    port: int, pair: tuple[str, str], lines: list[str], connections: int, seconds: float, most: int
) -> tuple[list[float], dict[int, int], float]:
    """Keeps that many connections busy until time is up; latencies, statuses, and how long it took."""
    texts = itertools.cycle(lines)
    latencies: list[float] = []
    statuses: dict[int, int] = {}
    begun = time.perf_counter()

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() - begun < seconds and len(latencies) < most:
            start = time.perf_counter()
            status = await ask(reader, writer, next(texts), pair)
            latencies.append(time.perf_counter() - start)
            statuses[status] = statuses.get(status, 0) + 1
        writer.close()

    await asyncio.gather(*(one() for _ in range(connections)))
    return latencies, statuses, time.perf_counter() - begun


def measured(
    running: Running, pair: tuple[str, str], lines: list[str], connections: int, seconds: float
) -> dict[str, Any]:
    cpu = running.metric("cpu_seconds_total")
    latencies, statuses, took = asyncio.run(load(running.port, pair, lines, connections, seconds, 1 << 30))
    ordered = sorted(latencies)
    return {
        "connections": connections,
        "requests": len(latencies),
        "per_second": round(len(latencies) / took, 1),
        **{f"p{percent}_ms": round(1000 * percentile(ordered, percent), 2) for percent in (50, 95, 99)},
        "cpu_ms": round(1000 * (running.metric("cpu_seconds_total") - cpu) / len(latencies), 3),
        "statuses": {str(status): count for status, count in statuses.items()},
    }


def library(translator: Translator, lines: list[str], threads: int, seconds: float) -> dict[str, Any]:
    """The same lines without a server, in batches, as `dragoman translate` works."""
    begun, cpu, done = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - begun < seconds:
        batch = [lines[(done + each) % len(lines)] for each in range(64)]
        translator.translate(batch, threads=threads)
        done += len(batch)
    took = time.perf_counter() - begun
    return {
        "sentences": done,
        "per_second": round(done / took, 1),
        "cpu_ms": round(1000 * (time.process_time() - cpu) / done, 3),
    }


def memory(model: Path, pair: tuple[str, str], lines: list[str], many: int) -> dict[str, Any]:
    short = sorted(lines, key=len)[: max(1, len(lines) // 5)]
    with server(model, 2) as running:
        made: dict[str, Any] = {"at_start_mb": round(running.metric("resident_bytes") / 1e6, 1)}
        for count in (100, many):
            asyncio.run(load(running.port, pair, short, 8, float("inf"), count))
            made[f"after_{count}_mb"] = round(running.metric("resident_bytes") / 1e6, 1)
        return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--lines", type=Path, help="Text to send; default the French test set of tatoeba.fr-en.")
    parser.add_argument("--seconds", type=float, default=5.0, help="How long each load lasts.")
    parser.add_argument("--many", type=int, default=100_000, help="Requests after which memory is read again.")
    arguments = parser.parse_args()
    lines = arguments.lines.read_text().splitlines() if arguments.lines else corpus_lines("tatoeba.fr-en/test.fr", 2000)
    translator = Translator.load(arguments.model)
    manifest = translator.model.manifest
    pair = (manifest.source_lang, manifest.target_lang)
    translator.translate(lines[:200])
    results: dict[str, Any] = {
        "model": arguments.model.name,
        "cores": os.cpu_count(),
        "words_per_line": round(sum(len(line.split()) for line in lines) / len(lines), 1),
        "load_average_before": round(os.getloadavg()[0], 1),
    }
    for threads in (1, 2):
        with server(arguments.model, threads) as running:
            asyncio.run(load(running.port, pair, lines, 4, 60.0, 200))
            rows = [measured(running, pair, lines, count, arguments.seconds) for count in CONNECTIONS]
        direct = library(translator, lines, threads, arguments.seconds)
        results[f"{threads}_threads"] = {"server": rows, "library": direct}
    results["memory"] = memory(arguments.model, pair, lines, arguments.many)
    results["load_average_after"] = round(os.getloadavg()[0], 1)
    report(results)


if __name__ == "__main__":
    main()
