"""Models from strangers, with hashes made to fit: an answer or one sentence, never a crash, a hang or much memory.

The readers of the core are attacked by themselves, under sanitizers, in core/tests/fuzz.
"""

from __future__ import annotations

import json
import os
import random
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.fuzz.strange_models import make_model, mutated, use

SECONDS = 60
FILES = [
    "vocab.bin",
    "bitext.bin",
    "lexicon.bin",
    "frequent.bin",
    "sources.bin",
    "align.bin",
    "lm.bin",
    "nlm.bin",
    "source_nlm.bin",
    "model.json",
    "text.json",
    "confidence.json",
    "names.tsv",
    "glossary.tsv",
]


class Worker:
    """A process that uses models; another takes its place when it is gone."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def use(self, path: Path) -> list[str]:
        if self._process is None:
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            command = [sys.executable, "-m", "tests.fuzz.strange_models"]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], SECONDS)
        answer = self._process.stdout.readline() if ready else ""
        if answer:
            return list(json.loads(answer))
        code = self._process.poll() if ready else None
        self.close()
        return [f"the process ended with {code}" if ready else f"no answer within {SECONDS} seconds"]

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("strange") / "model")


def attack(model: Path, name: str, folder: Path, tries: int, first: int = 0) -> None:
    worker = Worker()
    try:
        for number in range(first, first + tries):
            changed = folder / "changed"
            mutated(model, name, changed, random.Random(f"{name} {number}"))
            kept = folder / "kept"
            shutil.copytree(changed, kept)
            findings = worker.use(changed)
            assert not findings, f"{name}, mutation {number}: {findings}; the model is {kept}"
            shutil.rmtree(changed)
            shutil.rmtree(kept)
    finally:
        worker.close()


def test_the_model_itself_is_used_without_findings(model: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(model, tmp_path / "copy")
    assert use(copy) == []
    assert set(FILES) - {"model.json"} <= {path.name for path in model.iterdir()}


@pytest.mark.parametrize("name", FILES)
def test_strange_files(model: Path, tmp_path: Path, name: str) -> None:
    attack(model, name, tmp_path, 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_many_strange_files(model: Path, tmp_path: Path, name: str) -> None:
    attack(model, name, tmp_path, 1000, first=1000)
