"""Lines are handed on before anybody waits for more, whole and in order, however they arrive."""

from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.lines import CHUNK_BYTES, arriving, lines_of
from dragoman.errors import InputError
from dragoman.line_batch import BATCH_LINES, batches


def test_batches_hold_every_line_and_little_text() -> None:
    lines = ["x" * (n % 7 * 30) for n in range(1000)]
    found = list(batches(lines, 300))
    assert [line for batch in found for line in batch] == lines
    assert all(sum(map(len, batch[:-1])) < 300 for batch in found)
    assert [len(batch) for batch in batches([""] * 200, 300)] == [BATCH_LINES] * 3 + [200 - 3 * BATCH_LINES]
    assert list(batches([], 300)) == []
    assert list(batches(["x" * 999] * 2, 300)) == [["x" * 999]] * 2


@given(st.lists(st.one_of(st.none(), st.text("xé", max_size=50)), max_size=300))
def test_nothing_is_kept_back_when_others_are_late(lines: list[str | None]) -> None:
    taken: list[str] = []

    def coming() -> Iterator[str | None]:
        before: list[str] = []
        for line in lines:
            yield line
            if line is None:
                assert taken == before
            else:
                before.append(line)

    for batch in batches(coming(), 200):
        assert batch
        taken += batch
    assert taken == [line for line in lines if line is not None]


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"\xef\xbb\xbfa\r\nb", ["a", "b"]),
        (b"a\n\n\nb\n", ["a", "", "", "b"]),
        ("é".encode() * CHUNK_BYTES + b"\nb", ["é" * CHUNK_BYTES, "b"]),
        (b"x" * (CHUNK_BYTES - 1) + b"\n" + b"y" * CHUNK_BYTES, ["x" * (CHUNK_BYTES - 1), "y" * CHUNK_BYTES]),
    ],
)
def test_lines_of_files(name: str, content: bytes, lines: list[str], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert list(lines_of(str(path))) == lines
    assert list(arriving(str(path))) == lines, "nobody waits for a file"


def test_text_that_is_none_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\n" * 70_000 + b"\xff\n")
    with pytest.raises(InputError, match=r"a\.txt, line 70001: is not UTF-8"):
        list(lines_of(str(path)))


@given(st.lists(st.binary(min_size=1, max_size=40).map(lambda text: text.replace(b"\xef", b"\n")), max_size=20))
def test_however_the_bytes_arrive(pieces: list[bytes]) -> None:
    """Pieces of text through a pipe: a line that has its end comes before the next piece is even written."""
    whole = b"".join(piece.decode("utf-8", "replace").encode() for piece in pieces)
    pieces = [whole[at : at + 7] for at in range(0, len(whole), 7)]
    read_end, write_end = os.pipe()
    found: list[str | None] = []
    with os.fdopen(write_end, "wb", buffering=0) as writer:
        lines = arriving(f"/dev/fd/{read_end}")
        for at, piece in enumerate(pieces):
            writer.write(piece)
            due = b"".join(pieces[: at + 1]).count(b"\n")
            while len([line for line in found if line is not None]) < due:
                found.append(next(lines))
    found += lines
    os.close(read_end)
    expected = whole.decode("utf-8-sig").split("\n")
    if expected[-1] == "":
        expected.pop()
    assert [line for line in found if line is not None] == [line.rstrip("\r\n") for line in expected]


def test_a_pipe_that_is_full_gives_whole_batches() -> None:
    read_end, write_end = os.pipe()

    def fill() -> None:
        with os.fdopen(write_end, "wb") as writer:
            writer.write(b"line\n" * 1000)

    filling = threading.Thread(target=fill)
    filling.start()
    filling.join(1)
    sizes = [len(batch) for batch in batches(arriving(f"/dev/fd/{read_end}"), 1 << 20)]
    filling.join()
    os.close(read_end)
    assert sizes == [BATCH_LINES] * (1000 // BATCH_LINES) + [1000 % BATCH_LINES]
