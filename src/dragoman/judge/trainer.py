"""The training loop of a judge: AdamW, a rate that rises and falls, averaged weights, early stopping, checkpoints.

The averaged weights of the epoch with the lowest held-out loss are the result. Everything random is drawn from the seed
and the epoch, and a checkpoint stands at the end of each, so a run that was killed ends as if it had not been.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from dragoman.errors import DragomanError
from dragoman.judge import checkpoint
from dragoman.judge.ahead import made_ahead
from dragoman.judge.batches import Batch, Batches
from dragoman.judge.network import Network
from dragoman.judge.report import Epoch
from dragoman.judge.shape import Schedule, warm_up_steps
from dragoman.neural.trainer import seeded
from dragoman.progress import Progress

BETAS = (0.9, 0.98)
WEIGHT_DECAY = 1e-3
LABEL_SMOOTHING = 0.1
LONGEST_GRADIENT = 1.0
LAST_RATE = 0.02  # of the learning rate, at the end
# Steps between two looks at the loss, each of which makes a GPU wait, and between two additions to the average.
CHECK_STEPS = 50
AVERAGE_STEPS = 10
# How much of the training the average looks back on.
AVERAGED_SHARE = 0.1
# Steps that say how fast this machine is, the first of which it takes to get ready; how often somebody looks at the
# clock, and the share of the time after which that is enough.
TRIED_STEPS, READY_STEPS, LOOK_STEPS = 80, 30, 5
TRIED_SHARE = 0.05


@dataclass(slots=True)
class State:
    """How far a run is, of `epochs` at most; 0 as long as nobody has said how many."""

    epochs: int
    epoch: int = 0
    best: float = math.inf
    best_epoch: int = -1
    history: list[Epoch] = field(default_factory=list)
    seconds: float = 0.0


class Trainer:
    def __init__(
        self,
        network: Network,
        train: Batches,
        heldout: Batches,
        schedule: Schedule,
        *,
        patience: int,
        seconds: float,
        seed: int,
        device: torch.device,
        checkpoint_path: Path,
        fingerprint: str,
        progress: Progress | None = None,
        on_epoch: Callable[[Epoch], None] | None = None,
    ) -> None:
        self.network = network.to(device)
        self.averaged = copy.deepcopy(self.network).eval()
        self.best = self.averaged.state_dict()
        self.train_batches, self.heldout_batches = train, heldout
        self.schedule, self.patience, self.seconds = schedule, patience, seconds
        self.seed, self.device = seed, device
        self.checkpoint_path, self.fingerprint = checkpoint_path, fingerprint
        self.progress, self.on_epoch = progress, on_epoch
        self.optimizer = torch.optim.AdamW(
            network.parameters(), schedule.learning_rate, BETAS, weight_decay=WEIGHT_DECAY, fused=device.type == "cuda"
        )
        self.weights = list(zip(self.averaged.parameters(), self.network.parameters(), strict=True))
        self.state = State(0 if seconds else schedule.epochs)

    @property
    def steps(self) -> int:
        return len(self.train_batches) * self.state.epochs

    def run(self) -> State:
        """Afterwards `best` has the weights."""
        self.resume()
        if not self.state.epochs:
            affordable = int(self.seconds / max(1e-6, self.epoch_seconds()))
            self.state.epochs = max(1, min(self.schedule.epochs, affordable))
        while not self.finished():
            self.epoch()
        return self.state

    def finished(self) -> bool:
        state = self.state
        return state.epoch >= state.epochs or state.epoch - 1 - state.best_epoch >= self.patience

    def epoch_seconds(self) -> float:
        """What an epoch takes on this machine, by its first steps, of which nothing is kept."""
        trial = Trainer(
            copy.deepcopy(self.network),
            self.train_batches,
            self.heldout_batches,
            self.schedule,
            patience=self.patience,
            seconds=0,
            seed=self.seed,
            device=self.device,
            checkpoint_path=self.checkpoint_path,
            fingerprint=self.fingerprint,
        )
        trial.network.train()
        begun = started = time.monotonic()
        counted = 0
        loss = torch.zeros(())
        tried = islice(self.fetched(self.train_batches.shuffled(self.seed, 0)), TRIED_STEPS)
        for step, batch in enumerate(tried, 1):
            loss = trial.step(batch, step)
            counted += 1
            if step % LOOK_STEPS == 0:
                # What has been asked of a GPU is done when somebody looks at it.
                self.require_finite(loss)
                now = time.monotonic()
                if now - begun > TRIED_SHARE * self.seconds:
                    break
                if step <= READY_STEPS:
                    started, counted = now, 0
        self.require_finite(loss)
        return (time.monotonic() - started) / max(1, counted) * len(self.train_batches)

    def epoch(self) -> None:
        started, state = time.monotonic(), self.state
        # Dropout draws from PyTorch's own generators.
        torch.manual_seed(seeded(torch.device("cpu"), self.seed, state.epoch).initial_seed())
        self.network.train()
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        step = state.epoch * len(self.train_batches)
        for batch in self.fetched(self.train_batches.shuffled(self.seed, state.epoch)):
            total += self.step(batch, step)
            step += 1
            if step % AVERAGE_STEPS == 0:
                self.average(step)
            if step % CHECK_STEPS == 0:
                self.require_finite(total)
                if self.progress is not None:
                    self.progress(step, self.steps)
        self.require_finite(total)
        heldout = self.heldout_loss()
        state.seconds += time.monotonic() - started
        self.finish_epoch(float(total) / max(1, len(self.train_batches)), heldout)

    def fetched(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """On the device. A GPU finds the next ones made while it works."""
        if self.device.type == "cuda":
            batches = made_ahead(batch.pinned() for batch in batches)
        return (batch.to(self.device) for batch in batches)

    def step(self, batch: Batch, number: int) -> Tensor:
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(number)
        with self.precision():
            logits, words = self.network(batch)
            loss = functional.cross_entropy(logits.float(), words, label_smoothing=LABEL_SMOOTHING)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LONGEST_GRADIENT)
        self.optimizer.step()
        return loss.detach().double()

    def rate(self, step: int) -> float:
        """Rises in a straight line, then falls along a cosine."""
        risen = min(1.0, (step + 1) / warm_up_steps(self.steps))
        fallen = 0.5 * (1 + math.cos(math.pi * step / self.steps))
        return self.schedule.learning_rate * risen * (LAST_RATE + (1 - LAST_RATE) * fallen)

    def precision(self) -> torch.autocast:
        """Half the bits on GPUs that have such numbers."""
        half = self.device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=half)

    def average(self, step: int) -> None:
        """Moves the averaged weights; at first the average looks back on a quarter of what there has been."""
        back = max(1.0, min(step / 4, AVERAGED_SHARE * self.steps) / AVERAGE_STEPS)
        means, weights = zip(*self.weights, strict=True)
        with torch.no_grad():
            torch._foreach_lerp_(means, weights, 1 / back)

    @torch.no_grad()
    def heldout_loss(self) -> float:
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        count = 0
        for batch in self.fetched(self.heldout_batches.in_order()):
            with self.precision():
                logits, words = self.averaged(batch)
            total += functional.cross_entropy(logits.float(), words, reduction="sum").double()
            count += len(words)
        return float(total) / max(1, count)

    def finish_epoch(self, training_loss: float, heldout_loss: float) -> None:
        state = self.state
        row = Epoch(state.epoch + 1, training_loss, heldout_loss, state.seconds)
        state.history.append(row)
        if heldout_loss < state.best:
            state.best, state.best_epoch = heldout_loss, state.epoch
            self.best = {name: tensor.clone() for name, tensor in self.averaged.state_dict().items()}
        state.epoch += 1
        self.save()
        if self.on_epoch is not None:
            self.on_epoch(row)

    def save(self) -> None:
        content = {
            "state": asdict(self.state),
            "network": self.network.state_dict(),
            "averaged": self.averaged.state_dict(),
            "best": self.best,
            "optimizer": self.optimizer.state_dict(),
        }
        checkpoint.write(self.checkpoint_path, self.fingerprint, content)

    def resume(self) -> None:
        if not self.checkpoint_path.exists():
            return
        content = checkpoint.read(self.checkpoint_path, self.fingerprint)
        self.state = State(**content["state"])
        self.state.history = [Epoch(**row) for row in content["state"]["history"]]
        self.network.load_state_dict(content["network"])
        self.averaged.load_state_dict(content["averaged"])
        self.best = content["best"]
        self.optimizer.load_state_dict(content["optimizer"])

    def require_finite(self, loss: Tensor) -> None:
        if not torch.isfinite(loss):
            raise DragomanError(
                "training the judge diverged: its loss is no longer a number; lower judge_network.learning_rate (it"
                f" was {self.schedule.learning_rate:g})"
            )
