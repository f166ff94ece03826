"""A Debian root of its own, made by mmdebstrap from the packages of the mirror that this machine's apt is set up with.

Nothing of this machine is in it but what is put there. Wheels are fetched out here, where the machine's own settings of
pip hold, so that nothing in the root needs a network.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path

from steps import ROOT, FaultError, UnavailableError, attempt, run

RELEASE = "trixie"
PYTHON = "3.13"
# What is not read in a root that nobody works in; licences stay.
UNREAD = ("/usr/share/man/*", "/usr/share/locale/*", "/usr/share/doc/*")
# The machine's settings that hold in a root, too.
PASSED = ("CMAKE_BUILD_PARALLEL_LEVEL",)
# mmdebstrap says so when the root stands: what fails from then on is our own doing.
STANDS = "running --customize-hook"


def require_mmdebstrap() -> None:
    if shutil.which("mmdebstrap") is None:
        raise UnavailableError("mmdebstrap, which makes a Debian root, is not here: apt-get install mmdebstrap")


def archives() -> list[str]:
    """Lines of apt's sources.list: the release, its updates and its security fixes, from where apt gets this one's."""
    system = platform.freedesktop_os_release() if Path("/etc/os-release").exists() else {}
    own = system.get("VERSION_CODENAME", "")
    if system.get("ID") != "debian" or not own or shutil.which("apt-get") is None:
        raise UnavailableError("a Debian root is made on Debian alone, from the mirror that apt is set up with")
    listed = run(["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)", "Created-By: Packages"])
    lines = []
    for site, release in sorted({tuple(line.split()) for line in listed.splitlines() if len(line.split()) == 2}):
        if release in (own, f"{own}-updates", f"{own}-security"):
            lines.append(f"deb {site} {release.replace(own, RELEASE)} main")
    if not lines:
        raise UnavailableError(f"apt is set up with no mirror of Debian {own}, so there is none to take {RELEASE} from")
    return lines


def work_in_root(packages: Sequence[str], given: Path, command: str, made: str, out: Path) -> None:
    """Makes a root with the packages, copies the folder `given` into it, runs a shell command there, copies the folder
    `made` from there into the folder `out`, and leaves nothing else."""
    variables = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"]
    variables += [f"{name}={os.environ[name]}" for name in PASSED if name in os.environ]
    shell = shlex.join(["env", "-i", *variables, "sh", "-euc", f"cd /{shlex.quote(given.name)}; {command}"])
    hooks = [
        f"copy-in {shlex.quote(str(given))} /",
        f'chroot "$1" {shell}',
        f"copy-out {shlex.quote(f'/{given.name}/{made}')} {shlex.quote(str(out))}",
    ]
    mmdebstrap(packages, [f"--customize-hook={hook}" for hook in hooks], "/dev/null", "apt")


def write_root(packages: Sequence[str], file: Path) -> None:
    """Writes a small root with the packages as a tar file."""
    options = [f"--dpkgopt=path-exclude={pattern}" for pattern in UNREAD]
    options += ["--dpkgopt=path-include=/usr/share/doc/*/copyright"]
    mmdebstrap(packages, options, str(file), "essential")


def mmdebstrap(packages: Sequence[str], options: Sequence[str], target: str, variant: str) -> None:
    require_mmdebstrap()
    include = f"--include={','.join(packages)}"
    mirrors = archives()
    result = attempt(["mmdebstrap", f"--variant={variant}", include, *options, RELEASE, target, *mirrors])
    if result.returncode and STANDS in result.stderr:
        raise FaultError(f"what was run in a root of Debian {RELEASE} failed:\n{result.stderr[-3000:]}")
    if result.returncode:
        # Without the right to make one, or without a way to the mirror.
        raise UnavailableError(f"mmdebstrap could make no root of Debian {RELEASE}:\n{result.stderr[-1000:]}")


def requirements(*extras: str) -> list[str]:
    """What the package needs to run with these extras, as pyproject.toml says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]


def build_requirements() -> list[str]:
    return [*tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"], "cmake", "ninja"]


def fetch_wheels(pip: Sequence[str | Path], wanted: Sequence[str], folder: Path) -> None:
    """Downloads wheels that the root's Python can use."""
    machine = platform.machine()
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in range(5, 42)] + [f"manylinux2014_{machine}"]
    run(
        [*pip, "download", "--quiet", "--only-binary", ":all:", "--dest", folder, "--python-version", PYTHON]
        + ["--implementation", "cp", "--abi", f"cp{PYTHON.replace('.', '')}", "--abi", "abi3", "--abi", "none"]
        + [word for each in platforms for word in ("--platform", each)]
        + list(wanted)
    )
