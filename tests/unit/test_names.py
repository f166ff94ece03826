"""A name says which: words that fit everything are no names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
EMPTY = re.compile(r"\b(?:made|each|found)\b")
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def names_of_the_package() -> Iterator[tuple[Path, str]]:
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    yield path, name
                case ast.Attribute(attr=name):
                    yield path, name


def test_the_core() -> None:
    files = [path for path in sorted((ROOT / "core").rglob("*")) if path.suffix in (".h", ".cpp", ".inc")]
    assert len(files) > 300
    empty = {path.name for path in files if EMPTY.search(COMMENT_OR_TEXT.sub("", path.read_text(encoding="utf-8")))}
    assert not empty


def test_the_package() -> None:
    names = list(names_of_the_package())
    assert len(names) > 10_000
    assert not {f"{path.name}: {name}" for path, name in names if EMPTY.fullmatch(name)}
