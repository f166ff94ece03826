"""`train` and `estimate` as functions: what they take, and what they say of what they do not."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.config import TrainOptions
from dragoman.errors import ConfigError, DragomanError
from dragoman.pipeline.job import TrainArguments, make_job
from dragoman.pipeline.training import estimate, keywords, train
from examples.demo.phrasebook import phrasebook_path

GIVEN: dict[str, Any] = {"source_lang": "fr", "target_lang": "en", "out": "model"}


def test_the_names_are_the_same_everywhere() -> None:
    """For type checkers, for help, and for whoever mistypes one."""
    assert set(TrainArguments.__annotations__) == set(keywords())
    shown = inspect.signature(train).parameters
    assert list(shown) == ["inputs", *keywords(), "listener", "cluster", "cluster_shared"]
    assert shown["memory"].default == TrainOptions().memory and shown["source_lang"].default is inspect.Parameter.empty
    assert list(inspect.signature(estimate).parameters) == ["inputs", *keywords()]


@pytest.mark.parametrize("function", [train, estimate])
@given(name=st.sampled_from(sorted(keywords())), at=st.integers(0, 30), letter=st.sampled_from("qxz"))
def test_mistyped_arguments_are_refused_by_name(function: Any, name: str, at: int, letter: str) -> None:
    """A letter too many, before anything is read."""
    typed = name[: at % len(name)] + letter + name[at % len(name) :]
    with pytest.raises(ConfigError) as refused:
        function("no such file", **{**GIVEN, typed: "1"})
    assert f"training has no argument {typed}; " in str(refused.value)
    assert f"did you mean {name}?" in str(refused.value) or len(name) <= 3


@pytest.mark.parametrize("name", ["source_lang", "target_lang", "out"])
def test_arguments_that_are_missing(name: str) -> None:
    with pytest.raises(ConfigError, match=f"{name} is missing"):
        train("no such file", **{key: value for key, value in GIVEN.items() if key != name})


@pytest.mark.parametrize("sizes", [{"memory": "much"}, {"disk": "0"}, {"stages": {"lm": {"memory": "much"}}}])
def test_sizes_that_are_none_are_refused_before_anything_is_read(sizes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="size"):
        make_job("no such file", **GIVEN, **sizes)


def test_one_file_several_files_and_lists_of_files(tmp_path: Path) -> None:
    path = phrasebook_path()
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    parts = [tmp_path / "one.tsv", tmp_path / "two.tsv"]
    for part, chosen in zip(parts, (lines[:300], lines[300:]), strict=True):
        part.write_text("".join(chosen), encoding="utf-8")
    options = {"source_lang": "fr", "target_lang": "en", "language_models": "ngram", "disk": "50kB"}
    for inputs in ((path,), (str(path),), ([path],), (tuple(map(str, parts)),), tuple(parts), ([parts[0]], parts[1])):
        foretold = estimate(*inputs, **options)  # type: ignore[arg-type]
        assert foretold.plan.split.read == 552 and foretold.plan.split.train == 498
        assert isinstance(foretold.refusal, DragomanError) and "on disk where 50.0 kB is allowed" in str(
            foretold.refusal
        )


def test_text_in_the_target_language_counts(tmp_path: Path) -> None:
    """Training plans with it, and so does the estimate."""
    (tmp_path / "more.en").write_text("".join(f"word{i} and word{i + 1}\n" for i in range(3000)), encoding="utf-8")
    options = {"source_lang": "fr", "target_lang": "en", "language_models": "ngram"}
    plain = estimate(phrasebook_path(), **options).plan  # type: ignore[arg-type]
    more = estimate(phrasebook_path(), monolingual=tmp_path / "more.en", **options).plan  # type: ignore[arg-type]
    assert plain.counts.monolingual is None and more.counts.monolingual is not None
    assert more.counts.monolingual.lines == 3000 and more.counts.monolingual.types == pytest.approx(3002, rel=0.01)
    # Its words are known only as far as rules can produce them.
    assert more.least_ngram_bytes == plain.least_ngram_bytes and more.files["lm.bin"] > 2 * plain.files["lm.bin"]
