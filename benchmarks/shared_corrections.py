"""How soon replicas know what one of them was taught: PYTHONPATH=. python benchmarks/shared_corrections.py

Replicas of a small model share a PostgreSQL server that this script starts. Each in turn is taught a pair; the delay is
the time from the acknowledgement until another translates with it. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from dragoman.translator import Translator
from tests.unit.learn.postgres import postgres_server
from tests.unit.learn.support import make_model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres_server() as database:
        model = make_model(Path(folder) / "0.model")
        paths = [model] + [
            Path(shutil.copytree(model, Path(folder) / f"{number}.model")) for number in range(1, arguments.replicas)
        ]
        replicas = [Translator.load(path, corrections=database.url) for path in paths]
        print(json.dumps(measured(replicas, arguments.pairs), indent=2))


def measured(replicas: list[Translator], pairs: int) -> dict[str, float | int]:
    teaching: list[float] = []
    delays: list[float] = []
    for number in range(pairs):
        writer, reader = replicas[number % len(replicas)], replicas[(number + 1) % len(replicas)]
        source, target = f"Le mot{number} dort.", f"The word{number} sleeps."
        began = time.perf_counter()
        writer.add(source, target, id=str(number))
        acknowledged = time.perf_counter()
        teaching.append(acknowledged - began)
        while str(reader.translate(source)) != target:
            time.sleep(0.0005)
        delays.append(time.perf_counter() - acknowledged)
    return {
        "replicas": len(replicas),
        "pairs": pairs,
        **quantiles("teaching", teaching),
        **quantiles("delay", delays),
    }


def quantiles(name: str, seconds: list[float]) -> dict[str, float]:
    hundredths = statistics.quantiles(seconds, n=100, method="inclusive")
    figures = {"p50": hundredths[49], "p99": hundredths[98], "most": max(seconds)}
    return {f"{name}_{figure}_ms": round(1000 * value, 2) for figure, value in figures.items()}


if __name__ == "__main__":
    main()
