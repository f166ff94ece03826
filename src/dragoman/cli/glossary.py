"""dragoman glossary: the terms of a model, which hold for all its translations."""

from __future__ import annotations

import json
from pathlib import Path

import click

from dragoman.cli.command import Group, model_argument
from dragoman.cli.options import CORRECTIONS
from dragoman.cli.progress import stderr
from dragoman.errors import InputError
from dragoman.files import writing
from dragoman.glossary import Glossary, GlossaryConflict
from dragoman.model.directory import ModelDirectory, revising_model
from dragoman.translator import Translator

MODEL = model_argument()


@click.group(cls=Group)
def glossary() -> None:
    """Terms and how a model must translate them: files of `source TAB target` lines, CSV files, TBX files."""


@glossary.command()
@MODEL
@click.argument("file", type=click.Path())
@CORRECTIONS
def use(model: Path, file: str, corrections: str | None) -> None:
    """Make FILE the glossary of a model, in place of the one it has; an empty file takes it away.

    The model keeps it as glossary.tsv, with lines `source TAB target` and further targets after further tabs.
    """
    translator = Translator.load(model, corrections=corrections)
    terms = Glossary.read(file, translator.languages)
    conflicts = checked(translator, file, terms)
    with revising_model(ModelDirectory.open(model), lambda manifest: manifest) as directory:
        (directory / "glossary.tsv").unlink(missing_ok=True)
        if terms.text.strip():
            with writing(directory / "glossary.tsv") as stream:
                stream.write(terms.encoded())
    for conflict in conflicts:
        stderr.print(f"{file}, {conflict}", soft_wrap=True)


@glossary.command()
@MODEL
@click.argument("file", type=click.Path(), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the conflicts as JSON.")
@CORRECTIONS
def check(model: Path, file: str | None, as_json: bool, corrections: str | None) -> None:
    """Report terms of FILE, or of the model's own glossary, that cannot all be obeyed."""
    translator = Translator.load(model, corrections=corrections)
    name = file or str(translator.model.file("glossary.tsv"))
    conflicts = checked(translator, name, Glossary.read(name, translator.languages))
    if as_json:
        fields = ("inside", "term", "other", "line", "other_line")
        rows = [{key: getattr(conflict, key) for key in fields} for conflict in conflicts]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    for conflict in conflicts:
        click.echo(f"{name}, {conflict}")


def checked(translator: Translator, name: str, terms: Glossary) -> list[GlossaryConflict]:
    try:
        return translator.glossary_conflicts(terms)
    except InputError as error:
        raise InputError(f"{name}: {error}", error.line) from None
