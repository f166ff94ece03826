"""The source distribution: all that building and testing needs, and nothing that lies about in a checkout."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Folders that go into it whole.
WHOLE = ("benchmarks", "core", "docs", "packaging", "src", "tests", "tools")
SINGLE = {"CHANGELOG.md", "CMakeLists.txt", "LICENSE", "Makefile", "PKG-INFO", "README.md", "pyproject.toml"}
# What tools leave behind, and what is made from the sources.
LEFT = {"__pycache__", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
MADE = {".so", ".pyc", ".pyo"}
NEVER = {".ci", ".git", ".venv", "build", "data", "dist", "shared"}


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    pytest.importorskip(
        "scikit_build_core", reason="the builder is not in this environment: pip install scikit-build-core"
    )
    folder = tmp_path_factory.mktemp("sdist")
    code = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, folder], cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.iterdir()
    with tarfile.open(file) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_it_has_every_file_of_the_folders_that_make_the_project(names: set[str]) -> None:
    wanted = {
        file.relative_to(ROOT).as_posix()
        for folder in WHOLE
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and not LEFT & set(file.parts) and file.suffix not in MADE
    }
    assert {name for name in names if name.startswith(tuple(f"{folder}/" for folder in WHOLE))} == wanted
    assert names >= SINGLE


def test_it_has_nothing_that_lies_about(names: set[str]) -> None:
    assert not {name for name in names if name.split("/")[0] in NEVER}
    assert not {name for name in names if LEFT & set(name.split("/")) or Path(name).suffix in MADE}
