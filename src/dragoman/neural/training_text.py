"""Training text as arrays of word ids, laid out so that the context of any word is a slice.

Every sentence is stored behind order-1 copies of <s> and ends with </s>, so the j-th word back of position t is simply
ids[t - j]. Source sentences are padded in the same spirit: `window` copies of <s> to their left and of </s> to their
right, and each target position knows the place of its affiliated source word (thesis section 4.9). Linear in the text.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dragoman._core import affiliations as affiliate
from dragoman.errors import ConfigError, InputError
from dragoman.files import reading

# What is no word of the text has ids of its own: text may hold <s>, </s> and <unk> as words like any other.
UNKNOWN, BEGIN, END, FIRST_WORD = 1, 2, 3, 4  # 0 is nothing at all

Ids = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences one after another: sentence i is ids[begin[i]:begin[i+1]], without marks."""

    ids: Ids
    begin: Places
    words: list[str]  # of ids FIRST_WORD..
    counts: Places  # by id, of all ids

    @property
    def size(self) -> int:
        return FIRST_WORD + len(self.words)

    def __len__(self) -> int:
        return len(self.begin) - 1


@dataclass(frozen=True, slots=True)
class Stream:
    """A padded text and the positions in it that are predicted."""

    ids: Ids
    positions: Places
    source_ids: Ids | None = None
    centres: Places | None = None  # by position in ids: the place in source_ids

    @property
    def tokens(self) -> int:
        return len(self.positions)


class Numbering(dict[bytes, int]):
    """Numbers words as they appear."""

    def __missing__(self, word: bytes) -> int:
        number = len(self)
        self[word] = number
        return number


def read_sentences(
    path: Path, *, min_count: int = 1, max_words: int = 0, vocabulary: frozenset[bytes] | None = None
) -> Sentences:
    """Reads tokenized text, one sentence a line. Words below `min_count`, beyond the `max_words` most frequent ones or
    outside `vocabulary` become <unk>."""
    numbers = Numbering()
    provisional = array("i")
    begin = array("q", [0])
    with reading(path) as stream:
        for line in stream:
            provisional.extend(map(numbers.__getitem__, line.split()))
            begin.append(len(provisional))
    raw = np.frombuffer(provisional, dtype=np.int32) if provisional else np.zeros(0, np.int32)
    counts = np.bincount(raw, minlength=len(numbers)) if numbers else np.zeros(0, np.int64)
    names = list(numbers)
    try:
        strings = [name.decode() for name in names]
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text; convert it, for instance with iconv") from None
    # Falling frequency, and among equals as they appeared, which a stable sort keeps.
    ranked = np.argsort(-counts, kind="stable")
    kept = [
        number
        for number in ranked.tolist()
        if counts[number] >= min_count and (vocabulary is None or names[number] in vocabulary)
    ]
    if max_words:
        kept = kept[:max_words]
    final = np.full(len(names), UNKNOWN, np.int32)
    final[kept] = np.arange(FIRST_WORD, FIRST_WORD + len(kept), dtype=np.int32)
    ids = final[raw]
    offsets = np.frombuffer(begin, dtype=np.int64)
    by_id = np.bincount(ids, minlength=FIRST_WORD + len(kept)).astype(np.int64)
    by_id[END] = len(offsets) - 1
    return Sentences(ids, offsets, [strings[number] for number in kept], by_id)


def read_links(path: Path) -> Iterator[list[tuple[int, int]]]:
    from dragoman.align.links import parse_links

    with reading(path) as stream:
        for number, line in enumerate(stream, 1):
            try:
                yield parse_links(line.decode("ascii", "replace"), number)
            except InputError as error:
                raise InputError(f"{path}: {error}", number) from None


def affiliations(target: Sentences, source: Sentences, links: Path) -> Ids:
    """The affiliated source position of every target word, in the order of target.ids."""
    places = array("i")
    number = 0
    for number, sentence in enumerate(read_links(links), 1):
        if number > len(target):
            break
        source_length = int(source.begin[number] - source.begin[number - 1])
        target_length = int(target.begin[number] - target.begin[number - 1])
        if any(s >= source_length or t >= target_length for s, t in sentence):
            raise InputError(
                f"{links}: line {number}: a link points outside its sentence pair of {source_length} and"
                f" {target_length} words; align these very files",
                number,
            )
        places.extend(affiliate(sentence, source_length, target_length))
    if number != len(target):
        raise InputError(f"{links}: does not have one line per sentence of the text ({len(target)}); align these files")
    return np.frombuffer(places, dtype=np.int32) if places else np.zeros(0, np.int32)


def require_parallel(target: Sentences, source: Sentences, text: Path, source_path: Path) -> None:
    if len(target) != len(source):
        raise InputError(
            f"{source_path} has {len(source):,} lines and {text} has {len(target):,};"
            " they must be the two sides of one text"
        )


def ragged(begin: Places, chosen: Places) -> tuple[Places, Places]:
    """Places of all elements of the chosen runs, one run after another, and the runs' lengths."""
    lengths = begin[chosen + 1] - begin[chosen]
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(begin[chosen] - (ends - lengths), lengths), lengths


def stream(
    target: Sentences,
    chosen: Places,
    order: int,
    source: Sentences | None = None,
    affiliated: Ids | None = None,
    window: int = 0,
) -> Stream:
    """Lays the chosen sentences out for training or scoring."""
    places, lengths = ragged(target.begin, chosen)
    pad = order - 1
    # In the padded text, sentence i begins after `pad` marks for itself and pad + 1 for each sentence before it.
    shift = np.repeat(np.arange(len(chosen)) * (pad + 1) + pad, lengths)
    ends = np.cumsum(lengths + pad + 1) - 1
    ids = np.full(len(places) + len(chosen) * (pad + 1), BEGIN, np.int32)
    ids[np.arange(len(places)) + shift] = target.ids[places]
    ids[ends] = END
    predicted = np.ones(len(ids), bool)
    predicted[(ends - lengths - pad)[:, None] + np.arange(pad)] = False
    positions = np.flatnonzero(predicted)
    if source is None or affiliated is None:
        return Stream(ids, positions)
    window = max(1, window)  # so that the affiliation of a word of an empty source sentence is a mark
    source_places, source_lengths = ragged(source.begin, chosen)
    source_shift = np.repeat(np.arange(len(chosen)) * 2 * window + window, source_lengths)
    source_ids = np.full(len(source_places) + len(chosen) * 2 * window + 1, END, np.int32)
    source_ids[np.arange(len(source_places)) + source_shift] = source.ids[source_places]
    starts = np.cumsum(source_lengths + 2 * window) - source_lengths - window
    source_ids[(starts - window)[:, None] + np.arange(window)] = BEGIN
    centres = np.zeros(len(ids), np.int64)
    centres[np.arange(len(places)) + shift] = np.repeat(starts, lengths) + affiliated[places]
    # The end of a sentence looks at the last source word.
    centres[ends] = starts + np.maximum(source_lengths - 1, 0)
    return Stream(ids, positions, source_ids, centres)


def hold_out(sentences: int, share: float, seed: int) -> tuple[Places, Places]:
    """Sentences to train on and sentences to measure on, at most 3,000 of the latter and at least one."""
    if sentences == 0:
        raise InputError("the text is empty; give at least one sentence to train on")
    if not 0 < share < 1:
        raise ConfigError("--heldout must be a share between 0 and 1", "heldout")
    if sentences == 1:
        return np.zeros(1, np.int64), np.zeros(1, np.int64)
    count = min(3000, max(1, round(sentences * share)))
    held = np.sort(np.random.default_rng(seed).choice(sentences, count, replace=False))
    kept = np.setdiff1d(np.arange(sentences), held, assume_unique=True)
    return kept, held
