"""The hidden layer: p = rectifier(Σ_j C_j q[w_j] + Σ_k S_k q'[s_k] + bias), with diagonal or full C and S.

Words repeat within a minibatch, so each distinct word is multiplied by each position's matrix once and the products
are summed by lookup (thesis sections 4.3, 4.6, 4.9).
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import embedding_bag

from dragoman.neural.tables import Leaves, touched


def forward(
    leaves: Leaves,
    contexts: Tensor,
    sources: Tensor | None,
    *,
    dropout: float = 0.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """`contexts` [B, n-1] are word ids, the nearest first; `sources` [B, 2m+1] ids of the source window."""
    total = side(leaves, "input", "context", contexts)
    if sources is not None:
        total = total + side(leaves, "source_input", "source_context", sources)
    if "hidden_bias" in leaves.parameters:
        total = total + leaves.whole("hidden_bias")
    output = torch.relu(total)
    if dropout > 0:
        output = output * torch.empty_like(total).bernoulli_(1 - dropout, generator=generator) / (1 - dropout)
    return output


def side(leaves: Leaves, table: str, matrices: str, ids: Tensor) -> Tensor:
    rows = touched(ids, leaves.size(table))
    vectors, matrix = leaves.rows(table, rows.rows), leaves.whole(matrices)
    products = vectors * matrix.unsqueeze(1) if matrix.dim() == 2 else vectors @ matrix.transpose(1, 2)
    offsets = torch.arange(ids.shape[1], device=ids.device) * rows.count
    return embedding_bag(rows.local + offsets, products.reshape(-1, vectors.shape[1]), mode="sum")
