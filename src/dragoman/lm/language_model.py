"""A compact language model and what it says about text. All scores are log10 probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman import _core


@dataclass(frozen=True, slots=True)
class ScoredToken:
    """One word of a sentence, or its end."""

    word: str
    log10_prob: float
    ngram_length: int
    unknown: bool


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    log10_prob: float
    tokens: int  # the sentence end included
    unknown: int
    log10_prob_unknown: float


@dataclass(frozen=True, slots=True)
class Perplexity:
    """Of a text, per token (sentence ends included), with unknown words and without."""

    sentences: int
    tokens: int
    unknown: int
    log10_prob: float
    perplexity: float
    perplexity_known: float

    @classmethod
    def of(cls, sentences: Iterable[ScoredSentence]) -> Perplexity:
        rows = list(sentences)
        tokens = sum(row.tokens for row in rows)
        unknown = sum(row.unknown for row in rows)
        log10_prob = sum(row.log10_prob for row in rows)
        known = log10_prob - sum(row.log10_prob_unknown for row in rows)
        return cls(
            len(rows),
            tokens,
            unknown,
            log10_prob,
            per_token(log10_prob, tokens),
            per_token(known, tokens - unknown),
        )


def per_token(log10_prob: float, tokens: int) -> float:
    if tokens == 0:
        return 1.0
    try:
        return float(10.0 ** (-log10_prob / tokens))
    except OverflowError:
        return float("inf")


class LanguageModel:
    """A model mapped from lm.bin; opening reads nothing but what the check of its hashes needs."""

    def __init__(self, path: str | Path, trust: bool = False) -> None:
        self._model = _core.LanguageModel(str(path), trust)

    @property
    def order(self) -> int:
        return self._model.order

    @property
    def counts(self) -> list[int]:
        """Number of n-grams of every length."""
        return self._model.counts

    @property
    def file_bytes(self) -> int:
        return self._model.file_bytes

    @property
    def over_classes(self) -> bool:
        return self._model.over_classes

    def score(self, lines: Iterable[str], threads: int = 1) -> list[ScoredSentence]:
        """Scores of sentences, each with its beginning and end."""
        return self.score_bytes(joined(lines), threads)

    def score_bytes(self, text: bytes, threads: int = 1) -> list[ScoredSentence]:
        """The same for lines of UTF-8."""
        sentences, _ = self._model.score_text(text, False, threads)
        return [ScoredSentence(prob, tokens, unknown, of_unknown) for prob, of_unknown, tokens, unknown in sentences]

    def tokens(self, lines: Iterable[str], threads: int = 1) -> Iterator[list[ScoredToken]]:
        """Every word of every sentence with its score, and the sentence's end as </s>."""
        rows = list(lines)
        sentences, tokens = self._model.score_text(joined(rows), True, threads)
        return scored_tokens(rows, [sentence[2] for sentence in sentences], tokens)

    def perplexity(self, lines: Iterable[str], threads: int = 1) -> Perplexity:
        return Perplexity.of(self.score(lines, threads))


def scored_tokens(
    lines: Sequence[str], counts: Sequence[int], tokens: Iterable[tuple[float, int, bool]]
) -> Iterator[list[ScoredToken]]:
    """What the core says of the words of all lines, by line; it has counted them too."""
    scored = iter(tokens)
    for line, count in zip(lines, counts, strict=True):
        words = [*line.encode().split(), b"</s>"]
        assert len(words) == count
        yield [ScoredToken(word.decode(), *next(scored)) for word in words]


def joined(lines: Iterable[str]) -> bytes:
    return "".join(line.replace("\n", " ") + "\n" for line in lines).encode()
