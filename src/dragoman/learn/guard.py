"""What is asked of a pair before a model learns it: words on both sides, lengths that go together, the right languages.

A pair is refused for what speaks against it, never for what is unknown: new words, names and codes are what lessons are
for. Of one or two words nobody can say which language they are in; of the pairs of a file together one can, so that
those which came together are judged together too. Who is sure can force what is refused here, but for a pair without
words, of which nothing can be learned.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dragoman.config import CleanOptions
from dragoman.corpus.language_profile import LanguageProfile, words_in
from dragoman.corpus.side_languages import MOST_PAIRS, SideJudge
from dragoman.errors import InputError
from dragoman.learn.new_pairs import NewPair, require_learnable

# The same as in training: what is longer is no sentence.
MOST_WORDS = CleanOptions().max_tokens
# One side may have so many times the characters of the other, and these: languages differ, and so do abbreviations.
MOST_TIMES, MORE_CHARACTERS = 10, 100
# So many pairs are judged together: fewer are a mixture as likely as not, and are judged one by one alone.
LEAST_TOGETHER = 10


class Fault(enum.Enum):
    """What is wrong with pairs, as it is said of several."""

    NO_WORDS = "with no words on one side"
    TOO_LONG = f"with a side of more than {MOST_WORDS} words"
    UNEQUAL = "with one side far longer than the other"
    LANGUAGES = "in other languages than the model's"
    UNFIT = "that cannot be learned"

    @property
    def forcible(self) -> bool:
        return self not in (Fault.NO_WORDS, Fault.UNFIT)


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a pair is not learned, in a sentence."""

    fault: Fault
    sentence: str


@dataclass(slots=True)
class Refusals:
    """How many pairs were refused for what, with the first of each."""

    counts: dict[Fault, int] = field(default_factory=dict)
    _first: dict[Fault, str] = field(default_factory=dict)

    def add(self, pair: NewPair, objection: Objection) -> None:
        self.counts[objection.fault] = self.counts.get(objection.fault, 0) + 1
        name = "" if pair.id is None else f"{pair.id}: "
        self._first.setdefault(objection.fault, f"{name}{objection.sentence}")

    def __len__(self) -> int:
        return sum(self.counts.values())

    def sentence(self) -> str:
        """Why, with counts and examples, and what can be done."""
        said = [f"{count:,} {fault.value} ({self._first[fault]})" for fault, count in self.counts.items()]
        forcible = "; force them (--force) if they are right" if any(fault.forcible for fault in self.counts) else ""
        return f"{', '.join(said)}{forcible}"

    def as_json(self) -> dict[str, int]:
        return {fault.name.lower(): count for fault, count in self.counts.items()}


class PairGuard:
    """Judges pairs for a model by what it knows of its two languages."""

    def __init__(self, source: LanguageProfile, target: LanguageProfile) -> None:
        self._judge = SideJudge(source, target)

    def objection(self, source: str, target: str) -> Objection | None:
        """What speaks against a pair by itself."""
        return shape_objection(source, target) or languages_objection(self._judge.doubt(*own_words(source, target)))

    def taken(self, pairs: Sequence[NewPair], refusals: Refusals, *, force: bool = False) -> list[NewPair]:
        """Those that can be learned; the others are counted among the refusals."""
        taken = []
        for together in by_file(pairs):
            against_all = None if force else self._objection_to_all(together)
            for pair in together:
                objection = against_all or self.objection(pair.source, pair.target)
                if objection is None or (force and objection.fault.forcible):
                    taken.append(pair)
                else:
                    refusals.add(pair, objection)
        return taken

    def require(self, pairs: Sequence[NewPair]) -> None:
        """Raises InputError where one of the pairs is refused."""
        refusals = Refusals()
        self.taken(pairs, refusals)
        if len(pairs) == 1 and refusals:
            objection = self.objection(pairs[0].source, pairs[0].target)
            assert objection is not None
            forcible = "; force it (--force) if it is right" if objection.fault.forcible else ""
            raise InputError(f"{objection.sentence}{forcible}")
        if refusals:
            raise InputError(f"{len(refusals):,} of {len(pairs):,} pairs were refused: {refusals.sentence()}")

    def _objection_to_all(self, pairs: Sequence[NewPair]) -> Objection | None:
        """What speaks against pairs that came together."""
        if len(pairs) < LEAST_TOGETHER:
            return None
        every = -(-len(pairs) // MOST_PAIRS)
        return languages_objection(self._judge.doubt_of_all([(pair.source, pair.target) for pair in pairs[::every]]))


def by_file(pairs: Iterable[NewPair]) -> Iterator[list[NewPair]]:
    """Neighbours that came from one file, together."""
    return (list(group) for _, group in itertools.groupby(pairs, lambda pair: pair.origin.get("file", "")))


def own_words(source: str, target: str) -> tuple[str, str]:
    """Both sides without the words that they share: names, titles and codes say nothing of the language around them."""
    sides = words_in(source), words_in(target)
    shared = set(sides[0]) & set(sides[1])
    ours, theirs = (" ".join(word for word in side if word not in shared) for side in sides)
    return (ours, theirs) if ours and theirs else (source, target)


def languages_objection(doubt: str) -> Objection | None:
    return Objection(Fault.LANGUAGES, doubt.rstrip(".?")) if doubt else None


def shape_objection(source: str, target: str) -> Objection | None:
    """What can be said of a pair in any language."""
    try:
        require_learnable(source, target)
    except InputError as error:
        return Objection(Fault.UNFIT, str(error))
    if not source.strip() or not target.strip():
        return Objection(Fault.NO_WORDS, "one side is empty")
    words = max(map(word_count, (source, target)))
    if words > MOST_WORDS:
        return Objection(Fault.TOO_LONG, f"a side of {words:,} words is no sentence, split it")
    shorter, longer = sorted(map(len, (source.strip(), target.strip())))
    if longer > MOST_TIMES * shorter + MORE_CHARACTERS:
        return Objection(Fault.UNEQUAL, f"one side has {shorter:,} characters and the other {longer:,}")
    return None


def word_count(text: str) -> int:
    """Of a text that may be too long; characters are words where no spaces are written."""
    return max(len(text.split()), len(words_in(text))) if len(text) > MOST_WORDS else 0
