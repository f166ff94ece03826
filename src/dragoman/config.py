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


@dataclass(frozen=True, slots=True)
class LmOptions:
    """How a back-off language model is estimated and stored."""

    order: int = option(5, "Length of the longest n-grams, 1 to 10.")
    min_counts: str = option("1", "Least count of n-grams that stay, from order 1 up; the last number repeats.")
    discount_fallback: str = option(
        "0.5 1 1.5", "Discounts for an order that is too small to estimate its own; empty to refuse such text."
    )
    sample: float = option(1.0, "Share of the sentences to use, chosen by a hash of their number.")
    seed: int = option(1, "Seed of that choice.")
    memory: str = option("", "Leave out the n-grams that matter least until the file fits, e.g. 100MB; empty for all.")
    prob_bits: int = option(8, "Bits of a stored probability, 2 to 16, or 0 for floats.")
    backoff_bits: int = option(8, "Bits of a stored back-off weight, 2 to 16, or 0 for floats.")
