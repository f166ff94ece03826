"""Real messages: catalogues of this machine as gettext writes them in two formats, and as it reads the translations."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import polib
import pytest

from dragoman.documents import translate_document
from tests.unit.documents.support import Identity, Wordwise

CATALOGUES = sorted(Path("/usr/share/locale").glob("*/LC_MESSAGES/*.mo"))
# Forms of the plural and contexts, which a sign parts from their message, have no place in these formats.
WITHOUT_PLACE = re.compile(rb"nplurals|[^\x00-\x1f]\x04[^\x00-\x1f]")
# A few of different programs and scripts that take no long time.
SMALL = [
    path for path in CATALOGUES if 2_000 < path.stat().st_size < 60_000 and not WITHOUT_PLACE.search(path.read_bytes())
]
SOME = SMALL[:: max(1, len(SMALL) // 12)][:12]
# The header of a catalogue, which is no message; in properties it is a comment.
HEADER = re.compile(rb'\A(?:\xef\xbb\xbf)?(?:"" = |!=)[^\n]*\n')
pytestmark = [
    pytest.mark.skipif(shutil.which("msgunfmt") is None, reason="gettext is not installed"),
    pytest.mark.skipif(not SOME, reason="there are no compiled catalogues"),
]


def gettext(*command: str) -> bytes:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, check=True, capture_output=True, env=environment).stdout


@pytest.mark.parametrize(("kind", "suffix"), [("stringtable", "strings"), ("properties", "properties")])
@pytest.mark.parametrize("catalogue", SOME, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_real_messages(catalogue: Path, kind: str, suffix: str, tmp_path: Path) -> None:
    name = f"a.{suffix}"
    whole = gettext("msgunfmt", f"--{kind}-output", str(catalogue))
    match = HEADER.match(whole)
    header = match.group() if match else b""
    data = whole[len(header) :]
    assert translate_document(data, name, Identity()) == data

    def texts(table: bytes) -> dict[str, str]:
        (tmp_path / name).write_bytes(header + table)
        read = gettext("msgcat", "--to-code=UTF-8", f"--{kind}-input", str(tmp_path / name))
        return {entry.msgid: entry.msgstr for entry in polib.pofile(read.decode())}

    notes: list[str] = []
    made = translate_document(data, name, Wordwise(), note=notes.append)
    before, after = texts(data), texts(made)
    # Some scripts have no capitals; placeholders have some, and stay.
    words = [re.sub(r"%\w", "", text) for text in before.values()]
    assert made != data or all(text == text.upper() for text in words)
    assert before.keys() == after.keys()
    # Tags that stand within a word may leave it.
    differing = [key for key in before if before[key].upper() != after[key].upper() and "<" not in before[key]]
    assert not differing, [(before[key], after[key]) for key in differing[:3]]
