"""The case model as plainly as it can be said: contexts, features, the averaged perceptron, and writing with it.

For tokens without joiner marks that are words of letters, or one of . ? : , " and -; no word is a Roman numeral.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dragoman._core import hash_bytes

SMALL, CAPITAL, UPPER = range(3)
# What a source word's case is evidence of.
NONE, SMALL_WORD, START, INSIDE, NAME, ALL_UPPER, MIXED = range(7)
BONUS, STEP = 2, 8
Links = Sequence[tuple[int, int]]


def mix(x: int) -> int:
    full = (1 << 64) - 1
    x = (x + 0x9E3779B97F4A7C15) & full
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & full
    x = (x ^ x >> 27) * 0x94D049BB133111EB & full
    return x ^ x >> 31


def word_hash(word: str) -> int:
    return hash_bytes(word.encode())


def is_all_upper(word: str) -> bool:
    return len(word) >= 2 and word.isupper() and word.isalpha()


def is_mixed(word: str) -> bool:
    return word != word.lower() and not is_all_upper(word) and word != word.lower()[0].upper() + word.lower()[1:]


def case_of(word: str) -> int:
    return UPPER if is_all_upper(word) else CAPITAL if word[0].isupper() else SMALL


def places(tokens: Sequence[str]) -> list[int]:
    """0 inside, 1 at a sentence's start, 2 after a colon, 3 after a colon and a quotation mark."""
    found = []
    start, colon, quote = True, False, False
    for token in tokens:
        found.append(1 if start else 0 if not colon else 3 if quote else 2)
        if token in ".?":
            start, colon, quote = True, False, False
        elif token == ":":
            colon = True
        elif token == '"':
            quote = True
        elif token != "-":
            start = colon = quote = False
    return found


@dataclass
class Word:
    text: str
    form: str
    place: int
    linked: list[int] = field(default_factory=list)
    shouted: list[bool] = field(default_factory=list)
    same: int = NONE
    copied: str = ""
    fixed: int | None = None

    @property
    def is_open(self) -> bool:
        return self.text.isalpha() and not is_mixed(self.form) and not self.copied and self.fixed is None

    @property
    def linked_case(self) -> int:
        return 2 * self.linked[0] + (len(set(self.linked)) > 1) if self.linked else 0


class Context:
    def __init__(
        self, target: list[str], links: Links, source: list[str], forms: dict[str, str], source_forms: dict[str, str]
    ) -> None:
        kinds, shouted = [], []
        for token, place in zip(source, places(source), strict=True):
            usual = source_forms.get(token.lower(), "")
            shouted.append(is_all_upper(token) and usual != token)
            if not token.isalpha():
                kinds.append(NONE)
            elif token == token.lower():
                kinds.append(SMALL_WORD)
            elif is_mixed(token):
                kinds.append(MIXED)
            elif is_all_upper(token):
                kinds.append(ALL_UPPER)
            elif place == 1:
                kinds.append(START)
            else:
                kinds.append(NAME if usual and usual == usual.lower() else INSIDE)
        first = next((token for token in source if token not in '.?:"-'), "X")
        begins_upper = first != first.lower() if first.isalpha() else True
        long = [token for token in source if len(token) >= 2 and token.isalpha()]
        all_upper = len(long) >= 2 and all(map(is_all_upper, long)) and any(shouted)
        inside = [t for t, place in zip(source, places(source), strict=True) if place != 1 and t.isalpha()]
        self.capitals = 1 + 3 * sum(t != t.lower() for t in inside) // len(inside) if inside else 0
        self.words = [Word(t, forms.get(t, t), place) for t, place in zip(target, places(target), strict=True)]
        ends = [token in ".?" for token in target if token not in ':"-']
        self.is_sentence = bool(ends) and ends[-1]
        for s, t in links:
            if kinds[s] != NONE:
                word = self.words[t]
                word.linked.append(kinds[s])
                word.shouted.append(shouted[s])
                if source[s].lower() == word.text:
                    word.same = kinds[s]
                    word.copied = source[s] if kinds[s] in (NAME, MIXED) else word.copied
        for word in self.words:
            if word.place == 1:
                usual = case_of(word.form)
                word.fixed = CAPITAL if begins_upper and usual == SMALL else usual
            if all_upper or (word.shouted and all(word.shouted)):
                word.fixed, word.copied = UPPER, ""

    def features(self, at: int, before: int | None) -> list[int]:
        word = self.words[at]
        left = self.words[at - 1] if at > 0 else None
        right = self.words[at + 1] if at + 1 < len(self.words) else None
        usual, linked, here = case_of(word.form), word.linked_case, word_hash(word.text)
        previous = 0 if before is None else 1 + before
        left_word = word_hash(left.text) if left else 1
        right_word = word_hash(right.text) if right else 1
        count = len(self.words)
        length = 0 if count <= 1 else 1 if count <= 4 else 2 if count <= 9 else 3
        neighbours = (left.linked_case if left else 15, linked, right.linked_case if right else 15)
        parts = [
            (usual,),
            (left_word,),
            (right_word,),
            (left_word, here),
            (here, right_word),
            (linked, usual),
            (previous, usual, linked),
            (previous, here),
            (self.is_sentence, usual, self.capitals, length),
            (self.is_sentence, here),
            (*neighbours, usual),
            (word.place, linked, usual),
            (word.same, usual),
            (word_hash(word.text[-3:]), self.is_sentence, previous),
        ]
        made = []
        for number, each in enumerate(parts):
            value = number
            for part in each:
                value = mix(value ^ int(part))
            made.append(value)
        return made


def best(scores: list[int], usual: int, bonus: int) -> int:
    raised = [score + bonus * (case == usual) for case, score in enumerate([0, *scores])]
    return usual if raised[usual] == max(raised) else raised.index(max(raised))


def shuffled(order: list[int], seed: int) -> list[int]:
    for i in range(len(order), 1, -1):
        other = mix(i ^ mix(seed)) % i
        order[i - 1], order[other] = order[other], order[i - 1]
    return order


def learn(
    target: list[list[str]], links: list[Links], source: list[list[str]], forms: dict[str, str], others: dict[str, str]
) -> list[tuple[int, int]]:
    """The weights of every bucket; the text is as written."""
    order = shuffled(list(range(len(target))), 0)
    words = sum(map(len, target))
    buckets = 1024
    while buckets < min(words, 1 << 16):
        buckets *= 2
    weights = [[0, 0] for _ in range(buckets)]
    sums = [[0, 0] for _ in range(buckets)]
    time = 1
    for turn in range(max(2, min(10, 100_000 // words))):
        order = shuffled(order, turn + 1)
        for line in order:
            context = Context([t.lower() for t in target[line]], links[line], source[line], forms, others)
            before = None
            for at, written in enumerate(target[line]):
                if not written.isalpha():
                    before = None
                    continue
                word = context.words[at]
                if word.is_open:
                    time += 1
                    features = [f % buckets for f in context.features(at, before)]
                    chosen = best([sum(weights[f][i] for f in features) for i in (0, 1)], case_of(word.form), BONUS)
                    if chosen != case_of(written):
                        for case, by in ((case_of(written), 1), (chosen, -1)):
                            for f in features if case != SMALL else []:
                                weights[f][case - 1] += by
                                sums[f][case - 1] += by * time
                before = case_of(written)
    return [(mean(w[0], s[0], time), mean(w[1], s[1], time)) for w, s in zip(weights, sums, strict=True)]


def mean(weight: int, moved: int, time: int) -> int:
    total = STEP * (weight * time - moved)
    rounded = (abs(total) + time // 2) // time
    return max(-128, min(127, -rounded if total < 0 else rounded))


def write(
    weights: list[tuple[int, int]],
    target: list[str],
    links: Links,
    source: list[str],
    forms: dict[str, str],
    others: dict[str, str],
) -> list[str]:
    """Target words in model form, all of them known."""
    context = Context(target, links, source, forms, others)
    written: list[str] = []
    before = None
    for at, word in enumerate(context.words):
        if not word.text.isalpha():
            written.append(word.text)
            before = None
            continue
        case = case_of(word.form) if word.fixed is None else word.fixed
        if word.is_open:
            features = [f % len(weights) for f in context.features(at, before)]
            case = best([sum(weights[f][i] for f in features) for i in (0, 1)], case_of(word.form), BONUS * STEP)
        if word.copied:
            form = word.copied
        elif case == UPPER:
            form = word.form.upper()
        elif is_mixed(word.form):
            form = word.form
        else:
            form = word.text.capitalize() if case == CAPITAL else word.text
        written.append(form)
        before = case_of(form)
    return written
