"""What a document has become so far, for text that goes on from it: the same words are to become the same again.

A context is pairs of text and translation, oldest first. What it does to a search is core/search/document_memory.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragoman import _core
from dragoman.arguments import wrong
from dragoman.errors import ConfigError
from dragoman.model.opened import OpenedModel
from dragoman.model.weights import CONSISTENCY

TextPair = tuple[str, str]

# The latest count; terms that matter come again within these.
MOST_PAIRS = 200


def required_context(context: Any) -> list[TextPair]:
    """The latest pairs of a context; ConfigError for what is none."""
    if context is None:
        return []
    if isinstance(context, str) or not isinstance(context, Sequence):
        raise wrong("context", "pairs of text and translation", context)
    for pair in context:
        if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(side, str) for side in pair):
            raise wrong("context", "pairs of text and translation", pair)
    return [(source, target) for source, target in context[-MOST_PAIRS:]]


def keeps_context(opened: OpenedModel) -> bool:
    """Whether a model makes use of a context: it must be able to link words, and weigh what it finds."""
    return opened.overlay is not None and opened.model.has("align.bin") and bool(opened.weights.get(CONSISTENCY[0]))


def core_in_context(opened: OpenedModel, context: Sequence[TextPair]) -> _core.TextTranslator:
    """The model's translator, which keeps to what the context has made of words."""
    if not context:
        return opened.core
    if opened.overlay is None:
        raise ConfigError("a grammar says nothing about a context; leave it out", "context")
    linked = (opened.overlay.linked(source, target) for source, target in context)
    return opened.core.consistent_with([pair for pair in linked if pair is not None])
