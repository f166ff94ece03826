"""Scores of the core against the reference, for every kind of model, precision and normalisation."""

from __future__ import annotations

import array
import itertools
import math
from pathlib import Path
from typing import Any

import pytest

from dragoman import _core
from dragoman.errors import ConfigError
from tests.reference.neural_lm import BEGIN, END, NOTHING, ReferenceModel, random_model

KINDS = [
    pytest.param({"output": "class"}, id="class"),
    pytest.param({"output": "class", "normalised": "self"}, id="class-self"),
    pytest.param({"output": "class", "normalised": "none"}, id="class-none"),
    pytest.param({"output": "class", "classes": 1}, id="one-class"),
    pytest.param({"output": "class", "full": True}, id="class-full"),
    pytest.param({"output": "class", "direct": 40}, id="class-direct"),
    pytest.param(
        {"output": "class", "direct": 40, "dimension": 64, "order": 3, "normalised": False}, id="class-direct-self"
    ),
    pytest.param({"output": "class", "window": 1}, id="class-source"),
    pytest.param({"output": "class", "window": 0, "full": True}, id="class-source-full"),
    pytest.param({"output": "tree"}, id="tree"),
    pytest.param({"output": "tree", "window": 2, "dimension": 65}, id="tree-source"),
    pytest.param({"output": "flat"}, id="flat"),
    pytest.param({"output": "flat", "normalised": False}, id="flat-unnormalised"),
    pytest.param({"output": "flat", "direct": 40}, id="flat-direct"),
    pytest.param({"output": "class", "order": 2, "words": 1, "classes": 1}, id="tiny"),
]


def write(model: ReferenceModel, path: Path, **meta: Any) -> _core.NeuralModel:
    _core.write_neural_model(str(path), {**model.meta, **meta}, model.buffers())
    return _core.NeuralModel(str(path))


def asked(model: ReferenceModel, seed: int = 0, contexts: int = 6) -> list[tuple[list[int], int, int]]:
    """Some contexts with every word after each; those that direct n-grams know among them."""
    width = model.meta["order"] - 1
    rows: list[list[int]] = [[BEGIN] * width, [NOTHING] * width]
    rows += [
        [1 + (number * 7 + place * 3 + seed) % (model.size - 1) for place in range(width)] for number in range(contexts)
    ]
    rows += [[*context, *[BEGIN] * (width - len(context))] for context in list(model.direct_words)[:6]]
    return [(row, word, number % 4) for number, row in enumerate(rows) for word in model.predicted]


def scores(
    opened: _core.NeuralModel, queries: list[tuple[list[int], int, int]], source: list[str] | None = None
) -> list[float]:
    contexts = array.array("i", itertools.chain.from_iterable(row for row, _, _ in queries))
    words = array.array("i", [word for _, word, _ in queries])
    positions = array.array("I", [place for _, _, place in queries])
    return list(array.array("f", _core.testing.logprobs(opened, contexts, words, positions, source or [])))


@pytest.mark.parametrize("options", KINDS)
def test_scores_are_those_of_the_reference(options: dict[str, Any], tmp_path: Path) -> None:
    for seed in range(3):
        model = random_model(seed, **options)
        opened = write(model, tmp_path / "nlm.bin")
        source = [4, 5, 1, 8]
        names = ["s0", "s1", "unheard-of", "s4"]
        queries = asked(model, seed)
        found = scores(opened, queries, names if "source_window" in model.meta else None)
        for (row, word, place), score in zip(queries, found, strict=True):
            assert score == pytest.approx(model.score(row, word, source, place), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("options", [kind for kind in KINDS if kind.values[0].get("normalised", True) is True])
@pytest.mark.parametrize("precision", ["f32", "int8"])
def test_probabilities_sum_to_one(options: dict[str, Any], precision: str, tmp_path: Path) -> None:
    model = random_model(11, **options)
    bits = 32 if precision == "f32" else 4
    opened = write(model, tmp_path / "nlm.bin", output_precision=precision, direct_bits=bits)
    queries = asked(model)
    found = scores(opened, queries, ["s0"] if "source_window" in model.meta else None)
    each = len(model.predicted)
    for at in range(0, len(found), each):
        assert math.fsum(math.exp(score) for score in found[at : at + each]) == pytest.approx(1, abs=2e-5)


def test_a_score_does_not_depend_on_its_batch(tmp_path: Path) -> None:
    for precision in ("f32", "f16", "int8"):
        model = random_model(5, direct=30, words=40, classes=5, dimension=70)
        opened = write(model, tmp_path / "nlm.bin", output_precision=precision)
        queries = asked(model, contexts=20)
        together = scores(opened, queries)
        alone = [scores(opened, [query])[0] for query in queries[::7]]
        assert together[::7] == alone
        assert scores(opened, queries[::-1])[::-1] == together


@pytest.mark.parametrize("precision,tolerance", [("f16", 0.01), ("int8", 0.15), ("int4", 1.0)])
def test_fewer_bits_stay_close(precision: str, tolerance: float, tmp_path: Path) -> None:
    model = random_model(3, dimension=64, words=30, classes=4, direct=60)
    output = "int8" if precision == "int4" else precision
    opened = write(model, tmp_path / "nlm.bin", input_precision=precision, output_precision=output, direct_bits=6)
    exact = write(model, tmp_path / "exact.bin")
    exact.write_requantised(str(tmp_path / "again.bin"), precision, output, 6, "exact")
    queries = asked(model)
    found = scores(opened, queries)
    # Made from tensors or from the exact model: the same.
    assert scores(_core.NeuralModel(str(tmp_path / "again.bin")), queries) == found
    differences = [abs(a - b) for a, b in zip(found, scores(exact, queries), strict=True)]
    assert sum(differences) / len(differences) < tolerance
    assert opened.describe()["bytes"] < exact.describe()["bytes"]


def test_what_cannot_be_predicted_scores_low(tmp_path: Path) -> None:
    opened = write(random_model(1), tmp_path / "nlm.bin")
    low = scores(opened, [([BEGIN] * 3, BEGIN, 0), ([BEGIN] * 3, NOTHING, 0), ([BEGIN] * 3, 10**6, 0)])
    assert all(score == -10000 for score in low)
    assert scores(opened, [([10**6] * 3, END, 0)]) == scores(opened, [([1] * 3, END, 0)])


@pytest.mark.parametrize(
    "change,name",
    [
        ({"order": 1}, "order"),
        ({"dimension": 0}, "dimension"),
        ({"dimension": 8}, "input"),
        ({"words": ["a", "a"]}, "words"),
        ({"words": ["a b"]}, "words"),
        ({"output": "round"}, "output"),
        ({"output_precision": "int4"}, "output_precision"),
        ({"direct_bits": 9}, "direct_bits"),
        ({"colour": "red"}, "colour"),
        ({"order": "five"}, "order"),
        ({"output": "flat"}, "class_"),
        ({"output": "tree"}, "node_children"),
        ({"source_words": ["x"], "source_window": 1}, "source_input"),
    ],
)
def test_a_description_that_cannot_be(change: dict[str, Any], name: str, tmp_path: Path) -> None:
    model = random_model(1)
    with pytest.raises(ConfigError) as error:
        write(model, tmp_path / "nlm.bin", **change)
    assert name in str(error.value)
    assert not (tmp_path / "nlm.bin").exists()


def test_tensors_that_cannot_be(tmp_path: Path) -> None:
    def refused(name: str, change: Any, output: str = "class") -> None:
        model = random_model(1, output)
        buffers = model.buffers()
        change(buffers)
        with pytest.raises(ConfigError, match=name):
            _core.write_neural_model(str(tmp_path / "nlm.bin"), model.meta, buffers)

    refused("word_bias", lambda t: t["word_bias"].__setitem__(3, math.nan))
    refused("input", lambda t: t["input"].__setitem__(20, math.inf))
    refused("class_bias", lambda t: t.pop("class_bias"))
    refused("class_of_word", lambda t: t["class_of_word"].__setitem__(4, 3))
    refused("class_of_word", lambda t: t.update(class_of_word=array.array("i", [0] * 16)))
    refused("node_children", lambda t: t["node_children"].__setitem__(1, 0), "tree")
    refused("node_children", lambda t: t["node_children"].__setitem__(0, -1), "tree")
    refused("surprise", lambda t: t.update(surprise=b""))
    refused("context", lambda t: t.update(context=3))


def mixed(x: int) -> int:
    """The core's hash of one word of 64 bits."""
    mask = 2**64 - 1
    x = (x + 0x9E3779B97F4A7C15) & mask
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return x ^ (x >> 31)


def place_of(context: tuple[int, ...], buckets: int) -> tuple[int, int]:
    """Bucket and fingerprint of a context of direct n-grams."""
    value = 0x64697265637421
    for word in context:
        value = mixed(value ^ (word + 1))
    return (value >> 32) * buckets >> 32, value & 0xFFFF


def test_probabilities_sum_to_one_in_spite_of_collisions(tmp_path: Path) -> None:
    # A context that is taken for a stored one is rare; look at models until there is one.
    for seed in itertools.count(6):
        model = random_model(seed, words=60, order=3, direct=30)
        stored = set(model.direct_words) | set(model.direct_classes)
        buckets = len(stored) // 8 + 1
        places = {place_of(context, buckets) for context in stored}
        pairs = itertools.product(range(1, model.size), repeat=2)
        wrong = [pair for pair in pairs if pair not in stored and place_of(pair, buckets) in places]
        if wrong:
            break
    plain = ReferenceModel(model.meta, model.tensors)
    opened = write(model, tmp_path / "nlm.bin")
    row = list(wrong[0])
    found = scores(opened, [(row, word, 0) for word in model.predicted])
    assert math.fsum(math.exp(score) for score in found) == pytest.approx(1, abs=1e-5)
    # It does have features that are not its own.
    expected = [plain.score(row, word) for word in model.predicted]
    own = [model.score(row, word) for word in model.predicted]
    assert found != pytest.approx(expected, abs=1e-4) and found != pytest.approx(own, abs=1e-4)
