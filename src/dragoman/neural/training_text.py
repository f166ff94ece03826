"""Training text as arrays of word ids, laid out so that the context of any word is a slice.

Every sentence is stored behind order-1 copies of <s> and ends with </s>, so the j-th word back of position t is simply
ids[t - j]. Source sentences are padded in the same spirit: `window` copies of <s> to their left and of </s> to their
right, and each target position knows the place of its affiliated source word (thesis section 4.9). Linear in the text.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dragoman import _core
from dragoman.errors import ConfigError, InputError

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


def read_sentences(
    *texts: _core.IdText, min_count: int = 1, max_words: int = 0, vocabulary: bytes | None = None
) -> Sentences:
    """Words below `min_count`, beyond the `max_words` most frequent ones or outside `vocabulary` become <unk>. Ids by
    falling count, ties by bytes."""
    text = _core.LmText()
    if vocabulary is not None:
        text.limit_to(vocabulary)
    for id_text in texts:
        text.add(id_text)
    words, counted, encoded = _core.nlm_encode(text, max_words, min_count)
    counts = np.frombuffer(counted, dtype=np.int64).copy()
    counts[BEGIN] = 0  # nothing predicts it
    marked = np.frombuffer(encoded, dtype=np.int32)
    # Each sentence stands between the two marks, which no word of a text has the ids of.
    ends = np.flatnonzero(marked == END)
    begin = np.concatenate([np.zeros(1, np.int64), ends + 1 - 2 * np.arange(1, len(ends) + 1)])
    return Sentences(marked[(marked != BEGIN) & (marked != END)], begin, words, counts)


def affiliations(links: _core.StoredLinks, source: _core.IdText, target: _core.IdText) -> Ids:
    """The affiliated source position of every target word, sentence after sentence."""
    return np.frombuffer(_core.text_affiliations(links, source, target), dtype=np.int32)


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
