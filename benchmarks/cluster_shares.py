"""What a Dask cluster takes over of a training: CPU seconds of each stage on this machine, with workers and without,
and CPU seconds of the workers.

    python -m benchmarks.cluster_shares SOURCE TARGET DEV_SOURCE DEV_TARGET TEST_SOURCE TEST_TARGET [--workers 0 1 2]

The scheduler and the workers are processes of this machine, of one thread each; the models are compared byte for byte.
With CPU seconds a machine that has other work tells as much as an idle one; wall seconds are worth what it was idle.
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
        for _ in range(workers):
            # Without a nanny, so that the process that is measured is the one that works.
            options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
            processes.append(subprocess.Popen([*dask, "worker", address, *options], **quiet))
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs=6, type=Path)
    parser.add_argument("--workers", nargs="+", type=int, default=[0, 1, 2])
    given = parser.parse_args()
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        models = []
        for workers in given.workers:
            model, rows[f"{workers}"] = trained([path.absolute() for path in given.texts], Path(folder), workers)
            models.append(model)
            names = sorted(path.name for path in model.iterdir() if path.is_file())
            _, unlike, missing = filecmp.cmpfiles(models[0], model, names, shallow=False)
            rows[f"{workers}"]["same"] = not unlike and not missing
            print(workers, rows[f"{workers}"], file=sys.stderr, flush=True)
    report(rows)


if __name__ == "__main__":
    main()
