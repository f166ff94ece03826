"""Reading and writing weights.txt, and the weights of a model that nobody has tuned yet."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from dragoman import _core
from dragoman.errors import ConfigError, InputError
from dragoman.files import reading, writing

# Rounded from weights tuned on image captions, fr-en, en-de and en-cs; tuning finds better ones. Costs (-log10 p) have
# negative weights; Distortion and WordPenalty count downwards, so a positive weight holds back.
DEFAULT_WEIGHTS: dict[str, float] = {
    "LanguageModel": 0.8,
    "LanguageModel_OOV": -1.0,
    "EgivenFCoherent": -0.9,
    "CountEF": 0.2,
    "SampleCountF": -0.2,
    "MaxLexFgivenE": -0.5,
    "MaxLexEgivenF": -0.2,
    "IsSingletonF": -0.7,
    "IsSingletonFE": -0.8,
    "WordPenalty": -1.0,
    "Glue": 0.1,
    "PassThrough": -3.0,
    "Distortion": 0.2,
    "MonotoneBefore": 0.4,
    "SwapBefore": 0.1,
    "DiscontinuousBefore": 0.5,
    "MonotoneAfter": 0.8,
    "SwapAfter": 0.4,
    "DiscontinuousAfter": 0.4,
}
# Of the judge, which reads finished translations: the log10 of a translation's probability, and the number of pieces it
# is made of, each of which costs some. Rounded from weights tuned on debates, fr-en.
JUDGE_WEIGHTS = {"Judge": 2.8, "JudgePieces": 0.7}
# Of a correction for the very sentence that was corrected: more than anything else can outweigh. It is no matter of
# tuning, so weights that do not name it have it all the same.
SENTENCE_MEMORY = ("SentenceMemory", 20.0)
# Of choices that the document made before, where it is told of them; see core/search/document_memory.h.
CONSISTENCY = ("Consistency", 1.0)
UNTUNED = dict((SENTENCE_MEMORY, CONSISTENCY))


# Features of the language models a directory may hold, by file.
LANGUAGE_MODELS = {"lm.bin": "LanguageModel", "nlm.bin": "NeuralLM", "source_nlm.bin": "SourceNeuralLM"}
# How much of a language model's weight each has beside others: what tuning gives them, roughly.
SHARES = {"LanguageModel": 1.0, "NeuralLM": 2.0, "SourceNeuralLM": 2.0}


def default_weights(models: Collection[str], judge: bool = False) -> dict[str, float]:
    """Weights for the language models of these names, which share what one would have, and for a judge."""
    weights = {**DEFAULT_WEIGHTS, **(JUDGE_WEIGHTS if judge else {})}
    if models:
        total = sum(SHARES.get(name, 1.0) for name in models)
        shares = {name: weights["LanguageModel"] * SHARES.get(name, 1.0) / total for name in models}
        unknown = {f"{name}_OOV": weights["LanguageModel_OOV"] / len(models) for name in models}
        weights |= {"LanguageModel": 0.0, "LanguageModel_OOV": 0.0, **shares, **unknown}
    return weights


def read_weights(path: str | Path) -> dict[str, float]:
    """The weights of a file; a bad line gives an InputError that names the file, the line and the feature."""
    with reading(path) as stream:
        text = stream.read()
    try:
        return dict(_core.read_weights(text))
    except InputError as error:
        raise InputError(f"{path}, {error}", error.line) from None


@contextlib.contextmanager
def naming_weights(path: str | Path | None) -> Iterator[None]:
    """Puts the file that weights came from, and the line, into what a model says about their names."""
    try:
        yield
    except ConfigError as error:
        if error.option != "weights" or path is None:
            raise
        what = str(error).removeprefix("weights: ")
        line = next((number for number, name in named_lines(path) if is_quoted(name, what)), 0)
        raise ConfigError(f"{path}, line {line}: {what}", "weights") from None


def is_quoted(name: str, what: str) -> bool:
    """Long names are quoted in part."""
    return f"'{name}'" in what if len(name) <= 20 else f"'{name[:20]}" in what


def named_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    with reading(path) as stream:
        for number, line in enumerate(stream.read().split(b"\n"), 1):
            if words := line.partition(b"#")[0].split():
                yield number, words[0].decode(errors="replace")


def write_weights(path: str | Path, weights: Mapping[str, float]) -> None:
    with writing(path) as stream:
        stream.write("".join(f"{name} {value!r}\n" for name, value in weights.items()).encode())
