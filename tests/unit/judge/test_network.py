"""The network by itself: names and sizes of its tensors, what padding changes, and what it may not see."""

from __future__ import annotations

import itertools

import pytest

np = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")

from dragoman.config import JudgeOptions  # noqa: E402
from dragoman.judge.batches import Batches  # noqa: E402
from dragoman.judge.network import Network, backwards, positions  # noqa: E402
from dragoman.judge.shape import shape_of  # noqa: E402
from dragoman.judge.text import END, PairText  # noqa: E402
from tests.unit.judge.test_batches import side_of  # noqa: E402

SHAPE = shape_of(JudgeOptions(dimension=64, encoder_layers=2, decoder_layers=1))
PIECES = 40


def network() -> Network:
    torch.manual_seed(1)
    return Network(SHAPE, PIECES).eval()


def log_probs(made: Network, pairs: list[tuple[list[int], list[int]]]) -> list[list[float]]:
    """Of each piece of each target, all in one batch."""
    text = PairText(*(side_of([pair[side] for pair in pairs]) for side in (0, 1)))
    batches = Batches(text, np.arange(len(pairs)), 10_000)
    batch = batches.batch(np.arange(len(pairs)))
    with torch.no_grad():
        logits, pieces = made(batch)
    found = logits.log_softmax(-1).gather(1, pieces[:, None])[:, 0].tolist()
    ends = np.cumsum([0, *(len(target) + 1 for _, target in pairs)])
    return [found[begin:end] for begin, end in itertools.pairwise(ends)]


@pytest.mark.parametrize("dimension", [64, 128, 256])
@pytest.mark.parametrize(("encoder_layers", "decoder_layers", "backward_layers"), [(1, 1, 0), (6, 2, 0), (1, 1, 2)])
def test_parameters_are_counted_and_named(
    dimension: int, encoder_layers: int, decoder_layers: int, backward_layers: int
) -> None:
    shape = shape_of(JudgeOptions(dimension, encoder_layers, decoder_layers, backward_layers))
    tensors = Network(shape, 100).state_dict()
    assert sum(tensor.numel() for tensor in tensors.values()) == shape.parameters(100)
    assert tensors["embedding"].shape == (100, dimension)
    names = {f"attention.{part}.weight" for part in ("query", "key", "value", "out")}
    names |= {"attention_norm.bias", "feedforward.in.weight", "feedforward.out.bias", "feedforward_norm.weight"}
    crossing = {name.replace("attention", "cross") for name in names if "attention" in name}
    last = f"decoder.{decoder_layers - 1}"
    assert {f"{last}.{name}" for name in names | crossing} <= set(tensors)
    assert {f"encoder.{encoder_layers - 1}.{name}" for name in names} <= set(tensors)
    assert not any(name.startswith("encoder.") and "cross" in name for name in tensors)
    assert tensors["encoder.0.feedforward.in.weight"].shape == (4 * dimension, dimension)
    assert {"encoder_norm.weight", "decoder_norm.bias"} <= set(tensors)
    assert ("backward.1.cross.query.weight" in tensors) == ("backward_norm.bias" in tensors) == bool(backward_layers)


def test_positions_are_sines_then_cosines() -> None:
    found = positions(10, 64)
    np.testing.assert_allclose(found[3, :2], [np.sin(3), np.sin(3 / 10000 ** (2 / 64))], rtol=1e-5)
    np.testing.assert_allclose(found[3, 32:34], [np.cos(3), np.cos(3 / 10000 ** (2 / 64))], rtol=1e-5)


def test_a_pair_has_the_same_score_alone_and_beside_longer_ones() -> None:
    made = network()
    pairs = [([5, 6, 7], [8, 9]), ([10], [11] * 30), ([12] * 40, []), ([5, 6, 7], [8, 9])]
    together = log_probs(made, pairs)
    for pair, found in zip(pairs, together, strict=True):
        np.testing.assert_allclose(found, log_probs(made, [pair])[0], atol=1e-5)


def test_a_piece_is_judged_by_the_source_and_those_before_it_alone() -> None:
    made = network()
    [plain], [otherwise] = (log_probs(made, [([5, 6, 7], target)]) for target in ([8, 9, 10], [8, 9, 30]))
    np.testing.assert_allclose(plain[:2], otherwise[:2], atol=1e-6)
    assert abs(plain[3] - otherwise[3]) > 1e-4
    [other] = log_probs(made, [([5, 7, 6], [8, 9, 10])])
    assert all(abs(left - right) > 1e-5 for left, right in zip(plain, other, strict=True))


def test_a_sentence_is_turned_round_before_its_end() -> None:
    rows = torch.tensor([[5, 6, 7, END, 0, 0], [END, 0, 0, 0, 0, 0], [4, 5, 6, 7, 8, END]])
    assert backwards(rows).tolist() == [[7, 6, 5, END, 0, 0], [END, 0, 0, 0, 0, 0], [8, 7, 6, 5, 4, END]]


def test_the_second_decoder_sees_what_comes_after() -> None:
    torch.manual_seed(1)
    made = Network(shape_of(JudgeOptions(64, 1, 1, 1)), PIECES).eval()
    text = PairText(side_of([[5, 6]] * 2), side_of([[8, 9, 10], [30, 9, 10]]))
    with torch.no_grad():
        logits, pieces = made(Batches(text, np.arange(2), 10_000).batch(np.arange(2)))
    assert pieces.tolist() == [8, 9, 10, END, 30, 9, 10, END, 10, 9, 8, END, 10, 9, 30, END]
    forward, backward = logits.view(2, 2, 4, PIECES)
    # The first piece differs: forward changes all that comes after it, backward nothing but the end.
    np.testing.assert_allclose(forward[0, 0], forward[1, 0], atol=1e-6)
    assert (forward[0, 1] - forward[1, 1]).abs().max() > 1e-3
    np.testing.assert_allclose(backward[0, :3], backward[1, :3], atol=1e-6)
    assert (backward[0, 3] - backward[1, 3]).abs().max() > 1e-3
