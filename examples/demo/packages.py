"""Debian packages without root: apt-get fetches them into a folder of ours, dpkg-deb unpacks them there.

Nothing outside that folder changes. Where the machine's package lists are missing or name a version that is gone, a
private set of lists is fetched, used once and thrown away.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from dragoman.errors import DragomanError
from dragoman.files import writing_directory

UPDATE_SECONDS = 120
DOWNLOAD_SECONDS = 120
UNPACK_SECONDS = 120
# One server that does not answer must not hold up the whole run.
NETWORK = ("-o", "Acquire::http::Timeout=15", "-o", "Acquire::https::Timeout=15", "-o", "Acquire::Retries=1")
# As whoever we are: the user that apt-get, run by root, would switch to may not write into a folder of ours.
APT = ("apt-get", "-q", *NETWORK, "-o", "APT::Sandbox::User=root")
# What apt-get says when newer lists could help, in the C locale.
STALE = ("Unable to locate package", "has no installation candidate", "Can't find a source to download", "404")


class PackageError(DragomanError):
    """The packages cannot be had on this machine now; the message says why."""


def fetched(packages: Sequence[str], folder: Path) -> bool:
    return all(archive(package, folder) is not None for package in packages)


def archive(package: str, folder: Path) -> Path | None:
    """The package's file in the folder, whatever its version."""
    archives = sorted(folder.glob(f"{package}_*.deb"))
    return archives[-1] if archives else None


def fetch(packages: Sequence[str], folder: Path) -> None:
    """Downloads the packages into `folder`, which appears when all of them have arrived."""
    require("apt-get", "fetch")
    require("dpkg-deb", "unpack")
    with writing_directory(folder, overwrite=True) as arriving:
        here = arriving.resolve()
        result = call([*APT, "download", *packages], here, DOWNLOAD_SECONDS)
        reason = complaint(result.stderr)
        if result.returncode and any(sign in result.stderr for sign in STALE):
            private = private_lists(here / "apt")
            update = call([*APT, *private, "update"], here, UPDATE_SECONDS)
            result = call([*APT, *private, "download", *packages], here, DOWNLOAD_SECONDS)
            # Without lists every package is unknown; why there are none is the better reason.
            reason = complaint(update.stderr if "Failed to fetch" in update.stderr else result.stderr)
            shutil.rmtree(here / "apt")
        if result.returncode or not fetched(packages, here):
            raise PackageError(f"apt-get could not fetch {' and '.join(packages)} ({reason})")


def unpack(packages: Sequence[str], archives: Path, folder: Path) -> None:
    """Unpacks the packages into one tree, `folder`, which appears when it is complete."""
    require("dpkg-deb", "unpack")
    with writing_directory(folder, overwrite=True) as tree:
        for package in packages:
            file = archive(package, archives)
            if file is None:
                raise PackageError(f"{archives} holds no {package} package")
            result = call(["dpkg-deb", "-x", str(file.resolve()), str(tree.resolve())], tree, UNPACK_SECONDS)
            if result.returncode:
                raise PackageError(
                    f"dpkg-deb could not unpack {file.name} ({complaint(result.stderr)}); delete it to fetch it again"
                )


def private_lists(folder: Path) -> list[str]:
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    return ["-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]


def require(program: str, purpose: str) -> None:
    if shutil.which(program) is None:
        raise PackageError(f"{program}, which would {purpose} the packages, is not on this machine")


def call(command: Sequence[str], folder: Path, seconds: int) -> subprocess.CompletedProcess[str]:
    """Runs a program quietly, in the language its messages are recognised in, for a bounded time."""
    environment = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as error:
        raise PackageError(f"{command[0]} did not finish within {seconds} seconds") from error
    except OSError as error:
        raise PackageError(f"{command[0]} could not be started ({error.strerror})") from error


def complaint(text: str) -> str:
    """The first error in a program's messages, or its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("E:", "W: Failed", "dpkg-deb: error:"))]
    return (errors or lines[-1:] or ["it gave no reason"])[0].lstrip("EW:").strip()
