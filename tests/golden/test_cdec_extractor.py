"""The rules that cdec's extractor finds, with their links and features: ours are the same, and so are the oracle's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dragoman import _core
from tests.reference import rules as reference
from tests.unit.index.support import ReadRule, build, grammars_by_sentence, parse_grammar, read_grammar

Golden = Callable[[str], str]
Rules = dict[tuple[str, str], ReadRule]
# The phrasebook is small enough to look at every match; samples of different programs are different ones.
EVERY_MATCH = 100_000


@dataclass
class Corpus:
    source: list[str]
    target: list[str]
    links: list[str]

    def index(self, folder: Path) -> _core.Index:
        return build(folder, self.source, self.target, self.links)

    def pairs(self) -> list[reference.Pair]:
        return [
            (s.split(), t.split(), {(int(a), int(b)) for a, b in (link.split("-") for link in links.split())})
            for s, t, links in zip(self.source, self.target, self.links, strict=True)
        ]


def phrasebook(golden: Golden) -> Corpus:
    return Corpus(*(golden(f"phrasebook/train.{part}").splitlines() for part in ("fr", "en", "links")))


def one_pair(golden: Golden) -> Corpus:
    source, target, links = golden("shared/cdec-extractor/test.in").strip().split(" ||| ")
    return Corpus([source], [target], [links])


def thousand_pairs(golden: Golden) -> Corpus:
    rows = [row.split(" ||| ") for row in golden("shared/cdec-extractor/corpus.fr-en.gz").splitlines()]
    return Corpus([s for s, _ in rows], [t for _, t in rows], golden("shared/cdec-extractor/corpus.al.gz").splitlines())


def rules_of_phrasebook(golden: Golden) -> list[tuple[str, Rules]]:
    sentences = golden("phrasebook/dev.fr").splitlines()
    return [(sentences[n], rules) for n, rules in cdec_rules(golden("phrasebook/rules/dev.xz"), sentences).items()]


def rules_of_one_pair(golden: Golden) -> list[tuple[str, Rules]]:
    rules = parse_grammar(golden("shared/cdec-extractor/gold-rules.sort"))
    assert len(rules) == 140
    return [(one_pair(golden).source[0], rules)]


def cdec_rules(text: str, sentences: list[str]) -> dict[int, Rules]:
    """The rules of sentences, from lines that begin with their number.

    cdec also writes rules that can match nowhere in the sentence, because a gap would lie outside.
    """
    found = {}
    for number, grammar in grammars_by_sentence(text).items():
        words = sentences[number].split()
        patterns = {pattern_text(pattern) for pattern in reference.input_patterns(words, reference.Limits())}
        found[number] = {key: rule for key, rule in parse_grammar(grammar).items() if key[0] in patterns}
    return found


def pattern_text(symbols: tuple[str, ...]) -> str:
    number = iter((1, 2))
    return " ".join(f"[X,{next(number)}]" if s == reference.GAP else s for s in symbols)


def by_definition(
    bitext: reference.Bitext, lexicon: reference.Lexicon, sentence: str, limits: reference.Limits, bounded: bool = False
) -> Rules:
    """What the oracle says, in the shape of a grammar that was read."""
    return {
        (pattern_text(source), " ".join(target)): ReadRule(
            reference.features(lexicon, source, target, counts), " ".join(f"{i}-{j}" for i, j in counts.links)
        )
        for (source, target), counts in reference.grammar(bitext, sentence.split(), limits, bounded=bounded).items()
    }


def assert_same_rules(found: Rules, wanted: Rules, but: tuple[str, ...] = ()) -> None:
    """The same rules with the same links, and the features that are known."""
    assert {key: rule.links for key, rule in found.items()} == {key: rule.links for key, rule in wanted.items()}
    for key, rule in wanted.items():
        for name in set(rule.features) - set(but):
            assert found[key].features[name] == pytest.approx(rule.features[name], abs=2e-6), (key, name)


KNOWN = [
    pytest.param(phrasebook, rules_of_phrasebook, id="phrasebook"),
    pytest.param(one_pair, rules_of_one_pair, marks=pytest.mark.shared, id="one pair"),
]


@pytest.mark.parametrize(("corpus", "rules"), KNOWN)
def test_rules_are_those_of_cdec(
    golden: Golden,
    tmp_path: Path,
    corpus: Callable[[Golden], Corpus],
    rules: Callable[[Golden], list[tuple[str, Rules]]],
) -> None:
    index = corpus(golden).index(tmp_path)
    for sentence, wanted in rules(golden):
        assert wanted
        for matching in ("exact", "bounded", "extend", "merge"):
            assert_same_rules(read_grammar(index, sentence, matching=matching, max_samples=EVERY_MATCH), wanted)


def test_rules_without_the_sentence_itself_are_those_of_cdec(golden: Golden, tmp_path: Path) -> None:
    """Sentences of the text as if they were not in it; cdec leaves their words in its lexicon, we do not."""
    text = phrasebook(golden)
    index = text.index(tmp_path)
    for number, wanted in cdec_rules(golden("phrasebook/rules/left-out.xz"), text.source).items():
        found = read_grammar(index, text.source[number], leave_out=number, max_samples=EVERY_MATCH)
        assert_same_rules(found, wanted, but=("MaxLexFgivenE", "MaxLexEgivenF"))


@pytest.mark.parametrize(("corpus", "rules"), KNOWN)
def test_definition_gives_the_same_rules(
    golden: Golden, corpus: Callable[[Golden], Corpus], rules: Callable[[Golden], list[tuple[str, Rules]]]
) -> None:
    """The oracle itself; it needs short sentences to be done in time."""
    pairs = corpus(golden).pairs()
    bitext, lexicon = reference.Bitext(pairs), reference.Lexicon(pairs)
    limits = reference.Limits(max_samples=EVERY_MATCH)
    for sentence, wanted in sorted(rules(golden), key=lambda known: len(known[0].split()))[:6]:
        assert_same_rules(by_definition(bitext, lexicon, sentence, limits), wanted)


@pytest.mark.parametrize("matching", ["exact", "bounded"])
@pytest.mark.parametrize(
    ("corpus", "numbers"),
    [
        pytest.param(phrasebook, (0, 100, 200), id="phrasebook"),
        pytest.param(thousand_pairs, (2, 0), marks=pytest.mark.shared, id="a thousand pairs"),
    ],
)
def test_samples_against_the_definition(
    golden: Golden, tmp_path: Path, corpus: Callable[[Golden], Corpus], numbers: tuple[int, ...], matching: str
) -> None:
    """Patterns with more matches than are looked at."""
    text = corpus(golden)
    index, pairs = text.index(tmp_path), text.pairs()
    bitext, lexicon = reference.Bitext(pairs), reference.Lexicon(pairs)
    limits = reference.Limits(max_samples=20)
    for number in numbers:
        sentence = text.source[number]
        wanted = by_definition(bitext, lexicon, sentence, limits, bounded=matching == "bounded")
        assert_same_rules(read_grammar(index, sentence, matching=matching, max_samples=20), wanted)
