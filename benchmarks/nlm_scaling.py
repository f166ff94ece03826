"""How the training of networks scales: threads of the core, and PyTorch on a GPU and in several processes.

    python -m benchmarks.nlm_scaling [--lines 100000] [--epochs 2] [--rows gpu 1 2 4 8 processes] [--minutes 4]

All rows train the same network (class-factored, likelihood, Brown classes) on the beginning of europarl's English side;
each is one line of JSON, printed when it is there, and none is begun after the time that is given; one that fails says
so. Words a second count the steps of the epochs alone.

A number is so many threads of the core. `efficiency` is the share of as many times the words a second of one thread (or
of the first number that was given) as there are threads. `gflops` is what so many cores do at once where nothing waits
for memory (benchmarks/native/multiply_adds.cpp): less for each than of one alone where cores slow down or are halves of
one. `arithmetic` is the share of that which the products take: six operations for each word, dimension and candidate.

`gpu` is PyTorch with a GPU, where there is one. `processes`, on a tenth of the text, are what one process does by
itself and beside it what those of torchrun do: two on processors, by gloo, and one on a GPU, by NCCL. That one has
nobody to add gradients with, but all that would travel goes through NCCL.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.measure import run_function
from benchmarks.nlm_trainers import candidates_per_word, tokenized, train_one
from dragoman.config import NlmOptions
from dragoman.neural import train
from dragoman.neural.word_classes import cluster

ROOT = Path(__file__).resolve().parent.parent
MULTIPLY_ADDS = Path(__file__).parent / "native" / "multiply_adds.cpp"
CLASSES = 500
PROCESS_SHARE = 10  # of the text, for rows of several processes


def tell(**row: Any) -> None:
    print(json.dumps(row), flush=True)


@contextlib.contextmanager
def telling_of_failure(**row: Any) -> Iterator[None]:
    """The other rows are worth having without this one."""
    try:
        yield
    except (RuntimeError, subprocess.CalledProcessError) as error:
        tell(**row, failed=str(error))


class Peak:
    """What cores can do at most."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "multiply_adds"
        compiler = shutil.which("c++") or shutil.which("g++")
        if compiler is not None:
            options = ["-std=c++20", "-O3", "-march=native", "-o", str(self.program)]
            subprocess.run([compiler, *options, str(MULTIPLY_ADDS)], check=False)

    def of(self, cores: int) -> float:
        """Of so many at once, in thousand millions a second; 0 where it could not be compiled."""
        if not self.program.exists():
            return 0.0
        running = [subprocess.Popen([self.program], stdout=subprocess.PIPE, text=True) for _ in range(cores)]
        return sum(float(json.loads(process.communicate()[0])["gflops"]) for process in running)


@dataclass(frozen=True, slots=True)
class Measured:
    """A text with its classes, and the network that is trained on it."""

    text: Path
    classes: Path
    options: NlmOptions

    def train(self, kind: str, options: NlmOptions) -> tuple[dict[str, Any], dict[str, float]]:
        out = self.text.with_name("nlm.bin")
        made, cost = run_function(train_one, kind, self.text, out, options, self.classes, {})
        row = {
            "words": made["tokens"] * made["epochs"],
            "words_per_s": round(made["tokens_per_second"]),
            "seconds": round(made["seconds"], 2),
            "heldout_perplexity": round(made["heldout_perplexity"], 3),
        }
        return row, cost.as_json()

    def train_by_processes(self, count: int, device: str) -> dict[str, Any]:
        """By torchrun."""
        names = ("dimension", "epochs", "minibatch", "patience", "dropout", "threads")
        options = {"device": device, **{name: getattr(self.options, name) for name in names}}
        out = self.text.with_name("nlm.bin")
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(count)]
        # The name of a machine without a network may lead nowhere.
        command += ["--local-addr", "127.0.0.1", "-m", "benchmarks.nlm_process"]
        command += [str(self.text), str(self.classes), str(out), json.dumps(options)]
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": str(self.options.threads),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        }
        ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
        if ended.returncode:
            return {"failed": ended.stderr.strip()[-1000:]}
        made = json.loads(ended.stdout.splitlines()[-1])
        return {
            "words_per_s": round(made["tokens_per_second"]),
            "heldout_perplexity": round(made["heldout_perplexity"], 3),
        }


def measured_text(folder: Path, lines: int, options: NlmOptions) -> Measured:
    folder.mkdir()
    text = tokenized("europarl.fr-en/train.en", lines, folder / "text")
    cluster([text], CLASSES, threads=options.threads).write(folder / "classes")
    return Measured(text, folder / "classes", options)


class Threads:
    """Rows of the core."""

    def __init__(self, whole: Measured, peak: Peak) -> None:
        self.whole, self.peak = whole, peak
        self.needed = 6e-9 * whole.options.dimension * candidates_per_word(whole.text, whole.classes)
        self.one = 0.0

    def measure(self, count: int) -> None:
        with telling_of_failure(trainer="core", threads=count):
            row, cost = self.whole.train("core", replace(self.whole.options, threads=count))
            gflops = self.peak.of(count)
            self.one = self.one or row["words_per_s"] / count
            tell(
                trainer="core",
                threads=count,
                **row,
                efficiency=round(row["words_per_s"] / count / self.one, 3),
                gflops=round(gflops, 1),
                arithmetic=round(self.needed * row["words_per_s"] / gflops, 3) if gflops else None,
                **cost,
            )


def measure_gpu(whole: Measured) -> None:
    about: dict[str, Any] = {"trainer": "torch", "device": "cuda", "processes": 1, "torchrun": False}
    with telling_of_failure(**about):
        row, cost = whole.train("cuda", whole.options)
        tell(**about, **row, **cost)


def measure_processes(part: Measured, has_gpu: bool) -> None:
    on_gpu = [("cuda", 1, False), ("cuda", 1, True)] if has_gpu else []
    for device, count, torchrun in [*on_gpu, ("cpu", 1, False), ("cpu", 2, True)]:
        about: dict[str, Any] = {"trainer": "torch", "device": device, "processes": count, "torchrun": torchrun}
        with telling_of_failure(**about):
            alone = "cuda" if device == "cuda" else "torch"
            row = part.train_by_processes(count, device) if torchrun else part.train(alone, part.options)[0]
            tell(**about, **row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int, default=10_000)
    parser.add_argument("--rows", nargs="+", default=["gpu", "1", "2", "4", "8", "processes"])
    parser.add_argument("--minutes", type=float, default=4.0)
    given = parser.parse_args()
    until = time.monotonic() + 60 * given.minutes
    has_gpu = run_function(train.has_gpu)[0]  # CUDA cannot be used in children of a process that has used it
    options = NlmOptions(
        dimension=given.dimension, epochs=given.epochs, minibatch=given.minibatch, patience=100, dropout=0.0,
        threads=max([int(row) for row in given.rows if row.isdigit()], default=1),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        whole = measured_text(place / "whole", given.lines, options)
        threads = Threads(whole, Peak(place))
        for row in given.rows:
            if time.monotonic() > until:
                return
            if row == "gpu" and has_gpu:
                measure_gpu(whole)
            elif row == "processes" and train.has_torch():
                few = replace(options, threads=1, epochs=1)
                measure_processes(measured_text(place / "part", given.lines // PROCESS_SHARE, few), has_gpu)
            elif row.isdigit():
                threads.measure(int(row))


if __name__ == "__main__":
    main()
