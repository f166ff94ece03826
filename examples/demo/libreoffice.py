"""The demo's corpus: LibreOffice's help in French and English (MPL-2.0), from two Debian packages.

Fetched once, unpacked once, paired once; each result lies in its own folder, appears whole or not at all, and is
reused by the next run, which needs only the last. About 62,000 paragraphs pair up; since pages quote each other, some
49,000 of them are different.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from dragoman.files import writing_directory
from dragoman.progress import Progress
from examples.demo.packages import PackageError, fetch, fetched, unpack

SOURCE_LANG = "fr"
TARGET_LANG = "en"
PACKAGES = ("libreoffice-help-fr", "libreoffice-help-en-us")
SOURCE_FOLDER = "fr"
TARGET_FOLDER = "en-US"
# Raised when pairing changes, so that pairs made by an older version are made again.
PAIRING_VERSION = 1
# Fewer pairs than this, and the packages do not hold what this module knows how to read.
FEWEST_PAIRS = 1000
HEADER = "source\ttarget\tpage\tid"


@dataclass(frozen=True, slots=True)
class Pairing:
    """What came of pairing the pages; the pairs themselves are in `pairs.tsv`."""

    version: int
    pages: int
    paragraphs: int
    pairs: int


def download(folder: Path) -> bool:
    """Sees to it that the packages are in `folder/packages`, if they are needed; says whether they were fetched."""
    packages = folder / "packages"
    if fetched(PACKAGES, packages) or (folder / "pages").is_dir() or recorded(folder / "paired"):
        return False
    fetch(PACKAGES, packages)
    return True


def extract(folder: Path) -> bool:
    """Sees to it that the pages are in `folder/pages`, if they are needed; says whether they were unpacked."""
    pages = folder / "pages"
    if pages.is_dir() or recorded(folder / "paired"):
        return False
    unpack(PACKAGES, folder / "packages", pages)
    return True


def pair(folder: Path, progress: Progress) -> tuple[Path, Pairing]:
    """Sees to it that `folder/paired` holds the pairs of the pages, one a line with page and id."""
    out = folder / "paired"
    known = recorded(out)
    if known is not None:
        return out / "pairs.tsv", known
    from examples.demo.help_pages import paired  # Here, because only this needs lxml.

    source = language_folder(folder / "pages", SOURCE_FOLDER)
    target = language_folder(folder / "pages", TARGET_FOLDER)
    names = shared_pages(source, target)
    paragraphs = 0
    seen: set[tuple[str, str, str]] = set()
    with writing_directory(out, overwrite=True) as arriving:
        with (arriving / "pairs.tsv").open("w", encoding="utf-8", newline="\n") as stream:
            print(HEADER, file=stream)
            for done, name in enumerate(names, start=1):
                for identifier, text, other in paired(read_page(source / name), read_page(target / name)):
                    paragraphs += 1
                    # The same passage on several pages counts once, where it comes first.
                    if (identifier, text, other) not in seen:
                        seen.add((identifier, text, other))
                        print(one_line(text), one_line(other), name, identifier, sep="\t", file=stream)
                progress(done, len(names))
        if len(seen) < FEWEST_PAIRS:
            raise PackageError(
                f"the help pages gave only {len(seen):,} pairs, so they are not laid out as this version expects"
            )
        pairing = Pairing(PAIRING_VERSION, len(names), paragraphs, len(seen))
        (arriving / "pairing.json").write_text(json.dumps(asdict(pairing), indent=2) + "\n", encoding="utf-8")
    return out / "pairs.tsv", pairing


def recorded(out: Path) -> Pairing | None:
    """What an earlier run wrote down, if it was of this version and is readable."""
    try:
        pairing = Pairing(**json.loads((out / "pairing.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return pairing if pairing.version == PAIRING_VERSION and (out / "pairs.tsv").is_file() else None


def language_folder(pages: Path, name: str) -> Path:
    """The folder of one language: help/<language> somewhere in the unpacked tree."""
    for folder in sorted(pages.glob(f"**/help/{name}")):
        if folder.is_dir():
            return folder
    raise PackageError(f"the unpacked packages hold no help pages for {name}; delete {pages} to unpack again")


def shared_pages(source: Path, target: Path) -> list[str]:
    """Names of the pages that both languages have, in order."""
    return sorted(set(page_names(source)) & set(page_names(target)))


def page_names(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if path.is_file())


def read_page(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def one_line(text: str) -> str:
    """Separators that some readers take for line ends; the tab is gone already."""
    return " ".join(text.splitlines())
