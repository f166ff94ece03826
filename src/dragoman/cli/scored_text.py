"""What `lm` and `nlm` print of text that a language model has scored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dragoman.lm.language_model import Perplexity, ScoredToken


def print_tokens(rows: Iterable[Sequence[ScoredToken]], *, lengths: bool, as_json: bool) -> None:
    """A line for each sentence: its words and its total. With `lengths`, which only n-grams have."""
    for tokens in rows:
        total = sum(token.log10_prob for token in tokens)
        unknown = sum(token.unknown for token in tokens)
        if as_json:
            words = [asdict(token) for token in tokens]
            if not lengths:
                for word in words:
                    del word["ngram_length"]
            click.echo(json.dumps({"log10_prob": total, "unknown": unknown, "tokens": words}, ensure_ascii=False))
        else:
            shown = "\t".join(
                f"{token.word}{'?' if token.unknown else ''}{f' {token.ngram_length}' if lengths else ''}"
                f" {token.log10_prob:.6g}"
                for token in tokens
            )
            click.echo(f"{shown}\ttotal {total:.6g} unknown {unknown}")


def perplexity_lines(result: Perplexity) -> Iterator[str]:
    yield f"sentences            {result.sentences:,}"
    yield f"tokens               {result.tokens:,}  (sentence ends included)"
    yield f"unknown words        {result.unknown:,}"
    yield f"log10 probability    {result.log10_prob:.4f}"
    yield f"perplexity           {result.perplexity:.4f}"
    yield f"perplexity, known    {result.perplexity_known:.4f}"
