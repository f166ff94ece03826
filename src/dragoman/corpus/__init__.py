"""Bilingual text: reading it in any format, cleaning it, splitting it and counting it."""

from dragoman.corpus.pair import Origin, SentencePair
from dragoman.corpus.preparation import prepare
from dragoman.corpus.report import PreparationReport

__all__ = ["Origin", "PreparationReport", "SentencePair", "prepare"]
