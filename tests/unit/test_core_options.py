"""Options that cross into the core: the tables there know the names of config.py, and refuse what they do not know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from dragoman import _core
from dragoman.config import CleanOptions, DecodeOptions, ExtractOptions
from dragoman.errors import ConfigError

Reader = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reader]:
    """What reads a table of the core, by what its options are of."""
    folder: Path = tmp_path_factory.mktemp("index")
    _core.build_index(str(folder), b"a\n", b"b\n", b"0-0\n", {})
    index = _core.Index.open(str(folder))
    decoder = _core.testing.Decoder.from_grammar(b"", [])
    return {
        "rule extraction": lambda values: _core.GrammarPool(index, values),
        "an index": lambda values: _core.build_index(str(folder), b"a\n", b"b\n", b"0-0\n", values),
        "the decoders": lambda values: decoder.decode([], values),
        "cleaning": lambda values: _core.PairCleaner(values, [], ("", []), ("", []), 0),
        "a neural model's description": lambda values: _core.write_neural_model(str(folder / "x.bin"), values, {}),
    }


WRONG = {
    "rule extraction": {"max_samples": "many", "tight": [], "matching": 3, "max_rule_span": -1},
    "an index": {"sample_seed": "one"},
    "the decoders": {"kbest": -1, "decoder": 7, "max_seconds": "long", "markup": "yes", "stack_size": 1 << 40},
    "cleaning": {"max_tokens": -5, "max_ratio": "wide", "drop_empty": None, "one_side": True},
    "a neural model's description": {"order": "five", "words": 3, "source_words": [1], "output_precision": 8},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_name_that_no_table_has(readers: dict[str, Reader], what: str) -> None:
    with pytest.raises(ConfigError, match=f"is not an option of {what}") as error:
        readers[what]({"nonsense": 1})
    assert error.value.option == "nonsense"


@pytest.mark.parametrize(("what", "name"), [(what, name) for what, values in WRONG.items() for name in values])
def test_a_value_of_the_wrong_type(readers: dict[str, Reader], what: str, name: str) -> None:
    with pytest.raises(ConfigError, match="has a value that cannot be used") as error:
        readers[what]({name: WRONG[what][name]})
    assert error.value.option == name


@pytest.mark.parametrize(
    ("what", "name", "value", "known"),
    [
        ("rule extraction", "matching", "guess", "choose exact, bounded, extend or merge"),
        ("the decoders", "decoder", "neural", "choose hierarchical or phrase-based"),
        ("cleaning", "one_side", "both", "choose none, source, target or either"),
        ("a neural model's description", "input_precision", "f64", "choose f32, f16, int8 or int4"),
    ],
)
def test_a_choice_that_is_none(readers: dict[str, Reader], what: str, name: str, value: str, known: str) -> None:
    with pytest.raises(ConfigError, match=f"'{value}' is unknown; {known}") as error:
        readers[what]({name: value})
    assert error.value.option == name


def test_tables_know_the_names_of_config(readers: dict[str, Reader]) -> None:
    for what, options in (
        ("rule extraction", ExtractOptions()),
        ("the decoders", DecodeOptions()),
        ("cleaning", CleanOptions()),
    ):
        readers[what](asdict(options))
