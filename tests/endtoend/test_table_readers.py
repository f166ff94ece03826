"""Translated string tables, read by the programs that they are for: aapt and lrelease; ours, and those of Qt's own
programs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.unit.documents.support import translated
from tests.unit.documents.tables.samples import ANDROID, QT
from tests.unit.documents.tables.test_tables import Into
from tools.get_table_readers import find_catalogues, find_program, find_readers

pytestmark = pytest.mark.slow
WITH_READERS = pytest.mark.skipif(
    find_readers() is None, reason="lrelease or aapt is missing: python -m tools.get_table_readers"
)


def programs() -> tuple[str, str]:
    found = find_readers()
    assert found is not None
    return found


@WITH_READERS
def test_aapt_reads_the_translation(tmp_path: Path) -> None:
    _, aapt = programs()
    manifest = '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="a.b"/>'
    (tmp_path / "AndroidManifest.xml").write_text(manifest)
    texts = []
    for number, text in enumerate((ANDROID, translated(ANDROID, "strings.xml"))):
        values = tmp_path / f"res{number}" / "values"
        values.mkdir(parents=True)
        (values / "strings.xml").write_text(text.replace('<string name="attr">?attr/title</string>', ""))
        made = f"{number}.apk"
        command = [aapt, "package", "-f", "-M", "AndroidManifest.xml", "-S", str(values.parent), "-F", made]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        dump = subprocess.run(
            [aapt, "dump", "--values", "resources", made], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        texts.append([line for line in dump.stdout.splitlines() if "(string" in line])
    kept = ('"Un Nom"', '"un"')
    assert len(texts[0]) > 8
    for old, new in zip(*texts, strict=True):
        quoted = old.partition(") ")[2]
        wanted = quoted.upper().replace(r"\N", r"\n").replace("%1$D", "%1$d").replace("%S DE %D", "%s DE %d")
        wanted = wanted.replace("%D", "%d").replace("<B>", "<b>").replace("</B>", "</b>").replace("<I>", "<i>")
        assert new.partition(") ")[2] in (wanted.replace("</I>", "</i>"), *(each for each in kept if each == quoted))


@WITH_READERS
def test_lrelease_reads_the_translation(tmp_path: Path) -> None:
    lrelease, _ = programs()
    (tmp_path / "a.ts").write_text(translated(QT, "a.ts", Into("pl")))
    done = subprocess.run([lrelease, "a.ts"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "Generated 7 translation(s) (1 finished and 6 unfinished)" in done.stdout
    assert "plural forms" not in done.stderr


@pytest.mark.skipif(not find_catalogues(), reason="there are no catalogues: python -m tools.get_table_readers")
@pytest.mark.parametrize("catalogue", find_catalogues(), ids=lambda path: path.stem)
def test_lrelease_reads_what_qt_says(catalogue: Path, tmp_path: Path) -> None:
    """A table of Qt's own, emptied, translated and compiled: each text has become its words."""
    lconvert, lrelease = find_program("lconvert"), find_program("lrelease")
    assert lconvert is not None and lrelease is not None

    def converted(source: Path, target: str, *options: str) -> Path:
        subprocess.run([lconvert, "-i", source, *options, "-o", target], cwd=tmp_path, check=True, capture_output=True)
        return tmp_path / target

    empty = converted(catalogue, "a.ts", "-drop-translations", "-target-language", "pl")
    (tmp_path / "b.ts").write_text(translated(empty.read_bytes(), "a.ts", Into("pl")))
    subprocess.run([lrelease, "b.ts", "-qm", "b.qm"], cwd=tmp_path, check=True, capture_output=True)
    before, after = messages(empty), messages(converted(tmp_path / "b.qm", "c.ts"))
    filled = {key: texts for key, texts in messages(tmp_path / "b.ts").items() if any(texts)}
    assert filled == {key: texts for key, texts in after.items() if any(texts)}
    wanted = {key for key in before if re.search(r"[^\W\d_]{2}", re.sub(r"%L?\w+|<[^>]*>|&\w+;", "", key[1]))}
    assert len(wanted) > 5 and not wanted - filled.keys()
    differing = [(key[1], text) for key, texts in filled.items() for text in texts if plain(text) != plain(key[1])]
    assert not differing, differing[:5]


def messages(table: Path) -> dict[tuple[str, str, str], list[str]]:
    """Texts of each message: one, or one for each form of the plural."""
    contexts = ElementTree.parse(table).getroot().iter("context")
    return {
        (context.findtext("name", ""), message.findtext("source", ""), message.findtext("comment", "")): [
            text
            for element in message.iter("translation")
            for text in [element.text, *(form.text for form in element)]
            if text and text.strip()
        ]
        for context in contexts
        for message in context.iter("message")
    }


def plain(text: str) -> list[str]:
    """Its words, whatever their case and the marks for menus and placeholders among them."""
    return re.findall(r"\w+", text.replace("&", "").upper())
