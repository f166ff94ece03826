"""Connections to a cluster: each opens models anew and leaves nothing behind, and TLS is the client's own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dragoman.child.typed_json import as_json, from_json
from dragoman.cli.main import run
from dragoman.cluster import worker_models
from dragoman.cluster.dask_workers import DaskWorkers, ModelFiles
from dragoman.cluster.worker_models import opened_model
from dragoman.cluster.workers import ClusterPlace, ModelPlace
from dragoman.errors import ConfigError, DragomanError
from dragoman.learn.compaction import compact
from dragoman.translator import Translator
from tests.unit.cluster.local_cluster import distributed, local_cluster
from tests.unit.learn.support import make_model

SENTENCE = "Le zorglub dort."


def test_workers_see_what_a_model_learned(tmp_path: Path) -> None:
    """Between two batches of the same workers."""
    model = make_model(tmp_path / "fr-en.model")
    (tmp_path / "text").write_text(f"{SENTENCE}\n")

    def batch(name: str) -> str:
        words = ["translate-batch", "-m", str(model), str(tmp_path / "text"), "--out", str(tmp_path / name)]
        assert run([*words, "--cluster", address, "--cluster-shared"]) == 0
        return (tmp_path / name / "text").read_text()

    with local_cluster(1) as (address, _):
        before = batch("before")
        with Translator.load(model) as translator:
            translator.add(SENTENCE, "The snark sleeps.")
        assert batch("added") == "The snark sleeps.\n" != before
        compact(model)
        assert batch("compacted") == "The snark sleeps.\n"


def test_few_models_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_models, "_opened", {})
    model = make_model(tmp_path / "fr-en.model")
    places = [ModelPlace(f"{number}-{model.name}", str(model)) for number in range(5)]
    opened = [opened_model(place) for place in places]
    assert len({id(one) for one in opened}) == 5
    assert opened_model(places[-1]) is opened[-1]
    assert len(worker_models._opened) == worker_models.KEPT


class FullDisk(ModelFiles):
    """Files of which the second does not fit."""

    def setup(self, worker: Any) -> None:
        # A name that is a folder already cannot be written, whoever tries.
        self.files = {"first": b"1", "second/file": b"2", "second": b"3"}
        super().setup(worker)


def test_a_worker_whose_disk_is_full(tmp_path: Path) -> None:
    worker = SimpleNamespace(address="tcp://worker:1", local_directory=str(tmp_path))
    with pytest.raises(DragomanError, match=r"worker tcp://worker:1 cannot keep the model .*make room"):
        FullDisk("model", {}).setup(worker)
    assert list(tmp_path.iterdir()) == []


def test_what_failed_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on workers that had room for it."""
    (tmp_path / "fr-en.model").mkdir()
    with local_cluster(1) as (address, killer):
        plugins = killer.scheduler.worker_plugins
        before = dict(plugins)
        with DaskWorkers(ClusterPlace(address), "test") as workers:
            with monkeypatch.context() as patch:
                patch.setattr("dragoman.cluster.dask_workers.ModelFiles", FullDisk)
                with pytest.raises(DragomanError, match=r"worker tcp://.* cannot keep the model"):
                    workers.place(tmp_path / "fr-en.model")
            assert plugins.keys() > before.keys()
        assert plugins.keys() == before.keys()


def test_the_scheduler_may_not_know_a_plugin(tmp_path: Path) -> None:
    """One that could not even be sent does not keep the others from being taken back."""
    (tmp_path / "fr-en.model").mkdir()
    with local_cluster(1) as (address, killer):
        before = set(killer.scheduler.worker_plugins)
        with DaskWorkers(ClusterPlace(address), "test") as workers:
            workers._plugins.append("unknown")
            workers.place(tmp_path / "fr-en.model")
        assert set(killer.scheduler.worker_plugins) == before


def test_shared_folders_of_no_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = make_model(tmp_path / "fr-en.model")
    (tmp_path / "text").write_text(f"{SENTENCE}\n")
    words = ["translate-batch", "-m", str(model), str(tmp_path / "text"), "--out", str(tmp_path / "out")]
    assert run([*words, "--cluster-shared"]) == 2
    assert "name its scheduler with --cluster" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    for nobody in (None, ""):
        with pytest.raises(ConfigError, match="--cluster"):
            ClusterPlace.of(nobody, shared=True)


@pytest.fixture
def security(tmp_path: Path) -> Any:
    """With a certificate of this test's own, for everybody."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not here; apt-get install openssl")
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    subprocess.run([openssl, *words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    roles: dict[str, str] = {}
    for role in ("client", "scheduler", "worker"):
        roles |= {f"tls_{role}_key": key, f"tls_{role}_cert": certificate}
    return distributed.Security(tls_ca_file=certificate, require_encryption=True, **roles)


def test_tls_is_that_of_the_client(security: Any) -> None:
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50, security=security
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        place = ClusterPlace.of(client)
        assert place is not None and place.address.startswith("tls://")
        # Stages of a training run in processes of their own.
        assert from_json(ClusterPlace, as_json(place)) == place
        with DaskWorkers(place, "test") as workers:
            assert list(workers.map(abs, [-1, -2])) == [(-1, 1), (-2, 2)]
        with pytest.raises(ConfigError, match="without certificates"):
            DaskWorkers(ClusterPlace(place.address), "test")
