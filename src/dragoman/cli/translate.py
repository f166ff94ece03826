"""dragoman translate: raw text in, raw text out, one line for each line."""

from __future__ import annotations

import contextlib
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from dragoman import _core
from dragoman.cli.command import Command
from dragoman.cli.language_watch import LanguageWatch
from dragoman.cli.lines import arriving
from dragoman.cli.options import CORRECTIONS, GLOSSARY, USE, collect_given, options_of
from dragoman.cli.output import in_blocks, output
from dragoman.cli.progress import progress, stderr
from dragoman.cli.through import refuse_with_then, then_option, translate_through
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError
from dragoman.evaluate.kbest import kbest_line
from dragoman.exchange import BY_EXTENSION, FORMATS, ExchangePair, written
from dragoman.glossary import Glossary
from dragoman.line_batch import BATCH_CHARACTERS, batches
from dragoman.model.options import decode_options
from dragoman.translation import Translation
from dragoman.translator import Translator

# A line's number, the line, and its translation.
Row = tuple[int, str, Translation]


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
            pairs = ", ".join(str(origin.stable_id) for origin in phrase.origins)
            place = f" in pairs {pairs}{', …' if phrase.origin_count > len(phrase.origins) else ''}" if pairs else ""
            begin, end = phrase.source_span
            yield f"  [{begin},{end})  {phrase.source}  →  {phrase.target}{seen}{place}"


@click.command(cls=Command)
@click.option("-m", "--model", required=True, type=click.Path(path_type=Path), help="The model directory.")
@click.argument("files", nargs=-1, type=click.Path())
@click.option("--text", "texts", multiple=True, metavar="TEXT", help="Translate this; may be given several times.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File to write.  [default: standard output]")
@click.option(
    "--to",
    type=click.Choice(("text", *FORMATS)),
    help="Text alone, or each sentence with its translation.  [default: what OUT ends in, or text]",
)
@GLOSSARY
@USE
@CORRECTIONS
@click.option("--threads", default=1, type=click.IntRange(0), help="Threads to use; 0 for all.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each line.")
@click.option("--nbest", default=1, type=click.IntRange(1), help="How many translations of each line.")
@click.option("--alignments", is_flag=True, help="Print word links beside each translation, after a tab.")
@click.option("--explain", is_flag=True, help="Print which rules made each translation, and where they were seen.")
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to use instead of the model's.")
@click.option(
    "--grammar",
    type=click.Path(path_type=Path),
    help="Translate by the rules of this grammar or Moses phrase table, instead of the model's training text.",
)
@then_option
@options_of(DecodeOptions, of_model=True)
def translate(
    model: Path,
    files: tuple[str, ...],
    then: tuple[Path, ...],
    texts: tuple[str, ...],
    out: Path | None,
    to: str | None,
    glossary: Path | None,
    use: str | None,
    corrections: str | None,
    threads: int,
    as_json: bool,
    nbest: int,
    alignments: bool,
    explain: bool,
    weights: Path | None,
    grammar: Path | None,
    **values: Any,
) -> None:
    """Translate FILES, or standard input, line by line: each line is answered as it comes.

    With --nbest the output is `line ||| text ||| features ||| score`, otherwise one line for each line. With --then
    the text goes through several models, the next one reading what the last one wrote.

    \b
    dragoman translate -m fr-en.model --text 'Où est la gare ?'
    dragoman translate -m fr-en.model letter.txt -o letter.en.txt
    dragoman translate -m fr-en.model letter.txt -o letter.tmx
    """
    given = collect_given(DecodeOptions, values)
    if sum((as_json, alignments, explain)) > 1:
        raise ConfigError("--json, --alignments and --explain exclude each other; JSON holds all", "json")
    if nbest > 1 and (alignments or explain):
        raise ConfigError("--nbest has a form of its own; for links and rules use --nbest with --json", "nbest")
    if texts and files:
        raise ConfigError("--text and files exclude each other; give the one or the other", "text")
    lines = given_lines(texts) if texts else itertools.chain.from_iterable(map(arriving, files or ("-",)))
    form = Form(nbest, as_json, alignments, explain)
    chosen = to or ("text" if form.is_special else BY_EXTENSION.get(out.suffix.lower() if out else "", "text"))
    if chosen != "text" and form.is_special:
        raise ConfigError(f"--to {chosen} and --json, --nbest, --alignments and --explain exclude each other", "to")
    if then:
        one = {"weights": weights, "grammar": grammar, "glossary": glossary, "alignments": alignments}
        refuse_with_then(**one, use=use, nbest=nbest > 1)
        with output(out) as write:
            translate_through(
                model,
                then,
                given,
                lines,
                write,
                to=chosen,
                as_json=as_json,
                explain=explained if explain else None,
                threads=threads,
                corrections=corrections,
            )
        return
    options = decode_options(model, given)
    translator = Translator.load(model, weights=weights, grammar=grammar, corrections=corrections, memories=use)
    terms = Glossary.read(glossary, translator.languages) if glossary is not None else None

    def results() -> Iterator[list[Row]]:
        """Lines and their translations, by the batch."""
        watch = LanguageWatch(translator)
        done = 0
        for batch in batches(lines, BATCH_CHARACTERS * (threads or _core.default_threads())):
            translated = translator.translate(
                batch,
                options,
                nbest=nbest,
                explain=explain or as_json,
                confidence=as_json,
                glossary=terms,
                threads=threads,
                first_line=done + 1,
            )
            yield list(zip(itertools.count(done + 1), batch, translated, strict=False))
            watch.see(batch)
            done += len(batch)
            report(done, 0)

    with output(out) as write, showing(files, texts) as report:
        if chosen == "text":
            for rows in results():
                write("".join(f"{text}\n" for row in rows for text in form.of(*row)))
        else:
            for piece in in_blocks(written(sentence_pairs(results()), chosen, translator.languages)):
                write(piece)


def sentence_pairs(results: Iterable[list[Row]]) -> Iterator[ExchangePair]:
    """Every sentence with its translation."""
    for rows in results:
        for number, _, result in rows:
            for sentence in result.sentences:
                yield ExchangePair(sentence.source, sentence.text, attributes={"line": str(number)}, by_machine=True)


def given_lines(texts: Iterable[str]) -> Iterator[str]:
    return (line for text in texts for line in text.split("\n"))


@contextlib.contextmanager
def showing(files: tuple[str, ...], texts: tuple[str, ...]) -> Iterator[Callable[[int, int], None]]:
    """A bar; but where somebody types, it would stand in the way, and a word of how to is of more use."""
    if files or texts or sys.stdin is None or not sys.stdin.isatty():
        with progress("translating") as report:
            yield report
        return
    stderr.print("Type text: each line is translated. Ctrl-D ends.")
    yield lambda done, total: None


@dataclass(frozen=True, slots=True)
class Form:
    """How translations are printed."""

    nbest: int
    as_json: bool
    alignments: bool
    explain: bool

    @property
    def is_special(self) -> bool:
        """Whether something else than translations is asked for."""
        return self.nbest > 1 or self.as_json or self.alignments or self.explain

    def of(self, number: int, line: str, result: Translation) -> Iterator[str]:
        """The lines for one line."""
        if self.as_json:
            yield json.dumps({"line": number, "source": line, **result.as_json()}, ensure_ascii=False)
        elif self.nbest > 1:
            for alternative in result.alternatives:
                yield kbest_line(number - 1, alternative.text, alternative.features, alternative.score)
        elif self.alignments:
            yield f"{result.text}\t{alignment_text(result)}"
        else:
            yield result.text
            if self.explain:
                yield from explained(number, result)
