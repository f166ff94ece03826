"""dragoman add, remove, compact: a model learns sentence pairs and forgets them without being trained again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.command import Command, model_argument
from dragoman.cli.options import collect, options_of
from dragoman.cli.progress import progress, stderr
from dragoman.config import ReadOptions
from dragoman.errors import ConfigError, DragomanError, InputError
from dragoman.learn.compaction import Compaction
from dragoman.learn.compaction import compact as compact_model
from dragoman.learn.new_pairs import NewPair
from dragoman.learn.overlay import Overlay, open_overlay

if TYPE_CHECKING:
    from dragoman.translator import Translator

# Pairs that are written to the disk together: one sync for so many.
BATCH = 1000


@click.command(cls=Command)
@model_argument()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--source", help="A sentence.")
@click.option("--target", help="Its translation.")
@click.option("--id", "name", help="What to call the pair; another pair of this name is replaced.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
@options_of(ReadOptions)
def add(
    model: Path,
    files: tuple[str, ...],
    source: str | None,
    target: str | None,
    name: str | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Learn sentence pairs: the next translation of any process uses them.

    Give a pair with --source and --target, or FILEs of pairs: TMX, XLIFF, PO, TSV, CSV, JSONL, or two text files such
    as new.fr new.en; zip archives and folders of these, too.
    """
    from dragoman.translator import Translator

    if bool(files) == (source is not None or target is not None):
        raise click.UsageError("give either --source and --target, or files of pairs")
    if files and name is not None:
        raise click.UsageError("--id names one pair; pairs of files have ids of their own")
    if not files and (source is None or target is None):
        raise click.UsageError("--source and --target go together")
    translator = Translator.load(model)
    options = collect(ReadOptions, values)
    added = refused = 0
    last = ""
    if not files:
        assert source is not None and target is not None
        last = translator.add(source, target, name)
        added = 1
    else:
        with progress("adding") as report:
            pairs = read_all(
                files, translator.model.manifest.source_lang, translator.model.manifest.target_lang, options
            )
            while batch := list(islice(pairs, BATCH)):
                try:
                    # Files have many pairs with a blank side. Found by halving, each would cost syncs of the disk.
                    learned = len(learn(translator, [pair for pair in batch if not has_blank_side(pair)]))
                except OSError as error:
                    raise DragomanError(
                        f"{error.filename or model}: {error.strerror or error}; {added:,} pairs were learned before,"
                        " make room and run the same command again for the rest"
                    ) from error
                added += learned
                refused += len(batch) - learned
                report(added, 0)
    tell_recovery(translator.overlay)
    if as_json:
        index = translator.overlay.index
        told = {"added": added, "refused": refused, "pairs": index.pairs, "corrections": index.corrections}
        click.echo(json.dumps({**told, **({"id": last} if not files else {})}))
        return
    what = f"'{last}'" if not files else f"{added:,} pairs"
    also = f"; {refused:,} were passed over, with no words on one side or too many" if refused else ""
    stderr.print(f"{model}: learned {what}{also}", soft_wrap=True)


def learn(translator: Translator, pairs: list[NewPair]) -> list[str]:
    """Adds those of the pairs that can be learned, together where that is all of them; returns their ids."""
    if not pairs:
        return []
    try:
        return translator.add_pairs(pairs)
    except InputError:
        if len(pairs) == 1:
            return []
        half = len(pairs) // 2
        return learn(translator, pairs[:half]) + learn(translator, pairs[half:])


def has_blank_side(pair: NewPair) -> bool:
    return not pair.source.strip() or not pair.target.strip()


def read_all(files: tuple[str, ...], source_lang: str, target_lang: str, options: ReadOptions) -> Iterator[NewPair]:
    """The pairs of all files, as they come."""
    from dragoman.corpus.formats import find_inputs, read_pairs

    if not source_lang or not target_lang:
        raise ConfigError(
            "the model does not say which languages it is for, so files cannot be read; add pairs with --source and"
            " --target",
            "files",
        )
    for entry in find_inputs(files, source_lang, target_lang, options):
        for pair in read_pairs(entry, source_lang, target_lang, options):
            yield NewPair(pair.source, pair.target, pair.id, pair.origin.as_json())


@click.command(cls=Command)
@model_argument()
@click.option("--id", "names", multiple=True, required=True, help="The pair to forget; may be given several times.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def remove(model: Path, names: tuple[str, ...], as_json: bool) -> None:
    """Forget sentence pairs, added ones or trained ones: no later translation uses them.

    Their text stays in the files until `dragoman compact`, and language models keep what they learned from it until
    they are built again.
    """
    overlay = open_overlay(model)
    found = overlay.remove(names)
    tell_recovery(overlay)
    missing = [name for name, there in zip(names, found, strict=True) if not there]
    if as_json:
        click.echo(json.dumps({"removed": sum(found), "missing": missing}))
    if missing:
        others = "; the others were removed" if any(found) else ""
        raise InputError(f"{model} has no pair called {', '.join(missing)}{others}")
    if not as_json:
        stderr.print(
            f"{model}: removed {sum(found):,}; `dragoman compact -m {model}` takes the text out of the files",
            soft_wrap=True,
        )


@click.command(cls=Command)
@model_argument()
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def compact(model: Path, as_json: bool) -> None:
    """Merge what was added into the index, and take what was removed out of the files.

    The model can be used, and pairs can be added, while this runs.
    """
    with progress("compacting") as report:
        done = compact_model(model, progress=report)
    if as_json:
        click.echo(json.dumps(done.as_json()))
        return
    stderr.print(
        f"{model}: {done.pairs:,} pairs in one index; {done.added:,} were added, {done.removed:,} taken out,"
        f" {done.words_gone:,} words with them",
        soft_wrap=True,
    )
    if (done.added or done.removed) and done.language_models:
        stderr.print(language_model_notice(model, done), soft_wrap=True)


def language_model_notice(model: Path, done: Compaction) -> str:
    """What language models keep and do not know, and how to build them again."""
    names = done.language_models
    one = len(names) == 1
    told = []
    if done.removed:
        told.append(f"still {'holds what it' if one else 'hold what they'} learned from the removed pairs")
    if done.added:
        told.append(f"{'has' if one else 'have'} not learned from the added ones")
    commands = []
    if "lm.bin" in names:
        commands.append(f"dragoman extract text -m {model} --side target | dragoman lm build - --out {model}")
    if "nlm.bin" in names or "source_nlm.bin" in names:
        commands.append("dragoman nlm train")
    again = "it" if one else "them"
    return f"{', '.join(names)} {' and '.join(told)}. To build {again} again: {'; '.join(commands)}"


def tell_recovery(overlay: Overlay) -> None:
    if overlay.recovery:
        stderr.print(overlay.recovery.sentence(overlay.path), soft_wrap=True)
