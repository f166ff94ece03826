"""Runs tables and writes what they found into pages.

python -m benchmarks                            what tables there are, and whether their results are fresh
python -m benchmarks TABLE... [--full] [--again] [--row NAME]...
python -m benchmarks all [--full]               every table; a second start goes on where the first was stopped
python -m benchmarks take FOLDER                results of another machine, where code and corpora are the same
python -m benchmarks report                     build/benchmarks.html
python -m benchmarks write [--check]            figures of README and docs, from the results
python -m benchmarks stale [--full]             exit status 1 where results are missing or older than the code
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path

from benchmarks.harness.digests import ROOT, digests_of, staleness
from benchmarks.harness.markdown import shown_rows
from benchmarks.harness.provenance import commit
from benchmarks.harness.registry import all_tables, table_named
from benchmarks.harness.results import UNDONE, Results
from benchmarks.harness.runner import run_tables
from benchmarks.harness.table import Setting, Size, Table
from dragoman.errors import DragomanError


def device() -> str:
    if importlib.util.find_spec("torch") is None:
        return "cpu"
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def absent_rows(table: Table, results: Results, size: Size) -> list[str]:
    """Rows that were never run or that failed; what a row says it would need is an answer."""
    stored = results.rows
    names = [row.name for row in shown_rows(table, results, size)]
    return [name for name in names if name not in stored or stored[name].missing.endswith(UNDONE)]


def show(size: Size) -> int:
    """Prints the state of every table; the number of those that are not whole and fresh, as far as they can be here."""
    unready = 0
    for table in all_tables().values():
        if size not in table.sizes:
            continue
        results = Results.of(table.name, size)
        today = digests_of(table)
        rows = [row for row in results.rows if not results.rows[row].missing]
        kept = {row: results.rows[row].kept for row in rows if results.rows[row].kept}
        compared = [row for row in rows if row not in kept]
        changed = sorted({reason for row in compared for reason in staleness(results.digests(row), today)})
        absent = absent_rows(table, results, size)
        state = f"{len(rows)} rows" if rows else "not run"
        told = [f"stale: {', '.join(changed)}"] if changed else []
        for why in dict.fromkeys(kept.values()):
            names = ", ".join(name for name in kept if kept[name] == why)
            told.append(f"of an earlier state, as it could not be had again: {names} ({why})")
        told += [f"missing: {', '.join(absent)}"] if rows and absent else []
        unready += bool(changed or absent)
        print(f"{table.name:24} {state:10} {'; '.join(told)}".rstrip())
    return unready


def take(folder: Path) -> int:
    """Takes over results that lie as in benchmarks/results; the number of rows that are of other code or corpora."""
    left = 0
    for table in all_tables().values():
        for size in table.sizes:
            theirs = Results.of(table.name, size, folder)
            if not theirs.rows:
                continue
            ours = Results.of(table.name, size)
            known = dict(ours.rows)
            taken = ours.take(theirs, digests_of(table), commit())
            told_rows = [name for name, row in theirs.rows.items() if not row.missing.endswith(UNDONE)]
            refused = [name for name in told_rows if name not in taken and theirs.rows[name] != known.get(name)]
            left += len(refused)
            told = f"; of other code or corpora: {', '.join(refused)}" if refused else ""
            print(f"{table.name} ({size}): {len(taken)} rows{told}")
    return left


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="tables, or all, report, write, stale")
    parser.add_argument("--quick", action="store_true", help="small: minutes on two cores (the default)")
    parser.add_argument("--full", action="store_true", help="as the thesis has it, where the corpora reach that far")
    parser.add_argument("--again", action="store_true", help="also what has a fresh result")
    parser.add_argument("--row", action="append", default=[], dest="rows")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="rows at a time, where there are cores to spare")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after so many, no further row is begun")
    parser.add_argument("--check", action="store_true", help="with write: write nothing, exit with 1 on any difference")
    parser.add_argument("--because", default="", help="with keep: what the figures were taken with")
    given = parser.parse_args()
    size: Size = "full" if given.full else "quick"
    match given.what:
        case []:
            show(size)
            return 0
        case ["stale"]:
            return 1 if show(size) else 0
        case ["take", folder]:
            return 1 if take(Path(folder)) else 0
        case ["report"]:
            from benchmarks.harness.report import write_report

            print(write_report())
            return 0
        case ["write"]:
            from benchmarks.harness.pages import write_pages

            return write_pages(check=given.check)
        case ["keep", *names] if names:
            from benchmarks.harness.kept import keep

            if not given.because:
                parser.error("--because: say where these figures are from")
            for name in names:
                print(f"{name}: {keep(Path(name).resolve(), given.because)} figures")
            return 0
    place = Path(os.environ.get("DRAGOMAN_BENCH", ROOT / "data" / "bench"))
    place.mkdir(parents=True, exist_ok=True)
    setting = Setting(size, place, given.threads, given.jobs, "cuda" if device() == "cuda" else "cpu")
    tables = list(all_tables().values()) if given.what == ["all"] else [table_named(name) for name in given.what]
    fitting = [table for table in tables if size in table.sizes]
    for table in [table for table in tables if table not in fitting] if given.what != ["all"] else ():
        print(f"{table.name} is run with --{table.sizes[0]} alone", file=sys.stderr)
    return 0 if run_tables(fitting, setting, again=given.again, only=given.rows, minutes=given.minutes) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DragomanError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        sys.exit(2)
