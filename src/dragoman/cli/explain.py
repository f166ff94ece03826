"""dragoman explain: the derivation of a translation as a tree, with the training sentences behind every phrase."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from dragoman.cli.options import collect_given, options_of
from dragoman.cli.progress import stdout
from dragoman.cli.through import explain_through, refuse_with_then, then_option
from dragoman.cli.translate import lines_of
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError
from dragoman.explain.comparison import TranslationComparison, compare
from dragoman.explain.explanation import ExplainedPhrase, ExplainedSentence, Passage
from dragoman.explain.training_text import Span
from dragoman.glossary import Glossary
from dragoman.model.options import decode_options
from dragoman.translator import Translator

# Provenance that people ask for first; the rest follows in the file's order.
FIRST_ATTRIBUTES = ("creationid", "changeid", "creationdate", "changedate")
WIDEST_ATTRIBUTE = 60
UNWRAPPED = 1 << 20


@click.command()
@click.option("-m", "--model", required=True, type=click.Path(path_type=Path), help="The model directory.")
@click.argument("sentences", nargs=-1)
@then_option
@options_of(DecodeOptions, of_model=True)
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to use instead of the model's.")
@click.option("--glossary", type=click.Path(path_type=Path), help="Terms to translate so: `source TAB target` lines.")
@click.option("--sources", default=3, type=click.IntRange(0), help="Training pairs to show for each phrase.")
@click.option("--why-not", help="Another translation of the sentence: say why it was not chosen.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each line of text.")
def explain(
    model: Path,
    sentences: tuple[str, ...],
    then: tuple[Path, ...],
    weights: Path | None,
    glossary: Path | None,
    sources: int,
    why_not: str | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Show how SENTENCES, or lines of standard input, are translated: which rules, and which training text they
    were seen in.

    Each phrase has its count, how many of the sampled places of its source side gave it, and its weighted score. The
    words that match stand out, or stand in [brackets] where there are no colours.
    """
    given = collect_given(DecodeOptions, values)
    if why_not is not None and len(sentences) != 1:
        raise ConfigError("--why-not compares translations of one sentence; give that one", "why_not")
    if then:
        refuse_with_then(weights=weights, glossary=glossary, why_not=why_not)
        lines = sentences or lines_of("-")
        explain_through(model, then, given, lines, lambda each: draw(each, stdout), sources=sources, as_json=as_json)
        return
    options = decode_options(model, given)
    translator = Translator.load(model, weights=weights)
    terms = Glossary.read(glossary) if glossary is not None else None
    for line in sentences or lines_of("-"):
        explanation = translator.explain(line, options, sources=sources, glossary=terms)
        compared = None if why_not is None else compare(translator, line, why_not, options)
        if as_json:
            document = explanation.as_json() | ({} if compared is None else {"why_not": compared.as_json()})
            click.echo(json.dumps(document, ensure_ascii=False))
            continue
        for explained in explanation.sentences:
            draw(explained, stdout)
        if compared is not None:
            draw_comparison(compared, stdout)


def draw(explained: ExplainedSentence, console: Console) -> None:
    sentence = explained.sentence
    head = Text.assemble((sentence.source, "bold"), "\n→ ", (sentence.text, "bold"), f"\nscore {sentence.score:.3f}")
    tree = Tree(head)
    for phrase in explained.roots:
        add_phrase(tree, phrase, explained, console)
    if console.is_terminal:
        console.print(tree)
    else:
        # A file has no width: nothing is cut or wrapped.
        plain = Console(width=UNWRAPPED, no_color=True, highlight=False, markup=False, emoji=False)
        with plain.capture() as captured:
            plain.print(tree)
        click.echo("".join(line.rstrip() + "\n" for line in captured.get().splitlines()), nl=False)
    by_size = sorted(explained.contributions.items(), key=lambda item: (-abs(item[1]), item[0]))
    console.print("features × weights: " + ", ".join(f"{name} {value:+.3f}" for name, value in by_size), soft_wrap=True)


def add_phrase(tree: Tree, each: ExplainedPhrase, explained: ExplainedSentence, console: Console) -> None:
    phrase = each.phrase
    if each.count is not None:
        seen = f"{each.count} of {each.samples} sampled places"
        if each.count != phrase.origin_count:
            places = "1 place" if phrase.origin_count == 1 else f"{phrase.origin_count} places"
            seen += f" ({places}; corrections count more than once)"
    else:
        seen = {"pass-through": "unknown, kept as it is", "constraint": "as it was asked for"}.get(
            phrase.kind, phrase.kind
        )
    label = Text.assemble(
        (phrase.source, "cyan"), " → ", (phrase.target, "green"), (f"   {seen}, score {each.score:+.3f}", "dim")
    )
    if phrase.features:
        label.append("\n" + "  ".join(f"{name}={value:.3f}" for name, value in phrase.features.items()), "dim")
    branch = tree.add(label)
    for passage in each.passages:
        branch.add(passage_text(passage, console))
    left = phrase.origin_count - len(each.passages)
    if left > 0 and each.passages:
        branch.add(Text(f"… and {left} more (--sources {phrase.origin_count} shows all)", "dim"))
    for number in each.children:
        add_phrase(branch, explained.phrases[number], explained, console)


def passage_text(passage: Passage, console: Console) -> Text:
    colours = console.is_terminal and console.color_system is not None
    weight = passage.occurrence.weight
    often = f"  counts {weight} times" if weight != 1 else ""
    pair = passage.pair
    shown = Text.assemble((pair.place, "magenta"), (provenance(pair.record.attributes) + often, "dim"), "\n")
    shown.append_text(marked(pair.source.text, passage.source_marks, "bold underline cyan", colours))
    shown.append("\n")
    shown.append_text(marked(pair.target.text, passage.target_marks, "bold underline green", colours))
    return shown


def provenance(attributes: dict[str, str]) -> str:
    names = [name for name in FIRST_ATTRIBUTES if name in attributes]
    names += [name for name in attributes if name not in FIRST_ATTRIBUTES]
    shown = ", ".join(f"{name} {shortened(attributes[name])}" for name in names)
    return f"  ({shown})" if shown else ""


def shortened(value: str) -> str:
    flat = " ".join(value.split())
    return flat if len(flat) <= WIDEST_ATTRIBUTE else flat[: WIDEST_ATTRIBUTE - 1] + "…"


def marked(text: str, marks: Iterable[Span], style: str, colours: bool) -> Text:
    made, at = Text(), 0
    for begin, end in sorted(marks):
        made.append(text[at:begin])
        made.append(text[begin:end] if colours else f"[{text[begin:end]}]", style)
        at = end
    made.append(text[at:])
    return made


def draw_comparison(compared: TranslationComparison, console: Console) -> None:
    console.print(Text.assemble("why not: ", (compared.theirs, "bold")), soft_wrap=True)
    console.print(compared.verdict, soft_wrap=True)
    if not compared.differences or compared.why.score is None:
        return
    table = Table("feature", box=None, header_style="dim", pad_edge=False)
    for name in ("weight", "chosen", "other", "speaks for chosen"):
        table.add_column(name, justify="right")
    for row in compared.differences:
        table.add_row(row.name, f"{row.weight:.4f}", f"{row.ours:.3f}", f"{row.theirs:.3f}", f"{row.contribution:+.3f}")
    table.add_row("total", "", f"{compared.our_score:.3f}", f"{compared.why.score:.3f}", "")
    console.print(table)
    console.print("rules of the other translation:")
    for phrase in compared.why.phrases:
        console.print(f"  {phrase.source}  →  {phrase.target}   seen {phrase.origin_count}x", soft_wrap=True)
