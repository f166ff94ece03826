"""The order of folders, in the core and in the package: what stands further right may use what stands left of it, never
the other way round, and no two files need each other. docs/architecture.md says what each folder is for."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core"
CORE_ORDER = [
    "base",
    "text",
    "align",
    "index",
    "rules",
    "lm",
    "nlm",
    "judge",
    "search",
    "translate",
    "evaluate",
    "tune",
    "bind",
    "tests",
]

Graph = dict[str, set[str]]


def core_includes() -> Graph:
    """For each file of the core without its ending, the others that it includes."""
    graph: Graph = defaultdict(set)
    for path in sorted(CORE.rglob("*")):
        if path.suffix not in (".h", ".cpp", ".inc"):
            continue
        own = str(path.relative_to(CORE).with_suffix(""))
        for included in re.findall(r'^\s*#include "([^"]+/[^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE):
            other = str(Path(included).with_suffix(""))
            if other != own:
                graph[own].add(other)
    return graph


def circles(graph: Graph) -> list[list[str]]:
    """Groups of names that reach each other: Tarjan's strongly connected components of more than one."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = lowest[name] = len(order)
        stack.append(name)
        for other in sorted(graph.get(name, ())):
            if other not in order:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in stack:
                lowest[name] = min(lowest[name], order[other])
        if lowest[name] == order[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                groups.append(sorted(group))

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return groups


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == [["a", "b", "c"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_core_includes_point_left() -> None:
    wrong = [
        f"{own} includes {other}"
        for own, others in core_includes().items()
        for other in sorted(others)
        if CORE_ORDER.index(other.split("/")[0]) > CORE_ORDER.index(own.split("/")[0])
    ]
    assert not wrong


def test_core_includes_have_no_circles() -> None:
    assert circles(core_includes()) == []
