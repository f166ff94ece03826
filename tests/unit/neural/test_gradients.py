"""Gradients of every output layer and training method against differences of the loss."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("numpy")

from tests.unit.neural import networks  # noqa: E402

SETTINGS: list[dict[str, Any]] = [
    {"output": "class"},
    {"output": "class", "full": True, "source": True},
    {"output": "class", "self_normalisation": 0.1, "source": True},
    {"output": "class", "self_normalisation": 0.1, "direct": True},
    {"output": "class", "training": "nce"},
    {"output": "class", "training": "nce", "noise_samples": 50, "source": True},
    {"output": "class", "training": "nce", "shared_noise": False},
    {"output": "class", "training": "nce", "direct": True},
    {"output": "class", "training": "nce", "noise_samples": 50, "direct": True, "full": True},
    {"output": "class", "training": "nce", "shared_noise": False, "direct": True},
    {"output": "tree"},
    {"output": "tree", "full": True, "source": True},
    {"output": "flat"},
    {"output": "flat", "self_normalisation": 0.1, "full": True},
    {"output": "flat", "training": "nce"},
    {"output": "flat", "training": "nce", "noise_samples": 50},
    {"output": "flat", "training": "nce", "shared_noise": False, "source": True},
]


@pytest.fixture(autouse=True)
def one_thread() -> Any:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: "-".join(map(str, settings.values())))
def test_gradients_are_those_of_the_loss(settings: dict[str, Any]) -> None:
    network, batch = networks.make(**settings)

    def step() -> Any:
        return network.step(batch, 1.0, 0.3, torch.Generator().manual_seed(7))

    _, gradients = step()
    assert set(gradients) == set(network.parameters)
    generator = torch.Generator().manual_seed(8)
    for name, tensor in network.parameters.items():
        direction = torch.randn(tensor.shape, generator=generator, dtype=torch.float64)
        size = 1e-6
        tensor += size * direction
        above = step()[0].item()
        tensor -= 2 * size * direction
        below = step()[0].item()
        tensor += size * direction
        slope = (networks.whole(network, gradients, name) * direction).sum().item()
        assert slope == pytest.approx((above - below) / (2 * size), rel=1e-6, abs=1e-5), name


@pytest.mark.parametrize(("output", "direct"), [("class", False), ("class", True), ("tree", False), ("flat", False)])
def test_probabilities_sum_to_one(output: str, direct: bool) -> None:
    network, batch = networks.make(output, direct=direct, source=not direct)
    total = torch.zeros(len(batch.words), dtype=torch.float64)
    for word in networks.PREDICTED:
        asked = replace(batch, words=torch.full_like(batch.words, int(word)))
        total += network.log_probs(asked)[0].exp()
    torch.testing.assert_close(total, torch.ones_like(total), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("penalty", [0.0, 0.3])
@pytest.mark.parametrize("output", ["class", "flat"])
def test_likelihood_is_the_sum_of_the_scores_and_penalties(output: str, penalty: float) -> None:
    """Of a class-factored layer both normalisers are penalised."""
    network, batch = networks.make(output, self_normalisation=penalty)
    make_certain(network)
    loss, _ = network.step(batch, 1.0, 0.0, None)
    log_prob, log_normaliser = network.log_probs(batch)
    assert log_normaliser.shape == (len(batch.words), 2 if output == "class" else 1)
    expected = -log_prob.sum() + penalty * log_normaliser.square().sum()
    assert loss.item() == pytest.approx(expected.item())


@pytest.mark.parametrize("output", ["class", "flat", "tree"])
def test_shifted_logits_change_normalisers_and_no_probability(output: str) -> None:
    network, batch = networks.make(output)
    make_certain(network)
    log_prob, log_normaliser = network.log_probs(batch)
    by = torch.tensor([0.5, -0.25], dtype=torch.float64)
    network.output.shift(network.parameters, by)
    shifted, shifted_normaliser = network.log_probs(batch)
    torch.testing.assert_close(shifted, log_prob)
    expected = log_normaliser + by[: log_normaliser.shape[1]] * (log_normaliser != 0)
    torch.testing.assert_close(shifted_normaliser, expected)


@pytest.mark.parametrize("output", ["class", "flat"])
def test_gradient_of_noise_contrastive_estimation_nears_that_of_likelihood(output: str) -> None:
    """Mnih and Teh 2012: the two are the same for a normalised model as noise grows without bound."""

    def gradient(training: str, samples: int) -> Any:
        network, batch = networks.make(output, training, noise_samples=samples)
        normalise(network, batch)
        return networks.whole(network, network.step(batch, 1 / len(batch.words), 0.0, None)[1], "word_bias")

    likelihood = gradient("likelihood", 1)
    distances = [(gradient("nce", samples) - likelihood).norm().item() for samples in (100, 1000, 10_000, 100_000)]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 0.01 * likelihood.norm().item()


def make_certain(network: Any) -> None:
    """Training leaves a class of one word, here the last, as it starts: with a logit of 0."""
    if "class_bias" in network.parameters:
        network.parameters["word_weights"][-1], network.parameters["word_bias"][-1] = 0, 0


def normalise(network: Any, batch: Any) -> None:
    """Makes every softmax factor sum to one in all contexts: without weights, by its biases alone."""
    for name in ("class_weights", "word_weights"):
        if name in network.parameters:
            network.parameters[name].zero_()
    if "class_bias" in network.parameters:
        network.parameters["class_bias"] -= network.parameters["class_bias"].logsumexp(0)
        begin = network.output.layout.class_begin
    else:
        begin = [0, len(network.parameters["word_bias"])]
    bias = network.parameters["word_bias"]
    for start, stop in itertools.pairwise(begin):
        bias[start:stop] -= bias[start:stop].logsumexp(0)
