"""From two trees of pages to a file of pairs, and what a second run does again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from examples.demo import libreoffice
from examples.demo.packages import PackageError


def never(done: int, total: int) -> None:
    pytest.fail("the pages were paired again")


def write_page(folder: Path, language: str, name: str, body: str) -> None:
    path = folder / "pages/usr/share/libreoffice/help" / language / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<html><body>{body}</body></html>", encoding="utf-8")


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(libreoffice, "FEWEST_PAIRS", 1)
    write_page(tmp_path, "fr", "text/b.html", '<p id="1">Un.</p><p id="2">Deux.</p>')
    write_page(tmp_path, "en-US", "text/b.html", '<p id="1">One.</p><p id="2">Two.</p>')
    # Quotes page b, adds a paragraph with characters that some readers take for line ends.
    write_page(tmp_path, "fr", "text/c.html", '<p id="1">Un.</p><p id="3">Trois\u2028fois\x85trois.</p>')
    write_page(tmp_path, "en-US", "text/c.html", '<p id="1">One.</p><p id="3">Three\u2029times three.</p>')
    write_page(tmp_path, "fr", "text/only.html", '<p id="4">Quatre.</p>')
    return tmp_path


def test_pairs_with_page_and_id(pages: Path) -> None:
    calls: list[tuple[int, int]] = []
    path, made = libreoffice.pair(pages, lambda done, total: calls.append((done, total)))
    assert (made.pages, made.paragraphs, made.pairs) == (2, 4, 3)
    assert calls == [(1, 2), (2, 2)]
    assert [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[:-1]] == [
        ["source", "target", "page", "id"],
        ["Un.", "One.", "text/b.html", "1"],
        ["Deux.", "Two.", "text/b.html", "2"],
        ["Trois fois trois.", "Three times three.", "text/c.html", "3"],
    ]


def test_second_run_needs_only_the_pairs(pages: Path) -> None:
    first = libreoffice.pair(pages, lambda done, total: None)
    (pages / "pages").rename(pages / "elsewhere")
    assert not libreoffice.download(pages)
    assert not libreoffice.extract(pages)
    assert libreoffice.pair(pages, never) == first


@pytest.mark.parametrize(
    "spoil",
    [
        lambda out: (out / "pairs.tsv").unlink(),
        lambda out: (out / "pairing.json").write_text("{"),
        lambda out: (out / "pairing.json").write_text('{"pages": 2}'),
        lambda out: (out / "pairing.json").write_text("[]"),
    ],
)
def test_damaged_record_is_made_again(pages: Path, spoil: Callable[[Path], object]) -> None:
    first = libreoffice.pair(pages, lambda done, total: None)
    spoil(pages / "paired")
    assert libreoffice.recorded(pages / "paired") is None
    assert libreoffice.pair(pages, lambda done, total: None) == first


def test_other_version_is_paired_again(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    libreoffice.pair(pages, lambda done, total: None)
    monkeypatch.setattr(libreoffice, "PAIRING_VERSION", libreoffice.PAIRING_VERSION + 1)
    assert libreoffice.recorded(pages / "paired") is None


def test_interrupted_pairing_leaves_nothing(pages: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        libreoffice.pair(pages, interrupt)
    assert [path.name for path in pages.iterdir()] == ["pages"]


def test_strange_packages(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    with pytest.raises(PackageError, match="no help pages for fr"):
        libreoffice.pair(tmp_path, never)
    for language in ("fr", "en-US"):
        write_page(tmp_path, language, "a.html", '<p id="1">x</p>')
    with pytest.raises(PackageError, match="not laid out as this version expects"):
        libreoffice.pair(tmp_path, lambda done, total: None)
    assert not (tmp_path / "paired").exists()
