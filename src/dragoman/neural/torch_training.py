"""From tokenized text to nlm.bin with PyTorch: every output layer and way of training, and GPUs.

This module imports no torch; it comes with the extra `neural` and is needed by TorchTraining.run alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.config import NlmOptions
from dragoman.corpus.id_text import Links, Text, encode_links, encode_text
from dragoman.neural.core_training import require_parallel
from dragoman.neural.report import Epoch, TrainingReport
from dragoman.progress import Progress
from dragoman.text_file import read_lines

if TYPE_CHECKING:
    import torch

    from dragoman.neural.network import Output
    from dragoman.neural.shape import Plan
    from dragoman.neural.training_text import Sentences, Stream


class TorchTraining:
    """One run: what is read, planned and built before the loop, and written after it."""

    def __init__(
        self,
        texts: Sequence[Text],
        out: Path,
        options: NlmOptions,
        device: str,
        source: Text | None,
        links: Links | None,
        vocabulary: bytes | None,
        classes: str | Path | None,
        checkpoint: Path,
    ) -> None:
        self.texts, self.out, self.options = texts, out, options
        self.source, self.links = source, links
        self.vocabulary, self.classes = vocabulary, classes
        self.checkpoint = checkpoint
        self.device_kind = device

    def run(self, progress: Progress | None, on_epoch: Callable[[Epoch], None] | None) -> TrainingReport:
        import torch

        from dragoman.neural import processes
        from dragoman.neural.checkpoint import fingerprint
        from dragoman.neural.export import write_model
        from dragoman.neural.network import Network, Shape
        from dragoman.neural.shape import make_plan, threads_for
        from dragoman.neural.trainer import Feed, Schedule, Trainer, seeded
        from dragoman.neural.training_text import affiliations, hold_out, read_sentences, stream

        options = self.options
        together = processes.join(self.device_kind == "cuda")
        device = torch.device(self.device_kind, together.local_rank if self.device_kind == "cuda" else 0)
        if self.device_kind == "cpu":
            device = torch.device("cpu")
        else:
            torch.backends.cuda.matmul.allow_tf32 = True
        with_source = self.source is not None
        min_count = options.min_count or (2 if with_source else 1)
        texts = [encode_text(text) for text in self.texts]
        target = read_sentences(*texts, min_count=min_count, max_words=options.max_words, vocabulary=self.vocabulary)
        other = affiliated = None
        if self.source is not None and self.links is not None:
            source = encode_text(self.source)
            require_parallel(source, texts[0])
            other = read_sentences(source, min_count=min_count, max_words=options.max_words)
            affiliated = affiliations(encode_links(self.links, source, texts[0]), source, texts[0])
        del texts
        kept, held = hold_out(len(target), options.heldout, options.seed)
        window = options.source_window if with_source else 0
        train_text = stream(target, kept, options.order, other, affiliated, window)
        heldout_text = stream(target, held, options.order, other, affiliated, window)
        plan = make_plan(options, train_text.tokens, len(target.words), source=with_source)
        if self.device_kind == "cpu":
            torch.set_num_threads(threads_for(plan, options.threads or os.cpu_count() or 1))
        output = self.output_layer(plan, target, train_text, device)
        shape = Shape(
            options.order,
            plan.dimension,
            target.size,
            plan.full,
            other.size if other is not None else 0,
            window,
            plan.initial_deviation,
            plan.hidden_bias,
        )
        network = Network(shape, output, seeded(torch.device("cpu"), options.seed)).to(device)
        settings = {**asdict(options), **asdict(plan)}
        for name in ("device", "threads", "checkpoint_seconds"):
            settings.pop(name)
        class_file = None if self.classes is None else Path(self.classes).read_bytes()
        trainer = Trainer(
            network,
            Feed(train_text, options.order, window, device, network.direct_contexts(train_text)),
            Feed(heldout_text, options.order, window, device, network.direct_contexts(heldout_text)),
            Schedule(
                plan.epochs,
                plan.minibatch,
                plan.learning_rate,
                options.l2,
                plan.dropout,
                options.patience,
                options.seed,
                options.checkpoint_seconds,
            ),
            checkpoint_path=self.checkpoint,
            fingerprint=fingerprint(settings, train_text.ids, train_text.source_ids, train_text.centres, class_file),
            processes=together,
            progress=progress if together.first else None,
            on_epoch=on_epoch if together.first else None,
        )
        state = trainer.run()
        written = 0
        if together.first:
            # The file must come out the same for the same text and options: no times in it.
            facts = {
                "options": asdict(options),
                "tokens": train_text.tokens,
                "heldout_perplexity": state.best,
                "best_epoch": state.best_epoch + 1,
                "plan": asdict(plan),
            }
            write_model(
                self.out,
                network,
                target.words,
                other.words if other is not None else None,
                output=options.output,
                normalised=normalisation(options),
                info=facts,
                input_precision=options.input_precision,
                output_precision=options.output_precision,
                direct_bits=options.direct_bits,
            )
            written = self.out.stat().st_size
        processes.leave()
        return TrainingReport(
            words=len(target.words),
            source_words=len(other.words) if other is not None else 0,
            tokens=train_text.tokens,
            heldout_tokens=heldout_text.tokens,
            heldout_perplexity=state.best,
            epochs=state.epoch,
            best_epoch=state.best_epoch + 1,
            history=state.history,
            seconds=state.seconds,
            tokens_per_second=train_text.tokens * state.epoch / max(1e-9, state.seconds),
            parameters=sum(tensor.numel() for tensor in network.parameters.values()),
            plan=plan,
            bytes=written,
        )

    def output_layer(self, plan: Plan, target: Sentences, train_text: Stream, device: torch.device) -> Output:
        from dragoman.neural import classes
        from dragoman.neural.class_layout import lay_out
        from dragoman.neural.class_output import ClassOutput
        from dragoman.neural.direct import DirectFeatures, choose
        from dragoman.neural.flat_output import FlatOutput
        from dragoman.neural.output import Method
        from dragoman.neural.tree_output import TreeOutput

        options = self.options
        method = Method(options.training, options.noise_samples, options.shared_noise, options.self_normalisation)
        if options.output == "tree":
            by_frequency = options.clustering == "frequency"
            tree = classes.huffman(target.counts) if by_frequency else classes.brown_tree(target, plan.classes)
            return TreeOutput(tree, target.counts).to(device)
        if options.output == "flat":
            return FlatOutput(target.counts, classes.predicted(target.size), method).to(device)
        if self.classes is not None:
            of_word = classes.from_lines(read_lines(str(self.classes)), target.words, str(self.classes))
        elif options.clustering == "frequency":
            of_word = classes.frequency(target.counts, plan.classes)
        else:
            of_word = classes.brown(target, plan.classes, options.threads)
        layout = lay_out(of_word, target.counts)
        direct = None
        if options.direct_ngrams:
            direct = DirectFeatures(choose(train_text, options.order, target.size, options.direct_ngrams), layout)
            direct.to(device)
        return ClassOutput(layout.to(device), method, direct)


def normalisation(options: NlmOptions) -> str:
    """How the model is to be asked: a layer trained to need no normaliser is not given one."""
    if options.output == "flat":
        return "none" if options.training == "nce" or options.self_normalisation else "exact"
    return "exact"
