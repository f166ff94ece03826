"""What a user is told to type for a missing package works in the environment at hand."""

from __future__ import annotations

import shlex
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from dragoman import extras

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_the_command_names_this_python_and_the_packages(extra: str) -> None:
    command = shlex.split(extras.install_command(extra))
    assert command[:4] == [sys.executable, "-m", "pip", "install"]
    assert sorted(command[4:]) == sorted(PROJECT["optional-dependencies"][extra])


def test_a_source_tree_that_is_not_installed_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(extras.metadata, "requires", unknown)
    assert extras.install_command("serve").endswith(shlex.quote(f"{extras.CHECKOUT}[serve]"))
    assert (extras.CHECKOUT / "pyproject.toml").is_file()


def test_everything_a_plain_install_reads_is_a_plain_dependency() -> None:
    plain = {requirement.split(">")[0] for requirement in PROJECT["dependencies"]}
    assert {"lxml", "polib"} <= plain
