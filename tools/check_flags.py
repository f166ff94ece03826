"""Checks that commands and flags which the pages name exist: `python -m tools.check_flags`.

Wherever a page has `dragoman`, in a block or in a line of text, what follows must be a command, and every --flag after
it one of that command's.
"""

from __future__ import annotations

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
