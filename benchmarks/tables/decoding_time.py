"""Thesis, tables 4.5 and 4.9: time to translate with one language model alone, by its output layer and contexts.

The same search and rules for all; a network is asked exactly, or without normalisers, by the weights that were tuned
for the former.
"""

from __future__ import annotations

import tempfile
import time
from functools import partial
from itertools import pairwise
from pathlib import Path

from benchmarks.harness.table import Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.nlm_decode import opened
from benchmarks.thesis_systems import FRENCH, FRENCH_TEXTS, thesis_system
from benchmarks.trained import TrainedModel, scores_of
from dragoman.neural.language_model import NeuralLanguageModel

# Seconds a sentence.
THESIS = {"ngrams": 1.64, "unnormalised": 3.31, "class": 42.22, "tree": 18.82, "class-full": 195.74,
          "unnormalised-full": 167.45}  # fmt: skip
NAMES = {
    "ngrams": "n-grams",
    "unnormalised": "classes, no normalisers",
    "class": "classes",
    "tree": "tree",
    "class-full": "classes, full contexts",
    "unnormalised-full": "full contexts, no normalisers",
}
# What is claimed to take longer and longer, and what chance moves a time by.
ORDER = ("unnormalised", "tree", "class", "class-full")
CHANCE = 0.1


def timed(model: TrainedModel, file: str, normalisation: str, sentences: int, baseline: TrainedModel) -> Values:
    """Milliseconds a sentence, the n-gram system's in turns with it, as both vary with what else the machine does."""
    sources = model.lines("test", model.languages[0])[:sentences]
    references = model.references()[:sentences]
    with tempfile.TemporaryDirectory() as folder:
        path = model.model / file
        if normalisation:
            path = Path(folder) / file
            NeuralLanguageModel(model.model / file).write_requantised(path, normalisation=normalisation)
        translator = opened(model.model, {file: path}, str(model.model / "weights.txt"))
        other = baseline.translator()
        seconds, other_seconds, lines = 0.0, 0.0, []
        for begin in range(0, len(sources), 50):
            part = sources[begin : begin + 50]
            start = time.process_time()
            lines += [result.text for result in translator.translate(part, threads=1)]
            middle = time.process_time()
            other.translate(part, threads=1)
            seconds += middle - start
            other_seconds += time.process_time() - middle
    bleu = scores_of(lines, references)["bleu_lc"]
    return {"ms": 1000 * seconds / len(sources), "times": seconds / other_seconds, "bleu_lc": bleu}


def rows(setting: Setting) -> list[Row]:
    sentences = setting.either(quick=300, full=1000)
    baseline = thesis_system(setting, "fr-en", "ngram")
    models = {
        "class": thesis_system(setting, "fr-en", "neural"),
        "tree": thesis_system(setting, "fr-en", "neural", stages={"neural_lm": {"output": "tree"}}),
        "full": thesis_system(setting, "fr-en", "neural", stages={"neural_lm": {"contexts": "full"}}),
    }
    listed = [
        ("ngrams", baseline, "lm.bin", ""),
        ("unnormalised", models["class"], "nlm.bin", "none"),
        ("class", models["class"], "nlm.bin", "exact"),
        ("tree", models["tree"], "nlm.bin", ""),
        ("class-full", models["full"], "nlm.bin", "exact"),
        ("unnormalised-full", models["full"], "nlm.bin", "none"),
    ]
    return [
        Row(
            name,
            NAMES[name],
            partial(timed, model, file, normalisation, sentences, baseline),
            [baseline, model],
            {"ms": 1000 * THESIS[name], "times": THESIS[name] / THESIS["ngrams"]},
        )
        for name, model, file, normalisation in listed
    ]


def finding(rows: Rows) -> Finding:
    """Each step of the order is to be larger than chance; one step the other way refutes it."""
    times = {name: float(row["times"] or 0) for name, row in rows.items()}
    steps = [times[later] / times[name] for name, later in pairwise(ORDER)]
    verdict = Verdict.UNDECIDED
    if min(steps) > 1 + CHANCE:
        verdict = Verdict.CONFIRMED
    elif min(steps) < 1 - CHANCE:
        verdict = Verdict.REFUTED
    told = ", ".join(f"{NAMES[name]} {times[name]:.2f}" for name in ORDER)
    return Finding(
        verdict,
        f"Of the n-gram system's time: {told}; in the thesis 2.0, 11, 26 and 119. Times within a tenth are taken for "
        "equal.",
    )


TABLE = Table(
    name="decoding-time",
    title="Time of decoding by kind of network",
    claim="Networks slow decoding down: least without normalisers, then trees, classes, and most with full contexts.",
    claimed_by="Thesis, tables 4.5 and 4.9",
    columns=[
        Column("ms", "ms a sentence", 1, "low"),
        Column("times", "of the n-gram system", 2, "low"),
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
    ],
    rows=rows,
    corpora=FRENCH,
    finding=finding,
    texts=FRENCH_TEXTS,
    caveat="Trees and classes have as many numbers a word here as the text suggests, not the thesis' 500.",
)
