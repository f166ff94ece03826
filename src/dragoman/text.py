"""Raw text and tokens: the classes of the core under the names to import.

>>> from dragoman.text import Tokenizer
>>> Tokenizer("fr").tokenize(["Qu'il vienne !"])
["Qu' il vienne !"]
"""

from dragoman._core import Casing, SentenceSplitter, Tokenizer, lowercase, normalise

__all__ = ["Casing", "SentenceSplitter", "Tokenizer", "lowercase", "normalise"]
