"""From a trained network to judge.bin, in the layout that core/judge documents."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
from torch import Tensor

from dragoman import _core
from dragoman.judge.shape import Shape


def write_judge(path: Path, shape: Shape, pieces: list[str], parameters: dict[str, Tensor], precision: str) -> None:
    tensors = {name: np.ascontiguousarray(tensor.detach().cpu().float().numpy()) for name, tensor in parameters.items()}
    _core.write_judge(str(path), asdict(shape), pieces, {name: part.data for name, part in tensors.items()}, precision)
