"""What the decoders do with weights, grammars, constraints and limits."""

from __future__ import annotations

from typing import Any

import pytest

from dragoman import _core
from dragoman.errors import ConfigError, InputError

GRAMMAR = b"""
[X] ||| a ||| A ||| P=0.5 ||| 0-0
[X] ||| b ||| B ||| P=0.25 ||| 0-0
[X] ||| c ||| C ||| P=0.125 ||| 0-0
[X] ||| a [X,1] ||| [X,1] A ||| P=1 ||| 0-1
[X] ||| a b ||| AB ||| P=2 ||| 0-0 1-0
"""
BOTH = pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])


def decode(words: Any, weights: Any = (("P", 1.0),), grammar: bytes = GRAMMAR, **options: Any) -> list[dict[str, Any]]:
    walls, zones = options.pop("walls", []), options.pop("zones", [])
    engine = _core.testing.Decoder.from_grammar(grammar, list(weights))
    found: list[dict[str, Any]] = engine.decode([words], options, [walls], [zones])[0]["candidates"]
    return found


def texts(found: list[dict[str, Any]]) -> set[str]:
    return {" ".join(each["words"]) for each in found}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"P 1\nP 2\n", "line 2: 'P' has a weight already"),
        (b"P nan\n", "line 1: the weight of 'P' must be a number from -1000000 to 1000000, not 'nan'"),
        (b"P inf\n", "'P' must be a number"),
        (b"P\n", "line 1: a weight is a feature's name and a number"),
        (b"P one\n", "'one'"),
    ],
)
def test_bad_weights_say_which(text: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        _core.read_weights(text)


def test_weights_with_comments_and_signs() -> None:
    assert _core.read_weights(b"# tuned\nP +1.5 # best\n\nQ -2e-3\n") == [("P", 1.5), ("Q", -0.002)]


@pytest.mark.parametrize("weights", [[("Unheard", 1.0)], [("P", float("nan"))], [("P", float("inf"))]])
def test_weights_that_cannot_be_used(weights: list[tuple[str, float]]) -> None:
    with pytest.raises(ConfigError, match=weights[0][0]):
        _core.testing.Decoder.from_grammar(GRAMMAR, weights)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"[X] ||| a ||| A", "a rule line is"),
        (b"[S] ||| a ||| A ||| P=1", "left side"),
        (b"[X] ||| ||| A ||| P=1", "source side is empty"),
        (b"[X] ||| [X,1] ||| [X,1] ||| P=1", "needs a word"),
        (b"[X] ||| a [X,1] ||| A ||| P=1", "missing on the target side"),
        (b"[X] ||| a [X,1] ||| [X,1] [X,1] ||| P=1", "stands once"),
        (b"[X] ||| a [X,3] ||| [X,3] ||| P=1", "at most two gaps"),
        (b"[X] ||| a [S,1] ||| [S,1] ||| P=1", "only nonterminal"),
        (b"[X] ||| a ||| A ||| P=nan", "Name=number"),
        (b"[X] ||| a ||| A ||| P=1 P=2", "twice"),
        (b"[X] ||| a ||| A ||| P=1 ||| 0-1", "points outside a pair"),
    ],
)
def test_bad_rules_name_their_line(line: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        _core.testing.Decoder.from_grammar(GRAMMAR + line + b"\n", [])
    assert caught.value.line == 7


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pop_limit", 0),
        ("stack_size", 0),
        ("distortion_limit", 61),
        ("stack_threshold", -1.0),
        ("max_seconds", -1.0),
        ("scratch_bytes", 10),
        ("decoder", "other"),
        ("unheard_of", 1),
    ],
)
def test_bad_options_say_which(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=name):
        decode(["a"], **{name: value})


@BOTH
def test_unknown_words_pass_through(decoder: str) -> None:
    best = decode(["a", "zzz", "b"], decoder=decoder, distortion_limit=0)[0]
    assert "zzz" in best["words"]
    assert best["features"]["PassThrough"] == 1


@BOTH
def test_nothing_gives_nothing(decoder: str) -> None:
    assert decode([], decoder=decoder)[0]["words"] == []


@BOTH
def test_given_translations_are_the_only_ones(decoder: str) -> None:
    found = decode(["a", ("b", [["x", "y"], ["z"]]), "c"], decoder=decoder, kbest=100)
    assert all(("x y" in text) != ("z" in text) for text in texts(found))
    assert all("B" not in text for text in texts(found))


@BOTH
def test_a_wall_stops_reordering(decoder: str) -> None:
    free = texts(decode(["a", "b", "c"], decoder=decoder, kbest=100))
    walled = texts(decode(["a", "b", "c"], decoder=decoder, kbest=100, walls=[1]))
    assert "B A C" in free
    assert walled == {"A B C"} | ({"A C B"} if decoder == "phrase-based" else set())
    assert texts(decode(["a", "b", "c"], decoder=decoder, kbest=100, walls=[1, 2])) == {"A B C"}


@BOTH
def test_a_zone_stays_together(decoder: str) -> None:
    found = texts(decode(["a", "b", "c"], decoder=decoder, kbest=100, zones=[(1, 3)]))
    assert found
    for text in found:
        words = text.split()
        assert abs(words.index("B") - words.index("C")) == 1
    # Longer than rules reach: glue joins it.
    long_zone = texts(decode(["a", "b", "c"], decoder=decoder, kbest=100, max_span=1, zones=[(0, 3)]))
    assert "A B C" in long_zone


def test_a_whole_zone_can_be_moved() -> None:
    found = texts(decode(["a", "b", "c"], kbest=100, zones=[(1, 3)]))
    assert "B C A" in found


@BOTH
def test_derivation_and_links(decoder: str) -> None:
    weights = [("P", 1.0), ("Distortion", -1.0)]
    found = decode(["a", "b"], weights, decoder=decoder, kbest=10, explain=True)
    by_text = {" ".join(each["words"]): each for each in found}
    assert by_text["AB"]["links"] == [(0, 0), (1, 0)]
    swapped = by_text["B A"]
    assert swapped["links"] == [(0, 1), (1, 0)]
    covered = sorted(tuple(rule["source_span"]) for rule in swapped["rules"])
    assert covered == ([(0, 2), (1, 2)] if decoder == "hierarchical" else [(0, 1), (1, 2)])
    assert {rule["kind"] for rule in swapped["rules"]} == {"grammar"}


@BOTH
def test_forced_decoding(decoder: str) -> None:
    engine = _core.testing.Decoder.from_grammar(GRAMMAR, [("P", 1.0)])
    options = {"decoder": decoder, "explain": True}
    forced = engine.force(["a", "b", "c"], ["B", "A", "C"], options)
    assert forced["candidates"][0]["words"] == ["B", "A", "C"]
    assert forced["missing"] == []
    free = engine.decode([["a", "b", "c"]], {"decoder": decoder, "kbest": 100})[0]["candidates"]
    best = max(each["score"] for each in free if each["words"] == ["B", "A", "C"])
    assert forced["candidates"][0]["score"] == pytest.approx(best)
    failed = engine.force(["a", "b"], ["A", "house"], options)
    assert failed["candidates"] == []
    assert failed["missing"] == ["house"]
    # Every word can be had, but not these words.
    twice = engine.force(["a", "b"], ["A", "B", "A"], options)
    assert (twice["candidates"], twice["missing"]) == ([], [])


@BOTH
def test_limits_narrow_the_search_but_find_something(decoder: str) -> None:
    words = ["a", "b", "c", "d"] * 25
    engine = _core.testing.Decoder.from_grammar(GRAMMAR, [("P", 1.0)])
    bounded = engine.decode([words], {"decoder": decoder, "scratch_bytes": 1 << 20, "pop_limit": 100_000})[0]
    assert bounded["candidates"]
    assert bounded["scratch_bytes"] < 4 << 20
    late = engine.decode([words], {"decoder": decoder, "max_seconds": 1e-9})[0]
    assert late["narrowed"]
    assert late["candidates"][0]["words"].count("d") == 25
