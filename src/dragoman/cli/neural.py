"""dragoman nlm: neural language models: word classes, scores, perplexity, precisions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragoman.cli.command import Group, model_argument
from dragoman.cli.progress import progress
from dragoman.cli.scored_text import perplexity_lines, print_tokens
from dragoman.model.directory import component_output
from dragoman.sizes import format_bytes

if TYPE_CHECKING:
    from dragoman.neural.language_model import NeuralLanguageModel

Content = TypeVar("Content")
PRECISIONS = click.Choice(("f32", "f16", "int8", "int4"))
NORMALISATIONS = click.Choice(("exact", "self", "none"))


@click.group(cls=Group)
def nlm() -> None:
    """Neural language models."""


@nlm.command()
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True)
@click.option("-o", "--out", required=True, help="The file to write: a word and its class on each line.")
@click.option("--classes", default=800, type=click.IntRange(1, 20000), help="How many classes.")
@click.option(
    "--method", default="brown", type=click.Choice(("brown", "frequency")), help="By neighbours or frequency."
)
@click.option("--max-words", default=100_000, type=click.IntRange(0), help="Most words; 0 for all. Others are <unk>.")
@click.option("--min-count", default=1, type=click.IntRange(1), help="Least occurrences of a word.")
@click.option("--threads", default=0, type=click.IntRange(0), help="Threads; 0 for all. The result is the same.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def cluster(
    texts: tuple[str, ...],
    out: str,
    classes: int,
    method: str,
    max_words: int,
    min_count: int,
    threads: int,
    as_json: bool,
) -> None:
    """Put the words of tokenized TEXT into classes (Brown clustering)."""
    from dragoman.neural.word_classes import cluster as cluster_words

    with progress("word classes") as show:
        word_classes = cluster_words(
            texts, classes, method=method, max_words=max_words, min_count=min_count, threads=threads, progress=show
        )
    word_classes.write(out)
    sizes = word_classes.sizes()
    report = {"words": sum(sizes), "classes": len(sizes), "largest": max(sizes), "tokens": sum(word_classes.counts)}
    if as_json:
        click.echo(json.dumps(report))
    else:
        click.echo(f"{out}  {report['words']:,} words in {report['classes']:,} classes, the largest of {max(sizes):,}")


@dataclass(frozen=True, slots=True)
class Question:
    """A model that was opened, and the files it is asked about."""

    model: NeuralLanguageModel
    text: str
    source: str | None
    links: str | None

    def read(self, reader: Callable[[str], Content]) -> tuple[Content, Content | None, Content | None]:
        source, links = (reader(path) if path else None for path in (self.source, self.links))
        return reader(self.text), source, links


def asks_about_text(function: Callable[..., None]) -> Callable[..., None]:
    """The arguments of commands that score a text; `function` gets them as a Question."""

    @model_argument(str, "The language model: a file, or a model directory that has one.")
    @click.argument("text", default="-")
    @click.option("--source", default=None, help="Source lines of TEXT, for a model that reads them.")
    @click.option("--links", default=None, help="Links of TEXT to the source, `i-j` as `align` writes them.")
    @click.option(
        "--normalisation", default=None, type=NORMALISATIONS, help="Use the model so, whatever it says itself."
    )
    @wraps(function)
    def ask(
        model: str, text: str, source: str | None, links: str | None, normalisation: str | None, **options: Any
    ) -> None:
        from dragoman.neural.language_model import NeuralLanguageModel, require_source

        opened = NeuralLanguageModel(model, normalisation=normalisation)
        require_source(opened, model, source, links)
        function(Question(opened, text, source, links), **options)

    return ask


@nlm.command()
@asks_about_text
@click.option("--json", "as_json", is_flag=True, help="One JSON object per sentence.")
@click.option("--threads", default=1, type=click.IntRange(0), help="Threads to use; 0 for all.")
def query(asked: Question, as_json: bool, threads: int) -> None:
    """Score every word of TEXT: the word and log10 of its probability."""
    from dragoman.text_file import naming, read_lines

    given = asked.read(read_lines)
    with naming(asked.text):
        rows = list(asked.model.tokens(*given, threads))
    print_tokens(rows, lengths=False, as_json=as_json)


@nlm.command()
@asks_about_text
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--threads", default=0, type=click.IntRange(0), help="Threads to use; 0 for all.")
def perplexity(asked: Question, as_json: bool, threads: int) -> None:
    """Perplexity of TEXT per word (sentence ends count as words), with unknown words and without.

    Of a model that is not normalised the number is no perplexity; --normalisation exact gives one. How far its scores
    are from probabilities is told by log Z: a deviation of 0.5 is usual after training with --self-normalisation.
    """
    from dragoman.lm import Perplexity
    from dragoman.text_file import naming, read_all

    given = asked.read(read_all)
    with naming(asked.text):
        result = Perplexity.of(asked.model.score_bytes(*given, threads))
    used = asked.model.describe()["normalisation"]
    mean, deviation = asked.model.log_normalisers(*given, threads) if used != "exact" else (0.0, 0.0)
    if as_json:
        facts = {"normalisation": used, "log_normaliser_mean": mean, "log_normaliser_deviation": deviation}
        click.echo(json.dumps({**asdict(result), **facts}))
        return
    for line in perplexity_lines(result):
        click.echo(line)
    if used != "exact":
        click.echo(f"normalisation        {used}: scores are not quite probabilities")
        click.echo(f"log Z                {mean:.3f} on average, deviation {deviation:.3f}")


@nlm.command()
@model_argument(str, "The language model: a file, or a model directory that has one.")
@click.option("-o", "--out", required=True, help="The file to write, or a model directory to put it into.")
@click.option("--input-precision", default=None, type=PRECISIONS, help="Of input words; as it is unless given.")
@click.option(
    "--output-precision",
    default=None,
    type=click.Choice(("f32", "f16", "int8")),
    help="Of output words, classes and nodes; as it is unless given.",
)
@click.option("--direct-bits", default=None, type=int, help="Bits of a direct n-gram's weight: 2 to 8, or 32.")
@click.option("--normalisation", default=None, type=NORMALISATIONS, help="How decoders are to use the model.")
def quantize(
    model: str,
    out: str,
    input_precision: str | None,
    output_precision: str | None,
    direct_bits: int | None,
    normalisation: str | None,
) -> None:
    """Write MODEL in other precisions, or for another use."""
    from dragoman.neural.language_model import NeuralLanguageModel

    opened = NeuralLanguageModel(model)
    name = "source_nlm.bin" if opened.reads_source else "nlm.bin"
    with component_output(out, name) as path:
        opened.write_requantised(
            path,
            input_precision=input_precision,
            output_precision=output_precision,
            direct_bits=direct_bits,
            normalisation=normalisation,
        )
        size = Path(path).stat().st_size
    click.echo(f"{out}  {format_bytes(size)}, was {format_bytes(opened.describe()['bytes'])}")


@nlm.command()
@model_argument(str, "The language model: a file, or a model directory that has one.")
@click.option("--json", "as_json", is_flag=True, help="Print the description as JSON.")
def inspect(model: str, as_json: bool) -> None:
    """What MODEL is: sizes, kind of output, precisions, and how it was trained."""
    from dragoman.neural.language_model import NeuralLanguageModel

    description = NeuralLanguageModel(model).describe()
    try:
        description["info"] = json.loads(description["info"]) if description["info"] else {}
    except ValueError:
        description["info"] = {"text": description["info"]}
    if as_json:
        click.echo(json.dumps(description, ensure_ascii=False))
        return
    info = description.pop("info")
    for name, value in description.items():
        if value not in (0, ""):
            click.echo(
                f"{name.replace('_', ' '):<18} {value:,}"
                if isinstance(value, int)
                else f"{name.replace('_', ' '):<18} {value}"
            )
    for name, value in info.items():
        click.echo(f"{name.replace('_', ' '):<18} {value}")


from dragoman.cli.neural_train import train  # noqa: E402

nlm.add_command(train)
