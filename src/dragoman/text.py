"""Raw text and tokens: the classes of the core under the names to import.

>>> from dragoman.text import Tokenizer
>>> Tokenizer("fr").tokenize(["Qu'il vienne !"])
["Qu' il vienne !"]
"""

from dragoman._core import SentenceSplitter, Tokenizer, normalise

__all__ = ["SentenceSplitter", "Tokenizer", "normalise", "words_of"]


def words_of(line: str) -> list[str]:
    """The words of a tokenized line as the core separates them: other space than that of ASCII is part of a word."""
    return [word.decode() for word in line.encode().split()]
