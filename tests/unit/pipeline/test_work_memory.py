"""Memory for working: what a plan promises, and that training obeys it and makes the same model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import estimate, train
from dragoman.config import NlmOptions, TrainOptions
from dragoman.errors import ConfigError
from dragoman.pipeline.counts import CorpusCounts, Split, TextCounts
from dragoman.pipeline.networks import NeuralPlan
from dragoman.pipeline.work_memory import WorkPlan, neural_bytes, plan_work
from dragoman.sizes import parse_bytes

PHRASEBOOK = Path(__file__).parents[3] / "examples" / "demo" / "phrasebook.tsv"


def text(lines: int, tokens: int, types: int) -> TextCounts:
    return TextCounts(lines, tokens, types, 7 * types, {}, {})


def work_of(counts: CorpusCounts, limit: str, chosen: bool, align_bytes: int = 0, translating: int = 0) -> WorkPlan:
    return plan_work(
        TrainOptions(work_memory=limit),
        counts,
        Split(counts.pairs, counts.pairs, 0, 0),
        NeuralPlan({}, {}),
        chosen=chosen,
        align_bytes=align_bytes,
        translating_bytes=translating,
        searching_bytes=28_000_000,
    )


lines = st.integers(1, 30_000_000)
corpora = st.builds(
    lambda lines, words, types, extra: CorpusCounts(
        text(lines, words * lines, types), text(lines, words * lines, types), extra and text(lines, lines, extra)
    ),
    lines,
    st.integers(1, 60),
    st.integers(1, 2_000_000),
    st.none() | st.integers(1, 5_000_000),
)


@given(corpora, st.integers(1, 10**11), st.booleans(), st.integers(0, 10**9), st.integers(0, 4 * 10**9))
def test_what_a_refusal_advises_is_enough(
    counts: CorpusCounts, limit: int, chosen: bool, align_bytes: int, translating: int
) -> None:
    refusal = work_of(counts, str(limit), chosen, align_bytes, translating).refusal
    if refusal is None:
        return
    advised = re.search(r"--work-memory (\S+),", str(refusal))
    assert advised is not None and parse_bytes(advised[1]) > limit
    assert work_of(counts, advised[1], chosen, align_bytes, translating).refusal is None
    assert work_of(counts, "", chosen, align_bytes, translating).refusal is None


@pytest.mark.parametrize("stage", ["align", "evaluate"])
@given(corpora, st.integers(1, 10**11), st.integers(1, 256))
def test_threads_stay_within_the_limit(stage: str, counts: CorpusCounts, limit: int, threads: int) -> None:
    work = work_of(counts, str(limit), False, translating=750_000_000)
    allowed = work.threads(stage, threads)
    need = next(need for need in work.needs if need.stage == stage)
    assert 1 <= allowed <= threads and need.thread_bytes > 0
    # Mapped files take a quarter of the limit in any case.
    room = 0.75 * limit if stage == "align" else limit
    assert allowed == 1 or need.least_bytes + (allowed - 1) * need.thread_bytes <= room
    assert work_of(counts, "", False).threads(stage, threads) == threads


def test_europarl_fits_a_gigabyte() -> None:
    counts = CorpusCounts(text(1_755_000, 53_000_000, 140_000), text(1_755_000, 48_000_000, 115_000))
    assert work_of(counts, "1GB", True, 200_000_000, 1_000_000_000).refusal is None


def with_network(limit: str, lines: int, options: NlmOptions) -> WorkPlan:
    side = text(lines, 27 * lines, 115_000)
    return plan_work(
        TrainOptions(work_memory=limit),
        CorpusCounts(side, side),
        Split(0, 0, 0, 0),
        NeuralPlan({"neural": options}, {}),
        chosen=False,
        align_bytes=0,
        translating_bytes=0,
        searching_bytes=0,
    )


def test_networks_that_do_not_fit_are_refused_by_name() -> None:
    options = NlmOptions(min_count=1, dimension=512)
    refusal = with_network("1GB", 1_755_000, options).refusal
    assert re.search("stage neural needs .* GB .*, or --language-models ngram", str(refusal))


def test_a_source_word_has_half_the_vectors_of_a_target_word() -> None:
    def least_bytes(source_types: int, target_types: int) -> int:
        counts = CorpusCounts(text(10**6, 10**8, source_types), text(10**6, 10**8, target_types))
        return neural_bytes("conditioned", counts, NlmOptions(min_count=1, dimension=256), in_files=True)

    least = least_bytes(1000, 1000)
    of_source, of_target = least_bytes(101_000, 1000) - least, least_bytes(1000, 101_000) - least
    # Weights and their squares are floats, so no vector takes less than eight bytes a number.
    assert of_target == 2 * of_source >= 2 * 8 * 256 * 100_000


@pytest.mark.parametrize("changes", [{}, {"training": "nce", "shared_noise": False}, {"preset": "thesis"}], ids=str)
def test_what_the_core_trains_takes_no_more_memory_for_more_text(changes: dict[str, Any]) -> None:
    options = NlmOptions(min_count=1, dimension=64, **changes)
    needs = [with_network("", lines, options).least_bytes("neural") for lines in (1_000_000, 100_000_000)]
    assert needs[0] == needs[1]
    with_torch = NlmOptions(min_count=1, dimension=64, output="tree")
    assert with_network("", 100_000_000, with_torch).least_bytes("neural") > 10 * needs[1]


def test_train_and_estimate_refuse_alike(tmp_path: Path) -> None:
    languages = {"source_lang": "fr", "target_lang": "en", "language_models": "ngram", "work_memory": "2MB"}
    foretold = estimate(PHRASEBOOK, **languages).refusal  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"stage .* to work in where 2.0 MB is given; pass --work-memory") as refused:
        train(PHRASEBOOK, out=tmp_path / "model", **languages)  # type: ignore[arg-type]
    assert foretold is not None and foretold.option == refused.value.option == "work_memory"
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("models", ["ngram", "neural+conditioned"])
def test_the_model_does_not_depend_on_the_work_memory(models: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "source_lang": "fr", "target_lang": "en", "language_models": models, "tune": False, "memory": "100MB",
    }  # fmt: skip
    if models != "ngram":
        options["stages"] = {"neural_lm": {"epochs": 1, "dimension": 8, "device": "cpu"}}
    files = []
    for name, limit in (("free", ""), ("bounded", "300MB")):
        result = train(PHRASEBOOK, out=tmp_path / name, work_memory=limit, **options)
        assert all(not row["skipped"] for row in result.summary["stages"])
        files.append({path.name: path.read_bytes() for path in sorted((tmp_path / name).iterdir()) if path.is_file()})
    assert files[0] == files[1]
    assert "work_memory" not in json.dumps(json.loads(files[0]["model.json"]))
    # Another limit is no reason to do anything again.
    again = train(
        PHRASEBOOK,
        out=tmp_path / "free",
        overwrite=True,
        work_memory="400MB",
        **options,
    )
    assert all(row["skipped"] for row in again.summary["stages"])


def test_language_models_know_only_words_that_rules_produce(tmp_path: Path) -> None:
    from dragoman import _core
    from dragoman.lm import LanguageModel

    more = tmp_path / "more.en"
    more.write_text("the zebrafish is here\n" * 50 + "the zebrafish is there\n" * 50)
    options: dict[str, Any] = {
        "source_lang": "fr", "target_lang": "en", "language_models": "ngram+neural", "tune": False, "memory": "100MB",
        "stages": {"neural_lm": {"epochs": 1, "dimension": 8, "device": "cpu"}},
    }  # fmt: skip
    made = train(PHRASEBOOK, monolingual=more, out=tmp_path / "model", **options).model
    produced = set(_core.vocabulary_words(str(made / "vocab.bin"), "target", 10**9))
    for file in ("lm.bin", "nlm.bin"):
        known = set(_core.vocabulary_words(str(made / file), "words", 10**9))
        assert {"the", "is"} < known and "zebrafish" not in known
        assert known <= produced | {"<unk>", "<s>", "</s>"}
    # The text still counts.
    plain = train(PHRASEBOOK, out=tmp_path / "plain", **{**options, "language_models": "ngram"}).model
    scores = [LanguageModel(model / "lm.bin").score(["the zebrafish is here"])[0].log10_prob for model in (made, plain)]
    assert scores[0] > scores[1]
