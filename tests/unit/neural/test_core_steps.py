"""Steps of the core's trainer against PyTorch's: gradients, and ten steps of training."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")

from dragoman import _core  # noqa: E402
from dragoman.neural import in_class_noise  # noqa: E402
from dragoman.neural.batch import Batch  # noqa: E402
from dragoman.neural.class_layout import lay_out  # noqa: E402
from dragoman.neural.class_output import ClassOutput  # noqa: E402
from dragoman.neural.direct import DirectFeatures  # noqa: E402
from dragoman.neural.in_class_noise import NoiseWords  # noqa: E402
from dragoman.neural.network import Network, Shape  # noqa: E402
from dragoman.neural.output import Method  # noqa: E402
from dragoman.neural.tables import AdaGrad, Stored  # noqa: E402
from tests.unit.neural.core_networks import core_trainer, counts_of  # noqa: E402

WORDS, SOURCE_WORDS, ORDER, WINDOW, MINIBATCH = 60, 25, 4, 2, 700
RESERVED = 4


class Pair:
    """The same network in the core and in PyTorch. Noise that is drawn is the core's in both."""

    def __init__(
        self,
        folder: Path,
        *,
        dimension: int = 20,
        full: bool = False,
        source: bool = False,
        penalty: float = 0.0,
        l2: float = 0.0,
        noise: int = 0,
        shared: bool = True,
        direct: int = 0,
    ) -> None:
        self.l2, self.source = l2, source
        random = self.random = np.random.default_rng(1)
        lines = random_lines(random)
        classes = np.full(WORDS, -1, np.int32)
        predicted = np.array([1, *range(3, WORDS)])
        classes[predicted] = random.integers(0, 7, len(predicted))
        classes[5] = 7  # by itself
        of_words = _core.classes_by_size(classes.tobytes())
        self.layout = lay_out(np.frombuffer(of_words, np.int32), np.array(counts_of(lines)))
        self.trainer = core_trainer(
            folder, lines, SOURCE_WORDS if source else 0, of_words,
            order=ORDER, dimension=dimension, full=full, source_window=WINDOW if source else 0, minibatch=MINIBATCH,
            self_normalisation=penalty, l2=l2, noise_samples=noise, shared_noise=shared, direct_ngrams=direct,
        )  # fmt: skip
        self.direct = DirectFeatures(self.trainer.direct_ngrams, ORDER, self.layout) if direct else None
        method = Method("nce" if noise else "likelihood", noise or 1, shared, penalty)
        layer = ClassOutput(self.layout, method, self.direct)
        shape = Shape(ORDER, dimension, WORDS, full, SOURCE_WORDS if source else 0, WINDOW if source else 0)
        self.stored = Stored(self.trainer.run)
        weights, squares = self.stored.load(torch.device("cpu"), full)
        self.network = Network(shape, layer, weights)
        self.optimizer = AdaGrad(weights, squares, l2 / MINIBATCH)

    def batch(self, size: int) -> Batch:
        """Words of which some are frequent, so that they stand in many rows and places."""
        frequent = self.random.integers(RESERVED, WORDS, size)
        words = np.where(self.random.random(size) < 0.5, frequent, self.random.choice([1, 3, 5, 6], size))
        contexts = np.minimum(self.random.geometric(0.1, (size, ORDER - 1)), WORDS - 1)
        sources = self.random.integers(1, SOURCE_WORDS, (size, 2 * WINDOW + 1))
        # As both would sort it, so that noise is drawn for the same rows.
        order = np.argsort(self.layout.class_of_word.numpy()[words], kind="stable")
        words, contexts, sources = words[order], contexts[order], sources[order]
        return Batch(
            torch.from_numpy(words),
            torch.from_numpy(contexts),
            torch.from_numpy(sources) if self.source else None,
        )

    def steps(self, batch: Batch, rate: float, monkeypatch: pytest.MonkeyPatch) -> tuple[float, float]:
        """Trains both on a batch; returns their losses."""
        parts = batch.words, batch.contexts, batch.sources
        ids = [part.int().numpy().data if part is not None else b"" for part in parts]
        method = self.network.output.method  # type: ignore[union-attr]
        if method.training == "nce" and not method.shared_noise:
            self.give_noise(_core.testing.network_noise(self.trainer, *ids), method.noise_samples, monkeypatch)
        ours = _core.testing.network_step(self.trainer, *ids, rate)
        loss, gradients = self.network.step(batch, 1 / len(batch.words), 0.0, None)
        self.optimizer.step(gradients, rate)
        return ours, float(loss)

    def give_noise(self, drawn: tuple[bytes, bytes], samples: int, monkeypatch: pytest.MonkeyPatch) -> None:
        classes, words = (np.frombuffer(part, np.uint32).astype(np.int64).reshape(-1, samples) for part in drawn)
        slots = self.layout.slot_of_word[torch.from_numpy(words)]
        log_noise = self.network.output.log_in_class[slots] + math.log(samples)  # type: ignore[union-attr]
        noise = NoiseWords(slots, torch.ones_like(log_noise), log_noise, torch.arange(len(slots)))
        monkeypatch.setattr(in_class_noise, "draw", lambda *given: noise)
        times = torch.zeros(len(classes), self.layout.classes)
        times.scatter_add_(1, torch.from_numpy(classes), torch.ones(classes.shape))
        monkeypatch.setattr(ClassOutput, "class_noise", lambda *given: times)

    def remember(self, square: float) -> None:
        """As after some training: AdaGrad's very first step for a weight is as long for the smallest gradient as for
        the largest, and shows the rounding of gradients that are nearly 0."""
        squares = self.optimizer.squares
        for table in squares.values():
            table += square
        self.stored.save(self.network.parameters, squares)

    def weights(self) -> dict[str, tuple[Any, Any]]:
        return compared(self.stored.weights, self.network.parameters)

    def squares(self) -> dict[str, tuple[Any, Any]]:
        """AdaGrad's, in the core and in PyTorch."""
        return compared(self.stored.squares, self.optimizer.squares)


def random_lines(random: Any) -> str:
    """Lines in which every word occurs, some of them often."""
    every = " ".join(f"w{number}" for number in range(WORDS - RESERVED))
    often = [" ".join(f"w{number}" for number in np.minimum(random.geometric(0.2, 12), 20)) for _ in range(60)]
    return "\n".join([every, *often])


def compared(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    assert set(ours) == set(theirs)
    return {name: (ours[name].numpy().ravel().copy(), theirs[name].numpy().ravel().copy()) for name in ours}


SETTINGS: list[dict[str, Any]] = [
    *(
        {"dimension": dimension, "full": full, "source": source, "penalty": penalty, "l2": l2}
        for (dimension, full, source), (penalty, l2) in itertools.product(
            [(5, False, False), (16, True, False), (40, False, True), (33, True, True)], [(0.0, 0.0), (0.1, 0.5)]
        )
    ),
    {"noise": 70},
    {"noise": 70, "source": True, "l2": 0.5},
    {"noise": 4, "shared": False},
    {"noise": 4, "shared": False, "dimension": 33, "source": True, "l2": 0.5},
    {"direct": 80},
    {"direct": 5000, "penalty": 0.1, "l2": 0.5},
    {"direct": 5000, "noise": 70, "l2": 0.5},
    {"direct": 5000, "noise": 4, "shared": False, "l2": 0.5},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_gradients_are_pytorchs(settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a first step the sum of squares is that of the gradient, and the weight has gone against its sign."""
    pair = Pair(tmp_path, **settings)
    before = {name: ours for name, (ours, _) in pair.weights().items()}
    ours, theirs = pair.steps(pair.batch(MINIBATCH), 0.1, monkeypatch)
    assert ours == pytest.approx(theirs, rel=1e-6)
    after = pair.weights()
    for name, (found, expected) in pair.squares().items():
        found, expected = np.sqrt(np.maximum(found, 0)), np.sqrt(np.maximum(expected, 0))
        np.testing.assert_allclose(found, expected, atol=1e-6, rtol=1e-5, err_msg=name)
        known = expected > 1e-6  # smaller ones have no sign to speak of
        ways = [np.sign(now - before[name])[known] for now in after[name]]
        np.testing.assert_array_equal(*ways, err_msg=name)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_ten_steps_are_pytorchs(settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(tmp_path, **settings)
    pair.remember(1e-6)
    for number in range(10):
        ours, theirs = pair.steps(pair.batch(MINIBATCH - 60 * number), 0.05 - 0.003 * number, monkeypatch)
        assert ours == pytest.approx(theirs, rel=1e-5)
    for name, (ours, theirs) in pair.weights().items():
        assert np.linalg.norm(ours - theirs) <= 1e-5 * np.linalg.norm(theirs), name
        np.testing.assert_allclose(ours, theirs, atol=1e-4, err_msg=name)
