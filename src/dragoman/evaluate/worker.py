"""Translates a test set in a process of its own, so that time and memory are the translator's and nothing else's."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from dragoman.child.channel import Channel
from dragoman.config import DecodeOptions
from dragoman.memory_sampler import MemorySampler
from dragoman.process_memory import mapped_bytes, peak_resident_bytes
from dragoman.translator import Translator

# What a process is told to call.
TRANSLATE_LINES = f"{__name__}:translate_lines"


@dataclass(frozen=True, slots=True)
class TranslateRequest:
    """`weights` are the model's own unless they are given."""

    model: str
    weights: dict[str, float] | None
    decode: DecodeOptions
    threads: int
    lines: list[str]


@dataclass(frozen=True, slots=True)
class MeasuredLine:
    """A line translated on one thread."""

    text: str
    milliseconds: float
    source_words: int
    unknown_words: int
    narrowed: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Of all lines together; memory in bytes, None where the system does not tell."""

    seconds: float
    cpu_seconds: float
    mapped: int | None
    peak_anonymous: int | None
    peak_resident: int


def translate_lines(request: TranslateRequest, channel: Channel) -> Totals:
    """Gives each line back, a MeasuredLine, as soon as it and those before it are done."""
    with MemorySampler() as memory:
        translator = Translator.load(request.model, weights=request.weights)
        wall, cpu = time.perf_counter(), time.process_time()
        with ThreadPoolExecutor(request.threads) as pool:
            for line in pool.map(lambda text: measured(translator, text, request.decode), request.lines):
                channel.row(line)
        seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
        mapped = mapped_bytes(request.model)
    return Totals(seconds, cpu_seconds, mapped, memory.peak_anonymous, peak_resident_bytes())


def measured(translator: Translator, text: str, options: DecodeOptions) -> MeasuredLine:
    begin = time.perf_counter()
    translation = translator.translate(text, options)
    milliseconds = 1000 * (time.perf_counter() - begin)
    return MeasuredLine(
        translation.text,
        milliseconds,
        source_words=sum(len(sentence.source_tokens) for sentence in translation.sentences),
        unknown_words=sum(len(sentence.oov) for sentence in translation.sentences),
        narrowed=sum(sentence.narrowed for sentence in translation.sentences),
    )
