"""Names that C++ files of the core keep to themselves are unique in their folder, which is compiled as one file.

The compiler finds most clashes by itself. It cannot find an overload: a call that meant the function of its own file
may fit that of another one better.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"
FOLDERS = sorted({path.parent.name for path in CORE.glob("*/*.cpp")} - {"tests"})
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE)
TYPE = re.compile(r"(?:struct|class|enum class|enum|using) (\w+)")
FUNCTION = re.compile(r"[\w:<>,&* ]+[ &*](\w+)\(")
VARIABLE = re.compile(r"[^(={]* (\w+)(?:\[\w*\])* ?(?:=|\{|;)")


def private_names(text: str) -> Iterator[str]:
    """Of types, functions and variables; clang-format puts nothing else into the first column of a namespace."""
    for body in UNNAMED.findall(text):
        for line in body.splitlines():
            if re.match(r"[A-Za-z]", line) and not line.startswith(("template", "namespace", "using namespace")):
                found = TYPE.match(line) or FUNCTION.match(line) or VARIABLE.match(line)
                if found:
                    yield found[1]


@pytest.mark.parametrize("folder", FOLDERS)
def test_private_names_are_unique_in_a_folder(folder: str) -> None:
    files: dict[str, set[str]] = defaultdict(set)
    for path in (CORE / folder).glob("*.cpp"):
        if path.name != "kernels.cpp":  # compiled apart
            for name in private_names(path.read_text()):
                files[name].add(path.name)
    assert {name: sorted(where) for name, where in files.items() if len(where) > 1} == {}


def test_private_names_are_found() -> None:
    text = (
        "namespace {\n\nconstexpr size_t ahead = 8;\nconstexpr int table[] = {1};\nstruct Both {\n  int x;\n};\n"
        "template <class T>\nT* of(const std::vector<T>& values) {\n  return values.data();\n}\n"
        "enum class Kind { one };\nint Both::of() const { return x; }\n\n}  // namespace\nint outside() {}\n"
    )
    assert list(private_names(text)) == ["ahead", "table", "Both", "of", "Kind"]
