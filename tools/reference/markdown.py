"""The little Markdown that generated pages are made of."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence


def opening(title: str, source: str, text: str) -> str:
    """How a generated page begins. `source` says what to change instead of the page."""
    return f"<!-- Made from {source} by tools/make_reference.py. -->\n\n# {title}\n\n{text.strip()}\n"


def plain(text: str) -> str:
    """Text in which nothing is markup but what stands in backticks."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(r"([*\\\[\]])", r"\\\1", parts[at].replace("&", "&amp;").replace("<", "&lt;"))
    return "".join(parts).replace("|", "\\|")


def code(text: object) -> str:
    """Something to type, which must hold no backtick."""
    return f"`{text}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def paragraphs(docstring: str | None) -> str:
    """A docstring as Markdown: text that is indented or led by >>> is code, the rest as it is."""
    blocks = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(docstring or "")):
        if block.startswith((">>>", "    ", "\b\n")):
            blocks.append("```\n" + inspect.cleandoc(block.removeprefix("\b\n")) + "\n```")
        elif block.strip():
            blocks.append(block.replace("<", "&lt;") if "`" not in block else block)
    return "\n\n".join(blocks) + "\n"
