"""`make container`: the image of packaging/Containerfile, built and tried with podman.

No registry of images is needed: the base is a Debian root made here. The trial trains a model from the phrasebook with
the image itself, serves it as the image does of itself, with nothing writable, and asks it as a user's program would.
"""

from __future__ import annotations

import contextlib
import json
import resource
import shutil
import socket
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import debian_root
import make_wheel
from steps import BUILD, DIST, ROOT, FaultError, UnavailableError, attempt, finish, fresh, run, say, step

CONTEXT = BUILD / "container"
BASE = "debian-root"
# Podman's own choice of a runtime does not run on every kernel.
RUNTIMES: tuple[list[str], ...] = ([], ["--runtime", "runc"], ["--runtime", "crun"])
USER = "10001"
SENTENCE, TRANSLATION = "Où est la gare ?", "Where is the station?"
LESSON = ("Le brouillard se lève.", "The fog is lifting.")
HEALTHY_SECONDS = 120
# Files and processes.
ENOUGH = 4096


class Podman:
    """Podman as it works on this machine."""

    def __init__(self, image: str) -> None:
        self.runtime: list[str] = []
        reasons = []
        for self.runtime in RUNTIMES:
            tried = attempt(self.command("run", "--rm", *limits(), *published(), image, "true"))
            if tried.returncode == 0:
                return
            reasons.append(tried.stderr.strip().splitlines()[-1])
        raise UnavailableError(f"podman can run no container on this machine: {'; '.join(reasons)}")

    def command(self, *words: str | Path) -> list[str | Path]:
        return ["podman", *self.runtime, *words]

    def run(self, *words: str | Path) -> str:
        return run(self.command(*words)).strip()


def main() -> None:
    if shutil.which("podman") is None:
        raise UnavailableError("podman is not here: apt-get install podman runc")
    prepare_context()
    podman, image = build_image()
    with trained(podman, image) as model:
        with step("The image at work, with nothing that can be written to", counted=False):
            try_serving(podman, image, model)
        with step("Lessons", counted=False):
            try_teaching(podman, image, model)
    size = int(podman.run("image", "inspect", "--format", "{{.Size}}", image))
    say(f"{image}: {size / 1e6:.0f} MB, of which the Debian root {(CONTEXT / 'root.tar').stat().st_size / 1e6:.0f} MB")


def prepare_context() -> None:
    """A folder with the Debian root and the wheels."""
    wheel = current_wheel()
    fresh(CONTEXT)
    with step("Wheels that servers and workers need"):
        tools = BUILD / "tools" / "bin"
        wanted = [*debian_root.requirements("serve", "corrections", "cluster"), "pip"]
        debian_root.fetch_wheels([tools / "python", "-m", "pip"], wanted, CONTEXT / "wheels")
        shutil.copy(wheel, CONTEXT / "wheels")
        say(f"   {len(list((CONTEXT / 'wheels').iterdir()))} wheels")
    with step(f"A root of Debian {debian_root.RELEASE} with Python"):
        debian_root.write_root(["libstdc++6", "python3"], CONTEXT / "root.tar")


def current_wheel() -> Path:
    """The wheel for the image's Python, built anew unless it is newer than everything it is made of."""
    sources = [
        ROOT / "pyproject.toml",
        ROOT / "CMakeLists.txt",
        *(ROOT / "core").rglob("*"),
        *(ROOT / "src").rglob("*.*"),
    ]
    newest = max(file.stat().st_mtime for file in sources if file.is_file() and file.suffix not in (".pyc", ".so"))
    for wheel in DIST.glob("dragoman-*-abi3-*.whl"):
        if wheel.stat().st_mtime > newest:
            return wheel
    tools = make_wheel.make_tools()
    return make_wheel.make_stable_wheel(tools, make_wheel.build_sdist(tools))


def build_image() -> tuple[Podman, str]:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    image = f"dragoman:{version}"
    file = ROOT / "packaging" / "Containerfile"
    # Health checks are not in the format that podman prefers.
    options: list[str | Path] = ["--quiet", "--format", "docker", "--file", file, "--build-arg", f"BASE={BASE}"]
    with step(f"Image {image}"):
        attempt(["podman", "rmi", image])
        run(["podman", "build", *options, "--target", BASE, "--tag", BASE, CONTEXT])
        podman = Podman(BASE)
        podman.run("build", *options, *limits(), "--tag", image, CONTEXT)
        # Its name alone: the image goes on to use what it is made of.
        podman.run("rmi", BASE)
    return podman, image


def limits() -> list[str]:
    """What a server needs, and no more than this process may have: podman asks for a million of each of its own, which
    not everybody is allowed."""
    words = []
    for name, number in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC)):
        _, most = resource.getrlimit(number)
        wanted = ENOUGH if most == resource.RLIM_INFINITY else min(ENOUGH, most)
        words += ["--ulimit", f"{name}={wanted}:{wanted}"]
    return words


def published(port: int = 0) -> list[str]:
    return ["--publish", f"127.0.0.1:{port or free_port()}:5000"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def trained(podman: Podman, image: str) -> Iterator[Path]:
    """A model trained with the image from the phrasebook. The image's user owns it, who is nobody here, and removes it
    in the end: whoever runs podman without being root may not."""
    folder = fresh(BUILD / "model")
    folder.chmod(0o777)
    phrasebook = ROOT / "examples" / "demo" / "phrasebook.tsv"
    apart = ["run", "--rm", *limits(), "--network", "none", "--read-only", "--volume", f"{folder}:/out"]
    try:
        with step("A model trained with the image", counted=False):
            podman.run(
                *apart, "--volume", f"{phrasebook}:/phrasebook.tsv:ro", image,
                "train", "/phrasebook.tsv", "--source-lang", "fr", "--target-lang", "en", "--out", "/out/fr-en.model",
            )  # fmt: skip
        yield folder / "fr-en.model"
    finally:
        attempt(podman.command(*apart, "--entrypoint", "rm", image, "-rf", "/out/fr-en.model"))


@contextlib.contextmanager
def serving(podman: Podman, image: str, mount: str, *arguments: str) -> Iterator[tuple[str, str]]:
    """A container that serves, and its address; it must end in order when it is told to."""
    port = free_port()
    name = podman.run(
        "run", "--detach", *limits(), *published(port), "--read-only", "--volume", mount, image, *arguments
    )  # fmt: skip
    try:
        wait_until_healthy(podman, name)
        yield name, f"http://127.0.0.1:{port}"
        podman.run("stop", "--time", "60", name)
        code = podman.run("container", "inspect", "--format", "{{.State.ExitCode}}", name)
        log = attempt(podman.command("logs", name)).stderr.splitlines()
        if code != "0" or json.loads(log[-1])["event"] != "stopped":
            raise FaultError(f"the server did not stop in order: exit code {code}, {log[-1:]}")
    finally:
        attempt(podman.command("rm", "--force", name))


def wait_until_healthy(podman: Podman, name: str) -> None:
    """Asks as the image says, and does not wait for a clock: podman's is systemd's, which is not everywhere."""
    end = time.monotonic() + HEALTHY_SECONDS
    while attempt(podman.command("healthcheck", "run", name)).returncode:
        running = podman.run("container", "inspect", "--format", "{{.State.Running}}", name) == "true"
        if not running or time.monotonic() > end:
            raise FaultError(f"the server is not healthy:\n{attempt(podman.command('logs', name)).stderr}")
        time.sleep(1)


def ask(url: str, body: dict[str, str]) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def translate(url: str, text: str) -> str:
    status, answer = ask(f"{url}/translate", {"q": text, "source": "fr", "target": "en"})
    if status != 200:
        raise FaultError(f"/translate answered {status}: {answer}")
    return str(answer["translatedText"])


def teach(url: str) -> tuple[int, dict[str, Any]]:
    return ask(f"{url}/suggest", {"q": LESSON[0], "s": LESSON[1], "source": "fr", "target": "en"})


def try_serving(podman: Podman, image: str, model: Path) -> None:
    with serving(podman, image, f"{model}:/model:ro") as (name, url):
        said = translate(url, SENTENCE)
        if said != TRANSLATION:
            raise FaultError(f"“{SENTENCE}” became “{said}” and not “{TRANSLATION}”")
        say(f"   {SENTENCE} → {said}")
        user = podman.run("exec", name, "python3", "-c", "import os; print(os.stat('/proc/1').st_uid)")
        if user != USER:
            raise FaultError(f"the server runs as user {user} and not as {USER}")
        absent(podman, name, ["cc", "g++", "pip", "apt-get"])
        status, answer = teach(url)
        if status != 403:
            raise FaultError(f"whoever comes without a key could teach: {status} {answer}")
    say(f"   user {USER}, no compiler, no pip; stopped in order")


def absent(podman: Podman, name: str, programs: Sequence[str]) -> None:
    code = "import shutil, sys; print(*filter(shutil.which, sys.argv[1:]))"
    if found := podman.run("exec", name, "python3", "-c", code, *programs):
        raise FaultError(f"the image has what it should not: {found}")


def try_teaching(podman: Podman, image: str, model: Path) -> None:
    """A model that is mounted read-only says that it cannot learn; one that can be written to learns."""
    command = ("serve", "--host", "0.0.0.0", "--model", "/model", "--anonymous", "teach")
    with serving(podman, image, f"{model}:/model:ro", *command) as (_, url):
        status, answer = teach(url)
        if status == 200 or "Read-only" not in answer["error"]:
            raise FaultError(f"a lesson that could not be kept was answered with {status} {answer}")
        say(f"   mounted read-only: {status}, {answer['error']}")
        translate(url, SENTENCE)
    with serving(podman, image, f"{model}:/model", *command) as (_, url):
        status, answer = teach(url)
        said = translate(url, LESSON[0])
        if status != 200 or said != LESSON[1]:
            raise FaultError(f"a lesson was answered with {status} {answer}, and “{LESSON[0]}” is now “{said}”")
        say(f"   mounted to be written to: {LESSON[0]} → {said}")


if __name__ == "__main__":
    finish(main)
