"""prepare: raw bilingual files become clean text, with what tuning and testing need held out of it.

Sets to tune and test on that the user brings are taken as they are; they are only compared with the training text,
because a set that training has seen tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.config import CleanOptions, ReadOptions, SplitOptions
from dragoman.corpus import prepare
from dragoman.corpus.formats import Input, read_pairs
from dragoman.files import writing
from dragoman.pipeline.stage import Request

HELD_OUT = ("dev", "test")


def run(request: Request) -> dict[str, Any]:
    """Writes text/{train,dev,test}.LANG and text/train.origin.jsonl."""
    options = request.options
    langs = (options["source_lang"], options["target_lang"])
    read = ReadOptions(**options["read"])
    inputs = [Input(*entry) for entry in options["inputs"]]
    folder = request.out / "text"
    report = prepare(
        inputs,
        folder,
        source_lang=langs[0],
        target_lang=langs[1],
        read=read,
        clean=CleanOptions(**options["clean"]),
        split=SplitOptions(**options["split"]),
        progress=request.progress,
    )
    sizes = dict(report.splits)
    overlaps: dict[str, int] = {}
    for part in HELD_OUT:
        given = options[part]
        if given is None:
            continue
        sizes[part] = copy_pairs(Input("plain", *given), folder, part, langs, read)
        overlaps[part] = overlap(folder / f"{part}.{langs[0]}", folder / f"train.{langs[0]}")
    return {
        "read": report.read,
        "kept": report.kept,
        "dropped": {rule: count for rule, count in report.dropped.items() if count},
        "pairs": sizes,
        "overlaps": overlaps,
    }


def copy_pairs(entry: Input, folder: Path, part: str, langs: tuple[str, str], read: ReadOptions) -> int:
    """Writes the pairs of two files line by line, whatever they were compressed with."""
    count = 0
    with writing(folder / f"{part}.{langs[0]}") as source, writing(folder / f"{part}.{langs[1]}") as target:
        for pair in read_pairs(entry, *langs, read):
            source.write(one_line(pair.source))
            target.write(one_line(pair.target))
            count += 1
    return count


def one_line(text: str) -> bytes:
    return " ".join(text.splitlines()).encode() + b"\n"


def overlap(held_out: Path, train: Path) -> int:
    """How many held-out sources stand in the training text too, but for case, digits and punctuation."""
    keys = list(folded(held_out))
    wanted = set(keys)
    seen = {key for key in folded(train) if key in wanted}
    return sum(key in seen for key in keys)


def folded(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            yield _core.fold(line.rstrip("\n"))
