"""What one training is asked to do: which text, which model, which options."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Required, TypedDict, Unpack

from dragoman.config import JudgeOptions, ReadOptions, SplitOptions, TrainOptions
from dragoman.corpus.formats import Input, find_inputs, require_file
from dragoman.corpus.languages import canonical, require_code
from dragoman.corpus.side_languages import text_doubt
from dragoman.errors import ConfigError, InputError
from dragoman.judge import training as judge_training
from dragoman.neural import shape
from dragoman.neural.train import require_trainer
from dragoman.pipeline import settings
from dragoman.pipeline.networks import NEURAL_KINDS, named_models

PathLike = str | os.PathLike[str]
Names = PathLike | Sequence[PathLike] | None


class TrainSettings(TypedDict, total=False):
    """The options of TrainOptions as keyword arguments."""

    memory: str
    disk: str
    work_memory: str
    time: str
    fit: bool
    language_models: str
    judge: str
    tune: bool
    tune_words: int
    keep_sources: bool


class EstimateArguments(TrainSettings, total=False):
    """The keyword arguments of `make_job` but for `out`, for those who pass them on."""

    source: Names
    target: Names
    source_lang: Required[str]
    target_lang: Required[str]
    work: PathLike | None
    dev_source: PathLike | None
    dev_target: PathLike | None
    test_source: PathLike | None
    test_target: PathLike | None
    monolingual: Names
    overwrite: bool
    force: bool
    threads: int
    stages: settings.Given | None


class TrainArguments(EstimateArguments, total=False):
    """All keyword arguments of `make_job`."""

    out: Required[PathLike]


@dataclass(frozen=True, slots=True)
class Job:
    """A checked request to train; `make_job` makes one."""

    inputs: tuple[Input, ...]
    # Files of folders and archives among them that hold no pairs.
    aside: tuple[str, ...]
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
    # Whether to go on with text that looks like other languages.
    force: bool
    threads: int

    def monolingual_doubts(self) -> list[str]:
        """Files that hardly are in the target language, and what they look like."""
        return [doubt for path in self.monolingual if (doubt := text_doubt(path, self.target_lang))]

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
    out: PathLike,
    work: PathLike | None = None,
    dev_source: PathLike | None = None,
    dev_target: PathLike | None = None,
    test_source: PathLike | None = None,
    test_target: PathLike | None = None,
    monolingual: Names = None,
    overwrite: bool = False,
    force: bool = False,
    threads: int = 0,
    stages: settings.Given | None = None,
    **options: Unpack[TrainSettings],
) -> Job:
    """Checks everything that can be checked before any work is done."""
    train = settings.make("train", TrainOptions, options)
    named = named_models(train)
    chosen = settings.stage_options(stages or {})
    shape.check(chosen.neural_lm, source=False, links=False)
    if named is None or set(named) & set(NEURAL_KINDS):
        require_trainer(chosen.neural_lm)
    train = dataclasses.replace(train, judge=possible_judge(train.judge, chosen.judge_network))
    require_code(source_lang, "source-lang")
    require_code(target_lang, "target-lang")
    if canonical(source_lang) == canonical(target_lang):
        raise ConfigError(f"source and target language are both {source_lang}; name two languages", "target_lang")
    place = Path(out)
    if place.name in ("", ".."):
        raise ConfigError(f"{out} cannot be a model directory; name one below it", "out")
    aside: list[str] = []
    training_inputs = all_inputs(inputs, source, target, source_lang, target_lang, chosen.read, aside)
    return Job(
        inputs=tuple(training_inputs),
        aside=tuple(aside),
        source_lang=canonical(source_lang),
        target_lang=canonical(target_lang),
        out=place,
        work=Path(work) if work is not None else place.with_name(place.name + ".work"),
        dev=held_out("dev", dev_source, dev_target),
        test=held_out("test", test_source, test_target),
        monolingual=tuple(checked_file(name) for name in listed(monolingual)),
        options=train,
        stages=chosen,
        overwrite=overwrite,
        force=force,
        threads=threads,
    )


def possible_judge(asked: str, options: JudgeOptions) -> str:
    """`auto` becomes `off` where there is no GPU to train a judge; `on` is refused where nothing can."""
    if asked == "on":
        judge_training.require_trainer(options)
    return "off" if asked == "auto" and not judge_training.on_gpu(options) else asked


def all_inputs(
    inputs: Names,
    source: Names,
    target: Names,
    source_lang: str,
    target_lang: str,
    read: ReadOptions,
    aside: list[str],
) -> list[Input]:
    sources, targets = listed(source), listed(target)
    if len(sources) != len(targets):
        raise ConfigError("give as many --target as --source; they go together in order", "target")
    pairs = zip(sources, targets, strict=True)
    both = [Input("plain", checked_file(ours), checked_file(theirs)) for ours, theirs in pairs]
    names = [not_standard_input(name) for name in listed(inputs)]
    both += find_inputs(names, source_lang, target_lang, read, aside)
    if not both:
        raise ConfigError(
            "there is nothing to train on; name files of sentence pairs, or --source and --target", "inputs"
        )
    return both


def held_out(part: str, source: PathLike | None, target: PathLike | None) -> tuple[str, str] | None:
    if (source is None) != (target is None):
        raise ConfigError(f"--{part}-source and --{part}-target go together; give both or neither", f"{part}_target")
    return None if source is None or target is None else (checked_file(source), checked_file(target))


def checked_file(name: PathLike) -> str:
    path = not_standard_input(name)
    require_file(path)
    return path


def not_standard_input(name: PathLike) -> str:
    path = os.fspath(name)
    if path == "-":
        raise InputError("training reads its text more than once; name a file instead of standard input")
    return path


def in_other_languages(doubt: str) -> InputError:
    """What to say of text that is not what it is said to be."""
    return InputError(f"{doubt} Give the right files and languages, or pass --force to use it all the same")


def listed(names: Names) -> list[PathLike]:
    if names is None:
        return []
    return [names] if isinstance(names, str | os.PathLike) else list(names)
