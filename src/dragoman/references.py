"""Several translations of one text that its translations are compared with."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.errors import InputError


def require_as_long(references: Sequence[Sequence[str]]) -> None:
    """Refuses texts of references that do not have a line for each line of the first."""
    for number, text in enumerate(references[1:], start=2):
        if len(text) != len(references[0]):
            raise InputError(
                f"the first reference has {len(references[0])} lines and reference {number} has {len(text)};"
                " they must correspond line by line"
            )
