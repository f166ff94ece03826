"""dragoman translate-file: documents in, the same documents translated out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dragoman.cli.command import Command
from dragoman.cli.language_watch import LanguageWatch
from dragoman.cli.options import CORRECTIONS, GLOSSARY, USE, collect_given, options_of
from dragoman.cli.progress import progress, stderr
from dragoman.config import DecodeOptions
from dragoman.documents import (
    BILINGUAL,
    CSV,
    FORMATS,
    PAIRED,
    Columns,
    DocumentLimits,
    Journal,
    format_of,
    translate_document,
)
from dragoman.errors import ConfigError, InputError
from dragoman.files import writing
from dragoman.glossary import Glossary
from dragoman.model.options import decode_options
from dragoman.translation_state import state_name
from dragoman.translator import Translator

SUFFIX = ".dragoman-journal"


@click.command("translate-file", cls=Command, resumes=True)
@click.option("-m", "--model", required=True, type=click.Path(path_type=Path), help="The model directory.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@options_of(DecodeOptions, of_model=True)
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to use instead of the model's.")
@GLOSSARY
@USE
@CORRECTIONS
@click.option(
    "--format", "format_name", default="auto", type=click.Choice(("auto", *FORMATS)), help="Format of the files."
)
@click.option("--column", multiple=True, help="CSV: a column to translate, by its name or number; may be given again.")
@click.option("--into", multiple=True, help="CSV: the column that takes the translations of a --column; may be new.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Where to write the translation of a single file.")
@click.option("--out-dir", type=click.Path(path_type=Path), help="Folder for translations, under the files' own names.")
@click.option("--in-place", is_flag=True, help="Write into the files themselves, which must hold both languages.")
@click.option("--overwrite", is_flag=True, help="Replace outputs that exist.")
@click.option("--force", is_flag=True, help="Translate files that say they are in other languages than the model's.")
@click.option("--update", is_flag=True, help="RESX, Android: keep what the output has already and add what it lacks.")
@click.option("--threads", default=1, type=click.IntRange(0), help="Threads to use; 0 for all.")
def translate_file(
    model: Path,
    files: tuple[Path, ...],
    weights: Path | None,
    glossary: Path | None,
    use: str | None,
    corrections: str | None,
    format_name: str,
    column: tuple[str, ...],
    into: tuple[str, ...],
    out: Path | None,
    out_dir: Path | None,
    in_place: bool,
    overwrite: bool,
    force: bool,
    update: bool,
    threads: int,
    **values: Any,
) -> None:
    """Translate FILES: PO, XLIFF 1.2 and 2.x, HTML, Markdown, SubRip and WebVTT subtitles, plain text; office documents
    (DOCX, PPTX, XLSX, ODT, ODP, ODS); string tables in JSON, YAML, ARB, CSV, Java's .properties, Android's strings.xml,
    Apple's .strings and .stringsdict, Qt's .ts, RESX.

    Structure, tags and placeholders stay. What is translated already is not touched: in PO files only empty messages
    are filled, and flagged fuzzy; in XLIFF only empty targets, with the state that says a machine wrote them; in .ts
    files only empty translations, which stay unfinished. What cannot be translated is left, and said. A file that names
    other languages than the model's is refused. An interrupted run goes on where it stopped when it is started again.

    page.html becomes page.en.html, unless --out, --out-dir or --in-place say otherwise.
    """
    options = decode_options(model, collect_given(DecodeOptions, values))
    if sum((out is not None, out_dir is not None, in_place)) > 1:
        raise ConfigError("--out, --out-dir and --in-place exclude each other", "out")
    if out is not None and len(files) > 1:
        raise ConfigError("--out names one file, but there are several; use --out-dir", "out")
    columns = Columns(column, into)
    # All files are translated by one state of the model, whatever is added meanwhile.
    translator = Translator.load(model, weights=weights, corrections=corrections, memories=use).snapshot()
    terms = Glossary.read(glossary, translator.languages) if glossary is not None else None
    jobs: list[tuple[Path, str, Path]] = []
    for file in files:
        kind = format_of(str(file), format_name)
        if in_place and kind not in BILINGUAL and not (kind == CSV and into):
            holds = "only PO, XLIFF and .ts files, and CSV with --into, hold both languages"
            raise ConfigError(f"{file}: {holds}; --in-place would lose it", "out")
        if update and kind not in PAIRED:
            raise ConfigError(f"{file}: --update is for RESX and Android files, which come in pairs", "update")
        target = out or (out_dir / file.name if out_dir else file if in_place else sibling(file, translator))
        check_output(file, target, overwrite or in_place or update)
        if any(target == other for _, _, other in jobs):
            raise ConfigError(f"two files would be written to {target}; translate them one after the other", "out_dir")
        jobs.append((file, kind, target))
    if columns != Columns() and all(kind != CSV for _, kind, _ in jobs):
        raise ConfigError("--column and --into are for CSV files, and none of the files is one", "column")
    if out_dir is not None:
        out_dir.mkdir(parents=True, exist_ok=True)
    identity = state_name(translator, options, terms)
    limits = DocumentLimits()
    for file, kind, target in jobs:
        data = read_file(file, limits)
        journal = Journal(target.with_name(f".{target.name}{SUFFIX}"), identity)
        left: list[str] = []
        with journal.recording(), progress(file.name) as report:
            translated = translate_document(
                data,
                str(file),
                translator,
                format=kind,
                options=options,
                glossary=terms,
                threads=threads,
                progress=report,
                journal=journal,
                limits=limits,
                force=force,
                look=LanguageWatch(translator).see,
                columns=columns,
                note=left.append,
                so_far=read_file(target, limits) if update and target.exists() else None,
            )
            with writing(target) as stream:
                stream.write(translated)
        resumed = f" ({journal.resumed:,} texts were there from an earlier run)" if journal.resumed else ""
        for sentence in left:
            stderr.print(sentence, markup=False, highlight=False, soft_wrap=True)
        stderr.print(f"{target}{resumed}")


def sibling(file: Path, translator: Translator) -> Path:
    """page.html -> page.en.html, page.fr.html -> page.en.html."""
    manifest = translator.model.manifest
    if not manifest.target_lang:
        raise ConfigError("the model does not say its languages; name the output with --out or --out-dir", "out")
    stem = Path(file.stem)
    if manifest.source_lang and stem.suffix == f".{manifest.source_lang}":
        stem = stem.with_suffix("")
    return file.with_name(f"{stem}.{manifest.target_lang}{file.suffix}")


def check_output(file: Path, target: Path, overwrite: bool) -> None:
    if target.is_dir():
        raise ConfigError(f"{target} is a directory; name a file", "out")
    if target.exists() and not overwrite:
        raise ConfigError(f"{target} exists already; choose another name or pass --overwrite", "out")
    if not file.exists():
        raise InputError(f"{file}: there is no such file")


def read_file(file: Path, limits: DocumentLimits) -> bytes:
    """The content of a file, of which no more is read than may be translated."""
    with file.open("rb") as stream:
        return stream.read(limits.max_bytes + 1)
