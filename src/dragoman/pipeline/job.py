"""What one training is asked to do: which text, which model, which options."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.config import ReadOptions, SplitOptions, TrainOptions
from dragoman.corpus.formats import Input, find_inputs, require_file
from dragoman.corpus.languages import canonical, require_code
from dragoman.errors import ConfigError, InputError
from dragoman.pipeline import settings
from dragoman.pipeline.budget import check_sizes
from dragoman.pipeline.networks import named_models

Names = str | Path | Sequence[str | Path] | None


@dataclass(frozen=True, slots=True)
class Job:
    """A checked request to train; `make_job` makes one."""

    inputs: tuple[Input, ...]
    source_lang: str
    target_lang: str
    out: Path
    work: Path
    dev: tuple[str, str] | None
    test: tuple[str, str] | None
    monolingual: tuple[str, ...]
    options: TrainOptions
    stages: settings.StageOptions
    overwrite: bool
    threads: int

    def split_options(self) -> SplitOptions:
        """Nothing is held out for a set that is given."""
        split = self.stages.split
        return dataclasses.replace(
            split, dev="0" if self.dev is not None else split.dev, test="0" if self.test is not None else split.test
        )


def make_job(
    inputs: Names = None,
    *,
    source: Names = None,
    target: Names = None,
    source_lang: str,
    target_lang: str,
    out: str | Path,
    work: str | Path | None = None,
    dev_source: str | Path | None = None,
    dev_target: str | Path | None = None,
    test_source: str | Path | None = None,
    test_target: str | Path | None = None,
    monolingual: Names = None,
    overwrite: bool = False,
    threads: int = 0,
    stages: settings.Given | None = None,
    **options: Any,
) -> Job:
    """Checks everything that can be checked before any work is done."""
    known = settings.make("train", TrainOptions, options)
    named_models(known)
    check_sizes(known)
    chosen = settings.stage_options(stages or {})
    require_code(source_lang, "source-lang")
    require_code(target_lang, "target-lang")
    if canonical(source_lang) == canonical(target_lang):
        raise ConfigError(f"source and target language are both {source_lang}; name two languages", "target_lang")
    place = Path(out)
    if place.name in ("", ".."):
        raise ConfigError(f"{out} cannot be a model directory; name one below it", "out")
    return Job(
        inputs=tuple(all_inputs(inputs, source, target, source_lang, target_lang, chosen.read)),
        source_lang=canonical(source_lang),
        target_lang=canonical(target_lang),
        out=place,
        work=Path(work) if work is not None else place.with_name(place.name + ".work"),
        dev=held_out("dev", dev_source, dev_target),
        test=held_out("test", test_source, test_target),
        monolingual=tuple(checked_file(name) for name in listed(monolingual)),
        options=known,
        stages=chosen,
        overwrite=overwrite,
        threads=threads,
    )


def all_inputs(
    inputs: Names, source: Names, target: Names, source_lang: str, target_lang: str, read: ReadOptions
) -> list[Input]:
    sources, targets = listed(source), listed(target)
    if len(sources) != len(targets):
        raise ConfigError("give as many --target as --source; they go together in order", "target")
    found = [
        Input("plain", checked_file(ours), checked_file(theirs)) for ours, theirs in zip(sources, targets, strict=True)
    ]
    names = [checked_file(name) for name in listed(inputs)]
    found += find_inputs(names, source_lang, target_lang, read)
    if not found:
        raise ConfigError(
            "there is nothing to train on; name files of sentence pairs, or --source and --target", "inputs"
        )
    return found


def held_out(part: str, source: str | Path | None, target: str | Path | None) -> tuple[str, str] | None:
    if (source is None) != (target is None):
        raise ConfigError(f"--{part}-source and --{part}-target go together; give both or neither", f"{part}_target")
    return None if source is None or target is None else (checked_file(source), checked_file(target))


def checked_file(name: str | Path) -> str:
    if str(name) == "-":
        raise InputError("training reads its text more than once; name a file instead of standard input")
    require_file(str(name))
    return str(name)


def listed(names: Names) -> list[str | Path]:
    if names is None:
        return []
    return [names] if isinstance(names, str | Path) else list(names)
