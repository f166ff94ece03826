"""Installs a wheel into an empty environment and works with it in an empty folder, with no network where that can be
had. Needs nothing but Python, so that it runs in any root.

usage: try_wheel.py WHEEL FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

# Every word of the sentence below is here, but not the sentence.
SOURCES = ("le chat", "le chien", "la maison", "la voiture", "le livre", "la table")
TARGETS = ("the cat", "the dog", "the house", "the car", "the book", "the table")
PAIRS = [
    (f"{source} {est} ici .", f"{target} {is_} here .")
    for source, target in zip(SOURCES, TARGETS, strict=True)
    for est, is_ in (("est", "is"), ("reste", "stays"), ("dort", "sleeps"))
]
# What a new environment has of its own.
TOOLS = ("pip", "setuptools", "_distutils_hack", "distutils-precedence", "pkg_resources")
SENTENCE, TRANSLATION = "La maison dort ici.", "The house sleeps here."


def main(wheel: str, folder: str) -> None:
    home = Path(folder).resolve()
    home.mkdir(parents=True, exist_ok=True)
    environment = home / "environment"
    venv.create(environment, with_pip=True)
    python, dragoman = environment / "bin" / "python", environment / "bin" / "dragoman"
    empty = home / "work"
    empty.mkdir()
    variables = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    variables |= {"HOME": str(home), "PYTHONNOUSERSITE": "1"}
    offline = without_network()

    def call(*command: str | Path, text: str = "") -> str:
        line = [str(word) for word in command]
        result = subprocess.run(line, cwd=empty, env=variables, input=text, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{line} ended with {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", Path(wheel).resolve())
    print(f"   {packages(environment)} in an empty environment of Python {'.'.join(map(str, sys.version_info[:3]))}")
    print(f"   {call(*offline, dragoman, '--version').strip()}")
    if "Usage:" not in call(*offline, python, "-m", "dragoman", "--help"):
        sys.exit("`python -m dragoman --help` shows no usage")

    (empty / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in PAIRS), "utf-8")
    call(*offline, dragoman, "train", "pairs.tsv", "--source-lang", "fr", "--target-lang", "en", "--out", "fr-en.model")
    said = call(*offline, dragoman, "translate", "-m", "fr-en.model", text=SENTENCE + "\n").strip()
    if said != TRANSLATION:
        sys.exit(f"“{SENTENCE}” became “{said}” and not “{TRANSLATION}”")
    print(f"   {'without a network' if offline else 'with the network at hand'}: {SENTENCE} → {said}")


def packages(environment: Path) -> str:
    """How many packages pip brought along, and their size; pip itself does not count."""
    folder = next(environment.glob("lib/python*/site-packages"))
    found = [each for each in folder.rglob("*") if not each.relative_to(folder).parts[0].startswith(TOOLS)]
    names = sorted(each.name.split("-")[0] for each in found if each.suffix == ".dist-info")
    size = sum(each.stat().st_size for each in found if each.is_file())
    return f"{len(names)} packages ({', '.join(names)}), {size / 1e6:.1f} MB"


def without_network() -> list[str]:
    """A command before whose arguments there is no network, or nothing where the system allows none."""
    for command in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        try:
            subprocess.run([*command, "true"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return command
    return []


if __name__ == "__main__":
    main(*sys.argv[1:])
