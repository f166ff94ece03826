"""golden/cdec-extractor: a sentence pair whose 140 rules are known, and a thousand real pairs against the oracle."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.reference import rules as reference
from tests.unit.extract.support import build, read_grammar

pytestmark = pytest.mark.shared


def test_rules_of_one_pair(shared: Callable[[str], Path], tmp_path: Path) -> None:
    source, target, links = shared("golden/cdec-extractor/test.in").read_text("utf-8").strip().split(" ||| ")
    index = build(tmp_path, [source], [target], [links])
    gold = set()
    for line in shared("golden/cdec-extractor/gold-rules.sort").read_text("utf-8").splitlines():
        _, left, right, features, alignment = line.split(" ||| ")
        assert features == "IsSingletonF=1.0 IsSingletonFE=1.0"
        gold.add((left, right, alignment))
    assert len(gold) == 140
    for matching in ("exact", "bounded", "extend", "merge"):
        rules = read_grammar(index, source, matching=matching)
        assert {(left, right, rule.links) for (left, right), rule in rules.items()} == gold
        assert all(rule.features["IsSingletonF"] == rule.features["IsSingletonFE"] == 1 for rule in rules.values())


def test_definition_gives_the_same_rules(shared: Callable[[str], Path]) -> None:
    """The oracle itself, on the known rules."""
    source, target, links = shared("golden/cdec-extractor/test.in").read_text("utf-8").strip().split(" ||| ")
    pair = (source.split(), target.split(), {(int(a), int(b)) for a, b in (x.split("-") for x in links.split())})
    found = reference.pair_rules(pair, reference.Limits())
    gold = {
        tuple(line.split(" ||| ")[i] for i in (1, 2, 4))
        for line in shared("golden/cdec-extractor/gold-rules.sort").read_text("utf-8").splitlines()
    }

    def text(symbols: tuple[str, ...]) -> str:
        number = iter((1, 2))
        return " ".join(f"[X,{next(number)}]" if s == reference.GAP else s for s in symbols)

    assert {(text(s), " ".join(t), " ".join(f"{i}-{j}" for i, j in a)) for s, t, a in found} == gold


@pytest.mark.parametrize("matching", ["exact", "bounded"])
def test_real_pairs_against_the_definition(shared: Callable[[str], Path], tmp_path: Path, matching: str) -> None:
    """A thousand pairs with real links; the oracle needs short sentences to be done in time."""
    rows = gzip.decompress(shared("golden/cdec-extractor/corpus.fr-en.gz").read_bytes()).decode().splitlines()
    alignments = gzip.decompress(shared("golden/cdec-extractor/corpus.al.gz").read_bytes()).decode().splitlines()
    texts = [row.split(" ||| ") for row in rows]
    index = build(tmp_path, [t[0] for t in texts], [t[1] for t in texts], alignments, frequent_min_count=50)
    pairs = [
        (s.split(), t.split(), {(int(a), int(b)) for a, b in (x.split("-") for x in links.split())})
        for (s, t), links in zip(texts, alignments, strict=True)
    ]
    limits = reference.Limits(max_samples=20)
    bitext = reference.Bitext(pairs)
    for number in (2, 0):
        words = pairs[number][0]
        expected = reference.grammar(bitext, words, limits, bounded=matching == "bounded")
        found = read_grammar(index, " ".join(words), matching=matching, max_samples=20)
        wanted = {}
        for (source, target), counts in expected.items():
            gaps = iter((1, 2))
            text = " ".join(f"[X,{next(gaps)}]" if s == reference.GAP else s for s in source)
            wanted[text, " ".join(target)] = " ".join(f"{i}-{j}" for i, j in counts.links)
        assert {key: rule.links for key, rule in found.items()} == wanted
