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
from dragoman.neural.direct import DirectFeatures, Ngrams  # noqa: E402
from dragoman.neural.export import tensors_of  # noqa: E402
from dragoman.neural.in_class_noise import NoiseWords  # noqa: E402
from dragoman.neural.network import Network, Shape  # noqa: E402
from dragoman.neural.output import Method  # noqa: E402
from dragoman.neural.tables import AdaGrad  # noqa: E402
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
        self.layout = lay_out(classes, np.array(counts_of(lines)))
        self.trainer = core_trainer(
            folder, lines, SOURCE_WORDS if source else 0, self.layout.class_of_word.int().numpy().tobytes(),
            order=ORDER, dimension=dimension, full=full, source_window=WINDOW if source else 0, minibatch=MINIBATCH,
            self_normalisation=penalty, l2=l2, noise_samples=noise, shared_noise=shared, direct_ngrams=direct,
        )  # fmt: skip
        self.direct = DirectFeatures(self.ngrams(), self.layout) if direct else None
        method = Method("nce" if noise else "likelihood", noise or 1, shared, penalty)
        layer = ClassOutput(self.layout, method, self.direct)
        shape = Shape(ORDER, dimension, WORDS, full, SOURCE_WORDS if source else 0, WINDOW if source else 0)
        self.network = Network(shape, layer, torch.Generator().manual_seed(1))
        biases = {name for name in self.network.parameters if name.endswith("bias")}
        self.optimizer = AdaGrad(self.network.parameters, l2 / MINIBATCH, frozenset(self.network.parameters) - biases)
        given = {name: part.data for name, part in weights_of(self.network).items()}
        _core.testing.set_network_weights(self.trainer, given)

    def ngrams(self) -> Ngrams:
        """Those that the core chose."""
        parts = _core.testing.network_direct(self.trainer)
        begin, words_begin = (np.frombuffer(parts[f"direct_{kind}_begin"], np.int64) for kind in ("class", "word"))
        classes, words = (np.frombuffer(parts[f"direct_{kind}"], np.int32) for kind in ("classes", "words"))
        context, word = [], []
        for number, (first, last) in enumerate(itertools.pairwise(begin)):
            its_words = words[words_begin[number] : words_begin[number + 1]].tolist()
            for of_class in classes[first:last]:
                slots = self.layout.class_begin[of_class : of_class + 2]
                of_slots = self.layout.word_of_slot[slots[0] : slots[1]].tolist()
                # A class of one word has no word feature.
                here = [each for each in of_slots if each in its_words] if len(of_slots) > 1 else of_slots
                word += here
                context += [number] * len(here)
        contexts = np.frombuffer(parts["direct_contexts"], np.int32).reshape(-1, ORDER - 1)
        return Ngrams(contexts, np.array(context), np.array(word, np.int32))

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
            torch.from_numpy(self.contexts_of(contexts)) if self.direct is not None else None,
        )

    def contexts_of(self, contexts: Any) -> Any:
        assert self.direct is not None
        number = {tuple(row[row >= 0].tolist()): at for at, row in enumerate(self.direct.contexts)}
        found = [[number.get(tuple(row[:length]), -1) for length in range(1, ORDER)] for row in contexts.tolist()]
        return np.array(found, np.int32)

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

    def weights(self) -> dict[str, tuple[Any, Any]]:
        return compared(_core.testing.network_weights(self.trainer), self.network)

    def squares(self) -> dict[str, tuple[Any, Any]]:
        """AdaGrad's, in the core and in PyTorch."""
        weights = self.network.parameters
        self.network.parameters = self.optimizer.squares
        both = compared(_core.testing.network_squares(self.trainer), self.network)
        self.network.parameters = weights
        return both


def random_lines(random: Any) -> str:
    """Lines in which every word occurs, some of them often."""
    every = " ".join(f"w{number}" for number in range(WORDS - RESERVED))
    often = [" ".join(f"w{number}" for number in np.minimum(random.geometric(0.2, 12), 20)) for _ in range(60)]
    return "\n".join([every, *often])


def weights_of(network: Network) -> dict[str, Any]:
    return {name: part for name, part in tensors_of(network).items() if part.dtype == np.float32}


def compared(ours: dict[str, bytes], network: Network) -> dict[str, tuple[Any, Any]]:
    theirs = weights_of(network)
    assert set(ours) == set(theirs)
    return {name: (np.frombuffer(ours[name], np.float32), theirs[name].ravel()) for name in ours}


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
    for number in range(10):
        ours, theirs = pair.steps(pair.batch(MINIBATCH - 60 * number), 0.05 - 0.003 * number, monkeypatch)
        assert ours == pytest.approx(theirs, rel=1e-5)
    for name, (ours, theirs) in pair.weights().items():
        # AdaGrad's first step for a weight is as long for the smallest gradient as for the largest, so a few weights
        # show the rounding of gradients that are nearly 0.
        assert np.linalg.norm(ours - theirs) <= 1e-5 * np.linalg.norm(theirs), name
        np.testing.assert_allclose(ours, theirs, atol=1e-4, err_msg=name)
