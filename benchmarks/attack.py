"""The attack: hostile text, files, signals and requests, and how often one of them did harm.

    python -m benchmarks.attack [--tries 100] [--seed 1] [--rows models,server …]

Every row is one kind of attack, made again and again at random: with `--tries N`, N times where a try is cheap, a
fraction of that where it is not. An attack fails where the program answers, or refuses in a sentence. Anything else did
harm and is counted: a traceback, a crash, a wait without end, an answer that no whole model gives, text that was to be
forgotten, memory that the input does not account for. `--rows` takes rows whose names begin so. A row runs in a process
of its own, whose end by a signal is a failure too. Prints JSON: tries and failures of each row, the first failures in
words, CPU time, peak memory; exits with 1 if there were any. What is tried is what the tests try.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import attack_files, attack_text
from benchmarks.measure import report, run_function
from tests.fuzz.strange_models import FILES
from tests.fuzz.text_files import KINDS

MOST_WORDS = 3
Tries = Iterator[str | None]


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of attack. `work(folder, tries, seed)` says for each try what went wrong, or None."""

    work: Callable[[Path, int, int], Tries]
    # What one try costs, beside the cheapest.
    price: float

    def tries(self, wanted: int) -> int:
        return max(1, round(wanted / self.price))


ROWS = {
    "long lessons": Row(attack_text.long_lessons, 4),
    "reserved text": Row(attack_text.reserved_text, 30),
    **{f"models: {name}": Row(partial(attack_files.strange_model, name), 10) for name in FILES},
    **{f"text files: {kind}": Row(partial(attack_files.damaged_text, kind), 4) for kind in KINDS},
    "killed compactions": Row(attack_files.killed_compactions, 2),
    "overwritten files": Row(attack_files.overwritten_files, 3),
    "logs": Row(attack_files.mutated_logs, 0.5),
    "archives": Row(attack_files.mutated_archives, 0.2),
    "special files": Row(attack_files.special_files, 1),
    "server: hostile requests": Row(attack_text.hostile_requests, 2),
    "server: wrong keys": Row(attack_text.wrong_keys, 1),
    "server: short beside long": Row(attack_text.short_beside_long, 30),
    "interrupts": Row(attack_text.interrupts, 30),
}


def counted(row: Row, wanted: int, seed: int) -> dict[str, Any]:
    """Tries and failures; what is raised is one."""
    tries, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for finding in row.work(Path(folder), row.tries(wanted), seed):
                tries += 1
                if finding:
                    failures.append(finding)
        except Exception:
            tries += 1
            failures.append(f"the row ended early: {traceback.format_exc(limit=-4)}")
    return {"tries": tries, "failures": len(failures), "first": [each[:1000] for each in failures[:MOST_WORDS]]}


def attack(names: list[str], wanted: int, seed: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name in names:
        try:
            made[name], cost = run_function(counted, ROWS[name], wanted, seed)
            made[name] |= {"cpu_seconds": round(cost.cpu_seconds, 2), "peak_mb": round(cost.peak_mb)}
        except RuntimeError as error:
            made[name] = {"tries": 1, "failures": 1, "first": [f"the process that tried ended: {error}"]}
        row = made[name]
        print(f"{name}: {row['failures']} of {row['tries']}", file=sys.stderr, flush=True)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=100, help="of a cheap row; others have fewer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", help="beginnings of their names, separated by commas")
    given = parser.parse_args()
    wanted = tuple(given.rows.split(",")) if given.rows else ("",)
    names = [name for name in ROWS if name.startswith(wanted)]
    if not names:
        parser.error(f"there are these rows: {', '.join(ROWS)}")
    # What is drawn at random outside the rows.
    random.seed(given.seed)
    made = attack(names, given.tries, given.seed)
    sums = {key: sum(row[key] for row in made.values()) for key in ("tries", "failures")}
    seconds = sum(row.get("cpu_seconds", 0) for row in made.values())
    report({"rows": made, "all": {**sums, "cpu_seconds": round(seconds, 1)}})
    sys.exit(1 if sums["failures"] else 0)


if __name__ == "__main__":
    main()
