"""The order of packages: a module uses what stands left of it and nothing right of it, and no two need each other.

Imports inside functions and those for type checkers alone count like all others, so that none hides a wrong direction.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"
# From left to right. A name stands for all modules below it but those that have a place of their own.
ORDER = [
    "errors version progress _core sizes durations option_forms",
    "config arguments",
    "archive delimited exchange leftovers",
    "files text_file line_batch references process_memory memory_sampler child extras cluster",
    "text",
    "model",
    "corpus",
    "align",
    "index",
    "lm",
    "neural",
    "judge",
    "confidence",
    "glossary glossary_files translation",
    "learn",
    "model.opened model.latest model.description model.upgrade",
    "cluster.worker_models",
    "explain document_context",
    "translation_job",
    "completion following",
    "confidence.training",
    "tune",
    "translator",
    "translation_state",
    "explain.comparison chain",
    "evaluate",
    "batch",
    "documents",
    "pairing",
    "pipeline",
    "",  # the face: dragoman itself
    "serve",
    "cli",
    "__main__",
]
PLACES = {name: place for place, names in enumerate(ORDER) for name in (names.split() or [""])}
# Modules that import others when they need them, and why.
LATER = {
    "cluster": "Dask is loaded by whoever asked for a cluster",
    "cli": "a command that prints its help starts at once",
    "learn": "a database is spoken to by whoever named one",
    "glossary": "a process that translates without a glossary reads no XML",
    "neural": "torch is loaded by whoever trains a network",
    "judge": "as is said of neural",
}

MODULES = {
    ".".join(path.relative_to(SOURCES / "dragoman").with_suffix("").parts).removesuffix("__init__").rstrip("."): path
    for path in sorted((SOURCES / "dragoman").rglob("*.py"))
}


def module_of(name: str) -> str | None:
    """The module that a dotted name is, or is a name in."""
    if name != "dragoman" and not name.startswith("dragoman."):
        return None
    own = name.removeprefix("dragoman").lstrip(".")
    while own and own not in MODULES and own != "_core":
        own = own.rpartition(".")[0]
    return own


def imports_of(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Modules of this package that a module imports, and whether it does so within a function."""
    outside = {id(node) for statement in tree.body for node in shallow(statement)}
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            module = module_of(name)
            if module is not None:
                yield module, id(node) not in outside


def shallow(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from shallow(child)


def graph() -> dict[str, set[tuple[str, bool]]]:
    return {
        name: {(other, late) for other, late in imports_of(ast.parse(path.read_text("utf-8"))) if other != name}
        for name, path in MODULES.items()
    }


def place(module: str) -> int:
    name = module
    while name and name not in PLACES:
        name = name.rpartition(".")[0]
    assert name or module in ("", "__init__"), f"{module} has no place in the order of packages"
    return PLACES[name]


def test_every_module_has_a_place() -> None:
    assert len(MODULES) > 100
    assert {place(module) for module in MODULES} <= set(range(len(ORDER)))
    for name in PLACES:
        assert name == "_core" or name in MODULES, f"{name} is in the order, but not in the package"


def test_imports_point_left() -> None:
    wrong = {(own, other) for own, others in graph().items() for other, _ in others if place(other) > place(own)}
    assert wrong == set()


def test_no_circles() -> None:
    edges = {own: {other for other, _ in others} for own, others in graph().items()}
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(reversed(error.args[1])))


def test_imports_within_functions_are_those_that_save_time() -> None:
    """The face, which imports what is asked of it by name, has none that could be seen here."""
    late: dict[str, set[str]] = defaultdict(set)
    for own, others in graph().items():
        for other, within in others:
            if within:
                late[own].add(other)
    unexplained = {own: others for own, others in late.items() if own.split(".")[0] not in LATER}
    assert unexplained == {}


def test_nothing_imports_the_command_line() -> None:
    users = {
        own
        for own, others in graph().items()
        for other, _ in others
        if other.split(".")[0] == "cli" and own.split(".")[0] not in ("cli", "__main__")
    }
    assert users == set()


def test_no_module_is_called_model() -> None:
    assert [name for name in MODULES if name.split(".")[-1] == "model" and MODULES[name].name == "model.py"] == []


def test_wrong_imports_are_found() -> None:
    tree = ast.parse(
        "import os\nimport dragoman\nfrom dragoman import _core\nfrom dragoman.model.directory import ModelDirectory\n"
        "if TYPE_CHECKING:\n    from dragoman.serve import run\n"
        "class A:\n    def f(self):\n        from dragoman.cli.lm import read_lines\n"
    )
    assert set(imports_of(tree)) == {
        ("", False),
        ("_core", False),
        ("model.directory", False),
        ("serve.run", False),
        ("cli.lm", True),
    }
    assert place("model.directory") < place("index.build") < place("model.opened") < place("translator")
