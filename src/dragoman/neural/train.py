"""From tokenized text to nlm.bin: read, cluster, train, write.

Class-factored networks, which `dragoman train` makes, are trained in the core; PyTorch (the extra `neural`) trains on
GPUs, and what the core does not train.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from dragoman import _core
from dragoman.config import NlmOptions
from dragoman.corpus.id_text import Links, Text
from dragoman.errors import ConfigError, DragomanError
from dragoman.extras import install_command
from dragoman.neural.allocator import advising
from dragoman.neural.core_training import covers, read_text, train_in_core
from dragoman.neural.report import Epoch, TrainingReport
from dragoman.neural.shape import check
from dragoman.progress import Progress
from dragoman.text_file import read_all

# On Linux: of NVIDIA's driver, of AMD's, and of Windows below.
SIGNS_OF_GPUS = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")


def train_model(
    text: Text | Sequence[Text],
    out: str | Path,
    options: NlmOptions | None = None,
    *,
    source: Text | None = None,
    links: Links | None = None,
    vocabulary: str | Path | bytes | None = None,
    classes: str | Path | None = None,
    checkpoint: str | Path | None = None,
    scratch: _core.ScratchSpace | None = None,
    progress: Progress | None = None,
    on_epoch: Callable[[Epoch], None] | None = None,
) -> TrainingReport:
    """Trains a neural language model on tokenized lowercased `text` and writes it to `out`.

    A text is a file of one sentence a line, or numbers already; several are read one after the other.

    With `source` and `links` (Pharaoh, source before target) the model also reads the source words around the one
    behind each target word. `vocabulary` lists the target words to know, as a file or its content; `classes` gives
    `word class` pairs. A run that was killed goes on from `checkpoint`, by default `out` with .checkpoint behind it.
    That one is deleted at the end; one that is named is left for `remove_checkpoint`, to be called when what was made
    of it is where it belongs. What grows with the text lies in `scratch` where there is one, but for what PyTorch has.
    """
    options = options or NlmOptions()
    check(options, source=source is not None, links=links is not None)
    out = Path(out)
    if not out.absolute().parent.is_dir():
        raise ConfigError(f"{out} cannot be written: there is no such folder", "out")
    device = choose_device(options)
    texts = [text] if isinstance(text, str | Path | _core.IdText) else list(text)
    known = vocabulary if vocabulary is None or isinstance(vocabulary, bytes) else read_all(vocabulary)
    state = Path(checkpoint) if checkpoint is not None else out.with_name(out.name + ".checkpoint")
    remove_unfinished(state)
    with advising(device):
        read = read_text(texts, options, source, links, known, scratch)
        if device == "core":
            report = train_in_core(read, out, options, classes, state, progress, on_epoch)
        else:
            from dragoman.neural.torch_training import train_with_torch

            report = train_with_torch(read, out, options, device, classes, state, progress, on_epoch)
    if checkpoint is None and report.bytes:
        remove_checkpoint(state)
    return report


def files_of_checkpoint(path: str | Path) -> list[Path]:
    """The weights of the best epoch lie beside it."""
    return [Path(path), Path(f"{path}.best")]


def remove_checkpoint(path: str | Path) -> None:
    """Removes what a run needed to go on."""
    remove_unfinished(path)
    for file in files_of_checkpoint(path):
        file.unlink(missing_ok=True)


def remove_unfinished(checkpoint: str | Path) -> None:
    """Removes what runs left that were killed while they wrote a checkpoint, which may be large."""
    for file in files_of_checkpoint(checkpoint):
        for unfinished in file.parent.glob(f"{glob.escape(file.name)}.tmp*"):
            unfinished.unlink(missing_ok=True)


def uses_torch(options: NlmOptions) -> bool:
    """Whether PyTorch trains such a network here."""
    return choose_device(options) != "core"


def has_torch() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in ("torch", "numpy"))


def require_trainer(options: NlmOptions) -> None:
    """DragomanError where such a network cannot be trained here."""
    if options.device == "cuda" and has_torch() and not has_gpu():
        raise ConfigError("there is no GPU that PyTorch can use; leave --device at auto or cpu", "device")
    if has_torch():
        return
    install = f"install it with `{install_command('neural')}`"
    if options.device == "cuda":
        raise ConfigError(f"training on a GPU needs PyTorch; {install}", "device")
    if not covers(options):
        raise DragomanError(f"training such a network needs PyTorch, unlike those of the class output layer; {install}")


def choose_device(options: NlmOptions) -> str:
    """`core` where the core trains, else where PyTorch does: `cpu` or `cuda`."""
    if options.device not in ("auto", "cpu", "cuda"):
        raise ConfigError("--device must be auto, cpu or cuda", "device")
    require_trainer(options)
    if options.device != "cpu" and has_gpu():
        return "cuda"
    several = has_torch() and int(os.environ.get("WORLD_SIZE", "1")) > 1  # started by torchrun
    return "core" if covers(options) and not several else "cpu"


def has_gpu() -> bool:
    """Whether PyTorch can use one. It is not loaded, which takes seconds and a hundred megabytes, where there is no
    sign of any."""
    if not has_torch() or (sys.platform == "linux" and not any(Path(sign).exists() for sign in SIGNS_OF_GPUS)):
        return False
    import torch

    return bool(torch.cuda.is_available())
