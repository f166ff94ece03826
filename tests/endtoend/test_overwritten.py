"""A model's files are overwritten, cut off and restored under a running server: it goes on, and every answer is that of
a whole model."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.translator import Translator
from tests.endtoend.overwriting import LINE, Readers, copy_over, rounds, three_models
from tests.endtoend.test_serve import ask, program
from tests.unit.serve.client import client_at

ROUNDS = 60


@pytest.fixture
def models(tmp_path: Path) -> tuple[Path, Path, Path]:
    return three_models(tmp_path)


def wait_for(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def test_overwritten_files_do_not_hurt_a_server(models: tuple[Path, Path, Path], tmp_path: Path) -> None:
    live, old, new = models
    texts = {str(Translator.load(model).translate(LINE)) for model in (old, new)}
    assert len(texts) == 2
    with program(live, tmp_path / "log") as (process, url):
        readers = Readers(client_at(url), texts)
        with readers.reading():
            for round_number in rounds(ROUNDS, models, random.Random(5), readers):
                assert process.poll() is None, f"the server died in round {round_number}"
                assert not readers.wrong
            # What does not fit together is looked at when it has rested, and left alone.
            (live / "bitext.bin").write_bytes(b"damaged")
            assert wait_for(lambda: "not reopened" in (tmp_path / "log").read_text())
            # What `cp new/* live.model/` is meant to do comes about.
            for model in (new, old, new):
                copy_over(model, live)
                wanted = str(Translator.load(model).translate(LINE))
                assert wait_for(
                    lambda wanted=wanted: (  # type: ignore[misc]
                        json.loads(ask(url, "translate", {"q": LINE, "source": "fr", "target": "en"}))["translatedText"]
                        == wanted
                    )
                )
        assert not readers.wrong
        assert set(readers.counts) == {"200"}
        process.terminate()
        assert process.wait(30) == 0
    assert not list(tmp_path.glob(".*"))


def test_nothing_is_taught_to_files_that_are_not_those_that_were_opened(
    models: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    live, old, _ = models

    def suggest(url: str) -> int:
        return client_at(url).post("/suggest", q="un truc", s="a gizmo", source="fr", target="en").status

    with program(live, tmp_path / "log") as (_, url):
        os.truncate(live / "bitext.bin", 1000)
        assert suggest(url) == 503
        assert not (live / "overlay" / "log").exists()
        copy_over(old, live)
        assert suggest(url) == 200
        assert "a gizmo" in ask(url, "translate", {"q": "un truc", "source": "fr", "target": "en"}).lower()
    assert str(Translator.load(live).translate("un truc")).lower() == "a gizmo"
