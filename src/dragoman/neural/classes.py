"""Word classes and trees for the output layer, from the core, as arrays by word id."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dragoman import _core
from dragoman.neural.training_text import BEGIN, END, Places, Sentences
from dragoman.neural.word_classes import class_numbers


def marked_ids(text: Sentences) -> npt.NDArray[np.int32]:
    """All sentences between <s> and </s>, as the core's clustering takes them."""
    lengths = np.diff(text.begin)
    ids = np.full(len(text.ids) + 2 * len(lengths), BEGIN, np.int32)
    ends = np.cumsum(lengths + 2) - 1
    ids[ends] = END
    ids[np.arange(len(text.ids)) + np.repeat(np.arange(len(lengths)) * 2 + 1, lengths)] = text.ids
    return ids


def predicted(size: int) -> npt.NDArray[np.bool_]:
    """Which ids can be predicted: all but the first one, which is no word, and <s>."""
    mask = np.ones(size, bool)
    mask[[0, BEGIN]] = False
    return mask


def brown(text: Sentences, classes: int, threads: int = 0) -> npt.NDArray[np.int32]:
    """Classes that keep the most mutual information between neighbours (Brown et al. 1992)."""
    return np.frombuffer(_core.brown_classes(marked_ids(text).data, text.size, classes, threads), np.int32)


def frequency(counts: Places, classes: int) -> npt.NDArray[np.int32]:
    """Classes of words of like frequency, each with about the same share of the text (Mikolov et al. 2011)."""
    return np.frombuffer(_core.frequency_classes(unsigned(counts).data, classes), np.int32)


def huffman(counts: Places) -> npt.NDArray[np.int32]:
    """Children of the nodes of a Huffman tree, [nodes, 2]."""
    return np.frombuffer(_core.huffman_tree(unsigned(counts).data), np.int32).reshape(-1, 2)


def brown_tree(text: Sentences, classes: int, threads: int = 0) -> npt.NDArray[np.int32]:
    """Children of the nodes of a tree whose upper part are the merges of Brown's clustering, [nodes, 2]."""
    counts = unsigned(text.counts).data
    return np.frombuffer(_core.brown_tree(marked_ids(text).data, counts, classes, threads), np.int32).reshape(-1, 2)


def unsigned(counts: Places) -> npt.NDArray[np.uint64]:
    return np.maximum(counts, 0).astype(np.uint64)


def from_lines(lines: list[str], words: list[str], path: str) -> npt.NDArray[np.int32]:
    """Classes given by hand (word_classes.py)."""
    return np.array(class_numbers(lines, words, path), np.int32)
