"""How time and peak memory of n-gram models and networks grow with their text, within limits of memory.

    python -m benchmarks.language_growth 20000000 60000000 200000000 [--ngrams 1GB] [--networks 300MB] [--work FOLDER]

Numbers are words. The text is the English side of europarl fr-en, tokenized; what goes beyond it is recombined from
real sentences, the beginning of one and the end of another, so its words and short n-grams are real ones, and it has
fewer long ones than real text would. A network is trained for its first steps alone: text and word classes come before
them, and what they take does not grow afterwards. What is measured is also said at once, and a text that lies in FOLDER
is not made again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.growth import MATERIAL, real_pairs
from benchmarks.measure import report, run_command
from dragoman import _core
from dragoman.config import LmOptions, NlmOptions
from dragoman.lm import build_model
from dragoman.neural import train_model
from dragoman.sizes import parse_bytes

BLOCK = 20_000
DIMENSION = 128
# Words of a network's steps before it is stopped.
ENOUGH_WORDS = 2_000_000


class EnoughError(Exception):
    pass


def sentences(seed: int = 1) -> Iterator[bytes]:
    """Tokenized lines without end, the real ones first."""
    tokenizer = _core.Tokenizer("en")
    material: list[list[bytes]] = []
    real = (target for _, target in real_pairs())
    while block := list(itertools.islice(real, BLOCK)):
        lines = tokenizer.tokenize("".join(f"{line}\n" for line in block).encode(), model=True).splitlines()
        yield from lines
        if len(material) < MATERIAL:
            material.extend(line.split(b" ") for line in lines)
    chance = random.Random(seed)
    while True:
        one, other = chance.choice(material), chance.choice(material)
        share = chance.uniform(0.3, 0.7)
        yield b" ".join(one[: round(share * len(one))] + other[round(share * len(other)) :])


def write_text(path: str, words: str) -> None:
    """Numbers of words, as `dragoman train` keeps them."""
    builder, wanted, count = _core.IdTextBuilder(_core.ScratchSpace(str(Path(path).parent), 10**9)), int(words), 0
    lines = sentences()
    while count < wanted:
        block = list(itertools.islice(lines, BLOCK))
        count += sum(line.count(b" ") + 1 for line in block)
        builder.add(b"".join(line + b"\n" for line in block))
    builder.finish().save(path)


def build_ngrams(path: str, limit: str) -> None:
    scratch = _core.ScratchSpace(str(Path(path).parent), parse_bytes(limit))
    out = Path(path).with_suffix(".lm")
    options = LmOptions(work_memory=limit, memory="200MB")
    built = build_model(out, [_core.IdText.open(path, True, scratch)], options=options, threads=2, scratch=scratch)
    print(json.dumps({"ngrams": sum(built.estimated), "model_mb": round(built.bytes / 1e6)}))


def train_network(path: str, limit: str) -> None:
    scratch = _core.ScratchSpace(str(Path(path).parent), parse_bytes(limit))
    begin, first = time.process_time(), [0.0]

    def stop_early(done: int, total: int) -> None:
        first[0] = first[0] or time.process_time() - begin
        if done > ENOUGH_WORDS:
            raise EnoughError

    folder = Path(path).parent
    try:
        train_model(
            _core.IdText.open(path, True, scratch),
            folder / "network.bin",
            NlmOptions(dimension=DIMENSION, epochs=1, threads=2, device="cpu"),
            checkpoint=folder / "checkpoint",
            scratch=scratch,
            progress=stop_early,
        )
    except EnoughError:
        print(json.dumps({"cpu_seconds_before_the_first_step": round(first[0], 1)}))


STEPS = {"write_text": write_text, "build_ngrams": build_ngrams, "train_network": train_network}


def measured(step: str, *arguments: str) -> dict[str, Any]:
    """In a process of its own."""
    with tempfile.TemporaryFile("w+") as out:
        command = [sys.executable, "-m", "benchmarks.language_growth", "--step", step, *arguments]
        cost = run_command(command, stdout=out)
        out.seek(0)
        said = out.read().strip()
    return {**cost.as_json(), **(json.loads(said) if said else {})}


def main() -> None:
    if sys.argv[1:2] == ["--step"]:
        STEPS[sys.argv[2]](*sys.argv[3:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="+", type=int, help="numbers of words")
    parser.add_argument("--ngrams", default="1GB", help="limit of memory for n-gram models; empty for none of them")
    parser.add_argument("--networks", default="300MB", help="the same for networks")
    parser.add_argument("--work", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.work or Path(temporary)
        folder.mkdir(exist_ok=True)
        rows: dict[str, dict[str, Any]] = {}
        for words in given.sizes:
            path = folder / f"{words}.bin"
            if not path.exists():
                measured("write_text", str(path), str(words))
            row = rows[f"{words}"] = {}
            for step, limit in (("build_ngrams", given.ngrams), ("train_network", given.networks)):
                if limit:
                    row[step] = measured(step, str(path), limit)
                    print(json.dumps({"words": words, "step": step, **row[step]}), file=sys.stderr, flush=True)
        report(rows)


if __name__ == "__main__":
    main()
