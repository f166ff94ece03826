"""Programs that tests use and Debian has: they are there already, or root installs them with apt-get, or the tests that
need them skip and this says why. It never asks for rights it was not given, never fails a test run, and
DRAGOMAN_NO_APT=1 keeps it from installing anything.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from examples.demo.packages import APT, STALE, PackageError, call, complaint, require

UPDATE_SECONDS = 120
DOWNLOAD_SECONDS = 300
# Longer than any machine needs: stopped here, packages would stay half installed.
UNPACK_SECONDS = 900
# Somebody else may be installing packages at this moment.
INSTALL = (*APT, "-o", "DPkg::Lock::Timeout=120", "install", "-y", "--no-install-recommends")


@dataclass(frozen=True, slots=True)
class Programs:
    """`what` begins every sentence; `find` gives None where a program is missing."""

    what: str
    packages: tuple[str, ...]
    find: Callable[[], object]

    def get(self) -> None:
        if self.find():
            return
        try:
            self.install()
        except PackageError as error:
            self.say(f"there is none, so these tests skip; {error}")
            return
        self.say("installed" if self.find() else "the packages hold none, so these tests skip")

    def install(self) -> None:
        """Installs the packages for the whole machine, which only root may do."""
        if os.environ.get("DRAGOMAN_NO_APT"):
            raise PackageError("DRAGOMAN_NO_APT forbids installing them")
        if os.geteuid() != 0:
            raise PackageError("only root may install them")
        require("apt-get", "install")
        self.say(f"installing {' and '.join(self.packages)} with apt-get (DRAGOMAN_NO_APT=1 forbids it)")
        # What waits for the network comes first: it may be stopped at any moment without harm.
        trouble = self.attempt("--download-only", DOWNLOAD_SECONDS)
        if any(sign in trouble for sign in STALE):
            call([*APT, "update"], Path("/"), UPDATE_SECONDS)
            trouble = self.attempt("--download-only", DOWNLOAD_SECONDS)
        trouble = trouble or self.attempt("--quiet", UNPACK_SECONDS)
        if trouble:
            raise PackageError(f"apt-get could not install them ({complaint(trouble)})")

    def attempt(self, option: str, seconds: int) -> str:
        """What apt-get complains of, nothing if it did its work."""
        result = call([*INSTALL, option, *self.packages], Path("/"), seconds)
        return (result.stderr or "it gave no reason") if result.returncode else ""

    def say(self, sentence: str) -> None:
        print(f"{self.what}: {sentence}.", file=sys.stderr, flush=True)
