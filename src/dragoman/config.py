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
class AlignOptions:
    """How words of sentence pairs are linked."""

    model: str = option(
        "agreement",
        "Alignment model; agreement is two hidden Markov models trained to agree.",
        choices=("agreement", "hmm", "diagonal", "ibm1"),
    )
    symmetrize: str = option(
        "grow-diag-final-and",
        "How the links of the two directions become one set.",
        choices=(
            "grow-diag-final-and",
            "grow-diag-final",
            "grow-diag",
            "grow",
            "intersection",
            "union",
            "forward",
            "inverse",
        ),
    )
    smoothing: str = option(
        "classes",
        "What rare words borrow from: words that begin alike, a variational prior, or nothing.",
        choices=("classes", "variational", "none"),
    )
    decoding: str = option(
        "posterior",
        "Links of one direction: each word's most probable partner, or the most probable sentence.",
        choices=("posterior", "viterbi"),
    )
    ibm1_iterations: int = option(4, "Iterations of IBM 1 before the model, at least 2.")
    iterations: int = option(4, "Iterations of the model after IBM 1.")
    min_count: float = option(0.05, "Word pairs with smaller smoothed counts after two iterations are dropped.")
    threads: int = option(0, "Threads; 0 for all cores. The links do not depend on it.")
