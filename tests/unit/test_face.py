"""What `import dragoman` gives: the few names people need, with signatures that can be read, and nothing heavy."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dragoman
from dragoman.config import TrainOptions
from dragoman.errors import ConfigError
from dragoman.pipeline.job import make_job

FACE = {
    "ConfigError",
    "DragomanError",
    "Explanation",
    "FormatError",
    "InputError",
    "Translation",
    "Translator",
    "__version__",
    "estimate",
    "train",
}
# What no process that translates may load, and what is loaded when it is needed.
HEAVY = ("torch", "numpy", "lxml", "polib", "rich", "click", "dragoman._core", "dragoman.pipeline", "dragoman.config")


def parameters(function: Any) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(function).parameters)


def test_the_names() -> None:
    assert set(dir(dragoman)) == set(dragoman.__all__) == FACE
    for name in FACE:
        assert getattr(dragoman, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'trian'"):
        dragoman.trian  # type: ignore[attr-defined] # noqa: B018
    assert set(dir(dragoman)) == FACE


def test_importing_costs_nothing() -> None:
    program = f"import sys, dragoman; dir(dragoman); print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
    program = f"import sys, dragoman; dragoman.Translator; print([name for name in {HEAVY[:6]} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"


def test_signatures_are_those_of_what_is_called() -> None:
    options = {entry.name: entry.default for entry in dataclasses.fields(TrainOptions)}
    called = parameters(make_job)
    del called["options"]
    for function, more in (
        (dragoman.train, {"listener", "cluster", "cluster_shared"}),
        (dragoman.estimate, set[str]()),
    ):
        own = parameters(function)
        assert set(own) == set(options) | set(called) | more
        assert {name: own[name].default for name in options} == options
        assert all(each.kind is not inspect.Parameter.VAR_KEYWORD for each in own.values())
        assert inspect.getdoc(function)
    assert list(parameters(dragoman.Translator.load)) == [
        "path",
        "weights",
        "matching",
        "trust",
        "correction_weight",
        "private",
        "grammar",
        "follow_weights",
        "corrections",
        "memories",
    ]
    explain = ["self", "text", "options", "sources", "matches", "glossary", "memories"]
    assert list(parameters(dragoman.Translator.explain)) == explain
    for name in ("load", "translate", "explain", "why", "add", "remove", "close"):
        assert inspect.getdoc(getattr(dragoman.Translator, name))


@pytest.mark.parametrize("function", [dragoman.train, dragoman.estimate])
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"inputs": 5}, "inputs must be a path or a list of paths, not int"),
        ({"inputs": ["x.tmx", None]}, r"inputs\[1\] must be a path, not NoneType"),
        ({"inputs": b"x.tmx"}, "inputs must be a path or a list of paths, not bytes"),
        ({"source": "a", "target": {"b": 1}}, "target must be a path or a list of paths, not dict"),
        ({"dev_source": ["a"]}, "dev_source must be a path, not list"),
        ({"out": 3}, "out must be a path, not int"),
        ({"source_lang": 7}, "source_lang must be a string, not int"),
        ({"threads": "4"}, "threads must be a whole number, not str"),
        ({"threads": True}, "threads must be a whole number, not bool"),
        ({"threads": -1}, "threads must be from 0"),
        ({"overwrite": "no"}, "overwrite must be True or False, not str"),
        ({"stages": {"align": "hmm"}}, "stages must be a mapping"),
        ({"stages": {"align": {"modle": "hmm"}}}, r"align\.modle is not an option"),
        ({"memory": ["5"]}, r"train\.memory must be text"),
        ({"tune": 3}, r"train\.tune must be true or false"),
    ],
)
def test_arguments_of_another_kind_are_refused_by_name(
    function: Any, arguments: dict[str, Any], says: str, tmp_path: Path
) -> None:
    (tmp_path / "x.tsv").write_text("La maison.\tThe house.\n")
    given = {"source_lang": "fr", "target_lang": "en", "out": tmp_path / "m", **arguments}
    inputs = given.pop("inputs", str(tmp_path / "x.tsv"))
    with pytest.raises(ConfigError, match=says):
        function(inputs, **given)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.tsv"]


def test_a_misspelt_argument_is_named() -> None:
    with pytest.raises(ConfigError, match="training has no argument sorce; did you mean source"):
        dragoman.train(sorce="x", source_lang="fr", target_lang="en", out="m")  # type: ignore[call-arg]


def test_one_file_or_a_list_of_them(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("".join(f"La maison {n} est bleue.\tThe house {n} is blue.\n" for n in range(200)))
    ways: list[Any] = [[str(path)], [path], [[str(path)]], [(path,)], [path, [path]]]
    for inputs in ways:
        assert dragoman.estimate(*inputs, source_lang="fr", target_lang="en", threads=1)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x.tsv"]
