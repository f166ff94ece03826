"""Checks that what the pages name exists: `python -m tools.check_names`.

Wherever a page has `dragoman` in code, what follows must be a command, and every --flag after it one of that command's.
Names such as `dragoman.tune.tune_model`, and what programs import from the package, must be there.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from dragoman.cli.main import dragoman_command
from tools.reference.commands import all_commands

ROOT = Path(__file__).resolve().parents[1]
FLAG = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")
# Flags that click adds.
ALWAYS = {"--help", "-h", "--version"}
HISTORY = ("CHANGELOG.md",)


def main() -> int:
    wrong = list(unknown())
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


def unknown() -> Iterator[str]:
    for page in [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]:
        if page.name in HISTORY:
            continue
        for call in calls(page.read_text(encoding="utf-8")):
            complaint = trouble(call)
            if complaint:
                yield f"{page.relative_to(ROOT)}: {complaint} in `dragoman {call}`"
        for name in dotted_names(page.read_text(encoding="utf-8")):
            if not is_there(name):
                yield f"{page.relative_to(ROOT)}: there is no {name}"


def calls(text: str) -> Iterator[str]:
    """What follows `dragoman` in code; in prose the name is no command."""
    text = re.sub(r"\\\n\s*", " ", text)
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"^ {4,}(?:\$ )?(dragoman .*)$", prose, re.MULTILINE)
    for line in lines:
        started = re.match(r"\s*(?:\$ )?(?:.*\| )?dragoman (.*)", line.partition("  #")[0])
        if started:
            yield started[1]
    for code in re.findall(r"`([^`]+)`", prose.replace("\n", " ")):
        yield from re.findall(r"^dragoman (.+)$", code)


def dotted_names(text: str) -> Iterator[str]:
    """Names of the package in code, and what programs import from it."""
    yield from re.findall(r"`[^`\n]*?\b(dragoman(?:\.[a-zA-Z_]\w*)+)\(?[^`\n]*`", text)
    for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        try:
            tree = ast.parse(block)
        except SyntaxError:
            # A piece of a function, to be put somewhere else.
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "dragoman":
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_there(name: str) -> bool:
    """Whether it is a module, or something that a module has."""
    parts = name.split(".")
    found: object = importlib.import_module(parts[0])
    for at, part in enumerate(parts[1:], start=2):
        if not hasattr(found, part):
            try:
                importlib.import_module(".".join(parts[:at]))
            except ImportError:
                return False
        found = getattr(found, part)
    return True


def trouble(call: str) -> str:
    """What is wrong with it, nothing if it could be typed."""
    known = dict(all_commands())
    words = call.split("|")[0].split(" > ")[0].split()
    path = "dragoman"
    command: click.Command = dragoman_command
    for word in words:
        if not isinstance(command, click.Group):
            break
        if word.startswith("-") or word.isupper() or not word[0].isalpha():
            break
        found = command.get_command(click.Context(command), word)
        if found is None:
            return f"there is no command {path} {word}"
        path, command = f"{path} {word}", found
    if isinstance(command, click.Group):
        return ""
    flags = {flag for parameter in known[path].params for flag in (*parameter.opts, *parameter.secondary_opts)}
    # What stands in quotes is text.
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", " ".join(words))
    missing = [flag for flag in FLAG.findall(bare) if flag not in flags | ALWAYS]
    return f"there is no {missing[0]}" if missing else ""


if __name__ == "__main__":
    sys.exit(main())
