"""A plan for any counts and any budget: what it promises holds, and following what it advises is enough."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from dragoman.config import DecodeOptions, LmOptions, TrainOptions
from dragoman.pipeline.budget import SMALL_FILES_BYTES, least_lm_bytes, needed_memory, round_up
from dragoman.pipeline.counts import CorpusCounts, Split, TextCounts, counts_of
from dragoman.pipeline.index_bytes import predicted_index_bytes
from dragoman.pipeline.plan import Plan, Sizes, make_plan
from dragoman.pipeline.settings import StageOptions

MB = 10**6


@st.composite
def texts(draw: st.DrawFn, lines: int) -> TextCounts:
    """Half of the different words seen once, a quarter twice, and so on; the rest of the text is frequent words."""
    types = draw(st.integers(1, 300_000))
    rare = counts_of(lines, {number: 1 + (types // (number + 1)).bit_length() for number in range(min(types, 40))}, 0)
    scale = types / rare.types
    return TextCounts(
        lines=lines,
        tokens=int(draw(st.floats(1.0, 60.0)) * lines) + int(rare.tokens * scale),
        types=types,
        type_bytes=int(types * draw(st.floats(3.0, 14.0))),
        rare_types={least: int(count * scale) for least, count in rare.rare_types.items()},
        rare_tokens={least: int(count * scale) for least, count in rare.rare_tokens.items()},
    )


@st.composite
def corpora(draw: st.DrawFn) -> CorpusCounts:
    lines = draw(st.integers(1, 3_000_000))
    extra = draw(st.none() | texts(draw(st.integers(1, 3_000_000))))
    return CorpusCounts(draw(texts(lines)), draw(texts(lines)), extra)


# Sizes are drawn by their logarithm: refusals lie anywhere between a kilobyte and some gigabytes.
sizes = st.floats(3, 9.7).map(lambda exponent: int(10**exponent))
models = ["auto", "ngram", "neural", "conditioned", "ngram+neural"]
splits = st.builds(Split, read=st.just(0), train=st.just(0), dev=st.integers(0, 300), test=st.integers(0, 300))


@dataclass(frozen=True)
class Case:
    """The arguments of a plan."""

    counts: CorpusCounts
    split: Split
    options: TrainOptions
    stages: StageOptions
    sizes: Sizes

    def plan(self) -> Plan:
        return make_plan(self.counts, self.split, self.options, self.stages, self.sizes)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Memory and disk are anything, or about what the text needs: whether a few bytes are there decides."""
    counts = draw(corpora())
    stages = StageOptions(
        decode=DecodeOptions(decoder=draw(st.sampled_from(["hierarchical", "phrase-based"]))),
        lm=LmOptions(memory=draw(st.sampled_from(["", "1MB", "100MB"]))),
    )
    known = Sizes(align=draw(sizes), sources=draw(sizes))
    index, least = predicted_index_bytes(counts), least_lm_bytes(counts)
    mapped = int(draw(st.sampled_from([0, index])) + draw(st.floats(0, 3)) * least)
    about = needed_memory(mapped + draw(st.sampled_from([0, 15 * MB])), stages.decode.decoder)
    assert known.align is not None and known.sources is not None
    on_disk = index + known.align + known.sources + SMALL_FILES_BYTES + int(draw(st.floats(0, 3)) * least)
    options = TrainOptions(
        memory=draw(st.just("auto") | sizes.map(str) | st.just(str(about))),
        disk=draw(st.just("") | sizes.map(str) | st.just(str(on_disk))),
        fit=draw(st.booleans()),
        language_models=draw(st.sampled_from(models)),
        keep_sources=draw(st.booleans()),
    )
    return Case(counts, draw(splits), options, stages, known)


def advised(refusal: BaseException, options: TrainOptions) -> TrainOptions:
    """The options with what the sentence tells to pass."""
    advice = re.search(r"--(memory|disk) (\d+MB)", str(refusal))
    assert advice, refusal
    return replace(options, **{advice[1]: advice[2]})  # type: ignore[arg-type]


@given(cases())
def test_what_is_promised_holds(case: Case) -> None:
    plan = case.plan()
    if plan.refusal:
        return
    assert plan.index.fits or plan.index.chosen
    assert plan.memory_bytes <= plan.budget.memory_bytes
    if plan.budget.disk_bytes is not None:
        assert plan.disk_bytes <= plan.budget.disk_bytes
    assert plan.has_ngrams or plan.networks.kinds
    assert ("lm.bin" in plan.files) == plan.has_ngrams


@given(cases())
def test_who_does_as_advised_is_not_refused_again(case: Case) -> None:
    """Memory and disk may both be too small: a sentence about each, and no third."""
    for _ in range(2):
        refusal = case.plan().refusal
        if refusal:
            assert not (case.options.fit and "--fit" in str(refusal))
            case = replace(case, options=advised(refusal, case.options))
    assert case.plan().refusal is None


@given(cases(), st.integers(0, 2 * SMALL_FILES_BYTES))
def test_advice_is_enough_where_it_is_hardly_rounded(case: Case, less: int) -> None:
    """The least that all files take is a little below what sizes are rounded up to."""
    plan = case.plan()
    least = plan.index.bytes + plan.least_ngram_bytes
    rounded = round_up(least + MB) - less
    sizes = Sizes(align=rounded - least, sources=0)
    tight = replace(case, sizes=sizes, options=replace(case.options, disk="10kB", memory="auto", fit=False))
    refusal = tight.plan().refusal
    assert refusal
    assert replace(tight, options=advised(refusal, tight.options)).plan().refusal is None


@given(cases())
def test_foretold_and_known_sizes_decide_alike(case: Case) -> None:
    """Training, which knows more with every stage, comes to what was foretold where sizes are as foretold."""
    foretold = case.plan()
    indexed = replace(case, sizes=Sizes(whole_index=predicted_index_bytes(case.counts))).plan()
    assert indexed.index == foretold.index and indexed.budget == foretold.budget
    last = replace(case.sizes, whole_index=foretold.index.whole_bytes, index=foretold.index.bytes)
    settled = replace(case, sizes=last).plan()
    assert str(settled.refusal) == str(foretold.refusal)
    assert settled.files == foretold.files and settled.networks == foretold.networks
    assert settled.warnings == foretold.warnings


@given(cases(), st.floats(1.0, 4.0))
def test_more_is_never_refused_where_less_was_not(case: Case, factor: float) -> None:
    plan = case.plan()
    disk = plan.budget.disk_bytes
    memory = str(int(factor * plan.budget.memory_bytes))
    larger = replace(case.options, memory=memory, disk=str(int(factor * disk)) if disk else "")
    # With --fit more memory means a larger index, for which the disk has to suffice too.
    if plan.refusal is None and not (case.options.fit and disk):
        assert replace(case, options=larger).plan().refusal is None
