"""dragoman translate: raw text in, raw text out, one line for each line."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from dragoman import _core
from dragoman.cli.options import collect_given, options_of
from dragoman.cli.progress import progress
from dragoman.cli.through import refuse_with_then, then_option, translate_through
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError, InputError
from dragoman.evaluate.kbest import kbest_line
from dragoman.files import reading
from dragoman.glossary import Glossary
from dragoman.model.options import decode_options
from dragoman.translation import Translation
from dragoman.translator import Translator

# Lines translated in one call: enough to keep threads busy, few enough that output comes soon; and characters for each
# thread, because what is known of every word of a batch is held at once.
BATCH_LINES = 64
BATCH_CHARACTERS = 5000


def lines_of(path: str) -> Iterator[str]:
    """Lines without their ends and a byte order mark; bytes that are not UTF-8 give an error with the line's number."""
    with reading(path) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise InputError(f"{path}, line {number}: is not UTF-8 text; convert the file first", number) from None


def batches(lines: Iterable[str], most_characters: int) -> Iterator[list[str]]:
    """Lines in groups of at most BATCH_LINES; a group ends with the line that fills it."""
    batch: list[str] = []
    characters = 0
    for line in lines:
        batch.append(line)
        characters += len(line)
        if len(batch) == BATCH_LINES or characters >= most_characters:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def alignment_text(result: Translation) -> str:
    """Links of a line's sentences one after another, each as source-target."""
    links, source, target = [], 0, 0
    for sentence in result.sentences:
        links += [f"{s + source}-{t + target}" for s, t in sentence.alignment]
        source += len(sentence.source_tokens)
        target += len(sentence.target_tokens)
    return " ".join(links)


def explained(number: int, result: Translation) -> Iterator[str]:
    """A derivation for people to read."""
    for sentence in result.sentences:
        yield f"{number}: {sentence.source}"
        for phrase in sentence.phrases:
            seen = f"  seen {phrase.origin_count}x" if phrase.origin_count else f"  {phrase.kind}"
            pairs = ", ".join(str(each.stable_id) for each in phrase.origins)
            place = f" in pairs {pairs}{', …' if phrase.origin_count > len(phrase.origins) else ''}" if pairs else ""
            begin, end = phrase.source_span
            yield f"  [{begin},{end})  {phrase.source}  →  {phrase.target}{seen}{place}"


@click.command()
@click.option("-m", "--model", required=True, type=click.Path(path_type=Path), help="The model directory.")
@click.argument("files", nargs=-1, type=click.Path())
@then_option
@options_of(DecodeOptions, of_model=True)
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to use instead of the model's.")
@click.option(
    "--grammar",
    type=click.Path(path_type=Path),
    help="Translate by the rules of this grammar or Moses phrase table, instead of the model's training text.",
)
@click.option("--nbest", default=1, type=click.IntRange(1), help="How many translations of each line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each line.")
@click.option("--alignments", is_flag=True, help="Print word links beside each translation, after a tab.")
@click.option("--explain", is_flag=True, help="Print which rules made each translation, and where they were seen.")
@click.option("--glossary", type=click.Path(path_type=Path), help="Terms to translate so: `source TAB target` lines.")
@click.option("--threads", default=1, type=click.IntRange(0), help="Threads to use; 0 for all.")
def translate(
    model: Path,
    files: tuple[str, ...],
    then: tuple[Path, ...],
    weights: Path | None,
    grammar: Path | None,
    nbest: int,
    as_json: bool,
    alignments: bool,
    explain: bool,
    glossary: Path | None,
    threads: int,
    **values: Any,
) -> None:
    """Translate FILES, or standard input, line by line.

    With --nbest the output is `line ||| text ||| features ||| score`, otherwise one line for each line. With --then
    the text goes through several models, the next one reading what the last one wrote.
    """
    given = collect_given(DecodeOptions, values)
    if sum((as_json, alignments, explain)) > 1:
        raise ConfigError("--json, --alignments and --explain exclude each other; JSON holds all", "json")
    if nbest > 1 and (alignments or explain):
        raise ConfigError("--nbest has a form of its own; for links and rules use --nbest with --json", "nbest")
    lines = itertools.chain.from_iterable(lines_of(path) for path in files or ("-",))
    if then:
        refuse_with_then(weights=weights, grammar=grammar, glossary=glossary, nbest=nbest > 1, alignments=alignments)
        details = explained if explain else None
        translate_through(
            model, then, given, lines, batches, BATCH_CHARACTERS, as_json=as_json, explain=details, threads=threads
        )
        return
    options = decode_options(model, given)
    terms = Glossary.read(glossary) if glossary is not None else None
    translator = Translator.load(model, weights=weights, grammar=grammar)
    done = 0
    with progress("translating") as report:
        for batch in batches(lines, BATCH_CHARACTERS * (threads or _core.default_threads())):
            results = translator.translate(
                batch,
                options,
                nbest=nbest,
                explain=explain or as_json,
                confidence=as_json,
                glossary=terms,
                threads=threads,
                first_line=done + 1,
            )
            for number, (line, result) in enumerate(zip(batch, results, strict=True), start=done + 1):
                show(number, line, result, nbest, as_json, alignments, explain)
            done += len(batch)
            report(done, 0)


def show(
    number: int, line: str, result: Translation, nbest: int, as_json: bool, alignments: bool, explain: bool
) -> None:
    if as_json:
        click.echo(json.dumps({"line": number, "source": line, **result.as_json()}, ensure_ascii=False))
    elif nbest > 1:
        for each in result.alternatives:
            click.echo(kbest_line(number - 1, each.text, each.features, each.score))
    elif alignments:
        click.echo(f"{result.text}\t{alignment_text(result)}")
    else:
        click.echo(result.text)
        if explain:
            for text in explained(number, result):
                click.echo(text)
