"""Explanations as the server sends them: those of dragoman.explain under the keys that clients of it know."""

from __future__ import annotations

import itertools
from typing import Any

from dragoman.explain.explainer import Explainer
from dragoman.explain.explanation import sources_json
from dragoman.serve.texts import TranslatedText
from dragoman.serve.workers import AGAIN, Again, Piece
from dragoman.translator import Translator

# Places shown of each phrase.
MOST_ORIGINS = 3
TURN_SENTENCES = 8
# Objects whose keys are names of features or of a file's attributes, which stay as they are.
FREE_KEYS = frozenset({"features", "contributions", "attributes"})


def explaining(translator: Translator, text: TranslatedText, with_sources: bool) -> Piece[dict[str, Any]]:
    """The explanation of a text, a few sentences in a turn."""
    explainer = Explainer(translator.opened)
    explanation: dict[str, Any] = {"sentences": []}
    left = iter(text.sentences)

    def turn() -> dict[str, Any] | Again:
        few = list(itertools.islice(left, TURN_SENTENCES))
        for source_at, target_at, sentence in few:
            explained = explainer.sentence(sentence, source_at, target_at)
            explanation["sentences"].append(camel_case(explained.as_json(with_sources)))
        if len(few) == TURN_SENTENCES:
            return AGAIN
        if with_sources:
            explanation["sources"] = camel_case(sources_json(explainer.pairs))
        return explanation

    return turn


def camel_case(value: Any) -> Any:
    """The same with keys in the server's spelling: source_tokens becomes sourceTokens."""
    if isinstance(value, list | tuple):
        return [camel_case(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {camel(key): item if key in FREE_KEYS else camel_case(item) for key, item in value.items()}


def camel(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(map(str.capitalize, rest))
