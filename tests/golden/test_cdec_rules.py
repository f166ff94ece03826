"""golden/cdec-rules: rules that another extractor wrote read the same way, and our features obey the same laws."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.extract.support import parse_grammar
from tests.unit.extract.test_grammar import europarl_like

from dragoman import _core

pytestmark = pytest.mark.shared
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


def test_laws_hold_for_both(shared: Callable[[str], Path], tmp_path: Path) -> None:
    theirs = 0
    for number in range(10):
        text = gzip.decompress(shared(f"golden/cdec-rules/grammar.{number}.gz").read_bytes()).decode()
        for rule in parse_grammar(text).values():
            check_laws(rule.features)
            theirs += 1
    assert theirs == 27_153
    source, target, links = europarl_like(6, 100)
    texts = ["".join(line + "\n" for line in lines).encode() for lines in (source, target, links)]
    _core.build_index(str(tmp_path), *texts, {})
    (ours,) = _core.grammars(_core.Index.open(str(tmp_path)), source[0].encode(), {})
    rules = parse_grammar(ours.decode())
    assert rules
    for rule in rules.values():
        check_laws(rule.features)
