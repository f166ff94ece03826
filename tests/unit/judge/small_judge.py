"""A judge small enough for tests, with numbers that nobody trained, and the words it was made for."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import torch

from dragoman import _core
from dragoman.config import JudgeOptions
from dragoman.judge.batches import Batches
from dragoman.judge.export import write_judge
from dragoman.judge.network import Network
from dragoman.judge.shape import Shape, shape_of
from dragoman.judge.text import PairText
from tests.unit.judge.test_batches import side_of

WORDS = ["le", "chat", "noir", "voit", "la", "maison", "rouge", "the", "black", "cat", "sees", "house", "été", "名前"]
PIECES = _core.learn_pieces([(word, len(word)) for word in WORDS], 60)


def random_network(
    seed: int, dimension: int = 64, encoder_layers: int = 2, decoder_layers: int = 1, backward_layers: int = 0
) -> tuple[Network, Shape]:
    """With biases and norms that are not those of a beginning."""
    shape = shape_of(JudgeOptions(dimension, encoder_layers, decoder_layers, backward_layers))
    torch.manual_seed(seed)
    network = Network(shape, len(PIECES)).eval()
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if name.endswith("bias") or "norm" in name:
                parameter += 0.2 * torch.randn_like(parameter)
    return network, shape


def write(path: Path, network: Network, shape: Shape, precision: str) -> _core.Judge:
    write_judge(path, shape, PIECES, network.state_dict(), precision)
    return _core.Judge.open(str(path))


def torch_scores(network: Network, source: list[str], candidates: list[list[str]]) -> list[float]:
    """The natural log of the probability of each candidate, the mean of both decoders where there are two."""
    pieces = _core.JudgePieces(PIECES)
    text = PairText(
        side_of([pieces.encode(source)] * len(candidates)), side_of([pieces.encode(each) for each in candidates])
    )
    batch = Batches(text, np.arange(len(candidates)), 10**6).batch(np.arange(len(candidates)))
    with torch.no_grad():
        logits, found = network(batch)
    log_probs = logits.double().log_softmax(-1).gather(1, found[:, None])[:, 0].numpy()
    lengths = np.tile(text.target.lengths, network.decoders)
    scores = np.array([part.sum() for part in np.split(log_probs, np.cumsum(lengths)[:-1])])
    return list(map(float, scores.reshape(network.decoders, -1).mean(0)))


def toy_text(pairs: int, seed: int = 1) -> tuple[str, str]:
    """Sentences of a small grammar, and their translation with the adjective moved."""
    choose = random.Random(seed)
    nouns = {"chat": "cat", "chien": "dog", "maison": "house", "souris": "mouse"}
    adjectives = {"noir": "black", "blanc": "white", "gros": "big"}
    verbs = {"voit": "sees", "mange": "eats"}
    lines: list[tuple[str, str]] = []
    for _ in range(pairs):
        noun, adjective, verb, other = (choose.choice(list(part)) for part in (nouns, adjectives, verbs, nouns))
        source = f"le {noun} {adjective} {verb} un {other}"
        lines.append((source, f"the {adjectives[adjective]} {nouns[noun]} {verbs[verb]} a {nouns[other]}"))
    return tuple("".join(f"{line[side]}\n" for line in lines) for side in (0, 1))  # type: ignore[return-value]
