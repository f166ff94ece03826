"""Getting a browser with a stand-in for apt-get: when it is asked, what it is asked, and that nothing ever fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools import get_browser, programs

INSTALLS = """
case "$*" in
  *--download-only*) ;;
  *install*) for name in chromium chromedriver; do echo '#!/bin/sh' > "$HERE/$name"; /bin/chmod +x "$HERE/$name"; done;;
esac
"""
NEEDS_LISTS = f"""
case "$*" in
  *update*) : > "$HERE/lists";;
  *) if [ -e "$HERE/lists" ]; then {INSTALLS}
     else echo "E: Unable to locate package chromium" >&2; exit 100; fi;;
esac
"""
FAILS = 'echo "E: Could not get lock /var/lib/dpkg/lock-frontend" >&2; exit 100'
FAILS_SILENTLY = "exit 100"
INSTALLS_NOTHING = "exit 0"
HANGS = "exec /bin/sleep 60"


class Machine:
    """A folder of programs that is all of PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, script: str) -> None:
        path = self.folder / name
        path.write_text(f'#!/bin/sh\nHERE={self.folder}\necho "$*" >> "$HERE/{name}.calls"\n{script}\n')
        path.chmod(0o755)

    def asked(self, name: str) -> list[str]:
        path = self.folder / f"{name}.calls"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("DRAGOMAN_NO_APT", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return Machine(tmp_path)


@pytest.mark.parametrize("script", [INSTALLS, NEEDS_LISTS])
def test_it_installs(machine: Machine, capfd: pytest.CaptureFixture[str], script: str) -> None:
    machine.put("apt-get", script)
    get_browser.main()
    assert get_browser.find_browser() == (str(machine.folder / "chromium"), str(machine.folder / "chromedriver"))
    out, err = capfd.readouterr()
    assert not out
    assert "installing chromium and chromium-driver with apt-get (DRAGOMAN_NO_APT=1 forbids it)" in err
    # Nothing is unpacked before all of it has come.
    installs = [call for call in machine.asked("apt-get") if "install" in call]
    assert ["--download-only" in call for call in installs[-2:]] == [True, False]
    assert all("--no-install-recommends" in call for call in installs)


def test_a_browser_that_is_there_is_enough(machine: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("chromium", "chromedriver", "apt-get"):
        machine.put(name, "")
    get_browser.main()
    assert not machine.asked("apt-get")
    assert capfd.readouterr() == ("", "")


def test_a_browser_without_driver_is_not(machine: Machine) -> None:
    machine.put("chromium", "")
    assert get_browser.find_browser() is None


@pytest.mark.parametrize(("root", "forbidden"), [(False, ""), (True, "1"), (False, "1")])
def test_apt_is_left_alone(
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    root: bool,
    forbidden: str,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    monkeypatch.setenv("DRAGOMAN_NO_APT", forbidden)
    machine.put("apt-get", INSTALLS)
    machine.put("sudo", "")
    get_browser.main()
    assert not machine.asked("apt-get") and not machine.asked("sudo")
    assert "these tests skip" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (FAILS, "could not install them (Could not get lock"),
        (FAILS_SILENTLY, "could not install them (it gave no reason)"),
        (INSTALLS_NOTHING, "the packages hold none"),
        (HANGS, "did not finish within 1 seconds"),
        (None, "apt-get, which would install the packages, is not on this machine"),
    ],
)
def test_no_browser_is_no_failure(
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    script: str | None,
    sentence: str,
) -> None:
    monkeypatch.setattr(programs, "DOWNLOAD_SECONDS", 1)
    if script is not None:
        machine.put("apt-get", script)
    get_browser.main()
    said = capfd.readouterr().err
    assert sentence in said and "these tests skip" in said
