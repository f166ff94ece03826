"""Sentence pairs to learn, made ready for the log: tokens as the model has them, links, and a name.

Whatever cannot be learned is refused here, before anything is written.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dragoman import _core
from dragoman.align import AlignmentModel, parse_links
from dragoman.arguments import require_text, wrong
from dragoman.errors import ConfigError, InputError
from dragoman.learn.cognates import cognates
from dragoman.learn.covering import covering
from dragoman.learn.log_record import ADDITION, LogRecord, encode_records
from dragoman.learn.memory import DEFAULT, SEPARATOR, full_name, require_memory
from dragoman.model.directory import ModelDirectory

# Source and target tokens as the model has them, and the target tokens as they were written.
Tokenize = Callable[[str, str], tuple[str, str, str]]
# The words of both sides, and links between their positions.
LinkedWords = tuple[list[str], list[str], list[tuple[int, int]]]

# Of a sentence to learn. The aligner compares every word of one side with every word of the other, so that this bounds
# its memory too; and the decoder cuts sentences that are a tenth as long.
MOST_WORDS = 1000
MOST_CHARACTERS = 100 * MOST_WORDS
LINKED_KEPT = 1000


@dataclass(frozen=True, slots=True)
class NewPair:
    """A sentence pair to learn. `links` between the model's tokens are found by the alignment model unless given."""

    source: str
    target: str
    id: str | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)
    links: str | None = None
    memory: str = DEFAULT


def default_id(source: str, target: str) -> str:
    """The name of a pair that was given none: the same for the same pair, so adding it twice adds it once."""
    return f"pair-{_core.hash_bytes(source.encode() + bytes(1) + target.encode()):016x}"


class NewPairs:
    """Makes pairs ready for one model; its aligner is opened with the first."""

    def __init__(self, model: ModelDirectory, tokenize: Tokenize) -> None:
        self._model = model
        self._tokenize = tokenize
        self._aligner: AlignmentModel | None = None
        # A document asks for the same pairs again and again.
        self.linked = functools.lru_cache(LINKED_KEPT)(self._linked)

    def prepared(self, pairs: Sequence[NewPair]) -> list[LogRecord]:
        """A record of each pair, but for the number that the index knows it by."""
        tokens = []
        for pair in pairs:
            if pair.id is not None and not pair.id.strip():
                raise InputError("the id of a pair must not be empty")
            require_unicode(pair.id or "")
            require_memory(pair.memory)
            if SEPARATOR in (pair.id or ""):
                raise InputError("the id of a pair must not hold the control character U+001F")
            require_learnable(pair.source, pair.target, pair.id)
            tokens.append(self._tokenize(pair.source, pair.target))
            if not tokens[-1][0] or not tokens[-1][1]:
                raise InputError(f"{pair.id or 'a pair'}: has no words on one side, so nothing can be learned from it")
            require_short(pair.id, max(side.count(" ") + 1 for side in tokens[-1][:2]), MOST_WORDS, "words")
        links = self._aligned(pairs, tokens)
        prepared = []
        for pair, (source, target, written), link in zip(pairs, tokens, links, strict=True):
            record = LogRecord(
                ADDITION,
                full_name(default_id(pair.source, pair.target) if pair.id is None else pair.id, pair.memory),
                source_text=pair.source,
                target_text=pair.target,
                source=source,
                target=target,
                written=written,
                links=link,
                origin=json.dumps(dict(pair.origin), ensure_ascii=False) if pair.origin else "",
            )
            # Raises for links outside the sentence and the like.
            encode_records([record])
            prepared.append(record)
        return prepared

    def _linked(self, source: str, target: str) -> LinkedWords | None:
        """The words of a pair that is not to be learned, and their links; None for a pair that says nothing."""
        if max(len(source), len(target)) > MOST_CHARACTERS:
            return None
        ours, theirs, _ = self._tokenize(source, target)
        if not ours or not theirs or max(ours.count(" "), theirs.count(" ")) >= MOST_WORDS:
            return None
        return ours.split(), theirs.split(), parse_links(self._align([ours], [theirs])[0])

    def _aligned(self, pairs: Sequence[NewPair], tokens: Sequence[tuple[str, str, str]]) -> list[str]:
        links = [pair.links for pair in pairs]
        open_pairs = [number for number, pair in enumerate(pairs) if pair.links is None]
        if open_pairs:
            aligned = self._align([tokens[n][0] for n in open_pairs], [tokens[n][1] for n in open_pairs])
            for number, pair_links in zip(open_pairs, aligned, strict=True):
                links[number] = pair_links
        return [pair_links or "" for pair_links in links]

    def _align(self, source: list[str], target: list[str]) -> list[str]:
        if self._aligner is None:
            if not self._model.has("align.bin"):
                raise ConfigError(
                    f"{self._model.path} has no align.bin, which links the words of new pairs; make one from the tokens"
                    f" the model was trained on: `dragoman align SOURCE TARGET --save {self._model.path}`",
                    "model",
                )
            self._aligner = AlignmentModel.open(self._model.file("align.bin"))
        text = self._aligner.align_text(source, target)
        links = []
        for line, ours, theirs in zip(text.decode().split("\n")[:-1], source, target, strict=True):
            links.append(" ".join(f"{i}-{j}" for i, j in linked(self._aligner, ours.split(), theirs.split(), line)))
        return links


def linked(aligner: AlignmentModel, source: list[str], target: list[str], links: str) -> list[tuple[int, int]]:
    """The links of a pair that the aligner gave, made whole."""
    ours, theirs = aligner.side(source), aligner.side(target, target=True)
    known = parse_links(links)
    taken = {j for i, j in known if i not in ours.new and aligner.evident(source[i], target[j])}
    alike = cognates(source, target, ours.new, taken)
    return covering(known, ours, theirs, lambda i, j: aligner.evident(source[i], target[j]), alike)


def require_unicode(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("the text holds half a surrogate pair; it is not Unicode text") from None


def require_learnable(source: str, target: str, name: str | None = None) -> None:
    """What can be asked of a pair before it is tokenized."""
    for text in (source, target):
        require_unicode(text)
    require_short(name, max(len(source), len(target)), MOST_CHARACTERS, "characters")


def require_short(name: str | None, size: int, most: int, what: str) -> None:
    if size > most:
        raise InputError(
            f"{name or 'a pair'}: has a side of {size:,} {what}, where a pair to learn may have {most:,}; split it"
            " into sentences and add them one by one"
        )


def require_pair(pair: Any) -> None:
    if not isinstance(pair, NewPair):
        raise wrong("pairs", "a list of NewPair", pair)
    require_text("source", pair.source)
    require_text("target", pair.target)
    require_memory(pair.memory)
    for name, value in (("id", pair.id), ("links", pair.links)):
        if value is not None:
            require_text(name, value)
