"""A step of the core's trainer against the loss in plain Python and its differences, for random small networks."""

from __future__ import annotations

import array
import math
import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.reference.network_training import Example, ReferenceNetwork, Tensors, adagrad
from tests.unit.neural.core_networks import core_trainer

RATE, MINIBATCH = 0.1, 10


def floats(data: dict[str, bytes]) -> Tensors:
    return {name: list(array.array("f", values)) for name, values in data.items()}


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    order=st.integers(2, 4),
    dimension=st.integers(1, 4),
    words=st.integers(5, 12),
    window=st.sampled_from([None, 0, 1]),
    full=st.booleans(),
    penalty=st.sampled_from([0.0, 0.1]),
    l2=st.sampled_from([0.0, 0.3]),
    size=st.integers(1, 9),
)
def test_a_step_follows_the_differences_of_the_loss(
    seed: int,
    order: int,
    dimension: int,
    words: int,
    window: int | None,
    full: bool,
    penalty: float,
    l2: float,
    size: int,
) -> None:
    choose = random.Random(seed)
    classes = [-1 if word in (0, 2) else choose.randrange(3) for word in range(words)]
    numbers = sorted({each for each in classes if each >= 0})
    classes = [numbers.index(each) if each >= 0 else -1 for each in classes]
    places = 0 if window is None else 2 * window + 1
    batch = [
        Example(
            choose.choice([word for word in range(words) if classes[word] >= 0]),
            [choose.randrange(1, words) for _ in range(order - 1)],
            [choose.randrange(1, 6) for _ in range(places)],
        )
        for _ in range(size)
    ]
    with tempfile.TemporaryDirectory() as folder:
        trainer = core_trainer(
            Path(folder), words, 6 if places else 0, array.array("i", classes).tobytes(),
            order=order, dimension=dimension, full=full, source_window=window or 0, minibatch=MINIBATCH, l2=l2,
            self_normalisation=penalty, seed=seed,
        )  # fmt: skip
    tensors = floats(_core.testing.network_weights(trainer))
    network = ReferenceNetwork(dimension, classes, full, penalty)
    gradient = network.gradient(tensors, batch)
    expected_loss = network.loss(tensors, batch)
    given_ids = [
        array.array("I", ids)
        for ids in (
            [example.word for example in batch],
            [word for example in batch for word in example.context],
            [word for example in batch for word in example.source],
        )
    ]
    assert math.isclose(_core.testing.network_step(trainer, *given_ids, RATE), expected_loss, rel_tol=1e-5)
    weights = floats(_core.testing.network_weights(trainer))
    squares = floats(_core.testing.network_squares(trainer))
    for name, values in tensors.items():
        pull = 0.0 if name.endswith("bias") else l2 / MINIBATCH
        for i, value in enumerate(values):
            if weights[name][i] == value:
                # Nothing of the batch uses it; then not even the pull is felt.
                assert abs(gradient[name][i]) < 1e-4, (name, i)
                continue
            weight, square = adagrad(value, 0.0, gradient[name][i], RATE, pull)
            assert math.isclose(math.sqrt(squares[name][i]), math.sqrt(square), rel_tol=1e-2, abs_tol=1e-4), (name, i)
            if math.sqrt(square) > 1e-4:
                assert math.isclose(weights[name][i], weight, rel_tol=1e-4, abs_tol=1e-4), (name, i)
