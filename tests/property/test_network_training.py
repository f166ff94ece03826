"""A step of the core's trainer against the loss in plain Python and its differences, for random small networks."""

from __future__ import annotations

import array
import collections
import itertools
import math
import random
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.reference.network_training import Example, ReferenceNetwork, Tensors, adagrad
from tests.unit.neural.core_networks import RESERVED, core_trainer, counts_of

RATE, MINIBATCH = 0.1, 10


def floats(data: dict[str, bytes]) -> Tensors:
    return {name: list(array.array("f", values)) for name, values in data.items()}


def numbers(buffer: bytes) -> list[int]:
    return list(array.array("I", buffer))


def random_line(choose: random.Random, words: int) -> str:
    """One line in which every word occurs, and n-grams repeat."""
    return " ".join(
        f"w{number}" for _ in range(3) for number in choose.sample(range(words - RESERVED), words - RESERVED)
    )


def features_of(trainer: _core.NetworkTrainer, order: int) -> dict[str, dict[tuple[tuple[int, ...], int], int]]:
    """Numbers of direct features by context and class, and by context and word."""
    tensors = trainer.direct_ngrams
    if not tensors:
        return {"direct_classes": {}, "direct_words": {}}
    flat = array.array("i", tensors["direct_contexts"]).tolist()
    contexts = [tuple(word for word in flat[at : at + order - 1] if word >= 0) for at in range(0, len(flat), order - 1)]
    made = {}
    for kind, plural in (("class", "direct_classes"), ("word", "direct_words")):
        begin = array.array("q", tensors[f"direct_{kind}_begin"]).tolist()
        rows_of = array.array("i", tensors[plural]).tolist()
        made[plural] = {
            (context, rows_of[i]): i
            for number, context in enumerate(contexts)
            for i in range(*begin[number : number + 2])
        }
    return made


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    order=st.integers(2, 4),
    dimension=st.integers(1, 4),
    words=st.integers(5, 12),
    window=st.sampled_from([None, 0, 1]),
    full=st.booleans(),
    bias=st.booleans(),
    training=st.sampled_from(["likelihood", "penalty", "own noise", "shared noise", "much shared noise"]),
    direct=st.sampled_from([0, 3, 100]),
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
    bias: bool,
    training: str,
    direct: int,
    l2: float,
    size: int,
) -> None:
    choose = random.Random(seed)
    classes = [-1 if word in (0, 2) else choose.randrange(3) for word in range(words)]
    present = sorted({each for each in classes if each >= 0})
    classes = [present.index(each) if each >= 0 else -1 for each in classes]
    places = 0 if window is None else 2 * window + 1
    samples = {"own noise": 2, "shared noise": 1, "much shared noise": 20}.get(training, 0)
    penalty = 0.1 if training == "penalty" else 0.0
    line = random_line(choose, words)
    batch = [
        Example(
            choose.choice([word for word in range(words) if classes[word] >= 0]),
            [choose.randrange(1, words) for _ in range(order - 1)],
            [choose.randrange(1, 6) for _ in range(places)],
        )
        for _ in range(size)
    ]
    batch.sort(key=lambda example: classes[example.word])
    with tempfile.TemporaryDirectory() as folder:
        trainer = core_trainer(
            Path(folder), line, 6 if places else 0, array.array("i", classes).tobytes(),
            order=order, dimension=dimension, full=full, source_window=window or 0, minibatch=MINIBATCH, l2=l2,
            self_normalisation=penalty, seed=seed, hidden_bias=bias, noise_samples=samples,
            shared_noise=training != "own noise", direct_ngrams=direct,
        )  # fmt: skip
    given_ids = [
        array.array("I", ids)
        for ids in (
            [example.word for example in batch],
            [word for example in batch for word in example.context],
            [word for example in batch for word in example.source],
        )
    ]
    if samples:
        batch = with_noise(batch, classes, samples, _core.testing.network_noise(trainer, *given_ids))
    features = features_of(trainer, order)
    tensors = floats(_core.testing.network_weights(trainer))
    for name in ("direct_class_weights", "direct_word_weights"):
        # Zeros would hide what a feature is added to.
        tensors[name] = [choose.uniform(-1, 1) for _ in tensors.get(name, ())]
    _core.testing.set_network_weights(
        trainer, {name: array.array("f", values) for name, values in tensors.items() if values}
    )
    tensors = floats(_core.testing.network_weights(trainer))
    network = ReferenceNetwork(
        dimension, classes, full, penalty, samples, training != "own noise", counts_of(line), **features
    )
    gradient = network.gradient(tensors, batch)
    expected_loss = network.loss(tensors, batch)
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


def with_noise(batch: list[Example], classes: list[int], samples: int, drawn: tuple[bytes, bytes]) -> list[Example]:
    """The examples with what was drawn for them; a class of one word draws no words."""
    of_classes, of_words = (iter(numbers(part)) for part in drawn)
    made = []
    for example in batch:
        alone = classes.count(classes[example.word]) == 1
        made.append(
            replace(
                example,
                noise_classes=list(itertools.islice(of_classes, samples)),
                noise_words=[] if alone else list(itertools.islice(of_words, samples)),
            )
        )
    assert not list(of_classes) and not list(of_words)
    return made


@settings(max_examples=40, deadline=None)
@given(
    line=st.lists(st.sampled_from("abcde"), min_size=1, max_size=40).map(" ".join),
    order=st.integers(2, 4),
    most=st.integers(1, 60),
)
def test_direct_features_are_the_most_frequent_ngrams(line: str, order: int, most: int) -> None:
    """With all words in one class there is a word feature for each of them."""
    size = RESERVED + len(set(line.split()))
    classes = array.array("i", [-1, 0, -1, *[0] * (size - 3)])
    with tempfile.TemporaryDirectory() as folder:
        trainer = core_trainer(Path(folder), line, 0, classes.tobytes(), order=order, dimension=1, direct_ngrams=most)
    found = set(features_of(trainer, order)["direct_words"])
    counted = collections.Counter(line.split())
    ids = {word: RESERVED + rank for rank, word in enumerate(sorted(counted, key=lambda word: (-counted[word], word)))}
    padded = [2] * (order - 1) + [ids[word] for word in line.split()] + [3]
    ngrams: collections.Counter[Any] = collections.Counter()
    for at in range(order - 1, len(padded)):
        for length in range(1, order):
            ngrams[tuple(padded[at - back] for back in range(1, length + 1)), padded[at]] += 1
    ranks = {ngram: (-count, len(ngram[0])) for ngram, count in ngrams.items() if count >= 2}
    assert found <= set(ranks)
    assert sorted(ranks[ngram] for ngram in found) == sorted(ranks.values())[:most]
