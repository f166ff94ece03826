"""dragoman explain: the derivation of a translation as a tree, with the training sentences behind every phrase."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from dragoman.cli.command import Command
from dragoman.cli.language_watch import LanguageWatch
from dragoman.cli.lines import lines_of
from dragoman.cli.options import CORRECTIONS, GLOSSARY, USE, collect_given, options_of
from dragoman.cli.progress import stdout
from dragoman.cli.through import explain_through, refuse_with_then, then_option
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError
from dragoman.explain.comparison import TranslationComparison, compare
from dragoman.explain.explanation import ExplainedPhrase, ExplainedSentence, Passage
from dragoman.explain.feature_meanings import meaning_of
from dragoman.explain.match import Match
from dragoman.explain.matches import AT_LEAST
from dragoman.explain.training_text import Span
from dragoman.glossary import Glossary
from dragoman.learn.imports import ADDED_AT, IMPORT
from dragoman.model.options import decode_options
from dragoman.translator import Translator

# Provenance that people ask for first; the rest follows in the file's order.
FIRST_ATTRIBUTES = ("creationid", "changeid", "creationdate", "changedate")
WIDEST_ATTRIBUTE = 60
UNWRAPPED = 1 << 20
# Of what three digits behind the point show.
LEAST_SHOWN = 0.0005
# What there is to say about phrases that are not from the training text.
KINDS = {
    "pass-through": "Nobody has translated this, so it stays as it is.",
    "constraint": "This was asked for.",
    "glue": "Parts set side by side.",
    "grammar": "By a rule of the grammar that was given.",
}


@click.command(cls=Command)
@click.option("-m", "--model", required=True, type=click.Path(path_type=Path), help="The model directory.")
@click.argument("sentences", nargs=-1)
@then_option
@options_of(DecodeOptions, of_model=True)
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to use instead of the model's.")
@GLOSSARY
@USE
@CORRECTIONS
@click.option("--sources", default=3, type=click.IntRange(0), help="Training pairs to show for each phrase.")
@click.option(
    "--matches", default=0, type=click.IntRange(0), help="Stored pairs to show that are most like the whole text."
)
@click.option("--why-not", help="Another translation of the sentence: say why it was not chosen.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each line of text.")
def explain(
    model: Path,
    sentences: tuple[str, ...],
    then: tuple[Path, ...],
    weights: Path | None,
    glossary: Path | None,
    use: str | None,
    corrections: str | None,
    sources: int,
    matches: int,
    why_not: str | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Show how SENTENCES, or lines of standard input, are translated: which phrases they are made of, and which
    training sentences these come from.

    The words that match stand out, or stand in [brackets] where there are no colours. What the translation scores, and
    why, comes after.
    """
    given = collect_given(DecodeOptions, values)
    if why_not is not None and len(sentences) != 1:
        raise ConfigError("--why-not compares translations of one sentence; give that one", "why_not")
    if then:
        refuse_with_then(weights=weights, glossary=glossary, why_not=why_not, matches=matches, use=use)
        lines = sentences or lines_of("-")
        explain_through(
            model,
            then,
            given,
            lines,
            lambda explained: draw(explained, stdout),
            sources=sources,
            as_json=as_json,
            corrections=corrections,
        )
        return
    options = decode_options(model, given)
    translator = Translator.load(model, weights=weights, corrections=corrections, memories=use)
    terms = Glossary.read(glossary, translator.languages) if glossary is not None else None
    watch = LanguageWatch(translator)
    for line in sentences or lines_of("-"):
        watch.see([line])
        explanation = translator.explain(line, options, sources=sources, matches=matches, glossary=terms)
        compared = None if why_not is None else compare(translator, line, why_not, options)
        if as_json:
            document = explanation.as_json() | ({} if compared is None else {"why_not": compared.as_json()})
            click.echo(json.dumps(document, ensure_ascii=False))
            continue
        for explained in explanation.sentences:
            draw(explained, stdout)
        if matches:
            draw_matches(explanation.matches, stdout)
        if compared is not None:
            draw_comparison(compared, stdout)


def draw(explained: ExplainedSentence, console: Console) -> None:
    """First what everybody understands: the phrases, and the training sentences they come from. Then the numbers."""
    sentence = explained.sentence
    show(Text.assemble((sentence.source, "bold"), "\n→ ", (sentence.text, "bold")), console)
    for phrase in explained.phrases:
        show(Text(), console)
        show(phrase_title(phrase), console)
        for text in phrase_texts(phrase, console):
            show(Padding(text, (0, 0, 0, 2)), console)
    show(Text("\nHow it was scored", "bold"), console)
    show(Text(f"The score is {sentence.score:.3f}, the sum of these; higher is better."), console)
    show(contribution_table(explained), console)
    show(Text("\nBy phrase, without what language models say; a phrase with gaps holds those that fill them:"), console)
    tree = Tree(Text(sentence.text, "bold"))
    for root in explained.roots:
        add_scores(tree, root, explained)
    show(tree, console)


def show(what: RenderableType, console: Console) -> None:
    if console.is_terminal:
        console.print(what)
        return
    # A file has no width: nothing is cut or wrapped.
    plain = Console(width=UNWRAPPED, no_color=True, highlight=False, markup=False, emoji=False)
    with plain.capture() as captured:
        plain.print(what)
    click.echo("".join(line.rstrip() + "\n" for line in captured.get().splitlines()), nl=False)


def phrase_title(explained: ExplainedPhrase) -> Text:
    phrase = explained.phrase
    return Text.assemble((with_gaps(phrase.source), "cyan"), " → ", (with_gaps(phrase.target), "green"))


def with_gaps(side: str) -> str:
    """A side of a rule for people: … for its gap, and numbers where there are two, which may change places."""
    return side.replace("[X,1]", "…¹").replace("[X,2]", "…²") if "[X,2]" in side else side.replace("[X,1]", "…")


def phrase_texts(explained: ExplainedPhrase, console: Console) -> Iterator[Text]:
    """How well known a phrase is, in words, and the training sentences that show it."""
    yield Text(acquaintance(explained))
    for passage in explained.passages:
        yield passage_text(passage, console)
    left = explained.phrase.origin_count - len(explained.passages)
    if left > 0 and explained.passages:
        yield Text(f"… and {left:,} more (--sources {explained.phrase.origin_count} shows all)", "dim")


def acquaintance(explained: ExplainedPhrase) -> str:
    """How often the training text says so."""
    phrase = explained.phrase
    if explained.count is None:
        return KINDS.get(phrase.kind, f"By a rule of the kind {phrase.kind}.")
    if explained.samples == explained.count == 1:
        said = "The training text says so in the one place that has it."
    elif explained.samples == explained.count:
        every = "both" if explained.count == 2 else f"all {explained.count:,}"
        said = f"The training text says so in {every} places looked at."
    else:
        said = f"The training text says so in {explained.count:,} of {explained.samples:,} places looked at."
    if explained.count != phrase.origin_count:
        places = "It is 1 place" if phrase.origin_count == 1 else f"They are {phrase.origin_count:,} places"
        said += f" {places}; corrections count more than once."
    return said


def contribution_table(explained: ExplainedSentence) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style="dim")
    by_size = sorted(explained.contributions.items(), key=lambda item: (-abs(item[1]), item[0]))
    for name, value in by_size:
        if abs(value) >= LEAST_SHOWN:
            table.add_row(name, f"{value:+.3f}", meaning_of(name))
    return table


def add_scores(tree: Tree, phrase: ExplainedPhrase, explained: ExplainedSentence) -> None:
    label = phrase_title(phrase).append(f"  {phrase.score:+.3f}")
    for name, value in phrase.phrase.features.items():
        label.append(f"  {name}={value:.3f}", "dim")
    branch = tree.add(label)
    for number in phrase.children:
        add_scores(branch, explained.phrases[number], explained)


def passage_text(passage: Passage, console: Console) -> Text:
    colours = console.is_terminal and console.color_system is not None
    weight = passage.occurrence.weight
    often = f"  counts {weight} times" if weight != 1 else ""
    pair = passage.pair
    shown = marked(pair.source.text, passage.source_marks, "bold underline cyan", colours)
    shown.append("\n")
    shown.append_text(marked(pair.target.text, passage.target_marks, "bold underline green", colours))
    return shown.append("\n").append_text(
        Text.assemble((f"— {pair.place}", "magenta"), (provenance(pair.record.attributes) + often, "dim"))
    )


def provenance(attributes: dict[str, str]) -> str:
    names = [name for name in FIRST_ATTRIBUTES if name in attributes]
    names += [name for name in attributes if name not in (*FIRST_ATTRIBUTES, ADDED_AT, IMPORT)]
    shown = ", ".join(f"{name} {shortened(attributes[name])}" for name in names)
    return f"  ({shown})" if shown else ""


def shortened(value: str) -> str:
    flat = " ".join(value.split())
    return flat if len(flat) <= WIDEST_ATTRIBUTE else flat[: WIDEST_ATTRIBUTE - 1] + "…"


def marked(text: str, marks: Iterable[Span], style: str, colours: bool) -> Text:
    shown, at = Text(), 0
    for begin, end in sorted(marks):
        shown.append(text[at:begin])
        shown.append(text[begin:end] if colours else f"[{text[begin:end]}]", style)
        at = end
    shown.append(text[at:])
    return shown


def draw_matches(matches: Sequence[Match], console: Console) -> None:
    show(Text("\nNearest in the memory", "bold"), console)
    if not matches:
        show(Text(f"No stored sentence is like this one by {AT_LEAST} % or more."), console)
    colours = console.is_terminal and console.color_system is not None
    for match in matches:
        show(Text.assemble((f"{match.percent} %", "bold"), (f"  — {match.place}", "magenta")), console)
        source = marked(match.source, match.source_changes, "bold underline red", colours)
        show(Padding(source.append("\n").append(match.target, "green"), (0, 0, 0, 2)), console)


def draw_comparison(compared: TranslationComparison, console: Console) -> None:
    show(Text.assemble("\nWhy not: ", (compared.theirs, "bold")), console)
    show(Text(compared.verdict), console)
    if not compared.differences or compared.why.score is None:
        return
    table = Table("feature", box=None, header_style="dim", pad_edge=False)
    for name in ("weight", "chosen", "other", "speaks for chosen"):
        table.add_column(name, justify="right")
    for row in compared.differences:
        table.add_row(row.name, f"{row.weight:.4f}", f"{row.ours:.3f}", f"{row.theirs:.3f}", f"{row.contribution:+.3f}")
    table.add_row("total", "", f"{compared.our_score:.3f}", f"{compared.why.score:.3f}", "")
    show(table, console)
    show(Text("rules of the other translation:"), console)
    for phrase in compared.why.phrases:
        said = f"{with_gaps(phrase.source)}  →  {with_gaps(phrase.target)}   seen {phrase.origin_count}x"
        show(Padding(Text(said), (0, 0, 0, 2)), console)
