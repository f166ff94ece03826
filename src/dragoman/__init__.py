"""A translator you train from your own bilingual text, on your own machine, within a memory budget you name.

>>> import dragoman
>>> dragoman.train("memory.tmx", source_lang="fr", target_lang="en", out="fr-en.model")
>>> with dragoman.Translator.load("fr-en.model") as translator:
...     print(translator.translate("Une maison bleue."))
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dragoman.errors import ConfigError, DragomanError, FormatError, InputError
from dragoman.version import __version__

if TYPE_CHECKING:
    from dragoman.explain.explanation import Explanation
    from dragoman.pipeline.runner import Listener
    from dragoman.pipeline.summary import TrainResult
    from dragoman.translation import Translation
    from dragoman.translator import Translator

__all__ = [
    "ConfigError",
    "DragomanError",
    "Explanation",
    "FormatError",
    "InputError",
    "Translation",
    "Translator",
    "__version__",
    "estimate",
    "train",
]

AnyPath = str | os.PathLike[str]
Paths = AnyPath | Sequence[AnyPath]
# Where these are, which are imported when somebody asks for them: who wants to train needs no translator, and who wants
# to know the version neither.
LATER = {
    "Explanation": "dragoman.explain.explanation",
    "Translation": "dragoman.translation",
    "Translator": "dragoman.translator",
}


def train(
    *inputs: Paths,
    source_lang: str,
    target_lang: str,
    out: AnyPath,
    source: Paths | None = None,
    target: Paths | None = None,
    work: AnyPath | None = None,
    dev_source: AnyPath | None = None,
    dev_target: AnyPath | None = None,
    test_source: AnyPath | None = None,
    test_target: AnyPath | None = None,
    monolingual: Paths | None = None,
    memory: str = "auto",
    disk: str = "",
    fit: bool = False,
    language_models: str = "auto",
    tune: bool = True,
    tune_words: int = 15000,
    keep_sources: bool = True,
    overwrite: bool = False,
    threads: int = 0,
    stages: Mapping[str, Mapping[str, Any]] | None = None,
    listener: Listener | None = None,
) -> TrainResult:
    """Trains a model and puts it at `out`. What was done already by an earlier call with the same `work` stays done.

    `inputs` are files of sentence pairs, one or several or a list of them; or `source` and `target` are text files line
    by line. `memory` is what a translating process may take, `disk` what the files of the model may. `stages` has
    options of single stages by their names, such as {"align": {"model": "hmm"}}. `dragoman train --help` says more of
    each. `listener` is told of the stages.
    """
    arguments = {name: value for name, value in locals().items() if name != "listener"}
    from dragoman.arguments import training_arguments
    from dragoman.pipeline import Silence, make_job, train_job

    return train_job(make_job(**training_arguments(arguments)), listener if listener is not None else Silence())


def estimate(
    *inputs: Paths,
    source_lang: str,
    target_lang: str,
    out: AnyPath = "model",
    source: Paths | None = None,
    target: Paths | None = None,
    work: AnyPath | None = None,
    dev_source: AnyPath | None = None,
    dev_target: AnyPath | None = None,
    test_source: AnyPath | None = None,
    test_target: AnyPath | None = None,
    monolingual: Paths | None = None,
    memory: str = "auto",
    disk: str = "",
    fit: bool = False,
    language_models: str = "auto",
    tune: bool = True,
    tune_words: int = 15000,
    keep_sources: bool = True,
    overwrite: bool = False,
    threads: int = 0,
    stages: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """What `train` with the same arguments would make and take, from a sample of the text; nothing is written."""
    arguments = dict(locals())
    from dragoman.arguments import training_arguments
    from dragoman.pipeline import make_job
    from dragoman.pipeline.estimate import estimate as estimate_job

    return estimate_job(make_job(**training_arguments(arguments)))


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in LATER:
            raise AttributeError(f"module 'dragoman' has no attribute '{name}'")
        globals()[name] = found = getattr(importlib.import_module(LATER[name]), name)
        return found
