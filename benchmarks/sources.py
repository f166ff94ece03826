"""sources.bin: bytes for each pair, time to write and to look up, beside an SQLite file of the same records.

The pairs are Europarl's fr-en; the SQLite table has the stable id as its key and an index over the pairs' own ids, the
texts as they are. Look-ups are of pairs drawn at random, by number and by id, in a process that has opened the file.
Sizes of the bare texts, and of the same texts in one gzip stream, show what there is to gain.

    python -m benchmarks.sources [--pairs N]
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, report, run_function
from dragoman.index.sources import Sources, write_prepared

LOOKUPS = 2000


def write_sqlite(out: Path, source: Path, target: Path) -> None:
    with sqlite3.connect(out) as database:
        database.execute("CREATE TABLE pairs (number INTEGER PRIMARY KEY, id, source, target, file, line)")
        name = str(source)
        rows = zip(source.open(encoding="utf-8"), target.open(encoding="utf-8"), strict=True)
        database.executemany(
            "INSERT INTO pairs VALUES (?, ?, ?, ?, ?, ?)",
            (
                (number, f"{name}:{number + 1}", ours.rstrip("\n"), theirs.rstrip("\n"), name, number + 1)
                for number, (ours, theirs) in enumerate(rows)
            ),
        )
        database.execute("CREATE INDEX by_id ON pairs (id)")


def look_up(path: Path, numbers: list[int], name: str) -> dict[str, float]:
    sources = Sources.open(path)
    begin = time.process_time()
    for number in numbers:
        assert sources.get(number)
    middle = time.process_time()
    for number in numbers:
        assert sources.find(f"{name}:{number + 1}") == [number]
    return micros(begin, middle, time.process_time(), len(numbers))


def look_up_sqlite(path: Path, numbers: list[int], name: str) -> dict[str, float]:
    with sqlite3.connect(path) as database:
        begin = time.process_time()
        for number in numbers:
            assert database.execute("SELECT * FROM pairs WHERE number = ?", (number,)).fetchone()
        middle = time.process_time()
        for number in numbers:
            assert database.execute("SELECT number FROM pairs WHERE id = ?", (f"{name}:{number + 1}",)).fetchone()
        return micros(begin, middle, time.process_time(), len(numbers))


def micros(begin: float, middle: float, end: float, count: int) -> dict[str, float]:
    return {
        "by number, microseconds": round((middle - begin) / count * 1e6, 1),
        "by id, microseconds": round((end - middle) / count * 1e6, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=100_000)
    count = parser.parse_args().pairs
    numbers = random.Random(1).sample(range(count), min(LOOKUPS, count))
    results: dict[str, Any] = {"pairs": count}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = [folder / "train.fr", folder / "train.en"]
        for path in texts:
            path.write_text("".join(f"{line}\n" for line in corpus_lines(f"europarl.fr-en/{path.name}", count)))
        raw = b"".join(path.read_bytes() for path in texts)
        results["text, bytes per pair"] = round(len(raw) / count, 1)
        results["text in one gzip stream, bytes per pair"] = round(len(zlib.compress(raw, 9)) / count, 1)
        for title, write, find, out in (
            ("sources.bin", write_prepared, look_up, folder / "sources.bin"),
            ("sqlite", write_sqlite, look_up_sqlite, folder / "sources.sqlite"),
        ):
            _, cost = run_function(write, out, *texts)
            results[title] = {
                "bytes per pair": round(out.stat().st_size / count, 1),
                "writing": cost.as_json(),
                **run_function(find, out, numbers, str(texts[0]))[0],
            }
    report(results)


if __name__ == "__main__":
    main()
