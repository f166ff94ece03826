"""Pieces of a dev or test set, merged in their order, give what one process gives; no cluster is needed to see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.cluster.workers import Here
from dragoman.config import CleanOptions, DecodeOptions, TuneOptions
from dragoman.corpus.preparation import prepare
from dragoman.evaluate.sharded import translated_on
from dragoman.model.weights import DEFAULT_WEIGHTS
from dragoman.translator import Translator
from dragoman.tune import tune_model
from tests.unit.cluster.invented_text import write_pairs
from tests.unit.translate.support import PAIRS, make_model


class Away(Here):
    """Does in this process what workers would do elsewhere."""

    away = True


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("model") / "fr-en.model")


@pytest.mark.parametrize("lines", [1, 8, 9, 27])
def test_tuning(model: Path, lines: int) -> None:
    rows = (PAIRS * 4)[:lines]
    source, target = [row[0] for row in rows], [row[1] for row in rows]
    options = TuneOptions(rounds=3, kbest=10)
    alone = tune_model(model, source, target, options, threads=1)
    assert tune_model(model, source, target, options, threads=1, workers=Away()) == alone


def test_evaluation(model: Path) -> None:
    lines = [*(row[0] for row in PAIRS * 5), "", "un zorglub dort ."]
    for weights in (None, {**DEFAULT_WEIGHTS, "WordPenalty": 3.0}):
        texts, unknown = translated_on(Away(), model, lines, DecodeOptions(), weights)
        with Translator.load(model, weights=weights) as translator:
            made = translator.translate(lines, DecodeOptions())
        assert texts == [each.text for each in made]
        sentences = [sentence for each in made for sentence in each.sentences]
        assert unknown == sum(len(each.oov) for each in sentences) / sum(len(each.source_tokens) for each in sentences)
        assert unknown > 0


def test_cleaning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Duplicates are known over pieces of any size."""
    source, target = write_pairs(tmp_path, 60)
    for path in (source, target):
        path.write_text(path.read_text() * 2 + path.read_text().upper() + "\x01damaged\nx\r\ny\n")
    found = []
    for size in (4096, 7):
        monkeypatch.setattr("dragoman.corpus.preparation.BATCH_PAIRS", size)
        out = tmp_path / str(size)
        report = prepare(
            [str(source), str(target)], out, source_lang="fr", target_lang="en", workers=Away(),
            clean=CleanOptions(drop_wrong_language=False),
        )  # fmt: skip
        assert report.dropped["duplicate"] == 60
        found.append({path.name: path.read_bytes() for path in sorted(out.iterdir())})
    assert found[0] == found[1]
