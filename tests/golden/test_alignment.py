"""Gold links made by people, and thot, an independent implementation of the same models."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from dragoman.align import AlignmentModel, align, parse_links, score
from dragoman.config import AlignOptions


def error_rate(model: str, source: list[str], target: list[str], gold: dict[int, list[tuple[int, int]]]) -> float:
    """Of the sentences whose links are known, when all of the text is aligned."""
    links = align(source, target, AlignOptions(model=model, threads=1))
    return score([links[number] for number in gold], list(gold.values())).aer


def test_error_rate_on_the_phrasebook(golden: Callable[[str], str]) -> None:
    """552 short pairs; fast_align errs in 13.2 % there."""
    source, target = (
        [line for part in ("dev", "train") for line in golden(f"phrasebook/{part}.{lang}").splitlines()]
        for lang in ("fr", "en")
    )
    rows = [line.split(" ||| ") for line in golden("phrasebook/dev.links").splitlines()]
    assert error_rate("agreement", source, target, {int(n): parse_links(links) for n, links in rows}) < 0.16


@pytest.mark.shared
def test_error_rate_on_czech_news(golden: Callable[[str], str]) -> None:
    """1,250 pairs teach an aligner little; even so the default must be far better than IBM 1."""
    source, target, links = (golden(f"shared/alignment/czenali.en-cs.{part}") for part in ("en", "cs", "sure"))
    gold = {number: parse_links(line) for number, line in enumerate(links.splitlines())}
    rates = {
        model: error_rate(model, source.lower().splitlines(), target.lower().splitlines(), gold)
        for model in ("agreement", "ibm1")
    }
    assert rates["agreement"] < 0.32
    assert rates["agreement"] < rates["ibm1"] - 0.05


def corpus(count: int) -> tuple[list[list[str]], list[list[str]]]:
    rng = random.Random(3)
    source, target = [], []
    for _ in range(count):
        words = [rng.randrange(12) for _ in range(rng.randint(2, 6))]
        source.append([f"s{word}" for word in words])
        target.append([f"t{word}" for word in words if rng.random() < 0.9] or ["t0"])
    return source, target


def test_ibm1_equals_thot() -> None:
    thot = pytest.importorskip("thot.alignment", reason="sil-thot is not installed")
    source, target = corpus(60)
    other = thot.Ibm1AlignmentModel()
    for s, t in zip(source, target, strict=True):
        other.add_sentence_pair(s, t)
    other.start_training()
    iterations = 5
    for _ in range(iterations):
        other.train()
    other.end_training()
    options = AlignOptions(
        model="ibm1", smoothing="none", min_count=0.0, ibm1_iterations=iterations, symmetrize="forward", threads=1
    )
    lines = [" ".join(s) for s in source], [" ".join(t) for t in target]
    training = AlignmentModel.train(*lines, options)
    assert training.model is not None
    compared = 0
    for s in sorted({word for line in source for word in line}):
        for t in sorted({word for line in target for word in line}):
            expected = other.translation_prob(other.get_src_word_index(s), other.get_trg_word_index(t))
            if expected > 1e-3:
                assert training.model.probabilities(s, t)[0] == pytest.approx(expected, rel=0.01)
                compared += 1
    assert compared > 12


@pytest.mark.parametrize("model", ["ibm1", "hmm"])
def test_viterbi_links_equal_thot(model: str) -> None:
    """On text with one right answer both find it; thot's HMM differs in details that do not matter there."""
    thot = pytest.importorskip("thot.alignment", reason="sil-thot is not installed")
    source, target = corpus(300)
    other = thot.HmmAlignmentModel() if model == "hmm" else thot.Ibm1AlignmentModel()
    for s, t in zip(source, target, strict=True):
        other.add_sentence_pair(s, t)
    other.start_training()
    for _ in range(5):
        other.train()
    other.end_training()
    options = AlignOptions(model=model, smoothing="none", decoding="viterbi", symmetrize="forward", threads=1)
    ours = align([" ".join(s) for s in source], [" ".join(t) for t in target], options)
    same = total = 0
    for s, t, links in zip(source, target, ours, strict=True):
        _, matrix = other.get_best_alignment(s, t)
        theirs = {(i, j) for i in range(len(s)) for j in range(len(t)) if matrix[i, j]}
        same += len(theirs & set(links))
        total += len(theirs | set(links))
    assert same / total > 0.95
