"""Rules that another extractor wrote read the same way, and our features obey the same laws."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.index.support import build, grammars_by_sentence, parse_grammar, read_grammar
from tests.unit.index.test_grammar import europarl_like

Golden = Callable[[str], str]
NAMES = [
    "EgivenFCoherent",
    "SampleCountF",
    "CountEF",
    "MaxLexFgivenE",
    "MaxLexEgivenF",
    "IsSingletonF",
    "IsSingletonFE",
]


def check_laws(features: dict[str, float]) -> None:
    assert list(features) == NAMES
    count, samples = 10 ** features["CountEF"] - 1, 10 ** features["SampleCountF"] - 1
    assert features["EgivenFCoherent"] == pytest.approx(-math.log10(count / samples), abs=1e-4)
    assert (features["IsSingletonFE"] == 1) == (abs(features["CountEF"] - math.log10(2)) < 1e-6)


def phrasebook(golden: Golden) -> list[str]:
    return list(grammars_by_sentence(golden("phrasebook/rules/dev.xz")).values())


def german(golden: Golden) -> list[str]:
    return [golden(f"shared/cdec-rules/grammar.{number}.gz") for number in range(10)]


@pytest.mark.parametrize(
    ("grammars", "count"),
    [pytest.param(phrasebook, 8_644), pytest.param(german, 27_153, marks=pytest.mark.shared)],
)
def test_laws_hold_for_theirs(golden: Golden, grammars: Callable[[Golden], list[str]], count: int) -> None:
    rules = [rule for text in grammars(golden) for rule in parse_grammar(text).values()]
    assert len(rules) == count
    for rule in rules:
        check_laws(rule.features)


def test_laws_hold_for_ours(tmp_path: Path) -> None:
    source, target, links = europarl_like(6, 100)
    rules = read_grammar(build(tmp_path, source, target, links), source[0])
    assert rules
    for rule in rules.values():
        check_laws(rule.features)
