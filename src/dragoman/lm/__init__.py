"""Back-off n-gram language models: estimated from text or read from ARPA, pruned, compact, and asked for scores."""

from dragoman.lm.build import BuildReport, build_model
from dragoman.lm.language_model import LanguageModel, Perplexity, Sentence, Token

__all__ = ["BuildReport", "LanguageModel", "Perplexity", "Sentence", "Token", "build_model"]
