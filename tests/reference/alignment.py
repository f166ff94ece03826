"""Word alignment by enumeration: every alignment of a pair is written out, so nothing can hide in an algorithm.

An alignment of J generated words is a tuple of J positions: 0 for NULL, else 1..I. Probabilities are exact for the
models' definitions (core/align/inference.h, jumps.h, diagonal.h); the cost, (I + 1) ** J, allows a few words only.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator

Pairs = list[tuple[list[str], list[str]]]
Table = dict[tuple[str | None, str], float]
Prior = Callable[[tuple[int, ...], int], float]
REACH = 12


def alignments(states: int, steps: int) -> Iterator[tuple[int, ...]]:
    return itertools.product(range(states + 1), repeat=steps)


def joint(alignment: tuple[int, ...], source: list[str], target: list[str], table: Table, prior: Prior) -> float:
    """p(target, alignment | source)."""
    probability = prior(alignment, len(source))
    for position, word in zip(alignment, target, strict=True):
        probability *= table.get((source[position - 1] if position else None, word), 0.0)
    return probability


def posterior_matrix(source: list[str], target: list[str], table: Table, prior: Prior) -> list[list[float]]:
    """By target word: NULL's posterior, then every source word's."""
    total = 0.0
    cells = [[0.0] * (len(source) + 1) for _ in target]
    for alignment in alignments(len(source), len(target)):
        probability = joint(alignment, source, target, table, prior)
        total += probability
        for step, position in enumerate(alignment):
            cells[step][position] += probability
    return [[cell / total for cell in row] for row in cells]


def viterbi(source: list[str], target: list[str], table: Table, prior: Prior) -> float:
    """Probability of the best alignment."""
    return max(joint(a, source, target, table, prior) for a in alignments(len(source), len(target)))


def ibm1_prior(alignment: tuple[int, ...], states: int) -> float:
    return (1 / (states + 1)) ** len(alignment)


def diagonal_prior(tension: float, null_share: float) -> Prior:
    def prior(alignment: tuple[int, ...], states: int) -> float:
        probability, steps = 1.0, len(alignment)
        for step, position in enumerate(alignment, 1):
            weights = [math.exp(-tension * abs(i / states - step / steps)) for i in range(1, states + 1)]
            probability *= (1 - null_share) * weights[position - 1] / sum(weights) if position else null_share
        return probability

    return prior


def jump_index(distance: int) -> int:
    return distance + REACH if -REACH <= distance <= REACH else 2 * REACH + 1


def moves(alignment: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The jumps of an alignment as (from, to); NULL leaves the position as it was, and sentences start at 0."""
    at = 0
    for position in alignment:
        if position:
            yield at, position
            at = position


def hmm_prior(weights: list[float], null_share: float) -> Prior:
    def prior(alignment: tuple[int, ...], states: int) -> float:
        probability = null_share ** alignment.count(0) * (1 - null_share) ** (len(alignment) - alignment.count(0))
        for start, end in moves(alignment):
            total = sum(weights[jump_index(other - start)] for other in range(1, states + 1))
            probability *= weights[jump_index(end - start)] / total
        return probability

    return prior


def initial_weights() -> list[float]:
    return [math.exp(-0.5 * abs(d - 1)) + 0.003 for d in range(-REACH, REACH + 1)] + [0.003]


def expected(
    pairs: Pairs, table: Table, prior: Prior
) -> tuple[Table, dict[int, float], dict[tuple[int, int], float], float]:
    """Counts of translations, of jumps, of moves by (from, size), and the log-likelihood."""
    counts: Table = defaultdict(float)
    jumps: dict[int, float] = defaultdict(float)
    departures: dict[tuple[int, int], float] = defaultdict(float)
    log_likelihood = 0.0
    for source, target in pairs:
        scored = [(a, joint(a, source, target, table, prior)) for a in alignments(len(source), len(target))]
        total = sum(probability for _, probability in scored)
        log_likelihood += math.log(total)
        for alignment, probability in scored:
            share = probability / total
            for position, word in zip(alignment, target, strict=True):
                counts[source[position - 1] if position else None, word] += share
            for start, end in moves(alignment):
                jumps[jump_index(end - start)] += share
                departures[start, len(source)] += share
    return counts, jumps, departures, log_likelihood


def normalized(counts: Table) -> Table:
    totals: dict[str | None, float] = defaultdict(float)
    for (source, _), count in counts.items():
        totals[source] += count
    return {(source, target): count / totals[source] for (source, target), count in counts.items()}


def uniform(pairs: Pairs) -> Table:
    return {(s, t): 1.0 for source, target in pairs for s in [None, *source] for t in target}


def ibm1(pairs: Pairs, iterations: int) -> tuple[Table, list[float]]:
    """The table after EM from a uniform start, and the log-likelihood before every iteration."""
    table, log_likelihoods = uniform(pairs), []
    for _ in range(iterations):
        counts, _, _, log_likelihood = expected(pairs, table, ibm1_prior)
        table = normalized(counts)
        log_likelihoods.append(log_likelihood)
    return table, log_likelihoods


def updated_weights(
    weights: list[float], jumps: dict[int, float], departures: dict[tuple[int, int], float]
) -> list[float]:
    """Four rounds of Hunter's update, each scaled to sum to 1; jumps nobody could make get the least weight."""
    for _ in range(4):
        chances = [0.0] * len(weights)
        for (start, states), count in departures.items():
            total = sum(weights[jump_index(end - start)] for end in range(1, states + 1))
            for end in range(1, states + 1):
                chances[jump_index(end - start)] += count / total
        seen = {n: jumps.get(n, 0.0) / chance for n, chance in enumerate(chances) if chance > 0}
        weights = [seen.get(n, min(seen.values())) for n in range(len(weights))]
        scale = sum(weights)
        weights = [max(weight / scale, 1e-7) for weight in weights]
    return weights


def hmm(pairs: Pairs, table: Table, iterations: int, null_share: float) -> tuple[Table, list[float], list[float]]:
    """Table, jump weights and log-likelihoods after EM from a table."""
    weights, log_likelihoods = initial_weights(), []
    for _ in range(iterations):
        counts, jumps, departures, log_likelihood = expected(pairs, table, hmm_prior(weights, null_share))
        table = normalized(counts)
        weights = updated_weights(weights, jumps, departures)
        log_likelihoods.append(log_likelihood)
    return table, weights, log_likelihoods


def symmetrized(forward: set[tuple[int, int]], backward: set[tuple[int, int]], how: str) -> set[tuple[int, int]]:
    """The heuristics as Koehn's book writes them, on sets of (source, target)."""
    if how in ("forward", "inverse", "union", "intersection"):
        return {
            "forward": forward,
            "inverse": backward,
            "union": forward | backward,
            "intersection": forward & backward,
        }[how]
    union, links = forward | backward, forward & backward
    beside = [(0, -1), (-1, 0), (0, 1), (1, 0)]
    corners = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
    neighbours = beside if how == "grow" else beside + corners
    sources = range(max((s for s, _ in union), default=-1) + 1)
    targets = range(max((t for _, t in union), default=-1) + 1)
    before = None
    while before != links:
        before = set(links)
        for t, s in itertools.product(targets, sources):
            if (s, t) not in links:
                continue
            for ds, dt in neighbours:
                new = (s + ds, t + dt)
                free = new[0] not in {a for a, _ in links} or new[1] not in {b for _, b in links}
                if new in union and new not in links and free:
                    links.add(new)
    if "final" in how:
        for candidates in (forward, backward):
            for s, t in sorted(candidates, key=lambda link: (link[1], link[0])):
                source_free, target_free = s not in {a for a, _ in links}, t not in {b for _, b in links}
                if (source_free and target_free) if how.endswith("and") else (source_free or target_free):
                    links.add((s, t))
    return links
