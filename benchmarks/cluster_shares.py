"""What a Dask cluster takes over of a training: CPU seconds of each stage on this machine, with workers and without,
and CPU seconds of the workers.

    python -m benchmarks.cluster_shares SOURCE TARGET DEV_SOURCE DEV_TARGET TEST_SOURCE TEST_TARGET [--workers 0 1 2]
        [--batch TEXT] [--out FILE]

The scheduler and the workers are processes of this machine, of one thread each, every worker on a processor of its own
as far as there are some; the models are compared byte for byte. With CPU seconds a machine that has other work tells as
much as an idle one; wall seconds are worth what it was idle. With `--batch` the workers also translate a text by
`translate-batch`.
"""

from __future__ import annotations

import argparse
import contextlib
import filecmp
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed

from benchmarks.measure import report

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


@contextlib.contextmanager
def cluster(workers: int, folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The scheduler's address, and its process and the workers'."""
    file = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    quiet: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    local = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    processes = [subprocess.Popen([*dask, "scheduler", *local], **quiet)]
    try:
        while not file.exists():
            time.sleep(0.2)
        address = json.loads(file.read_text())["address"]
        cores = sorted(os.sched_getaffinity(0), reverse=True)
        for worker in range(workers):
            # Without a nanny, so that the process that is measured is the one that works.
            options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
            process = subprocess.Popen([*dask, "worker", address, *options], **quiet)
            os.sched_setaffinity(process.pid, {cores[worker % len(cores)]})
            processes.append(process)
        wait_for_workers(address, workers)
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_for_workers(address: str, workers: int) -> None:
    with distributed.Client(address) as client:
        client.wait_for_workers(workers, timeout=60)


def translated(text: Path, model: Path, folder: Path, workers: int) -> tuple[Path, dict[str, Any]]:
    """The folder of the translation, and how long it took."""
    out = folder / f"{workers}.batch"
    command = [sys.executable, "-m", "dragoman", "translate-batch", "-m", str(model), str(text), "--out", str(out)]
    command += ["--shard-lines", "50", "--json"]
    with contextlib.ExitStack() as stack:
        if workers:
            address, _ = stack.enter_context(cluster(workers, folder))
            command += ["--cluster", address, "--cluster-shared"]
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds = time.perf_counter() - begin
    (folder / "scheduler.json").unlink(missing_ok=True)
    return out, {"wall_seconds": round(seconds, 1)}


def trained(texts: list[Path], folder: Path, workers: int) -> tuple[Path, dict[str, Any]]:
    """The model, and what it took."""
    names = ("--source", "--target", "--dev-source", "--dev-target", "--test-source", "--test-target")
    files = [str(part) for pair in zip(names, texts, strict=True) for part in pair]
    out, work = folder / f"{workers}.model", folder / f"{workers}.work"
    options = ["-s", "fr", "-t", "en", "--language-models", "ngram", "--judge", "off", "--threads", "1"]
    options += ["--set", "decode.decoder=phrase-based", "--work", str(work), "-o", str(out)]
    command = [sys.executable, "-m", "dragoman", "train", *files, *options]
    begin = time.perf_counter()
    row: dict[str, Any] = {}
    if workers:
        with cluster(workers, folder) as (address, processes):
            before = [cpu_seconds(process) for process in processes]
            subprocess.run([*command, "--cluster", address], check=True, capture_output=True)
            taken = [round(cpu_seconds(process) - start, 1) for process, start in zip(processes, before, strict=True)]
            row["scheduler"], row["workers"] = taken[0], taken[1:]
        (folder / "scheduler.json").unlink(missing_ok=True)
    else:
        subprocess.run(command, check=True, capture_output=True)
    row["wall_seconds"] = round(time.perf_counter() - begin, 1)
    entries = [json.loads(line) for line in (work / "log.jsonl").read_text().splitlines()]
    row["here"] = {entry["stage"]: round(entry["cpu_seconds"], 2) for entry in entries if entry["event"] == "done"}
    row["wall"] = {entry["stage"]: round(entry["seconds"], 1) for entry in entries if entry["event"] == "done"}
    return out, row


def same_files(first: Path, other: Path) -> bool:
    names = sorted(path.name for path in other.iterdir() if path.is_file())
    _, unlike, missing = filecmp.cmpfiles(first, other, names, shallow=False)
    return bool(names) and not unlike and not missing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs=6, type=Path)
    parser.add_argument("--workers", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--batch", type=Path, help="text to translate")
    parser.add_argument("--out", type=Path, help="also write here what is measured, as soon as it is")
    given = parser.parse_args()
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        made: dict[str, list[Path]] = {"train": [], "batch": []}

        def keep(kind: str, workers: int, result: tuple[Path, dict[str, Any]]) -> None:
            out, row = result
            made[kind].append(out)
            rows.setdefault(kind, {})[f"{workers}"] = {**row, "same": same_files(made[kind][0], out)}
            print(kind, workers, rows[kind][f"{workers}"], file=sys.stderr, flush=True)
            if given.out:
                given.out.write_text(json.dumps(rows, indent=2), encoding="utf-8")

        for workers in given.workers:
            keep("train", workers, trained([path.absolute() for path in given.texts], folder, workers))
        for workers in given.workers if given.batch else ():
            keep("batch", workers, translated(given.batch.absolute(), made["train"][0], folder, workers))
    report(rows)


if __name__ == "__main__":
    main()
