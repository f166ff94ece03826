"""How `dragoman translate` cuts its input into calls."""

from __future__ import annotations

from dragoman.cli.translate import BATCH_LINES, batches


def test_batches_hold_every_line_and_little_text() -> None:
    lines = ["x" * (n % 7 * 30) for n in range(1000)]
    found = list(batches(lines, 300))
    assert [line for batch in found for line in batch] == lines
    assert all(sum(map(len, batch[:-1])) < 300 for batch in found)
    assert [len(batch) for batch in batches([""] * 200, 300)] == [BATCH_LINES] * 3 + [200 - 3 * BATCH_LINES]
    assert list(batches([], 300)) == []
    assert list(batches(["x" * 999] * 2, 300)) == [["x" * 999]] * 2
