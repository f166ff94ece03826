"""The judge of the core against a slow reference, and what it promises."""

from __future__ import annotations

import itertools
import random
from array import array
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.errors import ConfigError, FormatError
from tests.reference.judge import ReferenceJudge, random_tensors

SHAPE = {"dimension": 64, "heads": 2, "feedforward": 128, "encoder_layers": 2, "decoder_layers": 2}
BOTH_WAYS = {**SHAPE, "decoder_layers": 1, "backward_layers": 2}
WORDS = ["la", "maison", "est", "rouge", "rougeur", "é", "maisonnette"]
PIECES = ["", "", "", "", *sorted({f" {w}" for w in WORDS[:4]} | {"e", "u", "r", " m", "ette", "n", " \u00e9"})]


def written(path: Path, seed: int, precision: str, shape: dict[str, int] = SHAPE) -> ReferenceJudge:
    tensors = random_tensors(shape, len(PIECES), seed)
    buffers = {name: array("f", values) for name, values in tensors.items()}
    _core.write_judge(str(path), shape, PIECES, buffers, precision)
    return ReferenceJudge(shape, {name: list(values) for name, values in buffers.items()})


def sentences(seed: int, count: int) -> list[list[str]]:
    chance = random.Random(seed)
    return [[chance.choice(WORDS) for _ in range(chance.randint(0, 7))] for _ in range(count)]


@pytest.mark.parametrize("shape", [SHAPE, BOTH_WAYS])
@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_the_formulas(tmp_path: Path, seed: int, shape: dict[str, int]) -> None:
    reference = written(tmp_path / "judge.bin", seed, "f32", shape)
    judge, pieces = _core.Judge.open(str(tmp_path / "judge.bin")), _core.JudgePieces(PIECES)
    source, *candidates = sentences(seed, 7)
    read = pieces.encode(source)
    for words, score in zip(candidates, judge.score(source, candidates), strict=True):
        assert score == pytest.approx(reference.log_prob(read, pieces.encode(words)), rel=1e-4, abs=1e-4)


def test_bytes_say_nearly_the_same(tmp_path: Path) -> None:
    reference = written(tmp_path / "judge.bin", 5, "int8")
    judge, pieces = _core.Judge.open(str(tmp_path / "judge.bin")), _core.JudgePieces(PIECES)
    source, *candidates = sentences(5, 6)
    read = pieces.encode(source)
    for words, score in zip(candidates, judge.score(source, candidates), strict=True):
        exact = reference.log_prob(read, pieces.encode(words))
        assert abs(score - exact) < 0.05 * (1 + len(pieces.encode(words)))


@pytest.mark.parametrize("shape", [SHAPE, BOTH_WAYS])
def test_others_change_nothing(tmp_path: Path, shape: dict[str, int]) -> None:
    """Several times as many beginnings as are computed together, some of them the beginnings of others."""
    written(tmp_path / "judge.bin", 8, "int8", shape)
    judge = _core.Judge.open(str(tmp_path / "judge.bin"))
    source, *candidates = sentences(8, 200)
    candidates += [[*one, *other] for one, other in itertools.pairwise(candidates)]
    together = judge.score(source, candidates)
    alone = [judge.score(source, [words])[0] for words in candidates]
    assert together == alone
    assert judge.score(source, candidates[::-1]) == together[::-1]


def test_sentences_longer_than_what_is_computed_together(tmp_path: Path) -> None:
    written(tmp_path / "judge.bin", 9, "int8")
    judge = _core.Judge.open(str(tmp_path / "judge.bin"))
    chance = random.Random(9)
    long = [[chance.choice(WORDS) for _ in range(900)] for _ in range(3)]
    long += [[*long[0][:700], "la"], long[0][:600], long[0][:600]]
    assert judge.score(["la"], long) == [judge.score(["la"], [words])[0] for words in long]


def test_words_are_cut_into_the_longest_pieces() -> None:
    pieces = _core.JudgePieces(PIECES)
    texts = [PIECES[piece] for piece in pieces.encode(["rougeur", "maisonnette", "é"])]
    assert texts == [" rouge", "u", "r", " maison", "n", "ette", " é"]
    # The unknown characters of a word are one piece.
    assert pieces.encode(["日本語", "xyz"]) == [0, 0]
    ids, offsets = pieces.encode_text(b"la maison\n\nrouge")
    assert list(array("q", offsets)) == [0, 3, 4, 6]
    assert array("i", ids)[2] == 1


def test_pieces_are_learned_by_merging() -> None:
    counts = [("maison", 50), ("maisons", 30), ("raison", 40), ("日", 1)]
    texts = _core.learn_pieces(counts, 40)
    assert texts == _core.learn_pieces(counts[::-1], 40)
    assert len(texts) == len(set(texts)) <= 40
    pieces = _core.JudgePieces(texts)
    assert [texts[piece] for piece in pieces.encode(["maison"])] == [" maison"]
    for word, _ in counts:
        assert "".join(texts[piece] for piece in pieces.encode([word])) == f" {word}"


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_learned_spells_the_words_it_saw(seed: int) -> None:
    chance = random.Random(seed)
    words = {"".join(chance.choices("abcé日🙂", k=chance.randint(1, 9))): chance.randint(1, 20) for _ in range(80)}
    texts = _core.learn_pieces(list(words.items()), 100)
    pieces = _core.JudgePieces(texts)
    for word in words:
        assert "".join(texts[piece] for piece in pieces.encode([word])) == f" {word}"


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    tensors = {name: array("f", values) for name, values in random_tensors(SHAPE, len(PIECES), 1).items()}
    path = str(tmp_path / "judge.bin")
    with pytest.raises(ConfigError, match="heads"):
        _core.write_judge(path, {**SHAPE, "heads": 3}, PIECES, tensors)
    with pytest.raises(ConfigError, match=r"encoder\.1\.attention\.key\.bias"):
        _core.write_judge(
            path, SHAPE, PIECES, {k: v for k, v in tensors.items() if k != "encoder.1.attention.key.bias"}
        )
    with pytest.raises(ConfigError, match="twice"):
        _core.write_judge(path, SHAPE, [*PIECES[:-1], PIECES[-2]], tensors)
    assert not Path(path).exists()
    _core.write_judge(path, SHAPE, PIECES, tensors)
    whole = Path(path).read_bytes()
    Path(path).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError):
        _core.Judge.open(path)
