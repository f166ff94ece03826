"""Gets Qt's lrelease and Android's aapt, which read translated string tables, and catalogues of Qt's own programs:
`python -m tools.get_table_readers`."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.programs import Programs

# Where Debian has it for those that do not choose between versions of Qt.
QT = "/usr/lib/qt5/bin"
SMALLEST = 1000
QT_CATALOGUES = Path("/usr/share/qt5/translations")


def find_readers() -> tuple[str, str] | None:
    """Both programs, if they are on this machine."""
    lrelease, aapt = find_program("lrelease"), find_program("aapt")
    return (lrelease, aapt) if lrelease and aapt else None


def find_catalogues() -> list[Path]:
    """What Qt's own programs say, compiled, of which lconvert makes tables again."""
    # A small one only names others.
    catalogues = sorted(path for path in QT_CATALOGUES.glob("*_fr.qm") if path.stat().st_size > SMALLEST)
    return catalogues if find_program("lconvert") else []


def find_program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=QT)


READERS = Programs(
    "lrelease, aapt and catalogues for the tests of string tables",
    ("qttools5-dev-tools", "qttranslations5-l10n", "aapt"),
    lambda: find_readers() and find_catalogues(),
)


def main() -> None:
    READERS.get()


if __name__ == "__main__":
    main()
