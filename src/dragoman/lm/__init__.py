"""Back-off n-gram language models: estimated from text or read from ARPA, pruned, compact, and asked for scores."""

from dragoman.lm.build import BuildReport, build_model
from dragoman.lm.language_model import LanguageModel, Perplexity, ScoredSentence, ScoredToken

__all__ = ["BuildReport", "LanguageModel", "Perplexity", "ScoredSentence", "ScoredToken", "build_model"]
