"""dragoman translate-batch: much text, in shards that many processes share and that an interruption does not lose."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from dragoman.batch.batch import SHARD_LINES, Batch, BatchReport, Part
from dragoman.batch.on_workers import BatchState, ShardsOnWorkers
from dragoman.batch.shard import ShardText
from dragoman.batch.translating import Engine, ShardTranslator, TranslatedShard
from dragoman.cli.command import Command
from dragoman.cli.language_watch import LanguageWatch
from dragoman.cli.options import CLUSTER, CLUSTER_SHARED, CORRECTIONS, GLOSSARY, USE, collect_given, options_of
from dragoman.cli.progress import progress, stderr
from dragoman.cluster.connection import workers_at
from dragoman.cluster.workers import ClusterPlace
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError
from dragoman.glossary import Glossary
from dragoman.model.options import decode_options
from dragoman.progress import Progress
from dragoman.translation_state import state_name
from dragoman.translator import Translator

# Where there is no terminal, as in the log of a job, a line so often says how far it is.
NOTE_SECONDS = 60.0


@click.command("translate-batch", cls=Command, resumes=True)
@click.option("-m", "--model", required=True, type=click.Path(path_type=Path), help="The model directory.")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for the translations, under the files' own names.",
)
@click.option("--shard", "part", metavar="K/N", help="Do part K of N, and leave the others to other processes.")
@CLUSTER
@CLUSTER_SHARED
@click.option("--shard-lines", default=SHARD_LINES, type=click.IntRange(1), help="Lines of a shard, at most.")
@click.option("--overwrite", is_flag=True, help="Replace outputs that were made of other text or by another model.")
@GLOSSARY
@USE
@CORRECTIONS
@click.option("--threads", default=1, type=click.IntRange(0), help="Threads to use; 0 for all.")
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to use instead of the model's.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as a JSON object.")
@options_of(DecodeOptions, of_model=True)
def translate_batch(
    model: Path,
    files: tuple[str, ...],
    out: Path,
    part: str | None,
    cluster: str | None,
    cluster_shared: bool,
    shard_lines: int,
    overwrite: bool,
    glossary: Path | None,
    use: str | None,
    corrections: str | None,
    threads: int,
    weights: Path | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Translate FILES line by line into a folder: text, plain or compressed as .gz or .xz, and so are the outputs.

    Files are cut into shards of lines. A shard is written when it is whole, so a run that was interrupted goes on where
    it stopped when it is started again; a file's output appears when all its shards are there. Workers of a Dask
    cluster share the work by --cluster, or processes on machines that see the same folders by --shard: in a Slurm array
    of 64 tasks, for example,

    \b
    dragoman translate-batch -m fr-en.model in/*.gz --out en --shard $SLURM_ARRAY_TASK_ID/64
    """
    place = ClusterPlace.of(cluster, cluster_shared)
    if place is not None and part is not None:
        raise ConfigError("--cluster and --shard exclude each other; a cluster shares the work out itself", "shard")
    if place is not None and corrections is not None:
        raise ConfigError(
            "workers of a cluster do not read corrections of a database; leave out --cluster, or share the work with"
            " --shard",
            "corrections",
        )
    options = decode_options(model, collect_given(DecodeOptions, values))
    # All shards are translated by one state of the model, whatever is added meanwhile.
    translator = Translator.load(model, weights=weights, corrections=corrections, memories=use).snapshot()
    terms = Glossary.read(glossary, translator.languages) if glossary is not None else None
    name = state_name(translator, options, terms)
    state = BatchState(name, dict(translator.weights), options, terms, translator.memories)
    batch = Batch(files, out, state.name, part=part_of(part), shard_lines=shard_lines, overwrite=overwrite)
    with workers_at(place, "batch") as workers, progress("translating") as bar:
        engine: Engine = ShardTranslator(translator, options, terms, threads)
        if workers.away:
            engine = ShardsOnWorkers(workers, model, state)
        report = batch.run(watched(engine, LanguageWatch(translator)), showing(bar))
    for path in report.files:
        stderr.print(path)
    stderr.print(summary(report), soft_wrap=True)
    if as_json:
        click.echo(json.dumps(report.as_json(), ensure_ascii=False))


def watched(engine: Engine, watch: LanguageWatch) -> Engine:
    """The same, and the watch sees what goes in."""

    def seen(texts: Iterable[ShardText]) -> Iterator[ShardText]:
        for text in texts:
            watch.see(text.lines())
            yield text

    def translated(texts: Iterable[ShardText]) -> Iterator[TranslatedShard]:
        return engine(seen(texts))

    return translated


def part_of(text: str | None) -> Part | None:
    if text is None:
        return None
    number, _, count = text.partition("/")
    if not (number.isascii() and number.isdecimal() and count.isascii() and count.isdecimal()):
        raise ConfigError(f"--shard {text} is no part; write it as 3/64", "shard")
    return Part(int(number), int(count))


def showing(bar: Progress) -> Callable[[BatchReport, int], None]:
    """A bar on a terminal, and elsewhere a line now and then."""
    said = time.monotonic()

    def show(report: BatchReport, total: int) -> None:
        nonlocal said
        done = report.there + report.lines
        bar(done, total)
        if not stderr.is_terminal and time.monotonic() - said >= NOTE_SECONDS:
            said = time.monotonic()
            rate = report.lines / max(report.seconds, 1e-9)
            minutes = (total - done) / max(rate, 1e-9) / 60
            stderr.print(f"{done:,} of {total:,} lines, {rate:,.1f} lines/s, {minutes:,.0f} min left", soft_wrap=True)

    return show


def summary(report: BatchReport) -> str:
    seconds = max(report.seconds, 1e-9)
    said = f"{report.lines:,} lines, {report.words:,} words in {report.seconds:,.1f} s"
    said += f": {report.lines / seconds:,.1f} lines/s, {report.words / seconds:,.0f} words/s"
    if report.there:
        said += f"; {report.there:,} lines were there from an earlier run"
    if report.damaged:
        said += f"; {report.damaged:,} damaged shards were done again"
    if report.unfinished:
        count = len(report.unfinished)
        said += f"; {count:,} {'file waits' if count == 1 else 'files wait'} for other parts"
    return said
