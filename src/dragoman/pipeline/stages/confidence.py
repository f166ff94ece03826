"""confidence: how far to trust a translation, learned from held-out text that the weights were not tuned on."""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass

from dragoman.confidence.measurement import ConfidenceReport
from dragoman.confidence.training import LEAST_SENTENCES, SeenTextError, learn_confidence
from dragoman.config import DecodeOptions
from dragoman.files import link_file
from dragoman.model.manifest import MANIFEST
from dragoman.pipeline.stage import Request
from dragoman.pipeline.stages.tune import source_language, within_words
from dragoman.text_file import read_lines


@dataclass(frozen=True, slots=True)
class ConfidenceOptions:
    """The first `tuned_words` of the set were tuned on; at most `max_words` are learned from."""

    decode: DecodeOptions
    tuned_words: int
    max_words: int


@dataclass(frozen=True, slots=True)
class ConfidenceLearned:
    """`learned` is what confidence.json says of itself; None where the set was trained on, and there is none."""

    learned: ConfidenceReport | None
    sentences: int


def run(request: Request[ConfidenceOptions]) -> ConfidenceLearned:
    """Writes confidence.json, or nothing where there is too little text."""
    source, target = read_lines(request.input("source")), read_lines(request.input("target"))
    language = source_language(request.input("model"))
    tuned = set(within_words(source, request.options.tuned_words, language))
    rest = [at for at in range(len(source)) if at not in tuned]
    if len(rest) < LEAST_SENTENCES:
        rest = list(range(len(source)))
    chosen = [rest[at] for at in within_words([source[at] for at in rest], request.options.max_words, language)]
    if len(chosen) < LEAST_SENTENCES:
        chosen = rest[:: max(1, len(rest) // LEAST_SENTENCES)]
    # The model as it will be: what is learned is void with other weights.
    model = request.out / "model"
    model.mkdir()
    for path in request.input("model").iterdir():
        source_path = request.input("weights") if path.name == "weights.txt" and request.has("weights") else path
        if path.name in ("weights.txt", MANIFEST):
            shutil.copyfile(source_path, model / path.name)
        else:
            link_file(source_path, model / path.name)
    learned: ConfidenceReport | None = None
    with contextlib.suppress(SeenTextError):
        learned = learn_confidence(
            model,
            [source[at] for at in chosen],
            [target[at] for at in chosen],
            request.options.decode,
            threads=request.threads,
            progress=request.progress,
            scratch=request.scratch,
        )
        (model / "confidence.json").replace(request.out / "confidence.json")
    shutil.rmtree(model)
    return ConfidenceLearned(learned, len(chosen))
