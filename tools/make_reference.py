"""Writes the pages of docs/reference that repeat what the code says: `python -m tools.make_reference [--check]`.

Options come from the classes of config.py, commands from click, the Python interface from the docstrings of
`dragoman.__all__`, and HTTP routes from the OpenAPI description that the server itself gives. With --check nothing is
written, and pages that differ from what the code says are named.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from tools.reference import commands, http, options, python

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "reference"
PAGES: dict[str, Callable[[], str]] = {
    "options.md": options.page,
    "commands.md": commands.page,
    "python.md": python.page,
    "http.md": http.page,
}


def outdated(folder: Path = FOLDER) -> list[str]:
    """Pages that do not say what the code says."""
    return [
        name
        for name, page in PAGES.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != page()
    ]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    given = parser.parse_args(arguments)
    if given.check:
        names = outdated()
        for name in names:
            print(f"docs/reference/{name} is out of date: run python -m tools.make_reference", file=sys.stderr)
        return 1 if names else 0
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
