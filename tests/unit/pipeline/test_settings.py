"""Options of the stages from TOML and from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.config import THESIS, AlignOptions, LmOptions, NlmOptions
from dragoman.errors import ConfigError
from dragoman.pipeline.settings import merged, parse_assignments, read_toml, split_tables, stage_options


def test_later_layers_win(tmp_path: Path) -> None:
    (tmp_path / "train.toml").write_text('memory = "100MB"\n[align]\nmodel = "hmm"\niterations = 2\n[lm]\norder = 3\n')
    top, tables = split_tables(read_toml(tmp_path / "train.toml"))
    assert top == {"memory": "100MB"}
    made = stage_options(merged(tables, parse_assignments(["align.iterations=7", "lm.sample=1"])))
    assert made.align == AlignOptions(model="hmm", iterations=7)
    assert made.lm == LmOptions(order=3, sample=1.0)


def test_what_is_chosen_wins_over_a_preset(tmp_path: Path) -> None:
    """Also what is chosen as it would be without one, in another layer than the preset."""
    (tmp_path / "train.toml").write_text('[neural_lm]\npreset = "thesis"\ndimension = 0\n')
    _, tables = split_tables(read_toml(tmp_path / "train.toml"))
    made = stage_options(merged(tables, parse_assignments(["neural_lm.training=likelihood"]))).neural_lm
    assert (made.training, made.dimension, made.preset) == ("likelihood", 0, "thesis")
    usual = NlmOptions()
    for name, value in THESIS.items():
        assert getattr(made, name) == (getattr(usual, name) if name in ("training", "dimension") else value)
        chosen = NlmOptions(preset="thesis", **{name: getattr(usual, name)})
        assert getattr(chosen, name) == getattr(usual, name) != value
    assert NlmOptions(preset="default") == usual


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("align", "write it as stage.option=value"),
        ("align=hmm", "write it as stage.option=value"),
        ("nonsense.x=1", "there are no options for 'nonsense'"),
        ("align.nonsense=1", "align.nonsense is not an option; align has model"),
        ("align.model=nonsense", "align.model is one of agreement"),
        ("align.iterations=many", "align.iterations must be a whole number, not 'many'"),
        ("clean.drop_empty=perhaps", "clean.drop_empty must be true or false"),
    ],
)
def test_what_cannot_be_used_is_named(assignment: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        stage_options(parse_assignments([assignment]))


def test_a_file_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "train.toml").write_text("memory 100MB\n")
    with pytest.raises(ConfigError, match="is not a TOML file"):
        read_toml(tmp_path / "train.toml")
