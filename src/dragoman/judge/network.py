"""The network of a judge, a pre-norm Transformer, with PyTorch: for training, and as the oracle of core/judge.

Source pieces and their end are encoded; the target's are predicted one after the other, each from those before it. A
second decoder, if there is one, predicts them from the last to the first. One table of vectors serves the source, the
target and the output. Modules are named so that their parameters have the names of the file's tensors.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from dragoman.judge.batches import LONGEST, WIDTH_STEP, Batch
from dragoman.judge.shape import Shape
from dragoman.judge.text import BEGIN, END


class Attention(nn.Module):
    """Each row of `x` looks at the rows of `memory`."""

    def __init__(self, dimension: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(dimension, dimension) for _ in range(4))

    def split(self, x: Tensor) -> Tensor:
        """Heads before rows."""
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None = None, causal: bool = False) -> Tensor:
        query, key, value = (self.split(part) for part in (self.query(x), self.key(memory), self.value(memory)))
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)
        mixed: Tensor = self.out(seen.transpose(1, 2).flatten(2))
        return mixed


class Layer(nn.Module):
    """One of the encoder's; with `cross`, one of the decoder's, which reads what was encoded too."""

    def __init__(self, shape: Shape, dropout: float, cross: bool) -> None:
        super().__init__()
        size = shape.dimension
        self.attention, self.attention_norm = Attention(size, shape.heads), nn.LayerNorm(size)
        if cross:
            self.cross, self.cross_norm = Attention(size, shape.heads), nn.LayerNorm(size)
        self.feedforward = nn.ModuleDict(
            {"in": nn.Linear(size, shape.feedforward), "out": nn.Linear(shape.feedforward, size)}
        )
        self.feedforward_norm = nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor, encoded: Tensor | None = None) -> Tensor:
        """`mask` says which rows of the source are no padding; the target sees its own rows up to each."""
        normed = self.attention_norm(x)
        if encoded is None:
            x = x + self.dropout(self.attention(normed, normed, mask))
        else:
            x = x + self.dropout(self.attention(normed, normed, causal=True))
            x = x + self.dropout(self.cross(self.cross_norm(x), encoded, mask))
        inner = functional.relu(self.feedforward["in"](self.feedforward_norm(x)))
        last: Tensor = x + self.dropout(self.feedforward["out"](self.dropout(inner)))
        return last


class Network(nn.Module):
    def __init__(self, shape: Shape, pieces: int, dropout: float = 0.0) -> None:
        super().__init__()
        size = shape.dimension
        self.embedding = nn.Parameter(torch.randn(pieces, size) * size**-0.5)
        self.encoder = nn.ModuleList(Layer(shape, dropout, cross=False) for _ in range(shape.encoder_layers))
        self.decoder = nn.ModuleList(Layer(shape, dropout, cross=True) for _ in range(shape.decoder_layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(size), nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)
        self.positions: Tensor
        self.register_buffer("positions", positions(LONGEST + WIDTH_STEP, size), persistent=False)
        self.decoders = 1
        if shape.backward_layers:
            self.backward = nn.ModuleList(Layer(shape, dropout, cross=True) for _ in range(shape.backward_layers))
            self.backward_norm = nn.LayerNorm(size)
            self.decoders = 2

    def embedded(self, ids: Tensor) -> Tensor:
        size = self.embedding.shape[1]
        vectors = functional.embedding(ids, self.embedding) * size**0.5 + self.positions[: ids.shape[1]]
        dropped: Tensor = self.dropout(vectors)
        return dropped

    def encode(self, source: Tensor, mask: Tensor) -> Tensor:
        x = self.embedded(source)
        for layer in self.encoder:
            x = layer(x, mask)
        encoded: Tensor = self.encoder_norm(x)
        return encoded

    def decode(self, layers: nn.ModuleList, encoded: Tensor, mask: Tensor, target: Tensor) -> Tensor:
        """What predicts each piece of the target, by rows."""
        x = self.embedded(functional.pad(target[:, :-1], (1, 0), value=BEGIN))
        for layer in layers:
            x = layer(x, mask, encoded)
        return x

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Logits of all pieces for each place of the target that is no padding, and which piece stands there. Where
        there is a second decoder, the same for the target in its order follows."""
        mask = batch.source_real[:, None, None]
        encoded = self.encode(batch.source, mask)
        states = [self.decoder_norm(self.decode(self.decoder, encoded, mask, batch.target))]
        targets = [batch.target]
        if self.decoders == 2:
            targets.append(backwards(batch.target))
            states.append(self.backward_norm(self.decode(self.backward, encoded, mask, targets[1])))
        # Turned round, a sentence has its padding where it was.
        last = torch.cat([state.flatten(0, 1)[batch.places] for state in states])
        words = torch.cat([target.flatten()[batch.places] for target in targets])
        return functional.linear(last, self.embedding), words


def backwards(target: Tensor) -> Tensor:
    """Rows from the last piece to the first; the end stays the end, and padding where it is."""
    pieces = (target == END).int().argmax(1, keepdim=True)
    columns = torch.arange(target.shape[1], device=target.device)[None]
    return target.gather(1, torch.where(columns < pieces, pieces - 1 - columns, columns))


def positions(count: int, dimension: int) -> Tensor:
    """Sines of slower and slower turns, then their cosines."""
    turns = 10000.0 ** (-2 * torch.arange(dimension // 2) / dimension)
    angles = torch.arange(count)[:, None] * turns
    return torch.cat([angles.sin(), angles.cos()], 1)
