"""Direct n-gram features: one weight for each of the most frequent n-grams, added to the logit of its last word and to
that of the last word's class where the words before it are the n-gram's (thesis section 4.8).

Features are kept by context: context i has the class features class_begin[i] to class_begin[i + 1], and class feature e
has the word features word_begin[e] to word_begin[e + 1], its words that lie in that class. A class of one word needs no
word feature. Finding the contexts costs `order` sorts of the text.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from dragoman.neural.class_layout import ClassLayout
from dragoman.neural.tables import Leaves, pick, touched
from dragoman.neural.training_text import Stream


@dataclass(slots=True)
class Ngrams:
    """The chosen n-grams: contexts as rows of words, the nearest first, -1 beyond their length; and of each n-gram its
    context and last word, sorted by both."""

    contexts: npt.NDArray[np.int32]
    context: npt.NDArray[np.int64]
    word: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.word)


def choose(text: Stream, order: int, words: int, most: int) -> Ngrams:
    """The `most` most frequent n-grams of two to `order` words that occur at least twice."""
    predicted = text.ids[text.positions].astype(np.int64)
    # Of every position the number of its context of the current length, -1 where that occurs once only.
    number = np.zeros(len(predicted), np.int64)
    table = np.full((1, order - 1), -1, np.int32)  # contexts of the current length
    ngrams: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]] = []
    for length in range(1, order):
        back = text.ids[text.positions - length].astype(np.int64)
        alive = np.flatnonzero(number >= 0)
        keys, inverse, counts = np.unique(number[alive] * words + back[alive], return_inverse=True, return_counts=True)
        frequent = counts >= 2
        renumber = np.where(frequent, np.cumsum(frequent) - 1, -1)
        number = np.full(len(predicted), -1, np.int64)
        number[alive] = renumber[inverse]
        table = table[keys[frequent] // words].copy()
        table[:, length - 1] = keys[frequent] % words
        alive = np.flatnonzero(number >= 0)
        if not len(alive):
            break
        pairs, counts = np.unique(number[alive] * words + predicted[alive], return_counts=True)
        kept = counts >= 2
        ngrams.append((table, pairs[kept] // words, pairs[kept] % words, counts[kept]))
    return select(ngrams, order, most)


def select(
    ngrams: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]],
    order: int,
    most: int,
) -> Ngrams:
    if not ngrams:
        return Ngrams(np.zeros((0, order - 1), np.int32), np.zeros(0, np.int64), np.zeros(0, np.int32))
    counts = np.concatenate([entry[3] for entry in ngrams])
    # Falling count; among equals the shorter ones, which stand first.
    chosen = np.zeros(len(counts), bool)
    chosen[np.argsort(-counts, kind="stable")[:most]] = True
    contexts, context, word = [], [], []
    first = begin = 0
    for table, context_of, word_of, count in ngrams:
        here = chosen[begin : begin + len(count)]
        begin += len(count)
        used, inverse = np.unique(context_of[here], return_inverse=True)
        contexts.append(table[used])
        context.append(inverse + first)
        word.append(word_of[here].astype(np.int32))
        first += len(used)
    return Ngrams(np.concatenate(contexts), np.concatenate(context), np.concatenate(word))


class DirectFeatures:
    """The features of a class-factored layer, ready for lookup."""

    def __init__(self, ngrams: Ngrams, layout: ClassLayout) -> None:
        self.contexts = ngrams.contexts
        count = len(ngrams.contexts)
        class_of = layout.class_of_word.cpu().numpy()[ngrams.word]
        slot_of = layout.slot_of_word.cpu().numpy()[ngrams.word]
        order = np.lexsort((slot_of, ngrams.context))  # slots of a class are neighbours
        context, of_class, slot = ngrams.context[order], class_of[order], slot_of[order]
        is_new = np.ones(len(order), bool)
        is_new[1:] = (context[1:] != context[:-1]) | (of_class[1:] != of_class[:-1])
        feature = np.cumsum(is_new) - 1
        sizes = np.diff(layout.class_begin)
        needed = sizes[of_class] > 1
        self.class_begin = torch.from_numpy(np.searchsorted(context[is_new], np.arange(count + 1)))
        self.classes = torch.from_numpy(of_class[is_new])
        self.word_begin = torch.from_numpy(np.searchsorted(feature[needed], np.arange(len(self.classes) + 1)))
        self.slots = torch.from_numpy(slot[needed])

    def initial(self) -> dict[str, Tensor]:
        return {
            "direct_class_weights": torch.zeros(len(self.classes)),
            "direct_word_weights": torch.zeros(len(self.slots)),
        }

    def to(self, device: torch.device) -> DirectFeatures:
        for name in ("class_begin", "classes", "word_begin", "slots"):
            setattr(self, name, getattr(self, name).to(device))
        return self

    def contexts_of(self, text: Stream, order: int, words: int) -> npt.NDArray[np.int32]:
        """Of every predicted position the contexts [T, n-1] by length that have features, -1 for none."""
        context_at = np.full((len(text.positions), order - 1), -1, np.int32)
        number = np.zeros(len(text.positions), np.int64)
        # Prefixes of contexts get numbers too, since a context may have features where the shorter one has none.
        prefix = np.zeros(len(self.contexts), np.int64)
        lengths = (self.contexts >= 0).sum(1)
        for length in range(1, order):
            long = np.flatnonzero(lengths >= length)
            keys, inverse = np.unique(prefix[long] * words + self.contexts[long, length - 1], return_inverse=True)
            prefix[long] = inverse
            whole = np.full(len(keys), -1, np.int32)
            exact = lengths[long] == length
            whole[inverse[exact]] = long[exact]
            if not len(keys):
                break
            wanted = number * words + text.ids[text.positions - length]
            at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            hit = (number >= 0) & (keys[at] == wanted)
            context_at[:, length - 1] = np.where(hit, whole[at], -1)
            number = np.where(hit, at, -1)
        return context_at

    def active(self, contexts: Tensor, observed: Tensor) -> Active:
        """What fires for a minibatch: `contexts` [B, n-1] as of contexts_of, `observed` the classes of its words."""
        word, column = (contexts >= 0).nonzero(as_tuple=True)
        context = contexts[word, column].long()
        pick, features = expand(self.class_begin, context)
        word = word[pick]
        own = self.classes[features] == observed[word]
        pick, word_features = expand(self.word_begin, features[own])
        return Active(self, word, features, word[own][pick], word_features)


def expand(begin: Tensor, runs: Tensor) -> tuple[Tensor, Tensor]:
    """All elements of the given runs, and which run each comes from."""
    lengths = begin[runs + 1] - begin[runs]
    owner = torch.repeat_interleave(torch.arange(len(runs), device=runs.device), lengths)
    first = lengths.cumsum(0) - lengths
    return owner, begin[runs][owner] + torch.arange(len(owner), device=runs.device) - first[owner]


@dataclass(slots=True)
class Active:
    """Features that fire: (word of the minibatch, class feature) and (word, word feature of its class), by word."""

    features: DirectFeatures
    class_word: Tensor
    class_feature: Tensor
    word_word: Tensor
    word_feature: Tensor

    def added_to_classes(self, leaves: Leaves, logits: Tensor) -> Tensor:
        places = self.class_word * logits.shape[1] + self.features.classes[self.class_feature]
        weights = fired(leaves, "direct_class_weights", self.class_feature)
        return logits.view(-1).index_add(0, places, weights).view_as(logits)

    def words_of(self, leaves: Leaves) -> WordTriples:
        weights = fired(leaves, "direct_word_weights", self.word_feature)
        return WordTriples(self.word_word, self.features.slots[self.word_feature], weights)


def fired(leaves: Leaves, name: str, features: Tensor) -> Tensor:
    rows = touched(features, leaves.size(name))
    return pick(leaves.rows(name, rows.rows), rows.local)


@dataclass(slots=True)
class WordTriples:
    """Word of the minibatch, slot, and the weight of a feature."""

    word: Tensor
    slot: Tensor
    weight: Tensor
