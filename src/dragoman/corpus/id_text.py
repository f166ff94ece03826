"""Texts and links as numbers, made of the files that people have: what `dragoman corpus encode` keeps, and what other
commands make in memory."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from dragoman import _core
from dragoman.corpus.filters import checked_blocks
from dragoman.corpus.languages import canonical
from dragoman.text_file import naming, pieces, read_all

Text = str | Path | _core.IdText
Links = str | Path | _core.StoredLinks


def encode_text(given: Text, *, lang: str = "", threads: int = 1) -> _core.IdText:
    """A file of tokens, one sentence a line, or of raw text in a language; numbers already stay as they are."""
    if isinstance(given, _core.IdText):
        return given
    builder = _core.IdTextBuilder()
    if lang:
        tokenizer = _core.Tokenizer(canonical(lang))
        for block in checked_blocks(given):
            builder.add_raw(tokenizer, block, threads)
    else:
        with naming(given):
            for piece in pieces(given):
                builder.add(piece)
    return builder.finish()


def encode_links(given: Links, source: _core.IdText, target: _core.IdText) -> _core.StoredLinks:
    """A file of Pharaoh links, one line for each pair of these texts; stored links stay as they are."""
    if isinstance(given, _core.StoredLinks):
        return given
    with naming(given):
        return _core.StoredLinks.parse(read_all(given), source, target)


def decode_file(path: str | Path, out: BinaryIO, *, written: bool = False) -> None:
    """Writes the lines of an encoded text, as models see them or as they were written, of links, or of a choice."""
    kind = _core.describe_container(str(path), True)["kind"]
    if kind == "links":
        _core.StoredLinks.open(str(path)).write_lines(out.write)
    elif kind == "chosen":
        out.write("".join(f"{number}\n" for number in _core.read_chosen(str(path))).encode())
    else:
        _core.IdText.open(str(path)).write_lines(out.write, written)
