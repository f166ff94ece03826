"""Bilingual text: reading it in any format, cleaning it, splitting it and counting it."""

from dragoman.corpus.pair import Origin, SentencePair
from dragoman.corpus.preparation import Report, prepare

__all__ = ["Origin", "Report", "SentencePair", "prepare"]
