"""Every option of every stage, once: name, default and one line of help.

The command line makes its flags from these classes, TOML files use the same keys, and model.json records them. An
option is used, documented and tested, or it is not here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def option(default: Any, help_text: str, **more: Any) -> Any:
    """A field whose help the command line prints; `choices` limits its values."""
    return field(default=default, metadata={"help": help_text, **more})


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How raw text becomes the tokens a model sees."""

    lang: str = option("", "Language of the text as a code such as fr or pt-BR; empty for rules that fit most.")
