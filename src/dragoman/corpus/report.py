"""What was done to a corpus, in numbers: the content of report.json."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dragoman.corpus.clean import RULES


@dataclass(slots=True)
class Report:
    """What `prepare` did, in numbers."""

    source_lang: str
    target_lang: str
    inputs: list[dict[str, Any]] = field(default_factory=list)
    read: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(RULES, 0)))
    kept: int = 0
    splits: dict[str, int] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "source_lang": self.source_lang,
            "target_lang": self.target_lang,
            "inputs": self.inputs,
            "read": self.read,
            "skipped": dict(self.skipped),
            "changes": dict(self.changes),
            "dropped": dict(self.dropped),
            "kept": self.kept,
            "splits": self.splits,
            "options": self.options,
        }

    def nothing_left(self) -> str:
        """Why there is nothing to train on."""
        if self.read == 0:
            return "there are no sentence pairs in the input" + (
                f"; skipped: {', '.join(f'{count} {why}' for why, count in self.skipped.items())}"
                if self.skipped
                else ""
            )
        rule, count = self.dropped.most_common(1)[0]
        return (
            f"none of {self.read:,} pairs is left after cleaning, {count:,} were dropped as `{rule}`; look at the text,"
            " or relax that rule (see --help)"
        )
