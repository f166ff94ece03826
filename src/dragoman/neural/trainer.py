"""The training loop: steps of autograd and AdaGrad in the course that the core keeps (core/nlm/training_run.h).

The core has the text and its order, the rate, the checkpoints and the weights of the best epoch, so that a run which
one of the two trainers began goes on with the other. Noise and dropout are drawn from (seed, step).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from dragoman import _core
from dragoman.neural.feed import Feed
from dragoman.neural.network import Network
from dragoman.neural.processes import Heldout, Processes
from dragoman.neural.report import Epoch
from dragoman.neural.tables import AdaGrad, Stored
from dragoman.progress import Progress

SCORED_AT_ONCE = 8192
CHECK_STEPS = 50  # between looks at the loss, each of which makes a GPU wait


@dataclass(frozen=True, slots=True)
class Schedule:
    """What the course of a run does not say."""

    epochs: int
    minibatch: int
    l2: float
    dropout: float
    seed: int


def seeded(device: torch.device, *numbers: int) -> torch.Generator:
    """A generator that depends on all of the numbers."""
    mixed = np.random.SeedSequence(numbers).generate_state(2, np.uint32)
    return torch.Generator(device).manual_seed(int(mixed[0]) << 31 ^ int(mixed[1]))


class Trainer:
    def __init__(
        self,
        network: Network,
        course: _core.TrainingRun,
        train: Feed,
        schedule: Schedule,
        measure: Callable[[], Heldout],
        *,
        processes: Processes | None = None,
        progress: Progress | None = None,
        on_epoch: Callable[[Epoch], None] | None = None,
    ) -> None:
        """`measure` says what held-out text has of the weights, which lie in the tables of the course by then."""
        self.network, self.course, self.feed, self.schedule = network, course, train, schedule
        self.measure = measure
        self.processes = processes or Processes()
        self.progress, self.on_epoch = progress, on_epoch
        self.device = train.ids.device
        self.stored = Stored(course)
        network.parameters, squares = self.stored.load(self.device, network.shape.full)
        self.optimizer = AdaGrad(network.parameters, squares, schedule.l2 / schedule.minibatch)

    def run(self) -> None:
        """Until the planned epochs are over or held-out perplexity stops falling."""
        while not self.course.finished:
            self.epoch()

    def store(self) -> None:
        self.stored.save(self.network.parameters, self.optimizer.squares)

    def epoch(self) -> None:
        course, total = self.course, len(self.feed.positions)
        walk, steps = _core.TrainingWalk(course), course.steps
        loss = torch.zeros((), dtype=torch.float64, device=self.device)
        while positions := walk.next():
            number = course.number
            loss += self.minibatch(torch.frombuffer(bytearray(positions), dtype=torch.int64).to(self.device), number)
            done = number % steps + 1
            if done % CHECK_STEPS and done < steps:
                walk.advance(0.0)
                continue
            walk.advance(float(self.processes.total(loss)))
            loss.zero_()
            if self.progress is not None:
                seen = number // steps * total + min(total, done * self.schedule.minibatch)
                self.progress(seen, self.schedule.epochs * total)
            if course.is_due:
                self.store()
                course.save()
        course.end_epoch()
        self.store()
        row = Epoch(**course.finish_epoch(*self.processes.agreed(self.measure)))
        if self.on_epoch is not None:
            self.on_epoch(row)

    def minibatch(self, chosen: Tensor, number: int) -> Tensor:
        processes = self.processes
        generator = seeded(self.device, self.schedule.seed, 1, number, processes.rank)
        batch = self.feed.batch(processes.share(chosen))
        loss, gradients = self.network.step(batch, 1 / len(chosen), self.schedule.dropout, generator)
        self.optimizer.step(processes.sum(gradients, self.network.parameters), self.course.rate)
        return loss.double()


def evaluate(network: Network, feed: Feed) -> tuple[Heldout, Tensor]:
    """Of held-out text; and the mean log Z of each factor, where it is more than one word."""
    total = squares = normalisers = 0.0
    factor_totals = factor_counts = torch.zeros((), device=feed.ids.device)
    for positions in torch.split(feed.positions, SCORED_AT_ONCE):
        log_prob, log_normaliser = network.log_probs(feed.batch(positions))
        total += float(log_prob.double().sum())
        factor_totals = factor_totals + log_normaliser.sum(0)
        factor_counts = factor_counts + (log_normaliser != 0).sum(0)
        log_normaliser = log_normaliser.double().sum(1)
        normalisers += float(log_normaliser.sum())
        squares += float(log_normaliser.square().sum())
    count = max(1, len(feed.positions))
    mean = normalisers / count
    perplexity = math.exp(min(700.0, -total / count))
    deviation = math.sqrt(max(0.0, squares / count - mean * mean))
    return (perplexity, mean, deviation), factor_totals / factor_counts.clamp(min=1)
