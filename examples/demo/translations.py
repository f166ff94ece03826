"""What a trained model makes of held-out sentences, with the links between their words and the text behind them."""

from __future__ import annotations

from collections.abc import Iterable

from dragoman.corpus.pair import Origin
from dragoman.translation import Phrase, SentenceTranslation
from dragoman.translator import Translator
from examples.demo.screen import Screen
from examples.demo.steps import place

# The phrases whose origin is shown are the longest; short ones stand everywhere.
PHRASES = 2
SPACING_MARKS = "\uffed\u2581"


def show_translations(translator: Translator, pairs: Iterable[tuple[str, str, str]], screen: Screen) -> None:
    screen.heading("Held-out sentences, translated")
    for number, (source, reference, origin) in enumerate(pairs, start=1):
        translation = translator.translate(source, explain=True, origins=1)
        screen.pair(number, source, translation.text, origin)
        screen.detail(f"reference: {reference}")
        for sentence in translation.sentences:
            screen.detail(f"links: {links_of(sentence)}")
            for phrase in longest(sentence.phrases):
                screen.detail(seen(translator, phrase))


def links_of(sentence: SentenceTranslation) -> str:
    """`source=target` for every link, in the order of the source."""
    return " ".join(
        f"{bare(sentence.source_tokens[source])}={bare(sentence.target_tokens[target])}"
        for source, target in sentence.alignment
    )


def bare(token: str) -> str:
    """Without the marks that say how it is spaced."""
    return token.strip(SPACING_MARKS)


def longest(phrases: Iterable[Phrase]) -> list[Phrase]:
    """Phrases that were seen in training, those with the most words first."""
    known = [phrase for phrase in phrases if phrase.origins]
    return sorted(known, key=lambda phrase: -len(phrase.source.split()))[:PHRASES]


def readable(side: str) -> str:
    """Gaps as a reader knows them."""
    return side.replace("[X,1]", "(1)").replace("[X,2]", "(2)")


def seen(translator: Translator, phrase: Phrase) -> str:
    """A phrase, and one of the training pairs it was taken from."""
    text = f'"{readable(phrase.source)}" as "{readable(phrase.target)}", seen {phrase.origin_count}x'
    record = translator.sources(phrase.origins[0].stable_id)
    if record is None:
        return text
    where = place(Origin(record.file, record.line, attributes=record.attributes))
    return f"{text}, for instance in {where}: {record.source}"
