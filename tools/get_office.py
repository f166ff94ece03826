"""Gets LibreOffice, which opens translated documents, and real documents to translate: `python -m tools.get_office`.

The documents were made with Word, PowerPoint and Excel, and come with packages of R that read such files. They are
unpacked into data/office, as the demo unpacks its packages: nothing else on the machine changes.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from examples.demo.packages import PackageError, fetch, fetched, unpack
from tools.programs import Programs

DOCUMENT_PACKAGES = ("r-cran-officer", "r-cran-openxlsx", "r-cran-readxl")
FOLDER = Path(__file__).parents[1] / "data" / "office"
SUFFIXES = (".docx", ".pptx", ".xlsx", ".odt", ".odp", ".ods")


def find_office() -> tuple[str, str] | None:
    """LibreOffice and what turns pages into text, if both are on this machine."""
    office, pages = shutil.which("soffice"), shutil.which("pdftotext")
    return (office, pages) if office and pages else None


def find_documents() -> list[Path]:
    return sorted(path for path in (FOLDER / "tree").rglob("*") if path.suffix in SUFFIXES)


OFFICE = Programs(
    "LibreOffice for the tests of documents",
    (*(f"libreoffice-{part}-nogui" for part in ("writer", "calc", "impress")), "poppler-utils", "fonts-dejavu-core"),
    find_office,
)


def get_documents() -> None:
    if find_documents():
        return
    try:
        if os.environ.get("DRAGOMAN_NO_APT"):
            raise PackageError("DRAGOMAN_NO_APT forbids fetching them")
        if not fetched(DOCUMENT_PACKAGES, FOLDER / "packages"):
            fetch(DOCUMENT_PACKAGES, FOLDER / "packages")
        unpack(DOCUMENT_PACKAGES, FOLDER / "packages", FOLDER / "tree")
    except PackageError as error:
        OFFICE.say(f"there are no real documents, so their tests skip; {error}")


def main() -> None:
    OFFICE.get()
    get_documents()


if __name__ == "__main__":
    main()
