"""Files that deploy Dragoman: they fit their schemas, and their commands do what the pages say."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from dragoman.cli.main import run
from tests.unit.learn.postgres import postgres_server
from tests.unit.learn.support import make_model
from tests.unit.serve.client import Client

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
COMPOSE = yaml.safe_load((PACKAGING / "compose.yaml").read_text())
MANIFESTS = [
    manifest
    for path in sorted((PACKAGING / "kubernetes").glob("*.yaml"))
    for manifest in yaml.safe_load_all(path.read_text())
]
FR_EN = {"source": "fr", "target": "en"}
KEY = {"Authorization": "Bearer a long secret"}


def containers() -> list[dict[str, Any]]:
    deployments = [manifest for manifest in MANIFESTS if manifest["kind"] == "Deployment"]
    return [each for manifest in deployments for each in manifest["spec"]["template"]["spec"]["containers"]]


@pytest.mark.parametrize(
    "manifest", MANIFESTS, ids=lambda manifest: f"{manifest['kind']} {manifest['metadata']['name']}"
)
def test_manifests_fit_their_schemas(manifest: dict[str, Any]) -> None:
    validator = pytest.importorskip("kubernetes_validate")
    validator.validate(manifest, validator.latest_version(), strict=True)


def test_images_are_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    images = [service["image"] for service in COMPOSE["services"].values()]
    ours = [image for image in images if image.startswith("dragoman:")]
    assert ours == [f"dragoman:${{DRAGOMAN_VERSION:-{version}}}"] * 3
    assert {container["image"] for container in containers()} == {f"dragoman:{version}"}


def test_both_say_the_same() -> None:
    compose = {
        name: [*service.get("entrypoint", []), *service.get("command", [])]
        for name, service in COMPOSE["services"].items()
    }
    kubernetes = {each["name"]: [*each.get("command", []), *each.get("args", [])] for each in containers()}
    places = {"/keys/keys.toml": "/keys.toml", "tcp://dragoman-scheduler:8786": "tcp://scheduler:8786"}
    for name, words in kubernetes.items():
        assert [places.get(word, word) for word in words] == compose[name]


def test_nobody_else_reaches_a_cluster() -> None:
    """Who does can run anything on its workers."""
    services = COMPOSE["services"]
    inside = {name for name, service in services.items() if "cluster" in service.get("profiles", [])}
    assert inside == {"scheduler", "worker"}
    assert {name for name, service in services.items() if "cluster" in service.get("networks", [])} == inside
    assert all(services[name]["networks"] == ["cluster"] for name in inside)
    assert "cluster" in COMPOSE["networks"]
    assert all(port.startswith("127.0.0.1:") for name in inside for port in services[name].get("ports", []))

    policies = [manifest["spec"] for manifest in MANIFESTS if manifest["kind"] == "NetworkPolicy"]
    pods = [manifest["spec"]["template"] for manifest in MANIFESTS if manifest["kind"] == "Deployment"]
    dask = [pod for pod in pods if pod["spec"]["containers"][0].get("command", [""])[0] == "dask"]
    assert len(dask) == 2
    for pod in dask:
        policy = next(policy for policy in policies if covers(policy["podSelector"], pod))
        assert policy["policyTypes"] == ["Ingress"]
        senders = [sender["podSelector"] for rule in policy["ingress"] for sender in rule["from"]]
        assert senders != []
        for sender in senders:
            assert [other for other in pods if covers(sender, other)] == dask


def covers(selector: dict[str, Any], pod: dict[str, Any]) -> bool:
    return bool(selector["matchLabels"].items() <= pod["metadata"]["labels"].items())


def test_the_proxy_is_set_up_well() -> None:
    haproxy = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if haproxy is None:
        pytest.skip("haproxy is not here; apt-get install haproxy")
    subprocess.run([haproxy, "-c", "-f", str(PACKAGING / "haproxy.cfg")], check=True, capture_output=True)


@contextlib.contextmanager
def started(words: list[str], **environment: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def replica(process: subprocess.Popen[str]) -> Client:
    assert process.stdout is not None
    address = re.search(r"http://([\d.]+):(\d+)/", process.stdout.readline())
    assert address is not None
    return Client(address[1], int(address[2]))


def test_replicas_as_they_are_deployed(tmp_path: Path) -> None:
    """With the commands of the services, on this machine."""
    model = make_model(tmp_path / "fr-en.model")
    (tmp_path / "keys.toml").write_text('[[key]]\nname = "a"\nkey = "a long secret"\nrights = ["translate", "teach"]\n')
    here = {"0.0.0.0": "127.0.0.1", "/model": str(model), "/keys.toml": str(tmp_path / "keys.toml")}
    words = ["dragoman", *(here.get(word, word) for word in COMPOSE["services"]["server"]["command"]), "--port", "0"]
    with postgres_server() as database, contextlib.ExitStack() as stack:
        name = "DRAGOMAN_CORRECTIONS"
        assert COMPOSE["services"]["server"]["environment"][name].startswith("postgresql://dragoman@")
        processes = [stack.enter_context(started(words, **{name: database.url})) for _ in range(2)]
        one, other = map(replica, processes)
        assert one.get("/health").status == 200
        taught = one.post("/suggest", KEY, q="Le zorglub dort.", s="The snark sleeps.", **FR_EN)
        assert taught.status == 200
        for _ in range(300):
            if (
                other.post("/translate", KEY, q="Le zorglub dort.", **FR_EN).json["translatedText"]
                == "The snark sleeps."
            ):
                return
            time.sleep(0.1)
        pytest.fail("the other replica does not know")


def test_a_cluster_as_it_is_deployed(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    model = make_model(tmp_path / "fr-en.model")
    (tmp_path / "text").write_text("Le chat dort.\n" * 10)
    told = tmp_path / "scheduler.json"
    scheduler, worker = (COMPOSE["services"][name] for name in ("scheduler", "worker"))
    here = {"0.0.0.0": "127.0.0.1", "8786": "0"}
    words = [here.get(word, word) for word in [*scheduler["entrypoint"], *scheduler["command"]]]
    with started([*words, "--scheduler-file", str(told)]):
        for _ in range(600):
            with contextlib.suppress(OSError, ValueError):
                address = json.loads(told.read_text())["address"]
                break
            time.sleep(0.05)
        here["tcp://scheduler:8786"] = address
        words = [here.get(word, word) for word in [*worker["entrypoint"], *worker["command"]]]
        with started(words):
            batch = ["translate-batch", "-m", str(model), str(tmp_path / "text"), "--out", str(tmp_path / "out")]
            assert run([*batch, "--cluster", address]) == 0
    assert (tmp_path / "out" / "text").read_text() == "The cat sleeps.\n" * 10
