"""The log file: what was promised is there whatever happens to its end, and damage costs only what it hits."""

from __future__ import annotations

import errno
import os
import random
from pathlib import Path
from typing import Any

import pytest

from dragoman import _core
from dragoman.errors import FormatError, InputError
from dragoman.learn.log import OverlayLog, renew_log
from tests.fuzz.logs import MutatedLogs, rehashed

INDEX = 0x1234_5678_9ABC_DEF0


def record(number: int, **more: Any) -> dict[str, Any]:
    texts = {"source_text": f"Phrase {number}", "target_text": f"Sentence {number}", "written": f"Sentence {number}"}
    tokens = {"source": f"phrase {number}", "target": f"sentence {number}", "links": "0-0 1-1"}
    return {"kind": "addition", "stable_id": number, "id": f"id {number}", **texts, **tokens, **more}


def written(directory: Path, count: int) -> OverlayLog:
    log = OverlayLog(directory, INDEX)
    for number in range(count):
        log.append(_core.encode_log_records([record(number)]))
    return log


def ids(directory: Path) -> list[int]:
    return [entry.stable_id for entry in OverlayLog(directory, INDEX).read_news().entries]


def test_reads_what_was_written(tmp_path: Path) -> None:
    log = written(tmp_path, 3)
    other = OverlayLog(tmp_path, INDEX)
    piece = other.read_news()
    assert [(entry.kind, entry.id) for entry in piece.entries] == [("addition", f"id {n}") for n in range(3)]
    assert not piece.damaged and not piece.torn and not other.has_news()
    log.append(_core.encode_log_records([{"kind": "removal", "stable_id": 1, "id": "id 1"}]))
    assert other.has_news()
    assert [(entry.kind, entry.stable_id) for entry in other.read_news().entries] == [("removal", 1)]
    found = other.record(piece.entries[2].offset)
    assert found is not None
    assert found.target_text == "Sentence 2"


def test_a_tail_torn_at_any_byte_is_recovered(tmp_path: Path) -> None:
    path = written(tmp_path, 2).path
    whole = path.read_bytes()
    later = [entry.offset for entry in OverlayLog(tmp_path, INDEX).read_news().entries[1:]]
    sizes = [_core.LOG_HEADER_BYTES, *later, len(whole)]
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        log = OverlayLog(tmp_path, INDEX)
        piece = log.read_news()
        kept = sum(size <= cut for size in sizes[1:])
        assert [entry.stable_id for entry in piece.entries] == list(range(kept)), cut
        assert piece.torn == (cut - sizes[kept] if cut >= _core.LOG_HEADER_BYTES else cut)
        assert log.append(_core.encode_log_records([record(7)])) == piece.torn
        assert ids(tmp_path) == [*range(kept), 7], cut
        assert not OverlayLog(tmp_path, INDEX).read_news().torn


def test_a_tail_of_garbage_is_recovered(tmp_path: Path) -> None:
    path = written(tmp_path, 2).path
    for tail in (b"\0" * 100, b"DLOG" * 20, os.urandom(64)):
        whole = path.read_bytes()
        path.write_bytes(whole + tail)
        assert ids(tmp_path) == [0, 1]
        path.write_bytes(whole)


def test_damage_in_the_middle_costs_only_what_it_hits(tmp_path: Path) -> None:
    path = written(tmp_path, 3).path
    whole = path.read_bytes()
    offsets = [entry.offset for entry in OverlayLog(tmp_path, INDEX).read_news().entries]
    for at in range(offsets[1], offsets[2]):
        damaged = bytearray(whole)
        damaged[at] ^= 0x55
        path.write_bytes(damaged)
        piece = OverlayLog(tmp_path, INDEX).read_news()
        assert [entry.stable_id for entry in piece.entries] == [0, 2], at
        assert piece.damaged == offsets[2] - offsets[1]


def test_a_reader_waits_for_a_record_that_is_being_written(tmp_path: Path) -> None:
    path = written(tmp_path, 1).path
    reader = OverlayLog(tmp_path, INDEX)
    assert len(reader.read_news().entries) == 1
    more = _core.encode_log_records([record(1)])
    with path.open("ab") as stream:
        stream.write(more[:20])
    assert reader.read_news().entries == []
    with path.open("ab") as stream:
        stream.write(more[20:])
    assert [entry.stable_id for entry in reader.read_news().entries] == [1]


def test_a_full_disk_promises_nothing_and_breaks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = written(tmp_path, 2)
    whole = log.path.read_bytes()
    write = os.pwrite

    def full(descriptor: int, data: Any, offset: int) -> int:
        if len(data) > 10:
            return write(descriptor, data[:10], offset)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(OSError, match="No space"):
        log.append(_core.encode_log_records([record(2)]))
    monkeypatch.undo()
    assert log.path.read_bytes() == whole
    log.append(_core.encode_log_records([record(3)]))
    assert ids(tmp_path) == [0, 1, 3]


def test_foreign_and_newer_logs_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, 1).path
    with pytest.raises(FormatError, match="another index"):
        OverlayLog(tmp_path, INDEX + 1).read_news()
    whole = bytearray(path.read_bytes())
    whole[8] = 9
    path.write_bytes(whole)
    with pytest.raises(FormatError, match="newer version"):
        OverlayLog(tmp_path, INDEX).read_news()
    path.write_bytes(b"something else, and long enough to be a header")
    with pytest.raises(FormatError, match="not a log"):
        OverlayLog(tmp_path, INDEX).read_news()


@pytest.mark.parametrize(
    "wrong", [{"source": ""}, {"target": ""}, {"links": "0-5"}, {"links": "nonsense"}, {"stable_id": 1 << 60}]
)
def test_what_cannot_be_indexed_gets_into_no_log(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        _core.encode_log_records([record(1, **wrong)])


GOLDEN = Path(__file__).parents[2] / "golden"
GOLDEN_INDEX = 0x0123456789ABCDEF
GOLDEN_IDS = ["memo-0", "memo-1", "memo-0", "memo-2"]
EARLIER = pytest.mark.parametrize("version", range(1, _core.LOG_VERSION))


def kept_log(directory: Path, version: int) -> bytes:
    """A log that an earlier version of the program wrote, in a model's place."""
    path = directory / "overlay" / "log"
    path.parent.mkdir(parents=True)
    path.write_bytes((GOLDEN / f"overlay-log-v{version}.bin").read_bytes())
    return path.read_bytes()


@EARLIER
def test_logs_of_earlier_versions_stay_readable(tmp_path: Path, version: int) -> None:
    kept_log(tmp_path, version)
    log = OverlayLog(tmp_path, GOLDEN_INDEX)
    piece = log.read_news()
    assert log.version == version
    assert not log.shares
    assert [entry.id for entry in piece.entries] == GOLDEN_IDS
    assert not piece.damaged and not piece.torn and not piece.refused
    assert log.entries() == piece.entries
    found = log.record(piece.entries[1].offset)
    assert found is not None
    assert found.target_text == "The snark 1 sleeps."
    assert found.origin == '{"file": "memory.tmx", "line": 1}'
    assert log.tail(_core.LOG_HEADER_BYTES) == piece.data


@EARLIER
def test_logs_of_earlier_versions_are_appended_to_as_such(tmp_path: Path, version: int) -> None:
    kept = kept_log(tmp_path, version)
    log = OverlayLog(tmp_path, GOLDEN_INDEX)
    log.read_news()
    log.append(_core.encode_log_records([record(7)], log.version))
    assert log.path.read_bytes().startswith(kept)
    again = OverlayLog(tmp_path, GOLDEN_INDEX)
    assert [entry.id for entry in again.read_news().entries] == [*GOLDEN_IDS, "id 7"]
    # Written as another version it would be damage.
    for other in {1, 2, 3} - {version}:
        assert not _core.scan_log(_core.encode_log_records([record(7)], other), 0, version)[0]


@EARLIER
def test_logs_of_earlier_versions_are_renewed(tmp_path: Path, version: int) -> None:
    kept_log(tmp_path / "old", version)
    (tmp_path / "new" / "overlay").mkdir(parents=True)
    assert renew_log(tmp_path / "old" / "overlay" / "log", tmp_path / "new" / "overlay" / "log")
    log = OverlayLog(tmp_path / "new", GOLDEN_INDEX)
    assert [entry.id for entry in log.read_news().entries] == GOLDEN_IDS
    assert log.version == _core.LOG_VERSION


def test_whole_records_that_make_no_sense_are_counted_and_passed_over(tmp_path: Path) -> None:
    log = written(tmp_path, 1)
    for wrong in (b"0-9 1-1", b"0-0 1-x", b"0-0 1\xff1"):
        log.append(rehashed(_core.encode_log_records([record(5)]).replace(b"0-0 1-1", wrong)))
    log.append(_core.encode_log_records([record(6)]))
    piece = OverlayLog(tmp_path, INDEX).read_news()
    assert [entry.stable_id for entry in piece.entries] == [0, 6]
    assert (piece.refused, piece.damaged, piece.torn) == (3, 0, 0)


def test_a_torn_tail_is_read_once(tmp_path: Path) -> None:
    path = written(tmp_path, 1).path
    with path.open("ab") as stream:
        stream.write(b"DLOG and no more")
    log = OverlayLog(tmp_path, INDEX)
    assert log.has_news()
    assert log.read_news().torn == 16
    assert not log.has_news()
    with path.open("ab") as stream:
        stream.write(b"!")
    assert log.has_news()


def test_mutated_logs_never_crash(tmp_path: Path) -> None:
    path = written(tmp_path, 4).path
    whole = path.read_bytes()
    chance = random.Random(1)
    for _ in range(300):
        mutated = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            mutated[chance.randrange(len(mutated))] = chance.randrange(256)
        path.write_bytes(mutated)
        try:
            found = ids(tmp_path)
        except FormatError:
            continue
        assert found == sorted(found)
        assert set(found) <= set(range(4))


def test_mutated_logs_with_right_hashes_open(tmp_path: Path) -> None:
    """Whatever a record says, a model opens with the others."""
    mutations = MutatedLogs(tmp_path / "model")
    chance = random.Random(2)
    for _ in range(200):
        mutations.check(chance)
    assert mutations.refused > 20
