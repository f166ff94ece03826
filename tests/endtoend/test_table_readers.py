"""Translated string tables, read by the programs that they are for: aapt and lrelease."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.unit.documents.support import translated
from tests.unit.documents.tables.samples import ANDROID, QT
from tests.unit.documents.tables.test_tables import Into
from tools.get_table_readers import find_readers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_readers() is None, reason="lrelease or aapt is missing: python -m tools.get_table_readers"),
]


def programs() -> tuple[str, str]:
    found = find_readers()
    assert found is not None
    return found


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


def test_lrelease_reads_the_translation(tmp_path: Path) -> None:
    lrelease, _ = programs()
    (tmp_path / "a.ts").write_text(translated(QT, "a.ts", Into("pl")))
    done = subprocess.run([lrelease, "a.ts"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "Generated 7 translation(s) (1 finished and 6 unfinished)" in done.stdout
    assert "plural forms" not in done.stderr
