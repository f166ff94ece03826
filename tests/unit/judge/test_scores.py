"""The core's judge against torch's: the same network gives the same scores."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")

from tests.unit.judge.small_judge import PIECES, WORDS, random_network, torch_scores, write  # noqa: E402


def sentences(seed: int, count: int) -> list[list[str]]:
    """With words that no piece was learned from, and some that begin alike."""
    choose = random.Random(seed)
    lists = [
        [choose.choice([*WORDS, "chatnoir", "xyz", "Ж", "catsees"]) for _ in range(choose.randrange(12))]
        for _ in range(count)
    ]
    return [*lists, *([*each, "cat"] for each in lists), [], lists[0]]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("dimension", "encoder_layers", "decoder_layers", "backward_layers"),
    [(64, 1, 1, 0), (128, 2, 2, 1), (256, 1, 3, 0), (64, 1, 1, 2)],
)
def test_floats(
    seed: int, dimension: int, encoder_layers: int, decoder_layers: int, backward_layers: int, tmp_path: Path
) -> None:
    network, shape = random_network(seed, dimension, encoder_layers, decoder_layers, backward_layers)
    judge = write(tmp_path / "judge.bin", network, shape, "f32")
    for number in range(3):
        source, *candidates = sentences(10 * seed + number, 12)
        np.testing.assert_allclose(
            judge.score(source, candidates), torch_scores(network, source, candidates), rtol=1e-3
        )


@pytest.mark.parametrize("backward_layers", [0, 2])
@pytest.mark.parametrize("seed", range(3))
def test_bytes_are_near(seed: int, backward_layers: int, tmp_path: Path) -> None:
    """A score is a sum over some ten pieces."""
    network, shape = random_network(seed, 128, 3, 2, backward_layers)
    judge = write(tmp_path / "judge.bin", network, shape, "int8")
    source, *candidates = sentences(seed, 20)
    found, expected = np.array(judge.score(source, candidates)), np.array(torch_scores(network, source, candidates))
    np.testing.assert_allclose(found, expected, rtol=0.03, atol=0.3)
    assert np.corrcoef(found, expected)[0, 1] > 0.999


def test_a_file_says_what_it_is(tmp_path: Path) -> None:
    network, shape = random_network(1)
    sizes = {}
    for precision in ("int8", "f32"):
        judge = write(tmp_path / precision, network, shape, precision)
        assert judge.pieces == PIECES
        assert {name: judge.shape[name] for name in ("dimension", "heads", "encoder_layers", "decoder_layers")} == {
            "dimension": 64,
            "heads": 2,
            "encoder_layers": 2,
            "decoder_layers": 1,
        }
        sizes[precision] = (tmp_path / precision).stat().st_size
    assert sizes["f32"] > 2 * sizes["int8"]
