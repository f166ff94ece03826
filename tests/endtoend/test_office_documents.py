"""Translated office documents in another program's hands: LibreOffice opens them and shows what it showed before.

Letters come back as letters of the same width, so that lines and pages end where they did, and what LibreOffice shows
of a translation and of the original is the same but for them. Documents are those that Word, PowerPoint and Excel made,
and LibreOffice's own templates.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
from pathlib import Path

import pytest

from dragoman.documents import format_of, read_document, translate_document
from tests.unit.documents.support import Identity, Wordwise
from tools.get_office import find_documents, find_office

TEMPLATES = Path("/usr/lib/libreoffice/share/template")
TURNED = str.maketrans("bdpqnu", "dbqpun")
EITHER = str.maketrans("dqu", "bpn")
# What a template is the beginning of.
MADE_OF = {".ott": ".odt", ".otp": ".odp", ".ots": ".ods"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_office() is None, reason="LibreOffice is not installed: python -m tools.get_office"),
]


def turned(word: str) -> str:
    return word.translate(TURNED)


@functools.cache
def originals() -> dict[str, Path]:
    """Documents with text in them, by the name they get here; of templates, which are much alike, some."""
    templates = [path for path in sorted(TEMPLATES.rglob("*.ot?")) if path.suffix in MADE_OF]
    found: dict[str, Path] = {}
    for number, path in enumerate((*find_documents(), *templates[::3])):
        name = f"{number}-{path.stem}{MADE_OF.get(path.suffix, path.suffix)}"
        if read_document(path.read_bytes(), name).segments:
            found[name] = path
    return found


def converted(files: list[Path], folder: Path) -> dict[str, list[str]]:
    """The words of each file as LibreOffice shows them, without telling letters of the same width apart."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    words: dict[str, list[str]] = {}
    for target, wanted in (("pdf", (".docx", ".odt", ".pptx", ".odp")), ("csv", (".xlsx", ".ods"))):
        chosen = [file for file in files if file.suffix in wanted]
        if not chosen:
            continue
        command = ["soffice", profile, "--headless", "--convert-to", target, "--outdir", str(folder), *map(str, chosen)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        for file in chosen:
            made = folder / file.with_suffix(f".{target}").name
            assert made.exists(), f"LibreOffice does not open {file}"
            if target == "pdf":
                text = subprocess.run(["pdftotext", "-raw", made, "-"], check=True, capture_output=True).stdout
            else:
                text = made.read_bytes()
            words[file.name] = text.decode("utf-8", "replace").casefold().translate(EITHER).split()
    return words


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    found = originals()
    if not found:
        pytest.skip("there are no real documents: python -m tools.get_office")
    before, after = tmp_path_factory.mktemp("before"), tmp_path_factory.mktemp("after")
    for name, path in found.items():
        shutil.copyfile(path, before / name)
        (after / name).write_bytes(translate_document(path.read_bytes(), name, Wordwise(turned)))
    return converted(sorted(before.iterdir()), before), converted(sorted(after.iterdir()), after)


def test_libreoffice_shows_the_same_words(shown: tuple[dict[str, list[str]], dict[str, list[str]]]) -> None:
    before, after = shown
    assert before.keys() == after.keys() and len(before) > 20
    assert sum(len(words) for words in before.values()) > 1000
    assert {name: words for name, words in after.items() if words != before[name]} == {}


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx", ".odt", ".odp", ".ods"])
def test_real_documents_come_back_as_they_were(suffix: str) -> None:
    files = {name: path for name, path in originals().items() if name.endswith(suffix)}
    if not files:
        pytest.skip("there are none: python -m tools.get_office")
    for name, path in files.items():
        assert format_of(name) == suffix[1:]
        assert translate_document(path.read_bytes(), name, Identity()) == path.read_bytes()
