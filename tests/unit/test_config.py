"""Limits of options: every number that means nothing is refused by name, wherever it comes from."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest

from dragoman import config
from dragoman.cli.main import run
from dragoman.config import require_limits
from dragoman.errors import ConfigError, InputError
from dragoman.pipeline.job import make_job
from dragoman.pipeline.settings import make
from examples.demo.phrasebook import phrasebook_path

CLASSES = [kind for name, kind in vars(config).items() if name.endswith("Options")]
NUMBERS = [
    (kind, entry.name) for kind in CLASSES for entry in dataclasses.fields(kind) if type(entry.default) in (int, float)
]


@pytest.mark.parametrize("kind", CLASSES)
def test_defaults_are_within_limits(kind: type) -> None:
    require_limits(kind())


@pytest.mark.parametrize(("kind", "name"), NUMBERS)
@pytest.mark.parametrize("value", [-(2**70), 2**70, math.nan])
def test_numbers_that_mean_nothing_are_refused(kind: type, name: str, value: Any) -> None:
    options = kind(**{name: value})
    entry = next(entry for entry in dataclasses.fields(kind) if entry.name == name)
    # Unlimited: rates and times, limits that may be as high as one likes, and the dropout, which any negative number
    # leaves to the program.
    most = entry.metadata.get("most", math.inf if isinstance(entry.default, float) else 0)
    if (value > 0 and most == math.inf) or (value < 0 and entry.metadata.get("least") == -math.inf):
        return
    with pytest.raises(ConfigError, match=f"--{name.replace('_', '-')} must be"):
        require_limits(options)


def test_a_stage_names_its_option() -> None:
    with pytest.raises(ConfigError, match=r"decode.pop_limit must be at least 1, not -1"):
        make("decode", config.DecodeOptions, {"pop_limit": "-1"})


TEXTS = [
    (kind, entry.name)
    for kind in CLASSES
    for entry in dataclasses.fields(kind)
    if isinstance(entry.default, str) and "choices" not in entry.metadata
]
# What nothing can be said of before the text, the network or the address is there.
FREE = {
    "source_column",
    "target_column",
    "language_models",
    "host",
    "keys",
    "cors_origin",
    "use",
    "compat_title",
    "corrections",
}


@pytest.mark.parametrize(("kind", "name"), TEXTS)
def test_text_that_means_nothing_is_refused(kind: type, name: str) -> None:
    """An option that is text says what it must look like, or stands above."""
    for text in ("much", "1 2 x", "-1", "200XB", "101%", "nan"):
        if name in FREE | {"split_by"}:
            require_limits(kind(**{name: text}))
            continue
        with pytest.raises(ConfigError, match=f"--{name.replace('_', '-')} must be .*, not '{text}'"):
            require_limits(kind(**{name: text}))


BORDERS = [
    ("lm", "sample", ["0", "1.5"], ["1", "0.1"]),
    ("lm", "prob_bits", ["1", "17"], ["0", "2", "16"]),
    ("lm", "min_counts", ["", "0", "2 1", "1.5"], ["1 1 2", "1,2"]),
    ("lm", "discount_fallback", ["1", "0 1 1", "0.5 1 3.5"], ["", "1 2 3"]),
    ("neural_lm", "dropout", ["1"], ["0.9", "-1"]),
    ("neural_lm", "heldout", ["0", "1"], ["0.5"]),
    ("neural_lm", "direct_bits", ["9", "31"], ["8", "32"]),
    ("neural_lm", "classes", ["20001"], ["20000"]),
    ("neural_lm", "device", ["tpu"], ["cpu"]),
    ("tune", "clip", ["0"], ["0.001"]),
    ("tune", "decay", ["1"], ["0", "0.9"]),
    ("decode", "distortion_limit", ["61"], ["0", "60"]),
    ("clean", "max_ratio", ["0.5"], ["0", "1"]),
    ("split", "dev", ["100%", "1.5", ""], ["0", "99.9%", "auto"]),
    ("split", "split_by", ["", " "], ["page"]),
]


@pytest.mark.parametrize(("stage", "name", "wrong", "right"), BORDERS)
def test_training_refuses_what_a_stage_would(stage: str, name: str, wrong: list[str], right: list[str]) -> None:
    """Before it has looked for a file."""
    given: dict[str, Any] = {"source_lang": "fr", "target_lang": "en", "out": "model"}
    for value in wrong:
        with pytest.raises(ConfigError, match=rf"{stage}\.{name} "):
            make_job("no such file", **given, stages={stage: {name: value}})
    for value in right:
        with pytest.raises(InputError, match="there is no such file"):
            make_job("no such file", **given, stages={stage: {name: value}})


def test_options_that_exclude_each_other_are_refused_before_anything_is_read() -> None:
    for options in ({"direct_ngrams": 10, "output": "flat"}, {"output": "tree", "training": "nce"}):
        with pytest.raises(ConfigError):
            make_job("no such file", source_lang="fr", target_lang="en", out="model", stages={"neural_lm": options})


@pytest.mark.parametrize("flag", ["--memory", "--disk"])
def test_a_size_that_is_none_is_named_by_its_flag(
    flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "model"
    command = ["train", str(phrasebook_path()), "--source-lang", "fr", "--target-lang", "en", "--out", str(out)]
    assert run([*command, flag, "lots"]) == 2
    assert f"{flag} must be a size, written as 200MB or 1.5GB, not 'lots'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
