"""Phrase tables in Moses' format against a direct count of all phrase pairs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from dragoman import _core
from tests.reference import rules as reference
from tests.unit.index.support import build
from tests.unit.index.test_grammar import europarl_like


def read_table(
    index: _core.Index, longest: int, **limits: int
) -> dict[tuple[str, str], tuple[list[float], str, list[int]]]:
    pieces: list[bytes] = []
    pairs = _core.phrase_table(index, longest, pieces.append, **limits)
    table = {}
    for line in b"".join(pieces).decode().splitlines():
        source, target, scores, links, counts = line.split(" ||| ")
        table[source, target] = [float(s) for s in scores.split()], links, [int(c) for c in counts.split()]
    assert len(table) == pairs
    return table


def test_against_all_phrase_pairs(tmp_path: Path) -> None:
    texts = europarl_like(5, 30)
    longest = 4
    pairs = [
        (s.split(), t.split(), {(int(a), int(b)) for a, b in (x.split("-") for x in links.split())})
        for s, t, links in zip(*texts, strict=True)
    ]
    counts: Counter[tuple[str, str]] = Counter()
    alignments: dict[tuple[str, str], Counter[tuple[tuple[int, int], ...]]] = defaultdict(Counter)
    for pair in pairs:
        for begin in range(len(pair[0])):
            for end in range(begin + 1, min(len(pair[0]), begin + longest) + 1):
                here: dict[str, tuple[tuple[int, int], ...]] = {}
                for a, b in reference.target_spans(pair, begin, end, longest, tight=False):
                    links = tuple(sorted((i - begin, j - a) for i, j in pair[2] if begin <= i < end))
                    side = " ".join(pair[1][a:b])
                    here[side] = min(here.get(side, links), links)
                for side, links in here.items():
                    counts[" ".join(pair[0][begin:end]), side] += 1
                    alignments[" ".join(pair[0][begin:end]), side][links] += 1
    by_source: Counter[str] = Counter()
    by_target: Counter[str] = Counter()
    for (source, target), count in counts.items():
        by_source[source] += count
        by_target[target] += count
    lexicon = reference.Lexicon(pairs)

    table = read_table(build(tmp_path, *texts), longest)
    assert set(table) == set(counts)
    for (source, target), (scores, links, numbers) in table.items():
        count = counts[source, target]
        assert numbers == [by_target[target], by_source[source], count]
        best = min(alignments[source, target], key=lambda a: (-alignments[source, target][a], a))
        assert links == " ".join(f"{i}-{j}" for i, j in best)
        s, t = source.split(), target.split()
        inverse = math.prod(
            sum(lexicon.source_given_target(w, t[j]) for j in [j for a, j in best if a == i])
            / max(1, len([j for a, j in best if a == i]))
            if any(a == i for a, _ in best)
            else lexicon.source_given_target(w, None)
            for i, w in enumerate(s)
        )
        direct = math.prod(
            sum(lexicon.target_given_source(w, s[i]) for i in [i for i, b in best if b == j])
            / max(1, len([i for i, b in best if b == j]))
            if any(b == j for _, b in best)
            else lexicon.target_given_source(w, None)
            for j, w in enumerate(t)
        )
        assert scores == pytest.approx(
            [count / by_target[target], inverse, count / by_source[source], direct], rel=1e-4
        )


@pytest.mark.parametrize("least_count", [1, 2, 5])
@pytest.mark.parametrize("most_targets", [0, 1, 3])
def test_limits_leave_out_pairs_and_change_no_score(tmp_path: Path, least_count: int, most_targets: int) -> None:
    index = build(tmp_path, *europarl_like(7, 60))
    whole = read_table(index, 3)
    by_source = defaultdict(list)
    for (source, target), (_, _, (target_count, _, count)) in whole.items():
        if count >= least_count:
            by_source[source].append((-count, target_count, target))
    table = read_table(index, 3, least_count=least_count, most_targets=most_targets)
    assert all(whole[pair] == row for pair, row in table.items())
    assert 0 < len(table) <= len(whole)
    for source, targets in by_source.items():
        kept = [(-whole[source, target][2][2], whole[source, target][2][0]) for s, target in table if s == source]
        # Which of equal ones are left out is not said.
        wanted = [ranks[:2] for ranks in sorted(targets)]
        assert sorted(kept) == (wanted[:most_targets] if most_targets else wanted)
    assert {source for source, _ in table} == set(by_source)
