"""The tree-factored output layer: a word is a path through a binary tree, every node a yes or no (thesis 4.4.3).

Trained by maximum likelihood only: with two children per node, noise would save nothing. The nodes near the root, which
nearly every path meets, are one dense product for the whole minibatch; the rest of the paths is looked up. The cost per
word is D times (DENSE + the rest of its path).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from dragoman.neural.batch import Batch
from dragoman.neural.direct import expand
from dragoman.neural.tables import Leaves, pick, touched

DENSE = 64


class TreeOutput:
    def __init__(self, children: npt.NDArray[np.int32], counts: npt.NDArray[np.int64]) -> None:
        """`children` [nodes, 2]: a node, or the word -1 - child; the root is node 0; any binary tree will do."""
        self.children = children
        paths = list_paths(children, len(counts))
        weight = np.maximum(counts.astype(np.float64), 0.5)
        self.biases = initial_biases(children, weight, paths)
        # The nodes that most words of the text pass.
        visits = np.zeros(len(children))
        nodes, signs, begin = paths
        words = np.repeat(np.arange(len(counts)), np.diff(begin))
        np.add.at(visits, nodes, weight[words])
        dense = np.argsort(-visits, kind="stable")[:DENSE]
        place = np.full(len(children), -1, np.int64)
        place[dense] = np.arange(len(dense))
        is_dense = place[nodes] >= 0
        # Which way each word goes at each dense node: 1, -1, or 0 where it does not pass.
        direction = np.zeros((len(counts), len(dense)), np.float32)
        direction[words[is_dense], place[nodes[is_dense]]] = signs[is_dense]
        self.dense = torch.from_numpy(dense)
        self.direction = torch.from_numpy(direction)
        self.nodes = torch.from_numpy(nodes[~is_dense].astype(np.int64))
        self.signs = torch.from_numpy(signs[~is_dense].astype(np.float32))
        self.begin = torch.from_numpy(np.searchsorted(words[~is_dense], np.arange(len(counts) + 1)))

    def to(self, device: torch.device) -> TreeOutput:
        for name in ("dense", "direction", "nodes", "signs", "begin"):
            setattr(self, name, getattr(self, name).to(device))
        return self

    def initial(self, dimension: int, deviation: float, generator: torch.Generator) -> dict[str, Tensor]:
        return {
            "node_weights": torch.randn(len(self.children), dimension, generator=generator) * deviation,
            "node_bias": torch.from_numpy(self.biases).float(),
        }

    def margins(self, leaves: Leaves, hidden: Tensor, words: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Signed logits at the dense nodes and on the rest of the paths; which dense nodes a word passes, and which
        word each of the rest belongs to."""
        owner, places = expand(self.begin, words)
        nodes, signs = self.nodes[places], self.signs[places].to(hidden.dtype)
        rows = touched(torch.cat([self.dense, nodes]), leaves.size("node_weights"))
        weights, bias = leaves.rows("node_weights", rows.rows), leaves.rows("node_bias", rows.rows)
        dense_row, rest_row = rows.local[: len(self.dense)], rows.local[len(self.dense) :]
        direction = self.direction[words].to(hidden.dtype)
        dense = (pick(bias, dense_row) + hidden @ pick(weights, dense_row).T) * direction
        rest = ((pick(hidden, owner) * pick(weights, rest_row)).sum(1) + pick(bias, rest_row)) * signs
        return dense, rest, direction.abs(), owner

    def loss(self, leaves: Leaves, hidden: Tensor, batch: Batch, generator: torch.Generator | None) -> Tensor:
        dense, rest, passes, _ = self.margins(leaves, hidden, batch.words)
        return -(logsigmoid(dense) * passes).sum() - logsigmoid(rest).sum()

    def log_probs(self, leaves: Leaves, hidden: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """log P(w | h); a tree is always normalised, so that nothing has a log Z."""
        dense, rest, passes, owner = self.margins(leaves, hidden, batch.words)
        log_prob = (logsigmoid(dense) * passes).sum(1).index_add(0, owner, logsigmoid(rest))
        return log_prob, log_prob.new_empty(len(log_prob), 0)

    def shift(self, parameters: dict[str, Tensor], by: Tensor) -> None:
        """Nothing has a log Z to change."""


Paths = tuple[npt.NDArray[np.int64], npt.NDArray[np.int8], npt.NDArray[np.int64]]


def list_paths(children: npt.NDArray[np.int32], words: int) -> Paths:
    """Of every word the nodes on its path and 1 or -1 for the second or first child; runs delimited by the third."""
    path_of: list[tuple[list[int], list[int]]] = [([], []) for _ in range(words)]
    stack: list[tuple[int, list[int], list[int]]] = [(0, [], [])] if len(children) else []
    while stack:
        node, nodes, signs = stack.pop()
        for side, sign in ((0, -1), (1, 1)):
            child = int(children[node, side])
            path = ([*nodes, node], [*signs, sign])
            if child < 0:
                path_of[-1 - child] = path
            else:
                stack.append((child, *path))
    begin = np.concatenate([[0], np.cumsum([len(nodes) for nodes, _ in path_of])])
    all_nodes = np.array([node for path, _ in path_of for node in path], np.int64)
    all_signs = np.array([sign for _, path in path_of for sign in path], np.int8)
    return all_nodes, all_signs, begin


def initial_biases(
    children: npt.NDArray[np.int32], weight: npt.NDArray[np.float64], paths: Paths
) -> npt.NDArray[np.float64]:
    """The biases under which the tree, without context, is the unigram."""
    nodes, signs, begin = paths
    mass = np.repeat(weight, np.diff(begin))
    second = np.bincount(nodes, np.where(signs > 0, mass, 0), minlength=len(children))
    first = np.bincount(nodes, np.where(signs < 0, mass, 0), minlength=len(children))
    # A node with one empty side is no decision, but must not be infinitely sure either.
    return np.log(np.maximum(second, 1e-3)) - np.log(np.maximum(first, 1e-3))
