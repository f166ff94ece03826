"""`dragoman estimate` says no exactly where `dragoman train` would, in the same words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dragoman.errors import ConfigError
from dragoman.pipeline.budget import needed_memory
from dragoman.pipeline.forecast import estimate_job
from dragoman.pipeline.job import make_job
from dragoman.pipeline.runner import Silence
from dragoman.pipeline.training import train_job
from examples.demo.phrasebook import phrasebook_path

GIVEN = {"source_lang": "fr", "target_lang": "en", "language_models": "ngram", "tune": False, "threads": 1}
# What was read, counted or foretold; the rest of a sentence is the same.
NUMBER = re.compile(r"\d[\d,.]*")


class TrainedEnoughError(Exception):
    """Nothing is refused after the last plan: what comes then need not be waited for."""


class Impatient(Silence):
    def stage(self, stage):  # type: ignore[no-untyped-def]
        if stage.name == "lm":
            raise TrainedEnoughError
        return super().stage(stage)


def foretold(options: dict[str, object]) -> str | None:
    estimate = estimate_job(make_job(phrasebook_path(), out="model", **GIVEN, **options))  # type: ignore[arg-type]
    assert (estimate.as_json()["refusal"] is None) == (estimate.refusal is None)
    return str(estimate.refusal) if estimate.refusal else None


def real(options: dict[str, object], folder: Path) -> str | None:
    """What training says, in a work folder where the stages before are done already."""
    job = make_job(phrasebook_path(), out=folder / "model", work=folder / "work", **GIVEN, **options)  # type: ignore[arg-type]
    try:
        train_job(job, Impatient())
    except ConfigError as error:
        return str(error)
    except TrainedEnoughError:
        return None
    raise AssertionError("no language model was wanted")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("estimate")


# The model takes at least 233 kB on disk, or 195 without its sources; its index and the least language model 84 kB of
# memory.
@pytest.mark.parametrize(
    "options",
    [
        *({"disk": f"{size}kB"} for size in (10, 50, 100, 187, 205, 250, 400)),
        *({"disk": f"{size}kB", "keep_sources": False} for size in (150, 170, 190, 230)),
        *({"memory": str(needed_memory(mapped, "hierarchical"))} for mapped in (0, 40_000, 70_000, 95_000, 10**6)),
        *({"memory": str(needed_memory(mapped, "hierarchical")), "fit": True} for mapped in (0, 40_000, 60_000, 10**6)),
        {"memory": "1MB"},
        {"memory": "1MB", "fit": True},
        {"memory": "1GB", "disk": "1GB"},
    ],
    ids=str,
)
def test_estimate_refuses_where_train_does(options: dict[str, object], folder: Path) -> None:
    said, says = foretold(options), real(options, folder)
    assert (said is None) == (says is None), (said, says)
    if said is not None and says is not None:
        assert NUMBER.sub("0", said) == NUMBER.sub("0", says)
        for ours, theirs in zip(NUMBER.findall(said), NUMBER.findall(says), strict=True):
            assert float(ours.strip(".,").replace(",", "")) == pytest.approx(
                float(theirs.strip(".,").replace(",", "")), rel=0.1
            )
