"""Packages that Dragoman uses but does not need, and the command that brings them into this environment.

The command names the packages themselves, so that it is true however Dragoman was installed: from an index, from a
wheel or from a checkout.
"""

from __future__ import annotations

import shlex
import sys
from importlib import metadata
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def requirements(extra: str) -> list[str]:
    """The packages of an extra, as the metadata of the installed package states them."""
    marker = f'extra == "{extra}"'
    stated = [requirement.partition(";") for requirement in metadata.requires("dragoman") or []]
    return [name.strip() for name, _, condition in stated if condition.strip().replace("'", '"') == marker]


def install_command(extra: str) -> str:
    """What to type to get the packages of an extra."""
    try:
        wanted = requirements(extra)
    except metadata.PackageNotFoundError:
        # Run from its source without being installed.
        wanted = [f"{CHECKOUT}[{extra}]"]
    return shlex.join([sys.executable, "-m", "pip", "install", *wanted])
