"""Sees to it that PyTorch, which trains neural language models on GPUs, is in this environment, if it is wanted.

`python tools/get_torch.py auto|1|0` exits with 0 where PyTorch is there afterwards and with 1 where it is not. With
`auto` it is installed only where that brings no packages for GPUs, which take gigabytes; what would be installed, and
how large that is, is said first.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
# Names of packages that hold code for GPUs.
FOR_GPUS = re.compile(r"nvidia|cuda|triton|rocm", re.IGNORECASE)
RESOLVE_SECONDS = 900
INSTALL_SECONDS = 1800
SIZE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Package:
    """A package that pip would install; its bytes are 0 where nobody tells."""

    name: str
    bytes: int

    @property
    def for_gpus(self) -> bool:
        return FOR_GPUS.search(self.name) is not None


class PipError(Exception):
    """pip could not do it; the message says why."""


def requirements() -> list[str]:
    """What the extra `neural` asks for."""
    with PROJECT.open("rb") as stream:
        return list(tomllib.load(stream)["project"]["optional-dependencies"]["neural"])


def pip(arguments: list[str], seconds: int) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise PipError(f"pip did not finish within {seconds} seconds") from error
    if done.returncode:
        complaints = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise PipError((complaints or done.stderr.splitlines() or ["pip gave no reason"])[-1])
    return done.stdout


def resolved(wanted: list[str]) -> list[Package]:
    """The packages that pip would install for these, which are not here yet."""
    report = json.loads(pip(["install", "--dry-run", "--quiet", "--report", "-", *wanted], RESOLVE_SECONDS))
    return [package(each) for each in report["install"]]


def package(entry: dict[str, dict[str, str]]) -> Package:
    return Package(entry["metadata"]["name"], size_of(entry["download_info"]["url"]))


def size_of(url: str) -> int:
    parts = urllib.parse.urlsplit(url)
    try:
        if parts.scheme == "file":
            return Path(urllib.request.url2pathname(parts.path)).stat().st_size
        request = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(request, timeout=SIZE_SECONDS) as answer:
            return int(answer.headers.get("Content-Length") or 0)
    except (OSError, ValueError):
        return 0


def told(packages: list[Package]) -> str:
    """How much there is to fetch, in words."""
    total = sum(each.bytes for each in packages)
    amount = f"{total / 1e9:.1f} GB" if total >= 1e9 else f"{total / 1e6:.0f} MB"
    at_least = "at least " if any(each.bytes == 0 for each in packages) else ""
    return f"{len(packages)} packages, {at_least}{amount} to fetch"


def get_torch(wish: str) -> bool:
    """Whether PyTorch is there in the end."""
    if wish == "0":
        print("PyTorch is left out, as TORCH=0 asks.")
        return False
    if all(importlib.util.find_spec(name) for name in ("torch", "numpy")):
        return True
    print("Finding out what PyTorch would bring.", flush=True)
    try:
        packages = resolved(requirements())
        if wish == "auto" and any(each.for_gpus for each in packages):
            print(
                f"PyTorch is left out: pip would bring it with code for GPUs ({told(packages)})."
                " TORCH=1 after the make command installs it all the same; pip can also be told where PyTorch's"
                " builds for CPUs are."
            )
            return False
        print(f"Installing PyTorch: {told(packages)}.", flush=True)
        pip(["install", "--quiet", *requirements()], INSTALL_SECONDS)
    except PipError as error:
        print(f"PyTorch is left out, because it cannot be installed: {error}")
        return False
    return True


if __name__ == "__main__":
    if sys.argv[1:] not in (["auto"], ["0"], ["1"]):
        sys.exit("TORCH is auto, 1 (with PyTorch) or 0 (without)")
    sys.exit(0 if get_torch(sys.argv[1]) else 1)
