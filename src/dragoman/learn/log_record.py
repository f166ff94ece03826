"""One change of a model as its log has it: a pair that was added, one that was removed, or a name that was."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from dragoman import _core

ADDITION = "addition"
REMOVAL = "removal"
UNNAMING = "unnaming"


@dataclass(frozen=True, slots=True)
class LogRecord:
    """What is done to the pair of an id, which the index knows by its stable id; only an addition says more."""

    kind: str
    id: str
    stable_id: int = 0
    # As the user gave them.
    source_text: str = ""
    target_text: str = ""
    # Tokens as the model has them, the target tokens as written, and links in Pharaoh's form.
    source: str = ""
    target: str = ""
    written: str = ""
    links: str = ""
    # Where the pair came from, when and with which others, as JSON.
    origin: str = ""


def encode_records(records: Iterable[LogRecord], version: int = _core.LOG_VERSION) -> bytes:
    """Bytes to append to a log of this version; raises for what could not be learned, such as links to no word."""
    return _core.encode_log_records([dataclasses.asdict(record) for record in records], version)


def decode_record(data: bytes, offset: int, version: int) -> LogRecord | None:
    """The record that begins there; None where none does."""
    values = _core.read_log_record(data, offset, version)
    return None if values is None else LogRecord(**values)
