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
from dragoman.neural.output import Step
from dragoman.neural.tables import touched

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

    def margins(
        self, parameters: dict[str, Tensor], hidden: Tensor, words: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Signed logits at the dense nodes and on the rest of the paths, and what the latter were made of."""
        from dragoman.neural.direct import expand

        weights, bias = parameters["node_weights"], parameters["node_bias"]
        direction = self.direction[words].to(hidden.dtype)
        dense = torch.addmm(bias[self.dense], hidden, weights[self.dense].T).mul_(direction)
        owner, places = expand(self.begin, words)
        nodes, signs = self.nodes[places], self.signs[places].to(hidden.dtype)
        rest = ((hidden[owner] * weights[nodes]).sum(1) + bias[nodes]).mul_(signs)
        return dense, direction, rest, owner, nodes, signs

    def step(
        self,
        parameters: dict[str, Tensor],
        hidden: Tensor,
        batch: Batch,
        scale: float,
        generator: torch.Generator | None,
    ) -> Step:
        weights = parameters["node_weights"]
        dense, direction, rest, owner, nodes, signs = self.margins(parameters, hidden, batch.words)
        loss = -(logsigmoid(dense) * direction.abs()).sum() - logsigmoid(rest).sum()
        # The slope of -log σ(s x) is -s σ(-s x).
        dense_slope = torch.sigmoid(-dense).mul_(direction).mul_(-scale)
        rest_slope = torch.sigmoid(-rest).mul_(signs).mul_(-scale)
        of_hidden = dense_slope @ weights[self.dense]
        of_hidden.index_add_(0, owner, weights[nodes] * rest_slope.unsqueeze(1))
        rows = touched(torch.cat([self.dense, nodes]), len(weights))
        dense_row, rest_row = rows.local[: len(self.dense)], rows.local[len(self.dense) :]
        of_weights = weights.new_zeros(rows.count, weights.shape[1])
        of_weights.index_add_(0, rest_row, hidden[owner] * rest_slope.unsqueeze(1))
        of_weights.index_add_(0, dense_row, dense_slope.T @ hidden)
        of_bias = weights.new_zeros(rows.count).index_add_(0, rest_row, rest_slope)
        of_bias.index_add_(0, dense_row, dense_slope.sum(0))
        return Step(loss, of_hidden, {"node_weights": (rows.rows, of_weights), "node_bias": (rows.rows, of_bias)})

    def log_probs(self, parameters: dict[str, Tensor], hidden: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """log P(w | h); a tree is always normalised, so that nothing has a log Z."""
        dense, direction, rest, owner, _, _ = self.margins(parameters, hidden, batch.words)
        log_prob = (logsigmoid(dense) * direction.abs()).sum(1)
        log_prob.index_add_(0, owner, logsigmoid(rest))
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
