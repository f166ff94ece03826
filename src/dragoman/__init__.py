"""A translator you train from your own bilingual text, on your own machine, within a memory budget you name.

>>> import dragoman
>>> dragoman.train("memory.tmx", source_lang="fr", target_lang="en", out="fr-en.model")
>>> with dragoman.Translator.load("fr-en.model") as translator:
...     print(translator.translate("Une maison bleue."))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from dragoman.errors import ConfigError, DragomanError, FormatError, InputError
from dragoman.version import __version__

if TYPE_CHECKING:
    from dragoman.explain.explanation import Explanation
    from dragoman.pipeline.training import estimate, train
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

# Where these are, which are imported when somebody asks for them: who wants to train needs no translator, and who wants
# to know the version neither.
LATER = {
    "Explanation": "dragoman.explain.explanation",
    "Translation": "dragoman.translation",
    "Translator": "dragoman.translator",
    "estimate": "dragoman.pipeline.training",
    "train": "dragoman.pipeline.training",
}


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in LATER:
            raise AttributeError(f"module 'dragoman' has no attribute '{name}'")
        globals()[name] = attribute = getattr(importlib.import_module(LATER[name]), name)
        return attribute
