"""Logs as the core reads and writes them, and as the plain account of their format does: whatever happened to them."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.reference import overlay_log

WORDS = st.lists(st.sampled_from(["le", "mot", "DLOG", "é"]), min_size=1, max_size=4)


@st.composite
def records(draw: st.DrawFn, kinds: tuple[str, ...]) -> dict[str, Any]:
    kind = draw(st.sampled_from(kinds))
    record = {"kind": kind, "stable_id": draw(st.integers(0, 3)), "id": draw(st.text(max_size=3))}
    if kind != "addition":
        return record
    source, target = draw(WORDS), draw(WORDS)
    texts = {"source": " ".join(source), "target": " ".join(target), "written": " ".join(target)}
    given_texts = {"source_text": draw(st.text(max_size=5)), "target_text": draw(st.text(max_size=5))}
    return {**record, **texts, **given_texts, "links": "0-0", "origin": draw(st.sampled_from(["", '{"line": 1}']))}


@st.composite
def logs(draw: st.DrawFn) -> tuple[int, list[list[dict[str, Any]]]]:
    version = draw(st.integers(1, 3))
    kinds = ("addition", "removal", "unnaming")[: 2 + (version > 2)]
    return version, draw(st.lists(st.lists(records(kinds), min_size=1, max_size=3), max_size=4))


@settings(max_examples=300, deadline=None)
@given(logs(), st.data())
def test_any_log_is_read_as_its_format_says(log: tuple[int, list[list[dict[str, Any]]]], data: st.DataObject) -> None:
    version, changes = log
    written = b"".join(overlay_log.encode(change, version) for change in changes)
    assert b"".join(_core.encode_log_records(change, version) for change in changes) == written
    # Cut off somewhere, and changed in some places; sometimes read as another version.
    damaged = bytearray(written[: data.draw(st.integers(0, len(written)))])
    for _ in range(data.draw(st.integers(0, 2)) if damaged else 0):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    for bytes_, read_as in ((written, version), (bytes(damaged), version), (written, data.draw(st.integers(1, 3)))):
        expected = overlay_log.read(bytes_, read_as)
        entries, end, lost, refused = _core.scan_log(bytes_, 0, read_as)
        assert (end, lost, refused) == (expected.end, expected.damaged, expected.refused)
        assert [(at, kind, number, name) for kind, number, name, _, at in entries] == [
            (at, record["kind"], record["stable_id"], record["id"]) for at, record in expected.records
        ]
        for at, record in expected.records:
            found = _core.read_log_record(bytes_, at, read_as)
            assert found == {name: record[name] for name in found or {}}
            assert found
    assert overlay_log.read(written, version).end == len(written)
