"""The aligner against enumeration on tiny random corpora."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dragoman.align import AlignmentModel, parse_links, symmetrize
from dragoman.config import AlignOptions
from tests.reference import alignment as reference

EXACT = {"smoothing": "none", "min_count": 0.0, "threads": 1}


def corpora(most_words: int = 4) -> st.SearchStrategy[reference.Pairs]:
    def side(letters: str) -> st.SearchStrategy[list[str]]:
        return st.lists(st.sampled_from(letters), min_size=1, max_size=most_words)

    return st.lists(st.tuples(side("abcd"), side("wxyz")), min_size=1, max_size=5)


def trained(pairs: reference.Pairs, **options: object) -> tuple[AlignmentModel, list[float]]:
    lines = [" ".join(s) for s, _ in pairs], [" ".join(t) for _, t in pairs]
    training = AlignmentModel.train(*lines, AlignOptions(**{**EXACT, **options}))  # type: ignore[arg-type]
    assert training.model is not None
    return training.model, training.log_likelihoods


def close_likelihoods(found: list[float], expected: list[float], pairs: reference.Pairs) -> bool:
    """Each word's probability carries the rounding of eleven bits, 2.4e-4, from this iteration and those before."""
    words = sum(len(source) + len(target) for source, target in pairs)
    return found == pytest.approx(expected, rel=0, abs=1e-3 * words)


def flipped(pairs: reference.Pairs) -> reference.Pairs:
    return [(target, source) for source, target in pairs]


def same_table(model: AlignmentModel, forward: reference.Table, backward: reference.Table) -> None:
    # Probabilities are kept in 16 bits.
    for (source, target), probability in forward.items():
        if probability > 1e-3:
            assert model.probabilities(source, target)[0] == pytest.approx(probability, rel=2e-3, abs=2e-5)
    for (target, source), probability in backward.items():
        if probability > 1e-3:
            assert model.probabilities(source, target)[1] == pytest.approx(probability, rel=2e-3, abs=2e-5)


@settings(max_examples=25, deadline=None)
@given(corpora(), st.integers(2, 5))
def test_ibm1_equals_enumeration(pairs: reference.Pairs, iterations: int) -> None:
    model, log_likelihoods = trained(pairs, model="ibm1", ibm1_iterations=iterations)
    forward, expected = reference.ibm1(pairs, iterations)
    backward, expected_back = reference.ibm1(flipped(pairs), iterations)
    same_table(model, forward, backward)
    both = [a + b for a, b in zip(expected, expected_back, strict=True)][2:]
    assert close_likelihoods(log_likelihoods, both, pairs)


@settings(max_examples=15, deadline=None)
@given(corpora(), st.integers(1, 3))
def test_hmm_equals_enumeration(pairs: reference.Pairs, iterations: int) -> None:
    model, log_likelihoods = trained(pairs, model="hmm", ibm1_iterations=2, iterations=iterations)
    null_share = model.parameters()["null_share"]
    assert isinstance(null_share, float)
    start, _ = reference.ibm1(pairs, 2)
    forward, weights, expected = reference.hmm(pairs, start, iterations, null_share)
    start, _ = reference.ibm1(flipped(pairs), 2)
    backward, weights_back, expected_back = reference.hmm(flipped(pairs), start, iterations, null_share)
    same_table(model, forward, backward)
    assert model.parameters()["jumps_forward"] == pytest.approx(weights, rel=5e-3, abs=1e-4)
    assert model.parameters()["jumps_backward"] == pytest.approx(weights_back, rel=5e-3, abs=1e-4)
    both = [a + b for a, b in zip(expected, expected_back, strict=True)]
    assert close_likelihoods(log_likelihoods, both, pairs)


def prior_of(model: AlignmentModel, kind: str, direction: str) -> reference.Prior:
    values = model.parameters()
    if kind == "ibm1":
        return reference.ibm1_prior
    if kind == "diagonal":
        return reference.diagonal_prior(values[f"tension_{direction}"], values["diagonal_null_share"])  # type: ignore[arg-type]
    return reference.hmm_prior(values[f"jumps_{direction}"], values["null_share"])  # type: ignore[arg-type]


@settings(max_examples=20, deadline=None)
@given(corpora(), st.sampled_from(["ibm1", "diagonal", "hmm", "agreement"]), st.sampled_from(["classes", "none"]))
def test_posteriors_equal_enumeration(pairs: reference.Pairs, kind: str, smoothing: str) -> None:
    model, _ = trained(pairs, model=kind, smoothing=smoothing, ibm1_iterations=3, iterations=2)
    for source, target in pairs[:2]:
        posteriors = model.posteriors(" ".join(source), " ".join(target))
        table = {(s, t): model.probabilities(s, t)[0] for s in [None, *source] for t in target}
        expected = reference.posterior_matrix(source, target, table, prior_of(model, kind, "forward"))
        for t, row in enumerate(expected):
            got = [posteriors.null_forward[t]] + [posteriors.forward[s][t] for s in range(len(source))]
            assert got == pytest.approx(row, abs=2e-3)
            assert sum(got) == pytest.approx(1, abs=1e-4)
        table = {(t, s): model.probabilities(s, t)[1] for t in [None, *target] for s in source}
        expected = reference.posterior_matrix(target, source, table, prior_of(model, kind, "backward"))
        for s, row in enumerate(expected):
            got = [posteriors.null_backward[s], *posteriors.backward[s]]
            assert got == pytest.approx(row, abs=2e-3)


@settings(max_examples=15, deadline=None)
@given(corpora(4))
def test_viterbi_finds_the_best_alignment(pairs: reference.Pairs) -> None:
    model, _ = trained(pairs, model="hmm", ibm1_iterations=3, iterations=2)
    source, target = pairs[0]
    options = AlignOptions(decoding="viterbi", symmetrize="forward", threads=1)
    links = model.align([" ".join(source)], [" ".join(target)], options)[0]
    table = {(s, t): model.probabilities(s, t)[0] for s in [None, *source] for t in target}
    prior = prior_of(model, "hmm", "forward")
    chosen = [0] * len(target)
    for s, t in links:
        chosen[t] = s + 1
    found = reference.joint(tuple(chosen), source, target, table, prior)
    assert found == pytest.approx(reference.viterbi(source, target, table, prior), rel=1e-3)


@settings(max_examples=25, deadline=None)
@given(corpora(7), st.sampled_from(["ibm1", "diagonal", "hmm"]))
# From its second word hardly anything is ever left, so that nearly nothing is known of moves from there.
@example([(["a"], ["w"]), (["b", "a"], ["x", "w"])], "hmm")
def test_likelihood_never_falls_and_rows_sum_to_one(pairs: reference.Pairs, kind: str) -> None:
    ibm1_iterations = 5
    model, log_likelihoods = trained(pairs, model=kind, ibm1_iterations=ibm1_iterations, iterations=5)
    first, second = log_likelihoods[: ibm1_iterations - 2], log_likelihoods[ibm1_iterations - 2 :]
    for part in (first, second):
        for before, after in itertools.pairwise(part):
            assert after >= before - 1e-3 - 1e-4 * abs(before)
    sources = {word for source, _ in pairs for word in source}
    targets = {word for _, target in pairs for word in target}
    for source in sources:
        total = math.fsum(model.probabilities(source, target)[0] for target in targets)
        assert total == pytest.approx(1, abs=5e-3) or total < 1e-6
    for target in targets:
        total = math.fsum(model.probabilities(source, target)[1] for source in sources)
        assert total == pytest.approx(1, abs=5e-3) or total < 1e-6


def link_sets(unique: int) -> st.SearchStrategy[set[tuple[int, int]]]:
    """Directional links: every word of one side (0 source, 1 target) at most once."""
    links = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=8, unique_by=lambda link: link[unique])
    return links.map(set)


HOW = ["intersection", "union", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and", "forward", "inverse"]


@settings(max_examples=200, deadline=None)
@given(link_sets(1), link_sets(0), st.sampled_from(HOW))
def test_symmetrization_equals_its_definition(
    forward: set[tuple[int, int]], backward: set[tuple[int, int]], how: str
) -> None:
    first, second = (" ".join(f"{s}-{t}" for s, t in sorted(links)) for links in (forward, backward))
    got = symmetrize([first], [second], how)
    assert parse_links(got[0]) == sorted(reference.symmetrized(forward, backward, how))
