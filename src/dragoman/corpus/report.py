"""What was done to a corpus, in numbers: the content of report.json."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from dragoman.config import CleanOptions, ReadOptions, SplitOptions
from dragoman.corpus.clean import RULES


@dataclass(frozen=True, slots=True)
class InputReport:
    """What was read of one input, a file or two that go together, and why it hardly is in its languages."""

    files: list[str]
    format: str
    read: int
    skipped: dict[str, int]
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class PreparationOptions:
    """All that was asked for."""

    read: ReadOptions
    clean: CleanOptions
    split: SplitOptions


@dataclass(slots=True)
class PreparationReport:
    """What `prepare` did, in numbers."""

    source_lang: str
    target_lang: str
    inputs: list[InputReport] = field(default_factory=list)
    read: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(RULES, 0)))
    kept: int = 0
    splits: dict[str, int] = field(default_factory=dict)
    options: PreparationOptions = field(
        default_factory=lambda: PreparationOptions(ReadOptions(), CleanOptions(), SplitOptions())
    )

    def as_json(self) -> dict[str, Any]:
        return {
            **{item.name: getattr(self, item.name) for item in fields(self)},
            "inputs": [asdict(entry) for entry in self.inputs],
            "options": asdict(self.options),
        }

    @property
    def doubts(self) -> list[str]:
        """Inputs that hardly are in the languages they should be, and what they look like."""
        return [f"{' and '.join(entry.files)}: {entry.doubt}" for entry in self.inputs if entry.doubt]

    def nothing_left(self) -> str:
        """Why there is nothing to train on."""
        if self.read == 0:
            return "there are no sentence pairs in the input" + (
                f"; skipped: {', '.join(f'{count} {why}' for why, count in self.skipped.items())}"
                if self.skipped
                else ""
            )
        rule, count = self.dropped.most_common(1)[0]
        if self.doubts:
            return f"none of {self.read:,} pairs is left after cleaning; {self.doubts[0]}"
        return (
            f"none of {self.read:,} pairs is left after cleaning, {count:,} were dropped as `{rule}`; look at the text,"
            " or relax that rule (see --help)"
        )
