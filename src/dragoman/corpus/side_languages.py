"""Whether the two sides of an input are in the languages they are said to be, or swapped, before anything is learned.

Single pairs may be wrong, and cleaning drops them; this looks at some hundred of an input together, evenly spread. A
language without a list of words cannot be told from others here, where no model knows it yet, and is not judged; that
the two sides are swapped is known from the other one's words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dragoman.corpus.language_names import language_name
from dragoman.corpus.language_profile import LanguageProfile, words_in
from dragoman.corpus.recognizer import LEAST_EVIDENCE, LEAST_WITNESSES, MOST_CHARACTERS, Recognizer, as_one, evidence
from dragoman.files import reading

SIDES = ("source", "target")
MOST_PAIRS = 200
# There are two ways round and no other, so that less tells them apart than it takes to doubt a language.
LEAST_SWAPPED_PER_WORD = 0.1
# Evidence that a side is in its own language, in nats: where the other is not, nothing is swapped.
LEAST_OWN = 4.0
# Of one text, so that a few long ones are not all that is looked at.
MOST_TEXT = 100


class SideJudge:
    """Judges the two sides of one pair, or of many as one, by what is known of the two languages."""

    def __init__(self, source: LanguageProfile, target: LanguageProfile) -> None:
        self._profiles = (source, target)
        self._recognizer = Recognizer(self._profiles)

    def doubt(self, source: str, target: str) -> str:
        """What is wrong, in a sentence; empty where nothing seems to be."""
        sides = (source, target)
        doubts = [self._recognizer.doubt(text, own) for text, own in zip(sides, self._profiles, strict=True)]
        codes = [profile.code for profile in self._profiles]
        # Where a side looks like a third language, and not just like another script, that is what is wrong.
        third = any(doubt and not doubt.script and doubt.looks_like not in codes for doubt in doubts)
        if not third and self._swapped(sides, one_is_wrong=any(doubts)):
            return f"the text looks like {' to '.join(map(language_name, reversed(codes)))}: source and target swapped?"
        said = [f"the {side} text {doubt}" for side, doubt in zip(SIDES, doubts, strict=True) if doubt]
        return f"{', and '.join(said)}." if said else ""

    def doubt_of_all(self, pairs: Sequence[tuple[str, str]]) -> str:
        """The same of some hundred pairs together, which may be in languages that nothing is known of."""
        sides = [[pair[side][:MOST_TEXT] for pair in pairs] for side in (0, 1)]
        said = self.doubt(as_one(sides[0]), as_one(sides[1]))
        strange = [
            f"the model knows hardly a word of the {side} text, which should be {language_name(own.code)}"
            for side, texts, own in zip(SIDES, sides, self._profiles, strict=True)
            if self._recognizer.is_strange(texts, own)
        ]
        return said or (f"{', and '.join(strange)}." if strange else "")

    def _swapped(self, sides: tuple[str, str], one_is_wrong: bool) -> bool:
        """Whether each side's words speak for the other's language, taken together."""
        source, target = self._profiles
        proofs = [
            evidence(own, other, Counter(words_in(side)))
            for own, other, side in ((source, target, sides[0]), (target, source, sides[1]))
        ]
        if one_is_wrong and any(proof.nats < -LEAST_OWN for proof in proofs):
            return False
        nats, words = sum(proof.nats for proof in proofs), sum(proof.words for proof in proofs)
        witnesses = sum(proof.witnesses for proof in proofs)
        return witnesses >= LEAST_WITNESSES and nats >= max(LEAST_EVIDENCE, LEAST_SWAPPED_PER_WORD * words)


class SideLanguages:
    """What is seen of one input's pairs."""

    def __init__(self, source_lang: str, target_lang: str) -> None:
        self._judge = SideJudge(LanguageProfile(source_lang), LanguageProfile(target_lang))
        self._pairs: list[tuple[str, str]] = []
        self._seen = 0
        self._every = 1

    def see(self, source: str, target: str) -> None:
        if self._seen % self._every == 0:
            self._pairs.append((source[:MOST_TEXT], target[:MOST_TEXT]))
            if len(self._pairs) > MOST_PAIRS:
                self._pairs = self._pairs[::2]
                self._every *= 2
        self._seen += 1

    def doubt(self) -> str:
        """What is wrong, in a sentence; empty where nothing seems to be."""
        return self._judge.doubt_of_all(self._pairs)


def text_doubt(path: str, lang: str) -> str:
    """The same for a file in one language, by how it begins."""
    with reading(path) as stream:
        text = stream.read(MOST_CHARACTERS).decode("utf-8", "ignore")
    own = LanguageProfile(lang)
    doubt = Recognizer([own]).doubt(text, own)
    return f"{path}: the text {doubt}." if doubt else ""
