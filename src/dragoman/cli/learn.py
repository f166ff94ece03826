"""dragoman add, remove, compact: a model learns sentence pairs and forgets them without being trained again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.command import Command, model_argument
from dragoman.cli.options import CORRECTIONS, collect, memory_option, options_of
from dragoman.cli.progress import progress, stderr
from dragoman.config import ReadOptions
from dragoman.errors import ConfigError, DragomanError, InputError, UnavailableError
from dragoman.learn.compaction import Compaction
from dragoman.learn.compaction import compact as compact_model
from dragoman.learn.guard import Fault, Objection, Refusals
from dragoman.learn.imports import new_import
from dragoman.learn.lesson_query import LessonQuery, moment
from dragoman.learn.memory import DEFAULT, full_name, require_known
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
@memory_option("The memory to teach, of a client or a project; a new one if need be.  [default: default]")
@click.option("--force", is_flag=True, help="Learn pairs that look wrong: other languages, unequal sides.")
@CORRECTIONS
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
@options_of(ReadOptions)
def add(
    model: Path,
    files: tuple[str, ...],
    source: str | None,
    target: str | None,
    name: str | None,
    memory: str | None,
    force: bool,
    corrections: str | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Learn sentence pairs: the next translation of any process uses them.

    Give a pair with --source and --target, or FILEs of pairs: TMX, XLIFF, PO, TSV, CSV, JSONL, or two text files such
    as new.fr new.en; zip archives and folders of these, too. Pairs that look wrong are left out and counted.
    """
    from dragoman.translator import Translator

    if bool(files) == (source is not None or target is not None):
        raise click.UsageError("give either --source and --target, or files of pairs")
    if files and name is not None:
        raise click.UsageError("--id names one pair; pairs of files have ids of their own")
    if not files and (source is None or target is None):
        raise click.UsageError("--source and --target go together")
    translator = Translator.load(model, corrections=corrections)
    learned = Learned()
    if not files:
        assert source is not None and target is not None
        learned.ids.append(translator.add(source, target, name, force=force, memory=memory or DEFAULT))
    else:
        options = collect(ReadOptions, values)
        total = count_pairs(files, *translator.languages, options) if stderr.is_terminal else 0
        pairs = read_all(files, *translator.languages, options)
        taught = (dataclasses.replace(pair, memory=memory or DEFAULT) for pair in pairs)
        learn_all(translator, taught, learned, force, total)
    tell_recovery(translator.overlay)
    refused = learned.refusals
    if as_json:
        index = translator.overlay.index
        told = {"added": len(learned.ids), "refused": len(refused), "pairs": index.pairs}
        told["corrections"] = index.corrections
        more = {"reasons": refused.as_json()} if files else {"id": learned.ids[-1]}
        click.echo(json.dumps({**told, **more}))
    also = f"{pair_count(len(refused), 'was', 'were')} refused: {refused.sentence()}" if refused else ""
    if files and not learned.ids and also:
        raise InputError(f"{model}: learned nothing; {also}")
    if not as_json:
        what = f"'{learned.ids[-1]}'" if not files else pair_count(len(learned.ids))
        where = f" in {memory}" if memory else ""
        stderr.print(f"{model}: learned {what}{where}{also and '; '}{also}", soft_wrap=True)


def pair_count(number: int, one: str = "", several: str = "") -> str:
    """As people say it, with the verb that goes with it."""
    return f"1 pair {one}".rstrip() if number == 1 else f"{number:,} pairs {several}".rstrip()


@dataclass(slots=True)
class Learned:
    """What became of pairs: ids of those learned, and why the others were not."""

    ids: list[str] = field(default_factory=list)
    refusals: Refusals = field(default_factory=Refusals)
    # All that one command teaches is one import.
    import_id: str = field(default_factory=new_import)


def learn_all(translator: Translator, pairs: Iterator[NewPair], learned: Learned, force: bool, total: int = 0) -> None:
    """Learns those that nothing speaks against, some at a time; `total` is how many there are, if that is known."""
    with progress("adding", total or None) as report:
        read = 0
        while batch := list(islice(pairs, BATCH)):
            try:
                learn(translator, translator.guard.taken(batch, learned.refusals, force=force), learned)
            except OSError as error:
                raise DragomanError(
                    f"{error.filename or translator.model.path}: {error.strerror or error}; {len(learned.ids):,} pairs"
                    " were learned before, make room and run the same command again for the rest"
                ) from error
            except UnavailableError as error:
                raise UnavailableError(f"{error}; {len(learned.ids):,} pairs were learned before") from error
            read += len(batch)
            report(read, total)


def learn(translator: Translator, pairs: list[NewPair], learned: Learned) -> None:
    """Adds those of the pairs that can be learned, together where that is all of them."""
    if not pairs:
        return
    try:
        learned.ids += translator.add_pairs(pairs, force=True, import_id=learned.import_id)
    except InputError as error:
        if len(pairs) == 1:
            learned.refusals.add(pairs[0], Objection(Fault.UNFIT, str(error)))
            return
        half = len(pairs) // 2
        learn(translator, pairs[:half], learned)
        learn(translator, pairs[half:], learned)


def count_pairs(files: tuple[str, ...], source_lang: str, target_lang: str, options: ReadOptions) -> int:
    """How many pairs there are to read, which takes far less time than learning them; 0 if that is not to be known."""
    # A pipe can be read once, and what is wrong with a file is said when it is read to be learned.
    if any(name == "-" or (Path(name).exists() and not Path(name).is_file() | Path(name).is_dir()) for name in files):
        return 0
    try:
        return sum(1 for _ in read_all(files, source_lang, target_lang, options))
    except (DragomanError, OSError):
        return 0


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
@click.option("--id", "names", multiple=True, help="The pair to forget; may be given several times.")
@memory_option("What was taught to this memory: all of it, or what the other options say.")
@click.option("--file", "file", help="What was taught from this file.")
@click.option("--since", metavar="TIME", help="What was taught since: a day such as 2026-05-31, or 2026-05-31T17:30.")
@click.option(
    "--last", is_flag=True, help="What was taught last, by one command or request; what it replaced comes back."
)
@CORRECTIONS
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def remove(
    model: Path,
    names: tuple[str, ...],
    memory: str | None,
    file: str | None,
    since: str | None,
    last: bool,
    corrections: str | None,
    as_json: bool,
) -> None:
    """Forget sentence pairs, added ones or trained ones: no later translation uses them.

    With --in, --file and --since lessons are forgotten in bulk, all or none; `dragoman lessons` with the same options
    shows which. A lesson that was taught under several ids goes with the last of them.

    Their text stays in the files until `dragoman compact`, and language models keep what they learned from it until
    they are built again.
    """
    in_bulk = file is not None or since is not None or (memory is not None and not names)
    if last == (in_bulk or bool(names)):
        raise click.UsageError("say which pairs to forget: by --id, --in, --file or --since, or by --last alone")
    if last:
        undo_last(model, corrections, as_json)
    elif in_bulk:
        time = None if since is None else moment(since)
        query = LessonQuery(file=file or "", since=time, ids=names, memory=memory or "")
        remove_lessons(model, query, corrections, as_json)
    else:
        remove_named(model, names, memory or DEFAULT, corrections, as_json)


def remove_named(model: Path, names: tuple[str, ...], memory: str, corrections: str | None, as_json: bool) -> None:
    overlay = open_overlay(model, corrections)
    require_known(((memory, 1),), overlay.memories(), "in")
    removed = overlay.remove(full_name(name, memory) for name in names)
    tell_recovery(overlay)
    missing = [name for name, there in zip(names, removed, strict=True) if not there]
    if as_json:
        click.echo(json.dumps({"removed": sum(removed), "missing": missing}))
    if missing:
        others = "; the others were removed" if any(removed) else ""
        raise InputError(f"{model} has no pair called {', '.join(missing)}{others}")
    if not as_json:
        tell_removed(model, f"removed {sum(removed):,}")


def remove_lessons(model: Path, query: LessonQuery, corrections: str | None, as_json: bool) -> None:
    from dragoman.translator import Translator

    translator = Translator.load(model, corrections=corrections)
    translator.require_taught(query.memory)
    count = translator.remove_lessons(query)
    tell_recovery(translator.overlay)
    if as_json:
        click.echo(json.dumps({"removed": count}))
    if not count:
        raise InputError(f"{model} was taught nothing of the kind; see `dragoman lessons -m {model}`")
    if not as_json:
        tell_removed(model, f"removed {count:,}")


def undo_last(model: Path, corrections: str | None, as_json: bool) -> None:
    from dragoman.translator import Translator

    translator = Translator.load(model, corrections=corrections)
    done = translator.undo_import()
    tell_recovery(translator.overlay)
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(done)))
        return
    restored = f", {done.restored:,} of them are again what they were before" if done.restored else ""
    trained = f"; {done.trained:,} pairs of the training text that they had replaced stay out" if done.trained else ""
    tell_removed(model, f"took back the {done.taken_back:,} that were taught last{restored}{trained}")


def tell_removed(model: Path, done: str) -> None:
    stderr.print(f"{model}: {done}; `dragoman compact -m {model}` takes the text out of the files", soft_wrap=True)


@click.command(cls=Command)
@model_argument()
@CORRECTIONS
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def compact(model: Path, corrections: str | None, as_json: bool) -> None:
    """Merge what was added into the index, and take what was removed out of the files.

    The model can be used, and pairs can be added, while this runs. With --corrections, all replicas merge as many, so
    that their files are equal; what an earlier run merged is deleted from the database.
    """
    with progress("compacting") as report:
        done = compact_model(model, corrections=corrections, progress=report)
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
    if "judge.bin" in names:
        commands.append("dragoman train")
    again = "it" if one else "them"
    return f"{', '.join(names)} {' and '.join(told)}. To build {again} again: {'; '.join(commands)}"


def tell_recovery(overlay: Overlay) -> None:
    if overlay.recovery:
        stderr.print(overlay.recovery.sentence(overlay.log.place), soft_wrap=True)
