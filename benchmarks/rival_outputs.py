"""Translations of rivals that were made elsewhere, as the shared folder has them: one line a sentence."""

from __future__ import annotations

import lzma

from benchmarks.harness.table import NotHereError
from benchmarks.measure import SHARED

FOLDER = "rivals/outputs"


def transformer_output(name: str) -> list[str]:
    """Of the Transformer that a user would train instead, such as "multi30k.fr-en.test"."""
    path = SHARED / FOLDER / f"{name}.xz"
    if not path.exists():
        raise NotHereError(f"its translations are not here: {FOLDER}/{name}.xz")
    return lzma.decompress(path.read_bytes()).decode("utf-8").split("\n")[:-1]
