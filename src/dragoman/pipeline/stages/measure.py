"""measure: how fast the model translates, in how much memory, and what it makes of a few sentences.

Memory is what the budget is about: the bytes of the model's files that are mapped, and the peak of anonymous memory,
interpreter included. This process does nothing but load the model and translate, one sentence at a time on one thread.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.config import DecodeOptions
from dragoman.evaluate.speed import percentile
from dragoman.memory_sampler import MemorySampler
from dragoman.pipeline.stage import Request
from dragoman.process_memory import mapped_bytes
from dragoman.text_file import read_lines
from dragoman.translator import Translator

SAMPLES = 3
SAMPLE_CHARACTERS = range(25, 120)


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """So many `sentences` are translated, evenly spread over the text."""

    decode: DecodeOptions
    sentences: int


@dataclass(frozen=True, slots=True)
class TranslationSample:
    source: str
    translation: str
    reference: str


@dataclass(frozen=True, slots=True)
class Measured:
    """Memory is None where the system does not tell."""

    sentences: int
    milliseconds_p50: float
    milliseconds_p95: float
    words_per_second: float
    mapped_bytes: int | None
    anonymous_bytes: int | None
    samples: list[TranslationSample]


def run(request: Request[MeasureOptions]) -> Measured:
    """Leaves no file."""
    model = request.input("model")
    lines = read_lines(request.input("source"))
    references = read_lines(request.input("target"))
    chosen = spread(range(len(lines)), request.options.sentences)
    weights = request.input("weights") if request.has("weights") else None
    outputs: list[str] = []
    words = 0
    milliseconds: list[float] = []
    with MemorySampler() as memory:
        translator = Translator.load(model, weights=weights)
        for at in chosen:
            begin = time.perf_counter()
            translation = translator.translate(lines[at], request.options.decode)
            milliseconds.append(1000 * (time.perf_counter() - begin))
            outputs.append(translation.text)
            words += sum(len(sentence.source_tokens) for sentence in translation.sentences)
            request.progress(len(outputs), len(chosen))
        mapped = mapped_bytes(model)
    seconds = max(sum(milliseconds) / 1000, 1e-9)
    readable = [place for place, at in enumerate(chosen) if len(lines[at]) in SAMPLE_CHARACTERS]
    return Measured(
        sentences=len(chosen),
        milliseconds_p50=round(percentile(milliseconds, 50), 2),
        milliseconds_p95=round(percentile(milliseconds, 95), 2),
        words_per_second=round(words / seconds, 1),
        mapped_bytes=mapped,
        anonymous_bytes=memory.peak_anonymous,
        samples=[
            TranslationSample(lines[chosen[place]], outputs[place], references[chosen[place]])
            for place in spread(readable or range(len(chosen)), SAMPLES)
        ],
    )


def spread(items: Sequence[int], count: int) -> list[int]:
    """At most `count` of the items, evenly spread."""
    if len(items) <= count:
        return list(items)
    return [items[i * len(items) // count] for i in range(count)]
