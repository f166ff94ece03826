"""Training and translating on a cluster: the bytes of one process, also when a worker is killed in every stage."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dragoman
from dragoman.cli.main import run
from dragoman.cluster.workers import ClusterPlace
from dragoman.errors import ConfigError
from tests.unit.batch.test_batch import sentences
from tests.unit.cluster.invented_text import write_pairs
from tests.unit.cluster.local_cluster import distributed, local_cluster
from tests.unit.translate.support import make_model

# By stage, the piece at which a worker is killed.
KILLS = {"prepare": 1, "tokenize": 2, "align": 5, "tune": 3, "evaluate": 2}


def train(folder: Path, name: str, dev: str, rounds: int, **more: Any) -> dict[str, bytes]:
    """The files of a model."""
    out = folder / f"{name}.model"
    dragoman.train(
        source=folder / "train.fr",
        target=folder / "train.en",
        source_lang="fr",
        target_lang="en",
        language_models="ngram",
        force=True,
        threads=1,
        out=out,
        stages={
            "split": {"dev": dev, "test": dev},
            "tune": {"rounds": rounds},
            "clean": {"drop_wrong_language": False},
            "decode": {"decoder": "phrase-based", "pop_limit": 20},
        },
        **more,
    )
    return {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    ("pairs", "workers", "dev", "rounds", "kills"),
    [
        (330, 2, "100", 1, {"tune": 4}),
        pytest.param(13000, 3, "100", 2, KILLS, marks=pytest.mark.slow),
    ],
)
def test_a_model_is_the_same_bytes(
    tmp_path: Path, pairs: int, workers: int, dev: str, rounds: int, kills: dict[str, int]
) -> None:
    write_pairs(tmp_path, pairs)
    alone = train(tmp_path, "alone", dev, rounds)
    with local_cluster(workers, kills) as (address, killer), distributed.Client(address) as client:
        together = train(tmp_path, "together", dev, rounds, cluster=client)
    assert sorted(killer.killed) == sorted(kills)
    assert together.keys() == alone.keys()
    assert [name for name in alone if alone[name] != together[name]] == []
    for name in ("translations", "weights.txt", "links.bin"):
        one, other = (sorted((tmp_path / f"{each}.model.work").rglob(name)) for each in ("alone", "together"))
        assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other] != []


@pytest.mark.parametrize("shared", [[], ["--cluster-shared"]])
def test_a_batch_is_the_same_bytes(tmp_path: Path, shared: list[str]) -> None:
    model = make_model(tmp_path / "fr-en.model")
    with dragoman.Translator.load(model) as translator:
        translator.add("une maison zorglub", "a snark house", links="0-0 1-2 2-1")
    text = tmp_path / "text"
    text.write_bytes(sentences(200))
    assert run(["translate", "-m", str(model), str(text), "-o", str(tmp_path / "whole")]) == 0
    arguments = ["translate-batch", "-m", str(model), str(text), "--out", str(tmp_path / "out"), "--shard-lines", "5"]
    with local_cluster(2, {"batch": 7}) as (address, killer):
        assert run([*arguments, "--cluster", address, *shared]) == 0
    assert killer.killed == ["batch"]
    assert (tmp_path / "out" / "text").read_bytes() == (tmp_path / "whole").read_bytes()


def test_what_is_no_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dragoman.cluster.dask_workers.CONNECT_SECONDS", 1)
    model = make_model(tmp_path / "fr-en.model")
    (tmp_path / "text").write_text("la maison\n")
    arguments = ["translate-batch", "-m", str(model), str(tmp_path / "text"), "--out", str(tmp_path / "out")]
    assert run([*arguments, "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert "no Dask scheduler answers at" in capsys.readouterr().err
    assert run([*arguments, "--cluster", "scheduler"]) == 2
    assert run([*arguments, "--cluster", "tcp://127.0.0.1:9", "--shard", "1/2"]) == 2
    for wrong in (7, object(), "inproc://1/2/3"):
        with pytest.raises(ConfigError):
            ClusterPlace.of(wrong)
    assert ClusterPlace.of(None) is None


def test_nobody_else_loads_it() -> None:
    program = (
        "import sys, dragoman.cli.train, dragoman.cli.translate_batch, dragoman.pipeline.training;"
        "sys.exit([name for name in sys.modules if name.partition('.')[0] in ('dask', 'distributed', 'tornado')] != [])"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
