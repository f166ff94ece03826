"""A segment of a part, with what it was made of and what becomes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dragoman.documents.office.inline import Item, Run
from dragoman.documents.segment import Segment

# What XML 1.0 cannot hold.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class Slot:
    """`runs` are the formats of its tags; `ground` is that of words in none of them."""

    items: list[Item]
    runs: dict[str, Run]
    segment: Segment
    ground: Run = field(default_factory=Run)
    translation: Segment | None = None

    @property
    def changes(self) -> bool:
        return self.translation is not None and self.translation != self.segment
