"""What `make wheel` and `make container` check before they trust anything: these checks must bite."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
INFORMATION = "dragoman-1.0.dist-info"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """A module of packaging/, which is a folder of scripts and no package."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))

    def find(name: str) -> ModuleType:
        return importlib.import_module(name)

    return find


def whole_wheel() -> set[str]:
    files = (file for file in (ROOT / "src" / "dragoman").rglob("*") if file.is_file())
    names = {file.relative_to(ROOT / "src").as_posix() for file in files if file.suffix not in (".so", ".pyc")}
    return names | {"dragoman/_core.abi3.so", f"{INFORMATION}/METADATA", f"{INFORMATION}/licenses/LICENSE"}


@pytest.mark.parametrize(
    ("odd", "says"),
    [
        ("dragoman/py.typed", "py.typed"),
        ("dragoman/serve/page/page.css", "page.css"),
        ("dragoman/_core.abi3.so", "one extension"),
        (f"{INFORMATION}/licenses/LICENSE", "LICENSE"),
        ("dragoman/demo/corpus.tsv", "corpus.tsv"),
        ("dragoman/_old.so", "one extension"),
        ("tests/conftest.py", "conftest.py"),
    ],
)
def test_a_wheel_with_a_file_too_many_or_too_few_is_refused(script: Callable[[str], Any], odd: str, says: str) -> None:
    wheel, steps = script("make_wheel"), script("steps")
    wheel.check_names(whole_wheel(), INFORMATION)
    with pytest.raises(steps.FaultError, match=says):
        wheel.check_names(whole_wheel() ^ {odd}, INFORMATION)


def test_metadata_that_an_index_would_show_with_holes_are_refused(script: Callable[[str], Any]) -> None:
    wheel, steps = script("make_wheel"), script("steps")
    fields = {
        "Name": "dragoman", "Version": "1.0", "Summary": "It translates.", "License-Expression": "Apache-2.0",
        "License-File": "LICENSE", "Requires-Python": ">=3.11", "Requires-Dist": "click", "Keywords": "translation",
        "Description-Content-Type": "text/markdown",
    }  # fmt: skip

    def message(without: str = "") -> Message:
        made = Message()
        for name, text in fields.items():
            if name != without:
                made[name] = text
        return made

    wheel.check_metadata(message())
    for name in fields.keys() - {"Name", "Version"}:
        with pytest.raises(steps.FaultError):
            wheel.check_metadata(message(name))


LISTED = """\
mirror:/debian bookworm
mirror:/debian bookworm
mirror:/debian bookworm-updates
other:/debian-security bookworm-security
elsewhere:/tools nodistro
"""


def test_a_root_comes_from_the_mirrors_that_apt_is_set_up_with(
    script: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    debian, steps = script("debian_root"), script("steps")
    monkeypatch.setattr(debian.shutil, "which", lambda name: name)
    monkeypatch.setattr(debian, "run", lambda command: LISTED)
    system = {"ID": "debian", "VERSION_CODENAME": "bookworm"}
    monkeypatch.setattr(debian.platform, "freedesktop_os_release", lambda: system)
    assert debian.archives() == [
        "deb mirror:/debian trixie main",
        "deb mirror:/debian trixie-updates main",
        "deb other:/debian-security trixie-security main",
    ]
    system["VERSION_CODENAME"] = "sid"
    with pytest.raises(steps.UnavailableError, match="no mirror"):
        debian.archives()
    system["ID"] = "another"
    with pytest.raises(steps.UnavailableError, match="Debian alone"):
        debian.archives()


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("E: unable to reach the mirror", "UnavailableError"),
        ("I: running --customize-hook in shell\ng++: error\nE: command failed", "FaultError"),
    ],
)
def test_what_fails_inside_a_root_is_no_reason_to_skip(
    script: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch, said: str, kind: str
) -> None:
    debian, steps = script("debian_root"), script("steps")
    monkeypatch.setattr(debian, "require_mmdebstrap", lambda: None)
    monkeypatch.setattr(debian, "archives", list)
    monkeypatch.setattr(debian, "attempt", lambda command: subprocess.CompletedProcess(command, 1, "", said))
    with pytest.raises(getattr(steps, kind)):
        debian.mmdebstrap(["python3"], [], "/dev/null", "apt")
