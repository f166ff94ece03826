"""What `dragoman inspect` says of scores."""

from __future__ import annotations

from dragoman.cli.model import score_lines


def test_scores_are_lines_for_people() -> None:
    scores = {
        "BLEU": 19.85,
        "dev BLEU-lc": 23.39,
        "test": {"intervals": {"BLEU": [16.7, 22.9]}, "length_ratio": 0.95, "signatures": {"BLEU": "nrefs:1"}},
        "tune": {"bleu": 24.0, "best_round": 3},
    }
    assert list(score_lines(scores)) == [
        "BLEU: 19.85 (16.7 to 22.9)",
        "dev BLEU-lc: 23.39",
        "test: length ratio 0.95",
        "tune: bleu 24.0, best round 3",
    ]
    assert list(score_lines({"test": 7})) == ["test: 7"]
