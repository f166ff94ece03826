"""Casing on random text: counts and the case model agree with plain ones, and restoring changes nothing but case."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman._core import testing
from tests.reference import case_model
from tests.reference.casing import commonest_forms

Casing = testing.Casing
lowercase = testing.lowercase

WORDS = st.sampled_from(["house", "House", "HOUSE", "iPhone", "the", "The", "élan", "Élan", "nato", "NATO", ".", "?"])
# A small long word in every line keeps it from being a heading.
LINES = st.lists(st.lists(WORDS, max_size=8).map(lambda words: " ".join([*words, "ordinary"])), min_size=1, max_size=12)
ANY_LINE = st.lists(st.text(min_size=1, max_size=8).filter(lambda word: not any(c.isspace() for c in word)), max_size=8)


@settings(max_examples=200, deadline=None)
@given(lines=LINES)
def test_forms_are_the_commonest(lines: list[str]) -> None:
    casing = Casing.learn("\n".join(lines).encode(), threads=1)
    expected = commonest_forms(lines)
    assert dict(zip(expected, casing.forms(list(expected)), strict=True)) == expected


@settings(max_examples=200, deadline=None)
@given(tokens=ANY_LINE, source=ANY_LINE, links=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=9))
def test_restoring_keeps_the_tokens(tokens: list[str], source: list[str], links: list[tuple[int, int]]) -> None:
    def clean(words: list[str]) -> str:
        text = " ".join(words).encode("utf-8", "replace").decode().replace("\0", "")
        return " ".join(text.split())

    surface, source_line = clean(tokens), clean(source)
    casing = Casing.learn(surface.encode(), threads=1)
    model = lowercase([surface])
    restored = casing.restore(model, [links], [source_line])[0]
    assert len(restored.split(" ")) == len(model[0].split(" "))
    truecased = casing.truecase([surface])[0]
    assert truecased.casefold() == surface.casefold() or lowercase([truecased]) == model


SPELLINGS = ["the", "The", "house", "House", "HOUSE", "iPhone", "élan", "NATO", "Nato", "a", "A", "menu", "Menu"]
TOKENS = st.sampled_from([*SPELLINGS, *'.?:,-"'])
SENTENCE = st.lists(TOKENS, min_size=1, max_size=9)
PAIR = st.tuples(SENTENCE, SENTENCE, st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=6))


@settings(max_examples=40, deadline=None)
@given(pairs=st.lists(PAIR, min_size=1, max_size=8))
def test_the_case_model_is_that_of_plain_counting(
    pairs: list[tuple[list[str], list[str], list[tuple[int, int]]]],
) -> None:
    target, source = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    links = [sorted({(s, t) for s, t in pair[2] if s < len(pair[1]) and t < len(pair[0])}) for pair in pairs]
    target_text, source_text = ["\n".join(map(" ".join, side)).encode() for side in (target, source)]
    link_text = "".join(" ".join(f"{s}-{t}" for s, t in line) + "\n" for line in links).encode()
    source_casing = Casing.learn(source_text, threads=1)
    casing = Casing.learn(target_text, threads=1, source=source_text, links=link_text, source_casing=source_casing)

    def forms(learned: Casing, side: list[list[str]]) -> dict[str, str]:
        words = sorted({token.lower() for line in side for token in line})
        return dict(zip(words, learned.forms(words), strict=True))

    own, others = forms(casing, target), forms(source_casing, source)
    expected = case_model.learn(target, links, source, own, others)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "casing.bin"
        casing.save(str(path))
        weights = testing.read_container(path.read_bytes(), "casing")["case.weights"]
    assert weights == bytes(weight % 256 for both in expected for weight in both)
    model = lowercase(list(map(" ".join, target)))
    restored = casing.restore(model, links, list(map(" ".join, source)), source_casing)
    assert [line.split(" ") for line in restored] == [
        case_model.write(expected, line.split(" "), *rest, own, others)
        for line, *rest in zip(model, links, source, strict=True)
    ]
