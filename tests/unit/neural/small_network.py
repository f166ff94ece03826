"""A network that trains in an instant, and its training on the small text of conftest.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dragoman.config import NlmOptions
from dragoman.neural import train_model
from dragoman.neural.report import TrainingReport

OPTIONS = NlmOptions(
    input_precision="f32",
    output_precision="f32",
    order=4,
    dimension=8,
    classes=5,
    epochs=2,
    minibatch=128,
    threads=1,
    source_window=1,
    dropout=0.1,
    heldout=0.1,
    device="cpu",
)


def run(corpus: Path, out: Path, options: NlmOptions = OPTIONS, *, source: bool = False, **more: Any) -> TrainingReport:
    if source:
        more |= {"source": corpus / "source", "links": corpus / "links"}
    return train_model(corpus / "text", out, options, **more)
