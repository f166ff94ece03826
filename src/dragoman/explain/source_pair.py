"""A training pair as people know it: its texts, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dragoman.explain.training_text import PairText, pair_text
from dragoman.index.sources import SourceRecord
from dragoman.learn.memory import DEFAULT, memory_of, own_name
from dragoman.model.opened import OpenedModel


@dataclass(frozen=True, slots=True)
class SourcePair:
    """A training pair as people know it: its texts, and where it came from as far as that was kept."""

    stable_id: int
    source: PairText
    target: PairText
    record: SourceRecord

    @property
    def raw(self) -> bool:
        """Whether the texts are those of the file; else the model's words, joined as the language is written."""
        return self.source.raw and self.target.raw

    @property
    def place(self) -> str:
        return own_name(self.record.place) or f"pair {self.stable_id}"

    def as_json(self) -> dict[str, Any]:
        record = self.record
        known = {
            "name": own_name(record.id),
            "memory": memory if (memory := memory_of(record.id)) != DEFAULT else "",
            "file": record.file,
            "line": record.line,
            "unit": record.unit,
            "attributes": record.attributes,
        }
        texts = {"source": self.source.text, "target": self.target.text, "raw": self.raw}
        return texts | {key: value for key, value in known.items() if value}


def stored_pair(opened: OpenedModel, stable_id: int) -> SourcePair:
    """A pair as it was written, or where that was not kept, in the model's words."""
    record = opened.source(stable_id) or SourceRecord(stable_id, "", "", "")
    source, target, _ = opened.core.pair(stable_id) or ([], [], [])
    return SourcePair(
        stable_id,
        pair_text(opened.core, source, record.source),
        pair_text(opened.core, target, record.target, True),
        record,
    )
