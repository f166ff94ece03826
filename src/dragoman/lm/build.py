"""From text, or from an ARPA file, to lm.bin: read, estimate, prune, write."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, cast

from dragoman import _core
from dragoman.config import LmOptions, require_limits
from dragoman.errors import ConfigError
from dragoman.files import reading, writing
from dragoman.option_forms import numbers
from dragoman.progress import Progress
from dragoman.sizes import parse_bytes
from dragoman.text_file import PIECE_BYTES, naming, pieces, read_all


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What was built: n-grams by length before and after pruning, and the size of the file."""

    order: int
    estimated: list[int]
    stored: list[int]
    bytes: int
    discounts: list[list[float]]
    discounts_fallback: list[bool]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def build_model(
    out: str | Path,
    texts: Iterable[str | Path | _core.IdText] = (),
    *,
    options: LmOptions | None = None,
    from_arpa: str | Path | None = None,
    vocabulary: str | Path | bytes | None = None,
    classes: str | Path | None = None,
    arpa: str | Path | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    scratch: _core.ScratchSpace | None = None,
) -> BuildReport:
    """Builds `out` from tokenized text, files of one sentence per line or numbers, or from an ARPA file.

    `vocabulary` lists the words to know, as a file or its content, and all others become <unk>; `classes` maps words to
    classes, over which the model is then estimated; `arpa` asks for the model as ARPA text too, compressed if its name
    ends in .gz. What grows with the text lies in `scratch` where it is given, or where the option `work_memory` limits
    the memory.
    """
    options = options or LmOptions()
    check_early(options, [out] if arpa is None else [out, arpa])
    budget = parse_bytes(options.memory) if options.memory else None
    work_memory = parse_bytes(options.work_memory, "work_memory") if options.work_memory else 0
    texts = list(texts)
    if (from_arpa is None) == (not texts):
        raise ConfigError("give either text or an ARPA file to build from", "from_arpa")
    if from_arpa is not None:
        if vocabulary or classes:
            raise ConfigError("an ARPA file has its own words; leave out --vocabulary and --classes", "from_arpa")
        if work_memory:
            raise ConfigError("--work-memory is for estimating from text; leave it out here", "work_memory")
        model = read_arpa(from_arpa, progress)
    else:
        # Scratch files lie where the model will, not in a /tmp that may itself be memory.
        if work_memory and scratch is None:
            scratch = _core.ScratchSpace(str(Path(out).absolute().parent), work_memory)
        text = _core.LmText(options.sample, options.seed, scratch)
        if vocabulary and classes:
            raise ConfigError("the classes say which words are known; leave out --vocabulary", "vocabulary")
        if isinstance(vocabulary, bytes):
            text.limit_to(vocabulary)
        elif vocabulary:
            with naming(vocabulary):
                text.limit_to(read_all(vocabulary))
        if classes:
            with naming(classes):
                text.use_classes(read_all(classes))
        for given in texts:
            add_text(text, given)
        model = _core.lm_estimate(
            text,
            options.order,
            [int(count) for count in numbers(options.min_counts) or ()],
            numbers(options.discount_fallback) or [],
            budget is not None,
            threads,
            progress,
        )
    estimated = model.counts
    discounts, fallback = model.discounts, model.discounts_fallback
    if budget is not None:
        model = model.pruned_to_bytes(budget, options.prob_bits, options.backoff_bits, progress)
    if arpa is not None:
        write_arpa(model, arpa, progress)
    model.write(str(out), options.prob_bits, options.backoff_bits, progress)
    return BuildReport(model.order, estimated, model.counts, Path(out).stat().st_size, discounts, fallback)


def add_text(text: _core.LmText, given: str | Path | _core.IdText) -> None:
    """The sentences of a file of tokens, or of a text that is numbers already."""
    if isinstance(given, _core.IdText):
        text.add(given)
        return
    with naming(given, text.lines):
        for piece in pieces(given):
            text.add(piece)


def check_early(options: LmOptions, outputs: Iterable[str | Path]) -> None:
    """What would otherwise be noticed only after minutes of work."""
    require_limits(options)
    for path in outputs:
        if not Path(path).absolute().parent.is_dir():
            raise ConfigError(f"{path} cannot be written: there is no such folder", "out")


def read_arpa(path: str | Path, progress: Progress | None = None) -> _core.NgramModel:
    reader = _core.ArpaReader()
    with naming(path), reading(path) as stream:
        while piece := stream.read(PIECE_BYTES):
            reader.add(piece)
        return reader.finish(progress)


def write_arpa(model: _core.NgramModel, path: str | Path, progress: Progress | None = None) -> None:
    with writing(path) as stream:
        if str(path).endswith(".gz"):
            with gzip.GzipFile(fileobj=stream, mode="wb", filename="", mtime=0) as compressed:
                model.write_arpa(cast(IO[bytes], compressed).write, progress)
        else:
            model.write_arpa(stream.write, progress)
