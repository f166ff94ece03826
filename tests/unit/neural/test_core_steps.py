"""Steps of the core's trainer against PyTorch's: gradients, and ten steps of training."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")

from dragoman import _core  # noqa: E402
from dragoman.neural.batch import Batch  # noqa: E402
from dragoman.neural.class_layout import lay_out  # noqa: E402
from dragoman.neural.class_output import ClassOutput  # noqa: E402
from dragoman.neural.export import tensors_of  # noqa: E402
from dragoman.neural.network import Network, Shape  # noqa: E402
from dragoman.neural.output import Method  # noqa: E402
from dragoman.neural.tables import AdaGrad  # noqa: E402
from tests.unit.neural.core_networks import core_trainer  # noqa: E402

WORDS, SOURCE_WORDS, ORDER, WINDOW, MINIBATCH = 60, 25, 4, 2, 700
RESERVED = 4


class Pair:
    """The same network in the core and in PyTorch."""

    def __init__(self, folder: Path, *, dimension: int, full: bool, source: bool, penalty: float, l2: float) -> None:
        self.l2, self.source = l2, source
        random = np.random.default_rng(1)
        classes = np.full(WORDS, -1, np.int32)
        predicted = np.array([1, *range(3, WORDS)])
        classes[predicted] = random.integers(0, 7, len(predicted))
        classes[5] = 7  # by itself
        layout = lay_out(classes, np.ones(WORDS, np.int64))
        self.trainer = core_trainer(
            folder, WORDS, SOURCE_WORDS if source else 0, layout.class_of_word.int().numpy().tobytes(),
            order=ORDER, dimension=dimension, full=full, source_window=WINDOW if source else 0, minibatch=MINIBATCH,
            self_normalisation=penalty, l2=l2,
        )  # fmt: skip
        layer = ClassOutput(layout, Method("likelihood", 1, True, penalty))
        shape = Shape(ORDER, dimension, WORDS, full, SOURCE_WORDS if source else 0, WINDOW if source else 0)
        self.network = Network(shape, layer, torch.Generator().manual_seed(1))
        biases = {name for name in self.network.parameters if name.endswith("bias")}
        self.optimizer = AdaGrad(self.network.parameters, l2 / MINIBATCH, frozenset(self.network.parameters) - biases)
        given = {name: part.data for name, part in tensors_of(self.network).items() if name != "class_of_word"}
        _core.testing.set_network_weights(self.trainer, given)
        self.random = random

    def batch(self, size: int) -> Batch:
        """Words of which some are frequent, so that they stand in many rows and places."""
        frequent = self.random.integers(RESERVED, WORDS, size)
        words = np.where(self.random.random(size) < 0.5, frequent, self.random.choice([1, 3, 5, 6], size))
        contexts = np.minimum(self.random.geometric(0.1, (size, ORDER - 1)), WORDS - 1)
        sources = self.random.integers(1, SOURCE_WORDS, (size, 2 * WINDOW + 1))
        return Batch(
            torch.from_numpy(words), torch.from_numpy(contexts), torch.from_numpy(sources) if self.source else None
        )

    def steps(self, batch: Batch, rate: float) -> tuple[float, float]:
        """Trains both on a batch; returns their losses."""
        parts = batch.words, batch.contexts, batch.sources
        ids = [part.int().numpy().data if part is not None else b"" for part in parts]
        ours = _core.testing.network_step(self.trainer, *ids, rate)
        loss, gradients = self.network.step(batch, 1 / len(batch.words), 0.0, None)
        self.optimizer.step(gradients, rate)
        return ours, float(loss)

    def weights(self) -> dict[str, tuple[Any, Any]]:
        return compared(_core.testing.network_weights(self.trainer), self.network)

    def squares(self) -> dict[str, tuple[Any, Any]]:
        """AdaGrad's, in the core and in PyTorch."""
        weights = self.network.parameters
        self.network.parameters = self.optimizer.squares
        both = compared(_core.testing.network_squares(self.trainer), self.network)
        self.network.parameters = weights
        return both


def compared(ours: dict[str, bytes], network: Network) -> dict[str, tuple[Any, Any]]:
    theirs = {name: part for name, part in tensors_of(network).items() if name != "class_of_word"}
    assert set(ours) == set(theirs)
    return {name: (np.frombuffer(ours[name], np.float32), theirs[name].ravel()) for name in ours}


SETTINGS = [
    {"dimension": dimension, "full": full, "source": source, "penalty": penalty, "l2": l2}
    for (dimension, full, source), (penalty, l2) in itertools.product(
        [(5, False, False), (16, True, False), (40, False, True), (33, True, True)], [(0.0, 0.0), (0.1, 0.5)]
    )
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_gradients_are_pytorchs(settings: dict[str, Any], tmp_path: Path) -> None:
    """After a first step the sum of squares is that of the gradient, and the weight has gone against its sign."""
    pair = Pair(tmp_path, **settings)
    before = {name: ours for name, (ours, _) in pair.weights().items()}
    ours, theirs = pair.steps(pair.batch(MINIBATCH), 0.1)
    assert ours == pytest.approx(theirs, rel=1e-6)
    after = pair.weights()
    for name, (found, expected) in pair.squares().items():
        found, expected = np.sqrt(np.maximum(found, 0)), np.sqrt(np.maximum(expected, 0))
        np.testing.assert_allclose(found, expected, atol=1e-6, rtol=1e-5, err_msg=name)
        known = expected > 1e-6  # smaller ones have no sign to speak of
        ways = [np.sign(now - before[name])[known] for now in after[name]]
        np.testing.assert_array_equal(*ways, err_msg=name)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_ten_steps_are_pytorchs(settings: dict[str, Any], tmp_path: Path) -> None:
    pair = Pair(tmp_path, **settings)
    for number in range(10):
        ours, theirs = pair.steps(pair.batch(MINIBATCH - 60 * number), 0.05 - 0.003 * number)
        assert ours == pytest.approx(theirs, rel=1e-5)
    for name, (ours, theirs) in pair.weights().items():
        # AdaGrad's first step for a weight is as long for the smallest gradient as for the largest, so a few weights
        # show the rounding of gradients that are nearly 0.
        assert np.linalg.norm(ours - theirs) <= 1e-5 * np.linalg.norm(theirs), name
        np.testing.assert_allclose(ours, theirs, atol=1e-4, err_msg=name)
