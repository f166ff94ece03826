"""A neural language model as the core runs it, and what it says about text. All scores are log10."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.errors import InputError
from dragoman.lm.language_model import Perplexity, ScoredSentence, ScoredToken, joined, scored_tokens


class NeuralLanguageModel:
    """A model mapped from nlm.bin. One that reads the source wants source lines and links beside the text."""

    def __init__(self, path: str | Path, *, normalisation: str | None = None, trust: bool = False) -> None:
        model = _core.NeuralModel(str(path), trust)
        self._model = model.with_normalisation(normalisation) if normalisation else model

    @property
    def order(self) -> int:
        return self._model.order

    @property
    def reads_source(self) -> bool:
        return self._model.reads_source

    def describe(self) -> dict[str, Any]:
        """Sizes, kinds and precisions, and the training report that the model carries."""
        return self._model.describe()

    def score_bytes(
        self, text: bytes, source: bytes | None = None, links: bytes | None = None, threads: int = 1
    ) -> list[ScoredSentence]:
        """Scores of the lines of a text of UTF-8, each with its beginning and end."""
        sentences, _ = self._model.score_text(text, source, links, False, threads)
        return [ScoredSentence(prob, tokens, unknown, of_unknown) for prob, of_unknown, tokens, unknown in sentences]

    def tokens(
        self,
        lines: Iterable[str],
        source: Iterable[str] | None = None,
        links: Iterable[str] | None = None,
        threads: int = 1,
    ) -> Iterator[list[ScoredToken]]:
        """Every word of every sentence with its score, and the sentence's end as </s>."""
        rows = list(lines)
        given = (joined(source) if source is not None else None, joined(links) if links is not None else None)
        sentences, tokens = self._model.score_text(joined(rows), *given, True, threads)
        return scored_tokens(rows, [sentence[2] for sentence in sentences], tokens)

    def perplexity(
        self,
        lines: Iterable[str],
        source: Iterable[str] | None = None,
        links: Iterable[str] | None = None,
        threads: int = 1,
    ) -> Perplexity:
        given = (joined(source) if source is not None else None, joined(links) if links is not None else None)
        return Perplexity.of(self.score_bytes(joined(lines), *given, threads))

    def log_normalisers(
        self, text: bytes, source: bytes | None = None, links: bytes | None = None, threads: int = 1
    ) -> tuple[float, float]:
        """Mean and standard deviation of log Z, natural, over the words of a text: what scores as the model is asked
        have beyond true probabilities. Search hardly minds a mean, which is a word penalty; the deviation is error."""
        exact = self._model.with_normalisation("exact")
        asked, true = (model.score_text(text, source, links, True, threads)[1] for model in (self._model, exact))
        beyond = [math.log(10) * (used[0] - right[0]) for used, right in zip(asked, true, strict=True)]
        return (statistics.fmean(beyond), statistics.pstdev(beyond)) if beyond else (0.0, 0.0)

    def write_requantised(
        self,
        path: str | Path,
        *,
        input_precision: str | None = None,
        output_precision: str | None = None,
        direct_bits: int | None = None,
        normalisation: str | None = None,
    ) -> None:
        """Writes the same model in other precisions; what is not given stays as it is."""
        now = self.describe()
        self._model.write_requantised(
            str(path),
            input_precision or now["input_precision"],
            output_precision or now["output_precision"],
            direct_bits or now["direct_bits"] or 32,
            normalisation or now["normalisation"],
        )


def require_source(model: NeuralLanguageModel, path: str, source: str | None, links: str | None) -> None:
    """One clear sentence where a model and what it is asked about do not fit together."""
    if model.reads_source and (source is None or links is None):
        raise InputError(f"{path}: this model reads the source sentence; give --source and --links too")
    if not model.reads_source and (source is not None or links is not None):
        raise InputError(f"{path}: this model does not read the source sentence; leave out --source and --links")
