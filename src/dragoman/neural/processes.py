"""Several processes that train one network, started by torchrun: each takes its share of every minibatch.

Gradients are summed over the processes before every step, so all hold the same weights; only the first one writes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.distributed
from torch import Tensor

from dragoman.neural.tables import Gradients

# Perplexity, mean and deviation of log Z.
Heldout = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Processes:
    rank: int = 0
    count: int = 1
    local_rank: int = 0
    joined: bool = False  # one of a group, which may be of one

    @property
    def first(self) -> bool:
        return self.rank == 0

    def share(self, batch: Tensor) -> Tensor:
        """This process' part of a minibatch."""
        return batch if self.count == 1 else batch[self.rank :: self.count]

    def sum(self, gradients: Gradients, parameters: dict[str, Tensor]) -> Gradients:
        """Gradients over the whole minibatch. Processes meet different rows, so those travel as whole tables."""
        if not self.joined:
            return gradients
        result: Gradients = {}
        for name in sorted(parameters):
            rows, gradient = gradients.get(name, (None, torch.zeros_like(parameters[name])))
            if rows is None:
                torch.distributed.all_reduce(gradient)
                result[name] = (None, gradient)
                continue
            whole = torch.zeros_like(parameters[name])
            whole.index_copy_(0, rows, gradient)
            marks = torch.zeros(len(whole), dtype=torch.uint8, device=whole.device)
            marks[rows] = 1
            torch.distributed.all_reduce(whole)
            torch.distributed.all_reduce(marks, op=torch.distributed.ReduceOp.MAX)
            rows = marks.nonzero().view(-1)
            result[name] = (rows, whole[rows])
        return result

    def total(self, value: Tensor) -> Tensor:
        if self.joined:
            torch.distributed.all_reduce(value)
        return value

    def agreed(self, measure: Callable[[], Heldout]) -> Heldout:
        """What the first process finds: decisions must be the same everywhere."""
        shared: list[Heldout | None] = [measure() if self.first else None]
        if self.joined:
            torch.distributed.broadcast_object_list(shared, src=0)
        assert shared[0] is not None
        return shared[0]

    def wait(self) -> None:
        """Until all are here."""
        if self.joined:
            torch.distributed.barrier()


def join(cuda: bool) -> Processes:
    """The processes that torchrun started, or this one alone."""
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count <= 1 and "TORCHELASTIC_RUN_ID" not in os.environ:
        return Processes()
    local_rank = int(os.environ.get("LOCAL_RANK", "0"))
    if cuda:
        torch.cuda.set_device(local_rank)  # what is sent as an object goes by the current one
    if not torch.distributed.is_initialized():
        torch.distributed.init_process_group("nccl" if cuda else "gloo")
    return Processes(torch.distributed.get_rank(), count, local_rank, joined=True)


def leave() -> None:
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
