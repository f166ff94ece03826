"""Training in the core, on processors, without PyTorch: class-factored networks, which are what `dragoman train` makes.

Text goes from numbered corpora into the core and stays there; Python sees how many words there are, and rows of a
report.
"""

from __future__ import annotations

import array
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.config import NlmOptions
from dragoman.corpus.id_text import Links, Text, encode_links, encode_text
from dragoman.errors import InputError
from dragoman.neural.report import Epoch, TrainingReport
from dragoman.neural.shape import Plan, make_plan
from dragoman.neural.word_classes import class_numbers
from dragoman.progress import Progress
from dragoman.text_file import read_lines

# What changes nothing about the result, and so may differ when a run goes on.
UNIMPORTANT = ("device", "threads", "checkpoint_seconds")


def covers(options: NlmOptions) -> bool:
    """Whether the core can train such a network."""
    return options.output == "class"


def require_parallel(source: _core.IdText, target: _core.IdText) -> None:
    if target.sentences != source.sentences:
        raise InputError(
            f"the source has {source.sentences:,} lines and the text {target.sentences:,};"
            " they must be the two sides of one text"
        )


def read_text(
    texts: Sequence[Text],
    options: NlmOptions,
    source: Text | None,
    links: Links | None,
    vocabulary: bytes | None,
    scratch: _core.ScratchSpace | None,
) -> _core.TrainingText:
    encoded = [encode_text(text) for text in texts]
    other = encode_text(source) if source is not None and links is not None else None
    if other is not None:
        require_parallel(other, encoded[0])
    return _core.TrainingText(
        lm_text(encoded, vocabulary, scratch),
        max_words=options.max_words,
        min_count=options.min_count or (1 if source is None else 2),
        heldout=options.heldout,
        seed=options.seed,
        source=lm_text([other], None, scratch) if other is not None else None,
        links=encode_links(links, other, encoded[0]) if other is not None and links is not None else None,
        source_text=other,
        target_text=encoded[0],
    )


def lm_text(
    texts: Sequence[_core.IdText], vocabulary: bytes | None, scratch: _core.ScratchSpace | None
) -> _core.LmText:
    joined = _core.LmText(scratch=scratch)
    if vocabulary is not None:
        joined.limit_to(vocabulary)
    for text in texts:
        joined.add(text)
    return joined


def classes_of(
    text: _core.TrainingText, plan: Plan, options: NlmOptions, given: str | Path | None, progress: Progress | None
) -> bytes:
    """The class of every id, by falling size. Clustering tells how many words of the vocabulary it has seen."""
    if given is not None:
        of_words = array.array("i", class_numbers(read_lines(str(given)), text.words, str(given))).tobytes()
    elif options.clustering == "frequency":
        of_words = text.frequency_classes(plan.classes)
    else:
        of_words = text.brown_classes(plan.classes, options.threads, progress)
    return _core.classes_by_size(of_words)


def settings_of(options: NlmOptions, plan: Plan, **more: str) -> str:
    """What a checkpoint must agree with."""
    chosen = {name: value for name, value in {**asdict(options), **asdict(plan)}.items() if name not in UNIMPORTANT}
    return json.dumps({**chosen, **more}, sort_keys=True)


def schedule_of(options: NlmOptions, plan: Plan) -> dict[str, Any]:
    return {
        "epochs": plan.epochs,
        "minibatch": plan.minibatch,
        "patience": options.patience,
        "learning_rate": plan.learning_rate,
        "seed": options.seed,
        "checkpoint_seconds": options.checkpoint_seconds,
    }


def core_trainer(
    text: _core.TrainingText,
    options: NlmOptions,
    plan: Plan,
    classes: str | Path | None,
    checkpoint: Path,
    progress: Progress | None = None,
) -> tuple[_core.NetworkTrainer, bytes]:
    """The trainer, and the class of every word."""
    class_of_word = classes_of(text, plan, options, classes, progress)
    trainer = _core.NetworkTrainer(
        text,
        class_of_word,
        {
            **schedule_of(options, plan),
            "order": options.order,
            "dimension": plan.dimension,
            "full": plan.full,
            "hidden_bias": plan.hidden_bias,
            "source_window": options.source_window if text.reads_source else 0,
            "initial_deviation": plan.initial_deviation,
            "noise_samples": options.noise_samples if options.training == "nce" else 0,
            "shared_noise": options.shared_noise,
            "direct_ngrams": options.direct_ngrams,
            "l2": options.l2,
            "dropout": plan.dropout,
            "self_normalisation": options.self_normalisation,
            "threads": options.threads,
        },
        str(checkpoint),
        settings_of(options, plan, of_words=hashlib.sha256(class_of_word).hexdigest()),
    )
    return trainer, class_of_word


def train_in_core(
    text: _core.TrainingText,
    out: Path,
    options: NlmOptions,
    classes: str | Path | None,
    checkpoint: Path,
    progress: Progress | None,
    on_epoch: Callable[[Epoch], None] | None,
) -> TrainingReport:
    plan = make_plan(options, text.tokens, text.word_count, source=text.reads_source)
    trainer, _ = core_trainer(text, options, plan, classes, checkpoint, progress)
    while not trainer.run.finished:
        row = Epoch(**trainer.run_epoch(progress))
        if on_epoch is not None:
            on_epoch(row)
    write_network(trainer, text, out, options, plan)
    return report_of(trainer.run, text, plan, trainer.parameters, out.stat().st_size)


def facts_of(course: _core.TrainingRun, text: _core.TrainingText, options: NlmOptions, plan: Plan) -> dict[str, Any]:
    """What a file says of itself. It must come out the same for the same text and options: no times in it."""
    return {
        "options": {name: value for name, value in asdict(options).items() if name not in UNIMPORTANT},
        "tokens": text.tokens,
        "heldout_perplexity": course.best_perplexity,
        "best_epoch": course.best_epoch,
        "plan": asdict(plan),
    }


def write_network(
    trainer: _core.NetworkTrainer, text: _core.TrainingText, out: Path, options: NlmOptions, plan: Plan
) -> None:
    facts = json.dumps(facts_of(trainer.run, text, options, plan))
    trainer.write(str(out), options.input_precision, options.output_precision, options.direct_bits, facts)


def report_of(
    course: _core.TrainingRun, text: _core.TrainingText, plan: Plan, parameters: int, written: int
) -> TrainingReport:
    history = [Epoch(**row) for row in course.history]
    return TrainingReport(
        words=text.word_count,
        source_words=text.source_word_count,
        tokens=text.tokens,
        heldout_tokens=text.heldout_tokens,
        heldout_perplexity=course.best_perplexity,
        epochs=len(history),
        best_epoch=course.best_epoch,
        history=history,
        seconds=course.seconds,
        tokens_per_second=text.tokens * len(history) / max(1e-9, course.seconds),
        parameters=parameters,
        plan=plan,
        bytes=written,
    )
