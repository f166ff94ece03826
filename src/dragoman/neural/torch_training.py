"""Training with PyTorch: every output layer and way of training, and GPUs.

This module imports no torch; it comes with the extra `neural` and is needed by train_with_torch alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman import _core
from dragoman.config import NlmOptions
from dragoman.neural.core_training import core_trainer, facts_of, report_of, schedule_of, settings_of, write_network
from dragoman.neural.report import Epoch, TrainingReport
from dragoman.neural.shape import Plan, make_plan, threads_for
from dragoman.progress import Progress

# Ids that are no words, and that of the beginning of a sentence, which is never predicted.
RESERVED, BEGIN = 4, 2

if TYPE_CHECKING:
    import torch

    from dragoman.neural.flat_output import FlatOutput
    from dragoman.neural.output import Method
    from dragoman.neural.processes import Heldout
    from dragoman.neural.tree_output import TreeOutput


def train_with_torch(
    text: _core.TrainingText,
    out: Path,
    options: NlmOptions,
    kind: str,
    classes: str | Path | None,
    checkpoint: Path,
    progress: Progress | None,
    on_epoch: Callable[[Epoch], None] | None,
) -> TrainingReport:
    import torch

    from dragoman.neural import processes
    from dragoman.neural.class_layout import lay_out
    from dragoman.neural.class_output import ClassOutput
    from dragoman.neural.direct import DirectFeatures
    from dragoman.neural.export import write_model
    from dragoman.neural.feed import Feed
    from dragoman.neural.network import Network, Output, Shape, initial
    from dragoman.neural.tables import Stored
    from dragoman.neural.trainer import Schedule, Trainer, evaluate, seeded

    together = processes.join(kind == "cuda")
    if not together.first:
        progress = on_epoch = None
    device = torch.device("cuda", together.local_rank) if kind == "cuda" else torch.device("cpu")
    plan = make_plan(options, text.tokens, text.word_count, source=text.reads_source)
    if kind == "cpu":
        torch.set_num_threads(threads_for(plan, options.threads or os.cpu_count() or 1))
    else:
        torch.backends.cuda.matmul.allow_tf32 = True
    window = options.source_window if text.reads_source else 0
    source_size = text.source_word_count + RESERVED if text.reads_source else 0
    shape = Shape(
        options.order, plan.dimension, text.word_count + RESERVED, plan.full, source_size, window,
        plan.initial_deviation, plan.hidden_bias,
    )  # fmt: skip
    feeds = [Feed(stream, options.order, window, device) for stream in (text.train, text.heldout)]
    output: Output
    owner: _core.NetworkTrainer | _core.OtherNetwork
    if options.output == "class":
        owner, of_word = core_trainer(text, options, plan, classes, checkpoint, progress)
        layout = lay_out(*numbers_of(of_word, text))
        chosen = owner.direct_ngrams
        direct = DirectFeatures(chosen, options.order, layout).to(device) if chosen else None
        output = ClassOutput(layout.to(device), method_of(options), direct)
    else:
        output = other_output(text, options, plan, device, progress)
        tables = initial(shape, output, seeded(torch.device("cpu"), options.seed))
        sizes = {name: (table.numel() // table.shape[-1], table.shape[-1]) for name, table in tables.items()}
        settings = settings_of(options, plan)
        owner = _core.OtherNetwork(text, sizes, schedule_of(options, plan), str(checkpoint), settings)
        if not owner.run.resumed:
            Stored(owner.run).start(tables)
    course = owner.run
    if not together.first:
        course.keep_nothing()
    together.wait()
    network = Network(shape, output, {})

    def measure() -> Heldout:
        return owner.measure() if isinstance(owner, _core.NetworkTrainer) else evaluate(network, feeds[1])[0]

    trainer = Trainer(
        network, course, feeds[0], Schedule(plan.epochs, plan.minibatch, options.l2, plan.dropout, options.seed),
        measure, processes=together, progress=progress, on_epoch=on_epoch,
    )  # fmt: skip
    trainer.run()
    if together.first and isinstance(owner, _core.NetworkTrainer):
        write_network(owner, text, out, options, plan)
    elif together.first:
        course.load_best()
        network.parameters, _ = trainer.stored.load(device, plan.full)
        # log Z of held-out text becomes 0 on average, for scores that do without it; probabilities stay as they are.
        network.output.shift(network.parameters, -evaluate(network, feeds[1])[1])
        write_model(out, network, text, options, facts_of(course, text, options, plan))
    parameters = sum(table.numel() for table in network.parameters.values())
    processes.leave()
    return report_of(course, text, plan, parameters, out.stat().st_size if together.first else 0)


def method_of(options: NlmOptions) -> Method:
    from dragoman.neural.output import Method

    return Method(options.training, options.noise_samples, options.shared_noise, options.self_normalisation)


def numbers_of(of_word: bytes, text: _core.TrainingText) -> tuple[Any, Any]:
    import numpy as np

    return np.frombuffer(of_word, np.int32), np.frombuffer(text.counts, np.int64)


def other_output(
    text: _core.TrainingText, options: NlmOptions, plan: Plan, device: torch.device, progress: Progress | None
) -> FlatOutput | TreeOutput:
    import numpy as np

    from dragoman.neural.flat_output import FlatOutput
    from dragoman.neural.tree_output import TreeOutput

    counts = np.frombuffer(text.counts, np.int64)
    if options.output == "flat":
        predicted = np.ones(len(counts), bool)
        predicted[[0, BEGIN]] = False
        return FlatOutput(counts, predicted, method_of(options)).to(device)
    if options.clustering == "frequency":
        tree = _core.huffman_tree(text.counts)
    else:
        tree = text.brown_tree(plan.classes, options.threads or 1, progress)
    return TreeOutput(np.frombuffer(tree, np.int32).reshape(-1, 2), counts).to(device)
