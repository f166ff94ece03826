"""index: the bitext with its suffix array, the lexicon, and the words with their written forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.corpus.languages import canonical
from dragoman.training.stage import Request

FILES = ("vocab.bin", "bitext.bin", "lexicon.bin", "frequent.bin")


def run(request: Request) -> dict[str, Any]:
    """Writes vocab.bin, bitext.bin, lexicon.bin and, where frequent phrases are stored, frequent.bin."""
    counts = _core.build_index(
        str(request.out),
        request.input("source").read_bytes(),
        request.input("target").read_bytes(),
        request.input("links").read_bytes(),
        dict(request.options["index"]),
        request.progress,
    )
    for side in ("source", "target"):
        add_written_forms(request, side)
    return {**counts, "bytes": {name: size_of(request.out / name) for name in FILES if (request.out / name).exists()}}


def add_written_forms(request: Request, side: str) -> None:
    lang = canonical(request.options[f"{side}_lang"])
    raw = request.input(f"raw_{side}").read_bytes()
    written = _core.Tokenizer(lang).tokenize(raw, threads=request.threads)
    _core.add_casing(str(request.out / "vocab.bin"), side, written, lang, request.threads)


def size_of(path: Path) -> int:
    return path.stat().st_size
