"""What a corpus looks like in numbers: lines, tokens, types, lengths, ratios, and words that training has not seen.

Tokens are those a model sees (lower case, no marks). Files stream; what is kept is each file's vocabulary and a
histogram of sentence lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path, PurePath
from typing import Any

from dragoman import _core
from dragoman.corpus.filters import checked_blocks
from dragoman.corpus.formats import plain_suffix, require_file, stem
from dragoman.corpus.languages import CODE, canonical, require_code
from dragoman.errors import ConfigError, InputError
from dragoman.progress import Progress

QUANTILES = {"median": 0.5, "p95": 0.95, "p99": 0.99}


@dataclass(slots=True)
class FileStats:
    """One file. Out-of-vocabulary figures are percentages against `known_from`, the training file of its language."""

    file: str
    lang: str
    lines: int = 0
    empty_lines: int = 0
    characters: int = 0
    types: Counter[bytes] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    known_from: str = ""
    unknown_tokens_percent: float = 0.0
    unknown_types_percent: float = 0.0

    @property
    def tokens(self) -> int:
        return self.types.total()

    @property
    def mean_length(self) -> float:
        """Tokens a line."""
        return round(self.tokens / self.lines, 2) if self.lines else 0.0

    @property
    def longest(self) -> int:
        return max(self.lengths, default=0)

    def length_at(self, share: float) -> int:
        """The sentence length in tokens that this share of the lines does not exceed."""
        wanted = share * self.lines
        seen = 0
        for length, lines in sorted(self.lengths.items()):
            seen += lines
            if seen >= wanted:
                return length
        return 0

    def as_json(self) -> dict[str, Any]:
        summary: dict[str, Any] = {
            "file": self.file,
            "lang": self.lang,
            "lines": self.lines,
            "empty_lines": self.empty_lines,
            "characters": self.characters,
            "tokens": self.tokens,
            "types": len(self.types),
            "tokens_per_line": {
                "mean": self.mean_length,
                **{name: self.length_at(share) for name, share in QUANTILES.items()},
                "max": self.longest,
            },
        }
        if self.known_from:
            summary["known_from"] = self.known_from
            summary["unknown_tokens_percent"] = round(self.unknown_tokens_percent, 3)
            summary["unknown_types_percent"] = round(self.unknown_types_percent, 3)
        return summary


def gather(paths: Sequence[str | Path], lang: str = "", progress: Progress | None = None) -> list[FileStats]:
    """Statistics of every file, and of each that is not training against the training file of its language."""
    given = canonical(require_code(lang, "lang")) if lang else ""
    named = [(name, given or language_of(name)) for name in expand(paths)]
    for name, code in named:
        if not code:
            raise ConfigError(
                f"{name} does not end in a language code such as .fr; name its language by --lang", "lang"
            )
    files: list[FileStats] = []
    for at, (name, code) in enumerate(named):
        files.append(count(name, code))
        if progress is not None:
            progress(at + 1, len(named))
    for lang_code in {entry.lang for entry in files}:
        same = [entry for entry in files if entry.lang == lang_code]
        train = next((entry for entry in same if PurePath(entry.file).name.startswith("train")), same[0])
        for entry in same:
            if entry is not train:
                compare(entry, train)
    return files


def expand(paths: Sequence[str | Path]) -> Iterator[str]:
    """Files as they are; a directory that `prepare` wrote stands for its text files."""
    for path in map(Path, paths):
        if not path.is_dir():
            require_file(str(path))
            yield str(path)
            continue
        children = [child for name in ("train", "dev", "test") for child in sorted(path.glob(f"{name}.*"))]
        text = [str(child) for child in children if not child.name.endswith(".jsonl")]
        if not text:
            raise InputError(f"{path} is a directory without train, dev or test files; name files")
        yield from text


def language_of(path: str) -> str:
    """The language a file's extension names, as in train.pt-BR.xz; none otherwise."""
    code = canonical(plain_suffix(path)[1:])
    # Three letters are .txt or .tok sooner than a language that has no two-letter code.
    return code if CODE.fullmatch(code) and len(code.split("-")[0]) == 2 else ""


def count(path: str, lang: str) -> FileStats:
    stats = FileStats(path, lang)
    tokenizer = _core.Tokenizer(lang)
    for block in checked_blocks(path):
        stats.characters += len(block.decode("utf-8")) - block.count(b"\n")
        tokenized = tokenizer.tokenize(block, model=True)
        stats.types.update(tokenized.split())
        lengths = [line.count(b" ") + 1 if line else 0 for line in tokenized.split(b"\n")[:-1]]
        stats.lines += len(lengths)
        stats.empty_lines += lengths.count(0)
        stats.lengths.update(lengths)
    if stats.lines == 0:
        raise InputError(f"{path} is empty; there is nothing to count")
    return stats


def compare(entry: FileStats, train: FileStats) -> None:
    unknown = {word: times for word, times in entry.types.items() if word not in train.types}
    entry.known_from = train.file
    entry.unknown_tokens_percent = 100 * sum(unknown.values()) / max(entry.tokens, 1)
    entry.unknown_types_percent = 100 * len(unknown) / max(len(entry.types), 1)


@dataclass(frozen=True, slots=True)
class PairRatio:
    """Two files that go together (train.fr, train.en): how many tokens of one stand for a token of the other."""

    files: tuple[str, str]
    same_number_of_lines: bool
    tokens_ratio: float
    characters_ratio: float


def ratios(files: Sequence[FileStats]) -> list[PairRatio]:
    return [
        PairRatio(
            (ours.file, theirs.file),
            ours.lines == theirs.lines,
            round(ours.tokens / max(theirs.tokens, 1), 4),
            round(ours.characters / max(theirs.characters, 1), 4),
        )
        for ours, theirs in combinations(files, 2)
        if stem(ours.file) == stem(theirs.file) and ours.lang != theirs.lang
    ]
