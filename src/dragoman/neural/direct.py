"""Direct n-gram features: one weight for each of the most frequent n-grams, added to the logit of its last word and to
that of the last word's class where the words before it are the n-gram's (thesis section 4.8).

Features are kept by context: context i has the class features class_begin[i] to class_begin[i + 1], and class feature e
has the word features word_begin[e] to word_begin[e + 1], its words that lie in that class. A class of one word needs no
word feature. The core chooses the n-grams.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from dragoman.neural.class_layout import ClassLayout
from dragoman.neural.tables import Leaves, pick, touched


class DirectFeatures:
    """The features of a class-factored layer, ready for lookup."""

    def __init__(self, tensors: Mapping[str, bytes], order: int, layout: ClassLayout) -> None:
        """`tensors` as the core chose them (core/nlm/direct_features.h): contexts as rows of words, the nearest first,
        -1 beyond their length, and their classes and words, sorted."""
        contexts = np.frombuffer(tensors["direct_contexts"], np.int32).reshape(-1, order - 1)
        begins = [np.frombuffer(tensors[f"direct_{kind}_begin"], np.int64) for kind in ("class", "word")]
        classes, words = (np.frombuffer(tensors[f"direct_{kind}"], np.int32) for kind in ("classes", "words"))
        owners = [np.repeat(np.arange(len(contexts)), np.diff(begin)) for begin in begins]
        of_class = owners[0] * layout.classes + classes
        of_word = owners[1] * layout.classes + layout.class_of_word.cpu().numpy()[words]
        word_begin = np.append(np.searchsorted(of_word, of_class), len(words))
        self.class_begin = torch.from_numpy(begins[0].copy())
        self.classes = torch.from_numpy(classes.astype(np.int64))
        self.word_begin = torch.from_numpy(word_begin)
        self.slots = layout.slot_of_word.cpu()[torch.from_numpy(words.astype(np.int64))]
        self.words = len(layout.class_of_word)
        self.tables = prefix_tables(contexts, self.words)

    def to(self, device: torch.device) -> DirectFeatures:
        for name in ("class_begin", "classes", "word_begin", "slots"):
            setattr(self, name, getattr(self, name).to(device))
        self.tables = [(keys.to(device), whole.to(device)) for keys, whole in self.tables]
        return self

    def find(self, contexts: Tensor) -> Tensor:
        """Of contexts [B, n-1] those with features, by their length, -1 for none."""
        known = torch.full_like(contexts, -1)
        number = torch.zeros_like(contexts[:, 0])
        for place, (keys, whole) in enumerate(self.tables):
            wanted = number * self.words + contexts[:, place]
            at = torch.searchsorted(keys, wanted).clamp(max=len(keys) - 1)
            hit = (number >= 0) & (keys[at] == wanted)
            known[:, place] = torch.where(hit, whole[at], -1)
            number = torch.where(hit, at, -1)
        return known

    def active(self, contexts: Tensor, observed: Tensor) -> Active:
        """What fires for a minibatch: `contexts` [B, n-1] as of `find`, `observed` the classes of its words."""
        word, column = (contexts >= 0).nonzero(as_tuple=True)
        pick, features = expand(self.class_begin, contexts[word, column])
        word = word[pick]
        own = self.classes[features] == observed[word]
        pick, word_features = expand(self.word_begin, features[own])
        return Active(self, word, features, word[own][pick], word_features)


def prefix_tables(contexts: npt.NDArray[np.int32], words: int) -> list[tuple[Tensor, Tensor]]:
    """By length what leads from the number of a prefix and the next word to a longer one, whose number is its place;
    and which of those are whole contexts, -1 for none. A context may have features where its beginning has none."""
    tables = []
    prefix = np.zeros(len(contexts), np.int64)
    lengths = (contexts >= 0).sum(1)
    for length in range(1, contexts.shape[1] + 1):
        long = np.flatnonzero(lengths >= length)
        if not len(long):
            break
        keys, prefix[long] = np.unique(prefix[long] * words + contexts[long, length - 1], return_inverse=True)
        whole = np.full(len(keys), -1, np.int64)
        exact = long[lengths[long] == length]
        whole[prefix[exact]] = exact
        tables.append((torch.from_numpy(keys), torch.from_numpy(whole)))
    return tables


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
