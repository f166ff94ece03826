"""Gets Qt's lrelease and Android's aapt, which read translated string tables: `python -m tools.get_table_readers`."""

from __future__ import annotations

import shutil

from tools.programs import Programs

# Where Debian has it for those that do not choose between versions of Qt.
QT = "/usr/lib/qt5/bin"


def find_readers() -> tuple[str, str] | None:
    """Both programs, if they are on this machine."""
    lrelease, aapt = shutil.which("lrelease") or shutil.which("lrelease", path=QT), shutil.which("aapt")
    return (lrelease, aapt) if lrelease and aapt else None


READERS = Programs("lrelease and aapt for the tests of string tables", ("qttools5-dev-tools", "aapt"), find_readers)


def main() -> None:
    READERS.get()


if __name__ == "__main__":
    main()
