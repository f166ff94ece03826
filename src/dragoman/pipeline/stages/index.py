"""index: the bitext with its suffix array, the lexicon, and the words with their written forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.corpus.languages import canonical
from dragoman.pipeline.stage import Request

FILES = ("vocab.bin", "bitext.bin", "lexicon.bin")


def run(request: Request) -> dict[str, Any]:
    """Writes vocab.bin, bitext.bin and lexicon.bin."""
    counts = _core.build_index(
        str(request.out),
        request.input("source").read_bytes(),
        request.input("target").read_bytes(),
        request.input("links").read_bytes(),
        dict(request.options["index"]),
        request.progress,
    )
    add_written_forms(request)
    return {**counts, "bytes": {name: size_of(request.out / name) for name in FILES}}


def add_written_forms(request: Request) -> None:
    """Learned from all of the text, also where only a part of it is indexed. The case of target words is learned from
    the source and the links as well."""
    vocabulary = str(request.out / "vocab.bin")
    source, source_lang = written(request, "source")
    _core.add_casing(vocabulary, "source", source, source_lang, request.threads)
    target, target_lang = written(request, "target")
    links = request.input("raw_links").read_bytes()
    _core.add_casing(vocabulary, "target", target, target_lang, request.threads, source=source, links=links)


def written(request: Request, side: str) -> tuple[bytes, str]:
    lang = canonical(request.options[f"{side}_lang"])
    raw = request.input(f"raw_{side}").read_bytes()
    return _core.Tokenizer(lang).tokenize(raw, threads=request.threads), lang


def size_of(path: Path) -> int:
    return path.stat().st_size
