"""The hidden layer: p = rectifier(Σ_j C_j q[w_j] + Σ_k S_k q'[s_k] + bias), with diagonal or full C and S.

Words repeat within a minibatch, so each distinct word is multiplied by each position's matrix once and the products
are summed by lookup: a minibatch of 10,000 has about 2,500 distinct words, which makes full matrices four times cheaper
than multiplying per position (thesis sections 4.3, 4.6, 4.9). Gradients are written out by hand, because they too then
pass through the distinct words only.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import embedding_bag

from dragoman.neural.tables import Gradients, Rows, touched


@dataclass(slots=True)
class Part:
    """One side's contribution, kept for the way back."""

    table: str
    matrices: str
    rows: Rows
    vectors: Tensor


@dataclass(slots=True)
class Hidden:
    """The layer's output for a minibatch and what its gradients need."""

    output: Tensor
    parts: list[Part]
    slope: Tensor  # 0 where the rectifier or the dropout shut a unit, else the factor of the way back


def forward(
    parameters: dict[str, Tensor],
    contexts: Tensor,
    sources: Tensor | None,
    *,
    dropout: float = 0.0,
    generator: torch.Generator | None = None,
) -> Hidden:
    """`contexts` [B, n-1] are word ids, the nearest first; `sources` [B, 2m+1] ids of the source window."""
    total, part = side(parameters, "input", "context", contexts)
    parts = [part]
    if sources is not None:
        more, part = side(parameters, "source_input", "source_context", sources)
        total += more
        parts.append(part)
    if "hidden_bias" in parameters:
        total += parameters["hidden_bias"]
    slope = (total > 0).to(total.dtype)
    if dropout > 0:
        keep = torch.empty_like(total).bernoulli_(1 - dropout, generator=generator)
        slope.mul_(keep).div_(1 - dropout)
    return Hidden(total.mul_(slope), parts, slope)


def side(parameters: dict[str, Tensor], table: str, matrices: str, ids: Tensor) -> tuple[Tensor, Part]:
    rows = touched(ids, len(parameters[table]))
    vectors = parameters[table].index_select(0, rows.rows)
    matrix = parameters[matrices]
    products = vectors * matrix.unsqueeze(1) if matrix.dim() == 2 else vectors @ matrix.transpose(1, 2)
    offsets = torch.arange(ids.shape[1], device=ids.device) * rows.count
    summed = embedding_bag(rows.local + offsets, products.view(-1, vectors.shape[1]), mode="sum")
    return summed, Part(table, matrices, rows, vectors)


def backward(parameters: dict[str, Tensor], hidden: Hidden, gradient: Tensor) -> Gradients:
    """Gradients of all parameters of the layer, from that of its output (which is overwritten)."""
    gradient.mul_(hidden.slope)
    gradients: Gradients = {"hidden_bias": (None, gradient.sum(0))} if "hidden_bias" in parameters else {}
    for part in hidden.parts:
        matrix = parameters[part.matrices]
        if gradient.device.type != "cpu":
            gradients.update(at_once(matrix, part, gradient))
            continue
        of_vectors = torch.zeros_like(part.vectors)
        of_matrix = torch.empty_like(matrix)
        for position in range(matrix.shape[0]):
            of_product = torch.zeros_like(part.vectors).index_add_(0, part.rows.local[:, position], gradient)
            if matrix.dim() == 2:
                of_vectors.addcmul_(of_product, matrix[position])
                of_matrix[position] = (of_product * part.vectors).sum(0)
            else:
                of_vectors.addmm_(of_product, matrix[position])
                of_matrix[position] = of_product.T @ part.vectors
        gradients[part.table] = (part.rows.rows, of_vectors)
        gradients[part.matrices] = (None, of_matrix)
    return gradients


def at_once(matrix: Tensor, part: Part, gradient: Tensor) -> Gradients:
    """The same for all positions in a few large operations, which a GPU prefers."""
    positions, (count, dimension) = len(matrix), part.vectors.shape
    places = part.rows.local + torch.arange(positions, device=gradient.device) * count
    repeated = gradient.unsqueeze(1).expand(-1, positions, -1).reshape(-1, dimension)
    of_products = gradient.new_zeros(positions * count, dimension).index_add_(0, places.reshape(-1), repeated)
    of_products = of_products.view(positions, count, dimension)
    if matrix.dim() == 2:
        of_vectors = (of_products * matrix.unsqueeze(1)).sum(0)
        of_matrix = (of_products * part.vectors).sum(1)
    else:
        of_vectors = torch.bmm(of_products, matrix).sum(0)
        of_matrix = torch.bmm(of_products.transpose(1, 2), part.vectors.expand(positions, -1, -1))
    return {part.table: (part.rows.rows, of_vectors), part.matrices: (None, of_matrix)}
