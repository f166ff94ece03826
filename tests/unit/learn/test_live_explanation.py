"""Sources of rules with corrections among them: their weights add up to the counts that the features are made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.learn.compaction import compact
from dragoman.translator import Translator
from tests.unit.learn.support import make_model


@pytest.mark.parametrize("weight", [1, 10])
@pytest.mark.parametrize("compacted", [False, True])
def test_weights_of_sources_give_the_counts(tmp_path: Path, weight: int, compacted: bool) -> None:
    model = make_model(tmp_path / "model", weight=weight)
    Translator.load(model).add("Le zorglub voit la maison.", "The snark sees the house.", id="correction")
    if compacted:
        compact(model)
    explanation = Translator.load(model).explain("Le zorglub dort. La maison.", sources=1000)
    found = [each for sentence in explanation.sentences for each in sentence.phrases]
    corrected = [each for each in found if any(passage.occurrence.weight == weight for passage in each.passages)]
    assert corrected
    for each in found:
        if each.count is None:
            continue
        assert each.count == sum(passage.occurrence.weight for passage in each.passages)
        assert each.phrase.origin_count == len(each.passages)


def test_command_says_how_often_they_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = make_model(tmp_path / "model", weight=10)
    Translator.load(model).add("Le zorglub voit la maison.", "The snark sees the house.", id="correction")
    assert run(["explain", "-m", str(model), "Le zorglub dort."]) == 0
    text = capsys.readouterr().out
    assert "— correction  counts 10 times" in text
    assert "in all 10 places looked at. It is 1 place; corrections count more than once." in text
