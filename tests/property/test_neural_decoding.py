"""Neural language models in both decoders: alone and beside n-grams, against exhaustive enumeration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from tests.property.test_decoders import TARGET, UNLIMITED, compare, fast, problems, run, trigrams
from tests.reference import decoders
from tests.reference.decoders import Backoff
from tests.reference.neural_lm import BEGIN, END, ReferenceModel, random_model


@dataclass
class Neural:
    """The reference model behind the interface of the reference decoders."""

    model: ReferenceModel

    def id(self, word: str) -> int:
        return 4 + self.model.meta["words"].index(word) if self.known(word) else 1

    def known(self, word: str) -> bool:
        return word in self.model.meta["words"]

    def sentence(self, words: Any, source: Any = (), positions: Any = None) -> float:
        width = self.model.meta["order"] - 1
        context = [BEGIN] * width
        total = 0.0
        for at, word in enumerate([*map(self.id, words), END]):
            total += self.model.score(context, word, source, positions[at] if positions else 0)
            context = [word, *context][:width]
        return total / math.log(10)


@dataclass
class Both:
    """Two weighted models as one."""

    first: Any
    second: Any
    weights: tuple[float, float]

    def known(self, word: str) -> bool:
        return True

    def sentence(self, words: Any) -> float:
        return self.weights[0] * float(self.first.sentence(words)) + self.weights[1] * float(
            self.second.sentence(words)
        )


def written(model: ReferenceModel, path: Path) -> tuple[str, Neural]:
    model.meta["words"] = [*TARGET, *model.meta["words"][len(TARGET) :]]
    _core.write_neural_model(str(path), model.meta, model.buffers())
    return str(path), Neural(model)


@pytest.fixture(scope="module")
def neural(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Neural]:
    model = random_model(4, words=6, order=3, classes=3, direct=30)
    return written(model, tmp_path_factory.mktemp("nlm") / "nlm.bin")


@pytest.fixture(scope="module")
def ngrams(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Backoff]:
    return trigrams(tmp_path_factory.mktemp("lm"))


@fast
@given(problem=problems(gaps=True), distinct=st.booleans())
def test_hierarchical_alone(neural, problem, distinct):  # type: ignore[no-untyped-def]
    grammar, sentence, weights = problem
    expected = decoders.hierarchical(grammar, sentence, weights, neural[1], 0)
    options = {"max_span": 0, "kbest": 200, "distinct": distinct, **UNLIMITED}
    compare(run(problem, [("LanguageModel", neural[0])], options), expected, weights, distinct)


@fast
@given(problem=problems(gaps=False), distinct=st.booleans())
def test_phrase_based_alone(neural, problem, distinct):  # type: ignore[no-untyped-def]
    grammar, sentence, weights = problem
    expected = decoders.phrase_based(grammar, sentence, weights, neural[1], 6)
    options = {"decoder": "phrase-based", "kbest": 200, "distinct": distinct, **UNLIMITED}
    compare(run(problem, [("LanguageModel", neural[0])], options), expected, weights, distinct)


@fast
@given(problem=problems(gaps=True), decoder=st.sampled_from(["hierarchical", "phrase-based"]))
def test_beside_ngrams(neural, ngrams, problem, decoder):  # type: ignore[no-untyped-def]
    grammar, sentence, weights = problem
    weights = {name: value for name, value in weights.items() if not name.startswith("LanguageModel")}
    if decoder == "phrase-based":
        grammar = [rule for rule in grammar if not any(isinstance(s, int) for s in rule.source)]
        if not grammar:
            return
    both = Both(ngrams[1], neural[1], (0.75, -0.5))
    reference = {**weights, "LanguageModel": 1.0}
    if decoder == "hierarchical":
        expected = decoders.hierarchical(grammar, sentence, reference, both, 0)  # type: ignore[arg-type]
    else:
        expected = decoders.phrase_based(grammar, sentence, reference, both, 6)  # type: ignore[arg-type]
    weights |= {"LanguageModel": 0.75, "NeuralLM": -0.5}
    models = [("LanguageModel", ngrams[0]), ("NeuralLM", neural[0])]
    options = {"decoder": decoder, "max_span": 0, "kbest": 200, "distinct": False, **UNLIMITED}
    found = run((grammar, sentence, weights), models, options)
    compare(found, expected, weights, False)
    for each in found:
        assert each["features"]["NeuralLM"] == pytest.approx(neural[1].sentence(each["words"]), abs=1e-4)
        unknown = sum(not neural[1].known(word) for word in each["words"])
        assert each["features"].get("NeuralLM_OOV", 0) == unknown


@pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
@pytest.mark.parametrize("beside", [False, True])
def test_source_positions_travel_with_words(decoder: str, beside: bool, ngrams: Any, tmp_path: Path) -> None:
    model = random_model(8, words=6, order=3, window=1)
    path, neural = written(model, tmp_path / "nlm.bin")
    lines = [f"[X] ||| s{i} ||| {TARGET[(i + j) % 4]} ||| P={0.1 * j} ||| 0-0" for i in range(4) for j in range(2)]
    lines += [
        "[X] ||| [X,1] s2 ||| u [X,1] ||| P=0.3 ||| 1-0",
        "[X] ||| s0 [X,1] s3 ||| [X,1] v w ||| P=0.1 ||| 2-1 0-2",
    ]
    models = [("SourceNeuralLM", path)] + ([("LanguageModel", ngrams[0])] if beside else [])
    weights = [("P", 1.0), ("SourceNeuralLM", 1.0), ("Distortion", 0.1), *([("LanguageModel", 0.5)] if beside else [])]
    engine = _core.testing.Decoder.from_grammar("\n".join(lines).encode(), weights, models)
    sentence = ["s0", "s1", "s2", "s3"]
    options = {"decoder": decoder, "kbest": 50, **UNLIMITED}
    result = engine.decode([sentence], options)[0]
    ids = [4 + model.meta["source_words"].index(word) for word in sentence]
    assert len(result["candidates"]) > 20
    for each in result["candidates"]:
        # Every word has one link here.
        positions = [source for source, _ in sorted(each["links"], key=lambda link: link[1])]
        assert len(positions) == len(each["words"])
        expected = neural.sentence(each["words"], ids, [*positions, 3])
        assert each["features"]["SourceNeuralLM"] == pytest.approx(expected, abs=1e-4)
        assert each["search_score"] == pytest.approx(each["score"], abs=1e-4)
    counts = result["neural"]
    assert counts["queries"] > 20 and 0 < counts["cached_words"] < 1


def test_a_model_without_weight_is_not_asked(neural: Any, ngrams: Any) -> None:
    grammar = b"[X] ||| a ||| u ||| P=1 ||| 0-0\n[X] ||| a ||| v ||| P=2 ||| 0-0"
    models = [("LanguageModel", ngrams[0]), ("NeuralLM", neural[0])]
    found = {}
    for weight in (0.0, 1.0):
        engine = _core.testing.Decoder.from_grammar(
            grammar, [("P", 1.0), ("LanguageModel", 1.0), ("NeuralLM", weight)], models
        )
        found[weight] = engine.decode([["a"] * 6], {"kbest": 2})[0]
        # What it says of the results is there all the same, for tuning.
        for each in found[weight]["candidates"]:
            assert each["features"]["NeuralLM"] == pytest.approx(neural[1].sentence(each["words"]), abs=1e-4)
    assert found[0.0]["neural"]["queries"] == 14 < found[1.0]["neural"]["queries"]


AFFILIATIONS = [
    # links, target words, expected
    ([(3, 0)], 1, [3]),
    ([(1, 0), (2, 0), (5, 0)], 1, [2]),
    ([(1, 0), (4, 0)], 1, [1]),
    ([(1, 0), (2, 0), (4, 0), (7, 0)], 1, [2]),
    ([(4, 0), (1, 0)], 1, [1]),
    ([(0, 0), (9, 2)], 3, [0, 9, 9]),
    ([(0, 0), (9, 3)], 4, [0, 0, 9, 9]),
    ([(6, 2)], 5, [6, 6, 6, 6, 6]),
    ([(5, 4), (3, 4)], 5, [3, 3, 3, 3, 3]),
    ([], 3, [0, 0, 0]),
]


@pytest.mark.parametrize("links,size,expected", AFFILIATIONS)
@pytest.mark.parametrize("gap", [False, True])
def test_affiliation_of_rules_in_the_decoder(
    links: list[tuple[int, int]], size: int, expected: list[int], gap: bool, tmp_path: Path
) -> None:
    """Seen through the scores of a source model; a gap at the end is passed over."""
    model = random_model(8, words=6, order=2, window=0)
    path, neural = written(model, tmp_path / "nlm.bin")
    words = ["s0", "s1", "s2", "s3", "s4", "x", "x", "x", "x", "x"]
    target = [TARGET[i % 4] for i in range(size)]
    pairs = " ".join(f"{s}-{t}" for s, t in links)
    side = [" [X,1]", " [X,1]"] if gap else ["", ""]
    lines = f"[X] ||| {' '.join(words)}{side[0]} ||| {' '.join(target)}{side[1]} ||| P=1 ||| {pairs}"
    lines += "\n[X] ||| last ||| u ||| P=1 ||| 0-0"
    engine = _core.testing.Decoder.from_grammar(
        lines.encode(), [("P", 9.0), ("SourceNeuralLM", 1.0)], [("SourceNeuralLM", path)]
    )
    sentence = [*words, "last"] if gap else words
    best = engine.decode([sentence], {"max_span": 0})[0]["candidates"][0]
    ids = [4 + int(word[1]) if word[0] == "s" else 1 for word in words] + ([1] if gap else [])
    given_words = [*target, "u"] if gap else target
    assert best["words"] == given_words
    positions = [*expected, *([len(words)] if gap else []), len(sentence) - 1]
    score = neural.sentence(given_words, ids, positions)
    assert best["features"]["SourceNeuralLM"] == pytest.approx(score, abs=1e-4)
    assert best["search_score"] == pytest.approx(best["score"], abs=1e-4)
