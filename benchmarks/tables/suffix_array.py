"""Our suffix array beside divsufsort (pydivsufsort), on the words and on the bytes of the same text.

Ours is measured in a small C++ program, the rival through its Python module, whose own work is a call. Both give the
whole array; that they give the same one is compared in the middle.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import time
from functools import partial
from pathlib import Path

from benchmarks.core_library import compile_with_core
from benchmarks.harness.table import Column, Finding, NotHereError, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.measure import corpus_lines
from dragoman._core import Tokenizer


def beside(folder: Path, kind: str, lines: int) -> Values:
    if importlib.util.find_spec("pydivsufsort") is None:
        raise NotHereError("pip install pydivsufsort")
    import numpy
    import pydivsufsort

    path = folder / f"suffix_array.{lines}.txt"
    tokens = Tokenizer("fr").tokenize(corpus_lines("europarl.fr-en/train.fr", lines), model=True)
    path.write_text("".join(f"{line}\n" for line in tokens), encoding="utf-8")
    program = compile_with_core("suffix_arrays.cpp", folder / f"suffix_arrays.{kind}")
    answer = subprocess.run([program, path, kind], check=True, capture_output=True, text=True).stdout
    ours = json.loads(answer)
    if kind == "bytes":
        symbols = numpy.frombuffer(path.read_bytes(), numpy.uint8).copy()
    else:
        numbers: dict[str, int] = {}
        words = [numbers.setdefault(word, len(numbers)) for line in tokens for word in line.split()]
        symbols = numpy.array(words, numpy.uint32)
    begin = time.process_time()
    sorted_suffixes = pydivsufsort.divsufsort(symbols)
    seconds = time.process_time() - begin
    if int(sorted_suffixes[len(symbols) // 2]) != ours["middle"]:
        raise ValueError("the two arrays differ")
    return {
        "symbols": ours["symbols"],
        "different": ours["alphabet"],
        "ours": ours["symbols"] / ours["seconds"] / 1e6,
        "rival": ours["symbols"] / seconds / 1e6,
        "times": seconds / ours["seconds"],
    }


def rows(setting: Setting) -> list[Row]:
    lines = setting.either(quick=20_000, full=700_000)
    return [
        Row(kind, f"{kind} of {lines:,} lines of debates", partial(beside, setting.folder, kind, lines))
        for kind in ("words", "bytes")
    ]


def finding(rows: Rows) -> Finding:
    words = rows["words"]
    faster = float(words["times"] or 0) > 1
    return Finding(
        Verdict.CONFIRMED if faster else Verdict.REFUTED,
        f"Words: {words['ours']:.1f} million a second against {words['rival']:.1f}; "
        f"bytes: {rows['bytes']['ours']:.1f} against {rows['bytes']['rival']:.1f}.",
    )


TABLE = Table(
    name="suffix-array",
    title="The suffix array beside divsufsort",
    claim="Suffixes of a text of words are sorted faster than by divsufsort.",
    claimed_by="Dragoman",
    columns=[
        Column("symbols", "symbols", 0),
        Column("different", "different", 0),
        Column("ours", "million a CPU second", 2, "high"),
        Column("rival", "divsufsort", 2, "high"),
        Column("times", "times as fast", 2),
    ],
    rows=rows,
    corpora=["corpora/europarl.fr-en/train.fr.xz"],
    code=["core/index/suffix_array.h", "core/index/suffix_array.cpp", "benchmarks/native/suffix_arrays.cpp"],
    rivals=["pydivsufsort", "numpy"],
    finding=finding,
    caveat="divsufsort is made for bytes; pydivsufsort turns larger alphabets into something it can sort.",
)
