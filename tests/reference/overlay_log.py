"""The log of changes as its format says, in the plainest way: core/index/overlay_log.h."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from dragoman import _core

MARKER = b"DLOG"
HEAD = struct.Struct("<4sIQ")
KINDS = {1: "addition", 2: "removal", 3: "unnaming"}
STRINGS = ("id", "source_text", "target_text", "source", "target", "written", "links", "origin")
LAST = 0x80


@dataclass
class Reading:
    """Records that count, each with its place; where they end, bytes before that which are no records, and records that
    nobody can follow."""

    records: list[tuple[int, dict[str, Any]]]
    end: int
    damaged: int = 0
    refused: int = 0


def payload_hash(payload: bytes, version: int) -> int:
    return _core.hash_bytes(payload, len(payload) if version == 1 else 0)


def encode(records: list[dict[str, Any]], version: int) -> bytes:
    data = b""
    for number, record in enumerate(records, start=1):
        kind = next(byte for byte, name in KINDS.items() if name == record["kind"])
        last = LAST if version >= 3 and number == len(records) else 0
        payload = struct.pack("<BQ", kind | last, record["stable_id"])
        for name in STRINGS if record["kind"] == "addition" else STRINGS[:1]:
            text = record.get(name, "").encode()
            payload += struct.pack("<I", len(text)) + text
        data += HEAD.pack(MARKER, len(payload), payload_hash(payload, version)) + payload
    return data


def decode(payload: bytes, version: int) -> dict[str, Any] | None:
    """The record, with bytes for strings; None where its sizes do not add up."""
    if len(payload) < 9:
        return None
    kind = KINDS.get(payload[0] & ~LAST if version >= 3 else payload[0])
    if kind is None or (version < 3 and kind == "unnaming"):
        return None
    record: dict[str, Any] = {"kind": kind, "stable_id": struct.unpack_from("<Q", payload, 1)[0]}
    at = 9
    for name in STRINGS if kind == "addition" else STRINGS[:1]:
        if len(payload) - at < 4:
            return None
        (size,) = struct.unpack_from("<I", payload, at)
        if len(payload) - at - 4 < size:
            return None
        record[name] = payload[at + 4 : at + 4 + size]
        at += 4 + size
    return record if at == len(payload) else None


def makes_sense(record: dict[str, Any]) -> bool:
    try:
        for name in STRINGS:
            record[name] = record.get(name, b"").decode()
    except UnicodeDecodeError:
        return False
    if record["kind"] != "addition":
        return True
    words = [len(record[side].split()) for side in ("source", "target")]
    try:
        links = [tuple(map(int, link.split("-"))) for link in record["links"].split()]
    except ValueError:
        return False
    inside = all(len(link) == 2 and 0 <= link[0] < words[0] and 0 <= link[1] < words[1] for link in links)
    return all(words) and inside and record["stable_id"] < 1 << 57


def read(log: bytes, version: int) -> Reading:
    found: list[tuple[int, dict[str, Any]]] = []
    reading = Reading([], 0)
    at = end = damaged = refused = 0
    while at < len(log):
        record, size = None, 0
        if log[at : at + 4] == MARKER and len(log) - at >= HEAD.size:
            size = HEAD.unpack_from(log, at)[1]
            payload = log[at + HEAD.size : at + HEAD.size + size]
            record = decode(payload, version) if len(payload) == size else None
        if record is None:
            at = log.find(MARKER, at + 1)
            if at < 0:
                break
            continue
        begin, at = at, at + HEAD.size + size
        if HEAD.unpack_from(log, begin)[2] != payload_hash(payload, version):
            continue
        damaged += begin - end
        end = at
        if makes_sense(record):
            found.append((begin, record))
        else:
            refused += 1
        if version < 3 or payload[0] & LAST:
            reading = Reading(list(found), end, damaged, refused)
    return reading
