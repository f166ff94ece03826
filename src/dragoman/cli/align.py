"""`dragoman align`: links between the words of sentence pairs, their score against gold links, and a picture."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from dragoman.align import AlignmentModel, Links, parse_links, score
from dragoman.align.picture import svg, terminal
from dragoman.cli.command import Command
from dragoman.cli.options import collect, options_of
from dragoman.cli.progress import progress, stdout
from dragoman.config import AlignOptions
from dragoman.errors import InputError
from dragoman.files import reading, writing
from dragoman.model.directory import component_output
from dragoman.text import words_of


@click.command(cls=Command)
@click.argument("source", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path), required=False)
@options_of(AlignOptions)
@click.option(
    "--save", type=click.Path(path_type=Path), help="Keep the trained model in this file, or in this model directory."
)
@click.option(
    "--load",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Align with a kept model instead of training one.",
)
@click.option(
    "--links",
    "links_path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Score or show these links instead of making new ones.",
)
@click.option(
    "--score",
    "gold",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Compare with these sure gold links instead of writing links; they belong to the last lines.",
)
@click.option(
    "--possible",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Gold links that are allowed but not required.",
)
@click.option("--show", type=click.IntRange(min=1), help="Draw the alignment of this line instead of writing links.")
@click.option("--svg", "svg_path", type=click.Path(dir_okay=False, path_type=Path), help="Draw it into this file.")
@click.option("--json", "as_json", is_flag=True, help="Print the score as JSON.")
def align(
    source: Path | None,
    target: Path | None,
    save: Path | None,
    load: Path | None,
    links_path: Path | None,
    gold: Path | None,
    possible: Path | None,
    show: int | None,
    svg_path: Path | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Link the words of SOURCE and TARGET, two tokenized files with one sentence per line.

    Links go to standard output as `0-0 1-2 ...` per line, source before target. Lowercase both files first: the
    aligner compares words as they are.

    \b
    dragoman align corpus.fr corpus.en > corpus.links
    dragoman align corpus.fr corpus.en --save align.bin > corpus.links
    dragoman align new.fr new.en --load align.bin > new.links
    dragoman align --links corpus.links --score gold.sure --possible gold.possible
    dragoman align corpus.fr corpus.en --show 7 --svg seven.svg
    """
    options = collect(AlignOptions, values)
    if possible and not gold:
        raise click.UsageError("--possible belongs to --score")
    if svg_path and not show:
        raise click.UsageError("--svg needs --show, the number of the line to draw")
    if links_path and (save or load):
        raise click.UsageError("--links uses links as they are; leave --save and --load away")
    if load and save:
        raise click.UsageError("--save keeps a model that is trained now; leave --load away")
    if not links_path and (source is None or target is None):
        raise click.UsageError("name the SOURCE and TARGET files")
    if show and (source is None or target is None):
        raise click.UsageError("--show draws words, so name the SOURCE and TARGET files")
    if (source is None) != (target is None):
        raise click.UsageError("name both SOURCE and TARGET, or neither")

    if links_path:
        link_text = read(links_path)
    else:
        assert source and target
        link_text = make_links(source, target, options, save, load)
    if gold:
        print_score(link_text, gold, possible, as_json)
    if show and source and target:
        draw((read(source), read(target)), link_text, show, svg_path)
    if not gold and not show:
        sys.stdout.buffer.write(link_text)


def read(path: Path) -> bytes:
    with reading(path) as stream:
        return stream.read()


def plain(path: Path) -> Path | bytes:
    """The path of a file the core can map by itself, else its content."""
    packed = path.suffix in (".gz", ".xz")
    return path if not packed and path.is_file() and path.stat().st_size > 0 else read(path)


def make_links(source: Path, target: Path, options: AlignOptions, save: Path | None, load: Path | None) -> bytes:
    if load:
        model = AlignmentModel.open(load)
        with progress("Aligning") as tell:
            return model.align_text(read(source), read(target), options, tell)
    with progress("Learning to align") as tell:
        training = AlignmentModel.train(
            plain(source), plain(target), options, keep_model=save is not None, progress=tell
        )
    if save and training.model:
        with component_output(save, "align.bin") as path:
            training.model.save(path)
    return training.links


def link_lines(text: bytes, name: str) -> list[Links]:
    try:
        lines = text.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 text, so no file of links") from error
    try:
        return [parse_links(line, number) for number, line in enumerate(lines, 1)]
    except InputError as error:
        raise InputError(f"{name}: {error}", error.line) from error


def print_score(link_text: bytes, gold: Path, possible: Path | None, as_json: bool) -> None:
    links = link_lines(link_text, "links")
    sure = link_lines(read(gold), str(gold))
    maybe = link_lines(read(possible), str(possible)) if possible else None
    if len(links) < len(sure):
        raise InputError(f"there are {len(links)} lines of links for {len(sure)} lines of gold links")
    result = score(links[len(links) - len(sure) :], sure, maybe)
    if as_json:
        rates = {"aer": result.aer, "precision": result.precision, "recall": result.recall}
        counts = {"sentences": len(sure), "links": result.links, "sure": result.sure}
        stdout.file.write(json.dumps({**rates, **counts}) + "\n")
        return
    stdout.print("   AER  precision  recall   links    sure  sentences")
    stdout.print(
        f"{result.aer:6.2%}     {result.precision:6.2%}  {result.recall:6.2%}"
        f"  {result.links:6d}  {result.sure:6d}     {len(sure):6d}"
    )


def draw(texts: tuple[bytes, bytes], link_text: bytes, number: int, svg_path: Path | None) -> None:
    links = link_lines(link_text, "links")
    sides = [text.decode("utf-8", "replace").split("\n") for text in texts]
    if number > len(links) or any(number > len(side) for side in sides):
        raise InputError(f"there is no line {number}; the text has {len(links)} lines")
    source, target = (words_of(side[number - 1]) for side in sides)
    chosen = links[number - 1]
    if any(s >= len(source) or t >= len(target) for s, t in chosen):
        raise InputError(f"line {number}: a link reaches beyond the sentence, so the links belong to another text")
    if svg_path:
        with writing(svg_path) as stream:
            stream.write(svg(source, target, chosen).encode())
    stdout.file.write(terminal(source, target, chosen))
