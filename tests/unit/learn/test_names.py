"""names.tsv of a stranger: names, or one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import FormatError
from dragoman.learn.names import read_names, write_names


def test_round_trip(tmp_path: Path) -> None:
    names = {"a": 5, "b": 5, "été\t\n": 1 << 56}
    write_names(tmp_path / "names.tsv", names)
    assert read_names(tmp_path / "names.tsv") == names


@pytest.mark.parametrize(
    "line",
    [
        b'-1\t"a"',
        b'144115188075855872\t"a"',
        b'9999999999999999999999\t"a"',
        b"5\t7",
        b"5\tnull",
        b'5\t["a"]',
        b'5\t"\\ud800"',
        b"5\t" + b"[" * 100_000,
        b'\xff\t"a"',
        b"5",
        b"",
    ],
)
def test_what_is_no_name_is_refused(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "names.tsv").write_bytes(line + b"\n")
    with pytest.raises(FormatError):
        read_names(tmp_path / "names.tsv")
