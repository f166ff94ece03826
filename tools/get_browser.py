"""Gets chromium and its driver, with which the page is tested: `python -m tools.get_browser`.

They are there already, or root installs them with apt-get, or the tests of the page skip and this says why. It never
asks for rights it was not given, never fails a test run, and DRAGOMAN_NO_APT=1 keeps it from installing anything.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from examples.demo.packages import APT, STALE, PackageError, call, complaint, require

PACKAGES = ("chromium", "chromium-driver")
UPDATE_SECONDS = 120
DOWNLOAD_SECONDS = 300
# Longer than any machine needs: stopped here, packages would stay half installed.
UNPACK_SECONDS = 900
# Somebody else may be installing packages at this moment.
INSTALL = (*APT, "-o", "DPkg::Lock::Timeout=120", "install", "-y", "--no-install-recommends")


def find_browser() -> tuple[str, str] | None:
    """The browser and its driver, if both are on this machine."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


def install() -> None:
    """Installs the packages for the whole machine, which only root may do."""
    if os.environ.get("DRAGOMAN_NO_APT"):
        raise PackageError("DRAGOMAN_NO_APT forbids installing them")
    if os.geteuid() != 0:
        raise PackageError("only root may install them")
    require("apt-get", "install")
    say(f"installing {' and '.join(PACKAGES)} with apt-get (DRAGOMAN_NO_APT=1 forbids it)")
    # What waits for the network comes first: it may be stopped at any moment without harm.
    trouble = attempt("--download-only", DOWNLOAD_SECONDS)
    if any(sign in trouble for sign in STALE):
        call([*APT, "update"], Path("/"), UPDATE_SECONDS)
        trouble = attempt("--download-only", DOWNLOAD_SECONDS)
    trouble = trouble or attempt("--quiet", UNPACK_SECONDS)
    if trouble:
        raise PackageError(f"apt-get could not install them ({complaint(trouble)})")


def attempt(option: str, seconds: int) -> str:
    """What apt-get complains of, nothing if it did its work."""
    result = call([*INSTALL, option, *PACKAGES], Path("/"), seconds)
    return (result.stderr or "it gave no reason") if result.returncode else ""


def say(sentence: str) -> None:
    print(f"Browser for the tests of the page: {sentence}.", file=sys.stderr, flush=True)


def main() -> None:
    if find_browser():
        return
    try:
        install()
    except PackageError as error:
        say(f"there is none, so these tests skip; {error}")
        return
    say("installed" if find_browser() else "the packages hold none, so these tests skip")


if __name__ == "__main__":
    main()
