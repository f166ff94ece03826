"""Both decoders with unlimited pops against exhaustive enumeration, with and without a language model."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.reference import decoders
from tests.reference.decoders import Backoff, Rule

SOURCE = ["a", "b", "c"]
TARGET = ["u", "v", "w", "x"]
UNLIMITED = {"pop_limit": 1_000_000, "stack_size": 1_000_000, "rules_per_side": 0}
NAMES = ["Good", "Bad"]
REORDERING = [f"{which}{side}" for side in ("Before", "After") for which in decoders.ORIENTATIONS]

numbers = st.integers(-20, 20).map(lambda n: n / 8)
fast = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def trigrams(folder: Path) -> tuple[str, Backoff]:
    """A small model of the target words, as a file and as the reference has it."""
    text = _core.LmText()
    text.add(b"u v w\nu v u x\nw w v\nx u v w x\nv v\nu\nw x u\n")
    model = _core.lm_estimate(text, 3, [1], [0.5, 1.0, 1.5])
    model.write(str(folder / "lm.bin"), 0, 0)
    arpa = io.BytesIO()
    model.write_arpa(arpa.write)
    return str(folder / "lm.bin"), Backoff.read(arpa.getvalue().decode())


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Backoff]:
    return trigrams(tmp_path_factory.mktemp("lm"))


@st.composite
def rules(draw: st.DrawFn, gaps: bool) -> Rule:
    words = st.sampled_from(SOURCE)
    shape = draw(st.sampled_from(["w", "ww", "www", "gw", "wg", "wgw", "gwg", "wgwg"] if gaps else ["w", "ww", "www"]))
    source: list[str | int] = []
    for symbol in shape:
        source.append(draw(words) if symbol == "w" else sum(isinstance(s, int) for s in source))
    count = sum(isinstance(s, int) for s in source)
    target: list[str | int] = draw(st.lists(st.sampled_from([*TARGET, "oov"]), min_size=1, max_size=2))
    for gap in draw(st.permutations(range(count))):
        target.insert(draw(st.integers(0, len(target))), gap)
    features = [(name, draw(numbers)) for name in NAMES if draw(st.booleans())]
    if not gaps and draw(st.booleans()):
        features += [(name, draw(numbers)) for name in REORDERING]
    return Rule(tuple(source), tuple(target), tuple(features))


@st.composite
def problems(draw: st.DrawFn, gaps: bool) -> tuple[list[Rule], list[str], dict[str, float]]:
    grammar = draw(st.lists(rules(gaps), min_size=1, max_size=6, unique_by=lambda r: (r.source, r.target)))
    sentence = draw(st.lists(st.sampled_from([*SOURCE, "unseen"]), min_size=1, max_size=4))
    names = [*NAMES, "Glue", "PassThrough", "WordPenalty", "SourceWordPenalty", "RuleCount", "LanguageModel"]
    names += ["LanguageModel_OOV"] + ([] if gaps else ["Distortion", *REORDERING])
    return grammar, sentence, {name: draw(numbers) for name in names}


def run(problem, models, options):  # type: ignore[no-untyped-def]
    grammar, sentence, weights = problem
    # Features that no rule has are unknown to the decoder.
    present = {name for rule in grammar for name, _ in rule.features}
    given_weights = [(n, w) for n, w in weights.items() if n not in NAMES or n in present]
    text = "\n".join(rule.line() for rule in grammar).encode()
    decoder = _core.testing.Decoder.from_grammar(text, given_weights, models)
    return decoder.decode([sentence], options)[0]["candidates"]


def compare(found, expected, weights, distinct):  # type: ignore[no-untyped-def]
    if distinct:
        best: dict[tuple[str, ...], float] = {}
        for each in expected:
            best.setdefault(each.words, each.score)
        scores = sorted(best.values(), reverse=True)
        assert len({tuple(each["words"]) for each in found}) == len(found)
        for each in found:
            assert each["score"] == pytest.approx(best[tuple(each["words"])], abs=1e-4)
    else:
        scores = [each.score for each in expected]
    assert len(found) == min(len(scores), 200)
    assert [each["score"] for each in found] == pytest.approx(scores[: len(found)], abs=1e-4)
    for each in found:
        product = sum(weights.get(name, 0.0) * value for name, value in each["features"].items())
        assert each["score"] == pytest.approx(product, abs=1e-6)
        assert each["search_score"] == pytest.approx(each["score"], abs=1e-4)


@fast
@given(problem=problems(gaps=True), with_model=st.booleans(), distinct=st.booleans(), max_span=st.sampled_from([0, 2]))
def test_hierarchical_finds_every_derivation(language_model, problem, with_model, distinct, max_span):  # type: ignore[no-untyped-def]
    grammar, sentence, weights = problem
    models = [("LanguageModel", language_model[0])] if with_model else []
    lm = language_model[1] if with_model else None
    expected = decoders.hierarchical(grammar, sentence, weights, lm, max_span)
    event(f"derivations: {min(len(expected), 100) // 10 * 10}+")
    options = {"max_span": max_span, "kbest": 200, "distinct": distinct, **UNLIMITED}
    compare(run(problem, models, options), expected, weights, distinct)


@fast
@given(problem=problems(gaps=False), with_model=st.booleans(), distinct=st.booleans(), limit=st.sampled_from([0, 2, 6]))
def test_phrase_based_finds_every_derivation(language_model, problem, with_model, distinct, limit):  # type: ignore[no-untyped-def]
    grammar, sentence, weights = problem
    models = [("LanguageModel", language_model[0])] if with_model else []
    lm = language_model[1] if with_model else None
    expected = decoders.phrase_based(grammar, sentence, weights, lm, limit)
    event(f"derivations: {min(len(expected), 100) // 10 * 10}+")
    options = {"decoder": "phrase-based", "distortion_limit": limit, "kbest": 200, "distinct": distinct, **UNLIMITED}
    compare(run(problem, models, options), expected, weights, distinct)


@fast
@given(
    problem=problems(gaps=True), threads=st.integers(1, 3), decoder=st.sampled_from(["hierarchical", "phrase-based"])
)
def test_threads_do_not_show(language_model, problem, threads, decoder):  # type: ignore[no-untyped-def]
    grammar, sentence, weights = problem
    text = "\n".join(rule.line() for rule in grammar).encode()
    known = {name for rule in grammar for name, _ in rule.features}
    engine = _core.testing.Decoder.from_grammar(
        text,
        [(n, w) for n, w in weights.items() if n not in NAMES or n in known],
        [("LanguageModel", language_model[0])],
    )
    sentences = [sentence[i:] + sentence[:i] for i in range(len(sentence))] * 3
    options = {"decoder": decoder, "kbest": 5, "pop_limit": 3}
    assert engine.decode(sentences, options, threads=threads) == engine.decode(sentences, options, threads=1)


@st.composite
def zones(draw: st.DrawFn, begin: int, end: int, depth: int = 0) -> list[tuple[int, int]]:
    """Nested or apart."""
    found: list[tuple[int, int]] = []
    at = begin
    while at < end and depth < 2:
        at = draw(st.integers(at, end))
        to = draw(st.integers(at, end))
        if to > at:
            found += [(at, to), *draw(zones(at, to, depth + 1))]
        at = to + 1
    return found


@fast
@given(data=st.data(), decoder=st.sampled_from(["hierarchical", "phrase-based"]), pops=st.sampled_from([1, 3, 1000]))
def test_zones_and_walls_hold(data, decoder, pops):  # type: ignore[no-untyped-def]
    size = data.draw(st.integers(1, 7))
    pieces = data.draw(zones(0, size))
    walls = data.draw(st.lists(st.integers(1, size), max_size=2))
    # A word for each position, and rules that swap whatever they can.
    lines = [f"[X] ||| s{i} ||| t{i} ||| P={data.draw(numbers)}" for i in range(size)]
    lines += [f"[X] ||| s{i} [X,1] ||| [X,1] t{i} ||| P={data.draw(numbers)}" for i in range(size)]
    engine = _core.testing.Decoder.from_grammar("\n".join(lines).encode(), [("P", 1.0), ("Distortion", 0.5)])
    options = {"decoder": decoder, "pop_limit": pops, "stack_size": pops, "kbest": 20, "max_span": 4}
    found = engine.decode([[f"s{i}" for i in range(size)]], options, [walls], [pieces])[0]["candidates"]
    assert found
    for each in found:
        order = [int(word[1:]) for word in each["words"]]
        assert sorted(order) == list(range(size))
        for begin, end in pieces:
            places = sorted(order.index(i) for i in range(begin, end))
            assert places == list(range(places[0], places[0] + end - begin))
        for wall in walls:
            assert max([order.index(i) for i in range(wall)]) == wall - 1


@pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
def test_more_pops_find_better_translations_on_average(language_model, decoder):  # type: ignore[no-untyped-def]
    rng = random.Random(5)
    scores = {2: 0.0, 20: 0.0, 200: 0.0}
    for _ in range(30):
        lines = []
        for word in SOURCE:
            lines += [
                f"[X] ||| {word} ||| {rng.choice(TARGET)} {rng.choice(TARGET)} ||| P={rng.random()}" for _ in range(5)
            ]
            lines += [f"[X] ||| {word} ||| {rng.choice(TARGET)} ||| P={rng.random()}" for _ in range(5)]
            lines += [f"[X] ||| [X,1] {word} [X,2] ||| [X,2] {rng.choice(TARGET)} [X,1] ||| P={rng.random()}"]
        weights = [("P", -1.0), ("LanguageModel", 1.0), ("WordPenalty", -0.5), ("Distortion", -0.1)]
        engine = _core.testing.Decoder.from_grammar(
            "\n".join(lines).encode(), weights, [("LanguageModel", language_model[0])]
        )
        sentence = rng.choices(SOURCE, k=9)
        for pops in scores:
            options = {"decoder": decoder, "pop_limit": pops, "stack_size": pops}
            scores[pops] += engine.decode([sentence], options)[0]["candidates"][0]["score"]
    assert scores[2] <= scores[20] <= scores[200]
