"""Real catalogues and tables of this machine, translated and read again by gettext and as JSON."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
import pytest

from dragoman.documents import translate_document
from dragoman.translator import Translator
from tests.unit.documents.support import Identity, Wordwise
from tests.unit.translate.support import INTO_GERMAN, make_model

ISO_CODES = sorted(
    path for path in Path("/usr/share/iso-codes/json").glob("iso_*.json") if path.stat().st_size < 300_000
)
CATALOGUES = [
    path
    for program in ("coreutils", "grep", "tar", "wget", "diffutils", "bash")
    if (path := Path(f"/usr/share/locale/fr/LC_MESSAGES/{program}.mo")).exists()
]
DIRECTIVE = re.compile(r"%[-+#0]?\d*(?:\.\d+)?(?:hh|h|ll|l|j|z|t)?[diouxXcsp]")

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not ISO_CODES, reason="Debian's package iso-codes is not installed")
@pytest.mark.parametrize("path", ISO_CODES, ids=lambda path: path.stem)
def test_names_of_countries_and_languages(path: Path) -> None:
    """Keys, order and what holds no words stay; strings are the words of before."""
    data = path.read_bytes()
    assert translate_document(data, path.name, Identity()) == data
    before, after = (list(leaves(json.loads(text))) for text in (data, translate_document(data, path.name, Wordwise())))
    assert len(before) > 100
    assert [(keys, text.upper()) for keys, text in before] == [(keys, text.upper()) for keys, text in after]
    changed = sum(ours != theirs for ours, theirs in zip(before, after, strict=True))
    assert changed > len(before) / 5


def leaves(value: Any, keys: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*keys, key))
    else:
        yield keys, str(value)


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    """One that knows a few words, of which some change places."""
    links = "0-1 1-0 2-2"
    pairs = [*INTO_GERMAN, *((f"{word} file .", f"datei {word} .", links) for word in ("the", "no", "input", "output"))]
    model = make_model(tmp_path_factory.mktemp("model") / "en-de.model", pairs=pairs, languages=("en", "de"))
    return Translator.load(model)


@pytest.mark.skipif(shutil.which("msgunfmt") is None or not CATALOGUES, reason="gettext or its catalogues are missing")
@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_catalogues_of_programs(path: Path, translator: Translator, tmp_path: Path) -> None:
    """Emptied, translated and checked by msgfmt: formats are those of the message."""
    catalogue = polib.pofile(run("msgunfmt", str(path)))
    wanted = 0
    for entry in catalogue:
        entry.msgstr, entry.msgstr_plural = "", dict.fromkeys(entry.msgstr_plural, "")
        if DIRECTIVE.search(entry.msgid):
            entry.flags.append("c-format")
        wanted += any(character.isalpha() for character in re.sub(r"<[^<>]*>", "", DIRECTIVE.sub("", entry.msgid)))
    empty, full = tmp_path / "a.po", tmp_path / "b.po"
    catalogue.save(str(empty))
    full.write_bytes(translate_document(empty.read_bytes(), "a.po", translator, force=True))
    run("msgfmt", "--check-format", "--check-header", "--use-fuzzy", "-o", "/dev/null", str(full))
    filled = polib.pofile(str(full))
    assert [entry.msgid for entry in filled] == [entry.msgid for entry in catalogue]
    assert sum(bool(entry.msgstr or any(entry.msgstr_plural.values())) for entry in filled) >= wanted > 50


def run(*command: str) -> str:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()
