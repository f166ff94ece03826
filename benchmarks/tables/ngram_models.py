"""Our n-gram models beside KenLM's, of the same text: bytes, time of a query, perplexity of newstest2013."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import lm
from benchmarks.harness.digests import code_digest
from benchmarks.harness.table import Column, Finding, NotHereError, Row, Rows, Setting, Table, Values, Verdict

CODE = ("core/lm", "core/text", "core/base", "core/bind", "src/dragoman/lm", "benchmarks/native")
OURS = {"bits8": "lm.bin, 8 bits", "floats": "lm.bin, floats"}
# What a time differs by from run to run.
CHANCE = 0.1
KENLM = {"trie_q8": "KenLM trie, 8 bits", "trie": "KenLM trie", "probing": "KenLM probing"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Models of both programs, of the same ARPA file, asked in turns."""

    folder: Path
    lines: int | None

    @property
    def path(self) -> Path:
        return self.folder / f"ngram-models.{self.lines or 'all'}.{code_digest(CODE)}.json"

    @property
    def name(self) -> str:
        return self.path.name

    def is_there(self) -> bool:
        return self.path.exists()

    def make(self) -> None:
        lm.WORK = self.folder / "lm"
        lm.WORK.mkdir(parents=True, exist_ok=True)
        train = lm.prepare("europarl.fr-en/train.en", "europarl", self.lines)
        test = lm.prepare("newstest/fr-en/newstest2013.en", "newstest2013")
        self.path.write_text(json.dumps(lm.compare(train, test), indent=1), encoding="utf-8")

    def values(self, program: str, model: str) -> Values:
        compared: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
        if program not in compared:
            raise NotHereError("KenLM's programs could not be built here (from PyPI's archive of kenlm)")
        row = compared[program][model]
        asked = row["queries"]
        return {
            "tokens": compared["tokens"],
            "ngrams": sum(compared["dragoman"]["bits8"]["counts"]),
            "build_s": compared["dragoman"]["build_one_thread"]["cpu_seconds"],
            "mb": row["bytes"] / 1e6,
            "bytes_per_ngram": row["bytes_per_ngram"],
            "sequential_ns": asked["sequential_ns"],
            "random_ns": asked["random_ns"],
            "perplexity": 10 ** (-asked["log10_prob"] / asked["queries"]),
        }


def rows(setting: Setting) -> list[Row]:
    comparison = Comparison(setting.folder, setting.either(quick=50_000, full=None))
    programs = (("dragoman", OURS, "ours"), ("kenlm", KENLM, "rival"))
    return [
        Row(name.replace("_", "-"), title, partial(comparison.values, program, name), [comparison], of=of)  # type: ignore[arg-type]
        for program, models, of in programs
        for name, title in models.items()
    ]


def finding(rows: Rows) -> Finding:
    ours, theirs = rows["bits8"], rows["trie-q8"]
    smaller = float(ours["bytes_per_ngram"] or 0) < float(theirs["bytes_per_ngram"] or 0)
    times = [float(theirs[column] or 0) / float(ours[column] or 1) for column in ("sequential_ns", "random_ns")]
    verdict = Verdict.UNDECIDED
    if smaller and min(times) > 1 + CHANCE:
        verdict = Verdict.CONFIRMED
    elif not smaller or max(times) < 1 - CHANCE:
        verdict = Verdict.REFUTED
    return Finding(
        verdict,
        f"{ours['bytes_per_ngram']:.2f} bytes an n-gram against {theirs['bytes_per_ngram']:.2f}, a random query "
        f"{ours['random_ns']:.0f} ns against {theirs['random_ns']:.0f}, in order {ours['sequential_ns']:.0f} against "
        f"{theirs['sequential_ns']:.0f}; perplexity {ours['perplexity']:.1f} and {theirs['perplexity']:.1f}.",
    )


TABLE = Table(
    name="ngram-models",
    title="N-gram models beside KenLM's",
    claim="In fewer bytes than KenLM's 8-bit trie, n-grams are answered in less time.",
    claimed_by="README",
    columns=[
        Column("mb", "MB", 1, "low"),
        Column("bytes_per_ngram", "bytes an n-gram", 2, "low"),
        Column("sequential_ns", "ns a query, in order", 0, "low"),
        Column("random_ns", "at random", 0, "low"),
        Column("perplexity", "perplexity", 1, "low"),
    ],
    rows=rows,
    corpora=["corpora/europarl.fr-en/train.en.xz", "corpora/newstest/fr-en/newstest2013.en.xz"],
    code=CODE,
    rivals=["kenlm"],
    finding=finding,
    caveat="Order 5, no pruning; lmplz needs Boost to compile, so KenLM's models are built from our ARPA file.",
)
