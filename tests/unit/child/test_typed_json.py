"""Options and results of stages are the same after a way through JSON; what is none of them is not taken for one."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.child.typed_json import from_json
from dragoman.corpus.formats import Input
from dragoman.pipeline.counts import CorpusCounts, TextCounts
from dragoman.pipeline.settings import StageOptions
from dragoman.pipeline.stages.align import Aligned
from dragoman.pipeline.stages.evaluate import Evaluated
from dragoman.pipeline.stages.measure import Measured, TranslationSample
from dragoman.pipeline.stages.prepare import PrepareOptions

OPTIONS = StageOptions()
for_numbers = st.floats(allow_nan=False, allow_infinity=False)
st.register_type_strategy(float, for_numbers)


@given(
    st.builds(CorpusCounts)
    | st.builds(Measured)
    | st.builds(Evaluated)
    | st.builds(Aligned)
    | st.builds(
        PrepareOptions,
        read=st.just(OPTIONS.read),
        clean=st.just(OPTIONS.clean),
        split=st.just(OPTIONS.split),
        inputs=st.lists(st.builds(Input)).map(tuple),
    )
)
def test_there_and_back(value: Any) -> None:
    assert from_json(type(value), json.loads(json.dumps(asdict(value)))) == value


def test_options_of_all_stages() -> None:
    assert from_json(StageOptions, json.loads(json.dumps(asdict(OPTIONS)))) == OPTIONS


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Aligned, {"links": "3", "log_likelihood": None, "bytes": 1}),
        (Aligned, {"links": 3, "bytes": None}),
        (Aligned, {"links": 3}),
        (Aligned, []),
        (TranslationSample, {"source": 1, "translation": "", "reference": ""}),
        (TextCounts, dict.fromkeys(("lines", "tokens", "types", "type_bytes"), 1) | {"rare_types": {"a": 1}}),
    ],
)
def test_what_is_none_of_that_kind(kind: type, value: Any) -> None:
    with pytest.raises((TypeError, ValueError, KeyError, AttributeError)):
        from_json(kind, value)


def test_what_somebody_knew_more_of() -> None:
    assert from_json(Aligned, {"links": 3, "log_likelihood": 1, "bytes": 1, "newer": {}}) == Aligned(3, 1.0, 1)
