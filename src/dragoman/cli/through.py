"""`translate --then` and `explain --then`: through several models, with the sources of every step."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from dragoman import _core
from dragoman.chain import Chain, Chained
from dragoman.cli.language_watch import LanguageWatch
from dragoman.cli.output import in_blocks
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError
from dragoman.exchange import ExchangePair, written
from dragoman.line_batch import BATCH_CHARACTERS, batches
from dragoman.model.options import decode_options
from dragoman.translation import Translation

Function = TypeVar("Function", bound=Callable[..., Any])
# A line's number, the line, and what each model made of it.
ChainedRow = tuple[int, str, Chained[Translation]]


def then_option(function: Function) -> Function:
    return click.option(
        "--then",
        multiple=True,
        type=click.Path(path_type=Path),
        help="A model that goes on with what the one before wrote, as en-de.model after fr-en.model.",
    )(function)


def refuse_with_then(**given: object) -> None:
    """ConfigError for an option of one model; which of them it belongs to, nobody can tell."""
    for name, value in given.items():
        if value:
            hint = "; put it into its model with `dragoman glossary`" if name == "glossary" else ""
            raise ConfigError(
                f"--{name.replace('_', '-')} belongs to one model and does not go with --then{hint}", name
            )


def open_chain(
    model: Path, then: Sequence[Path], given: dict[str, Any], corrections: str | None
) -> tuple[Chain, list[DecodeOptions]]:
    """The models, and the options of the search for each: its own, but for those that were given."""
    paths = [model, *then]
    return Chain.load(paths, corrections=corrections), [decode_options(path, given) for path in paths]


def translate_through(
    model: Path,
    then: Sequence[Path],
    given: dict[str, Any],
    lines: Iterable[str | None],
    write: Callable[[str], None],
    *,
    to: str,
    as_json: bool,
    explain: Callable[[int, Translation], Iterable[str]] | None,
    threads: int,
    corrections: str | None,
) -> None:
    """Writes text, or pairs of the first language and the last in a format of `exchange`."""
    chain, options = open_chain(model, then, given, corrections)

    def results() -> Iterator[ChainedRow]:
        watch = LanguageWatch(chain.translators[0])
        done = 0
        for batch in batches(lines, BATCH_CHARACTERS * (threads or _core.default_threads())):
            translated = chain.translate(
                batch,
                options,
                explain=as_json or explain is not None,
                confidence=as_json,
                threads=threads,
                first_line=done + 1,
            )
            yield from zip(itertools.count(done + 1), batch, translated, strict=False)
            watch.see(batch)
            done += len(batch)

    if to == "text":
        for number, line, result in results():
            write("".join(f"{text}\n" for text in shown(number, line, result, as_json, explain)))
        return
    for piece in in_blocks(written(chained_pairs(results()), to, (chain.languages[0], chain.languages[-1]))):
        write(piece)


def chained_pairs(rows: Iterable[ChainedRow]) -> Iterator[ExchangePair]:
    """Every sentence with its last translation; where a model did not find the sentences that the one before wrote,
    the whole line."""
    for number, line, result in rows:
        attributes = {"line": str(number)}
        sentences = [step.sentences for step in result.steps]
        if all(
            [sentence.target_span for sentence in ours] == [sentence.source_span for sentence in theirs]
            for ours, theirs in itertools.pairwise(sentences)
        ):
            for first, last in zip(sentences[0], sentences[-1], strict=True):
                yield ExchangePair(first.source, last.text, attributes=attributes, by_machine=True)
        elif line.strip():
            yield ExchangePair(line, result.text, attributes=attributes, by_machine=True)


def shown(
    number: int,
    line: str,
    result: Chained[Translation],
    as_json: bool,
    explain: Callable[[int, Translation], Iterable[str]] | None,
) -> Iterator[str]:
    """The lines for one line."""
    if as_json:
        yield json.dumps({"line": number, "source": line, **result.as_json()}, ensure_ascii=False)
        return
    yield result.text
    if explain is not None:
        for languages, step in zip(itertools.pairwise(result.languages), result.steps, strict=True):
            yield f"  {' to '.join(languages)}: {step.text}"
            for text in explain(number, step):
                yield f"  {text}"


def explain_through(
    model: Path,
    then: Sequence[Path],
    given: dict[str, Any],
    lines: Iterable[str],
    draw: Callable[[Any], None],
    *,
    sources: int,
    as_json: bool,
    corrections: str | None,
) -> None:
    chain, options = open_chain(model, then, given, corrections)
    watch = LanguageWatch(chain.translators[0])
    for line in lines:
        watch.see([line])
        explanation = chain.explain(line, options, sources=sources)
        if as_json:
            click.echo(json.dumps(explanation.as_json(), ensure_ascii=False))
            continue
        languages = explanation.languages
        click.echo(f"Through {len(explanation.steps)} models: {' to '.join(languages)}.")
        for (source, target), step in zip(itertools.pairwise(languages), explanation.steps, strict=True):
            click.echo(f"\n{source} to {target}:")
            for explained in step.sentences:
                draw(explained)
