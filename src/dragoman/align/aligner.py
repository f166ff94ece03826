"""Training an aligner, keeping it, and aligning further pairs with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman import _core
from dragoman.align.core_arguments import core_arguments
from dragoman.align.links import Links, lines_to_bytes, parse_links
from dragoman.align.sharded import train_on
from dragoman.cluster.workers import Workers
from dragoman.config import AlignOptions, require_limits
from dragoman.progress import Progress


@dataclass(frozen=True, slots=True)
class AlignerTraining:
    """What training gives: the links of the training text, and a model for further text if it was asked for."""

    stored_links: _core.StoredLinks
    model: AlignmentModel | None
    log_likelihoods: list[float]

    @property
    def links(self) -> bytes:
        """In the Pharaoh format, one line per pair."""
        pieces: list[bytes] = []
        self.stored_links.write_lines(pieces.append)
        return b"".join(pieces)


# Probabilities of translating nothing: of a word that was never seen, and of one that often does.
NEVER = 1e-9
IDLE = 0.02
# Of a word given another that it is seen to translate.
EVIDENT = 0.02


@dataclass(frozen=True, slots=True)
class KnownSide:
    """What the aligner knows of the words of one side."""

    words: int
    new: frozenset[int] = frozenset()  # positions of words that it has never seen
    idle: frozenset[int] = frozenset()  # positions of words that often translate nothing, such as articles


class AlignmentModel:
    """A trained aligner, immutable; `align` may be called from many threads."""

    def __init__(self, core: _core.AlignmentModel) -> None:
        self._core = core

    @staticmethod
    def train(
        source: Sequence[str] | bytes | Path | _core.IdText,
        target: Sequence[str] | bytes | Path | _core.IdText,
        options: AlignOptions | None = None,
        *,
        keep_model: bool = True,
        progress: Progress | None = None,
        workers: Workers | None = None,
        scratch: _core.ScratchSpace | None = None,
    ) -> AlignerTraining:
        """Learns from tokenized sentence pairs and links their words.

        A text is a list of lines, a whole file in memory, the path of a plain file, or numbers already. `workers` of a
        cluster learn from shards of it and link them; the result is the same. What grows with the text lies in
        `scratch` where it is given.
        """
        options = options or AlignOptions()
        require_limits(options)
        if workers is not None and workers.away:
            core, links, log_likelihoods = train_on(
                workers, core_text(source), core_text(target), options, keep_model, progress, scratch=scratch
            )
            return AlignerTraining(links, AlignmentModel(core) if core else None, log_likelihoods)
        core, links, log_likelihoods = _core.train_alignment(
            core_text(source), core_text(target), *core_arguments(options), keep_model, progress, scratch
        )
        return AlignerTraining(links, AlignmentModel(core) if core else None, log_likelihoods)

    @staticmethod
    def open(path: str | Path, trust: bool = False) -> AlignmentModel:
        """Maps a saved model; `trust` skips the check of its hashes."""
        return AlignmentModel(_core.AlignmentModel.open(str(path), trust))

    def save(self, path: str | Path) -> None:
        """Writes the model, whole or not at all."""
        self._core.save(str(path))

    def align_text(
        self,
        source: Sequence[str] | bytes,
        target: Sequence[str] | bytes,
        options: AlignOptions | None = None,
        progress: Progress | None = None,
    ) -> bytes:
        """Pharaoh links of further pairs, one line per pair."""
        options = options or AlignOptions()
        return self._core.align(
            as_bytes(source), as_bytes(target), options.decoding, options.symmetrize, options.threads, progress
        )

    def evident(self, source: str, target: str) -> bool:
        """Whether it has seen the words as translations of each other."""
        return max(self._core.probabilities(source, target)) >= EVIDENT

    def side(self, words: Sequence[str], target: bool = False) -> KnownSide:
        """What it knows of the words of one side of a pair."""
        nothing = [
            self._core.probabilities(None, w)[0] if target else self._core.probabilities(w, None)[1] for w in words
        ]
        new = frozenset(at for at, probability in enumerate(nothing) if probability < NEVER)
        return KnownSide(
            len(words), new, frozenset(at for at, probability in enumerate(nothing) if probability >= IDLE)
        )

    def align(self, source: Sequence[str], target: Sequence[str], options: AlignOptions | None = None) -> list[Links]:
        """Links of further pairs."""
        return [parse_links(line) for line in text_lines(self.align_text(source, target, options))]

    def parameters(self) -> dict[str, object]:
        """Sizes and learned parameters, for people to look at."""
        return self._core.parameters()

    def probabilities(self, source: str | None, target: str | None) -> tuple[float, float]:
        """p(target | source) and p(source | target); None stands for NULL."""
        return self._core.probabilities(source, target)

    def posteriors(self, source: str, target: str) -> Posteriors:
        """How sure the model is of every possible link of one pair."""
        source_words, target_words, forward, backward, null_forward, null_backward = self._core.posteriors(
            source, target
        )

        def rows(cells: list[float]) -> list[list[float]]:
            return [cells[i * target_words : (i + 1) * target_words] for i in range(source_words)]

        return Posteriors(rows(forward), rows(backward), null_forward, null_backward)


@dataclass(frozen=True, slots=True)
class Posteriors:
    """By source word, then target word: that the source word generated the target word, and the reverse."""

    forward: list[list[float]]
    backward: list[list[float]]
    null_forward: list[float]
    null_backward: list[float]


def align(
    source: Sequence[str], target: Sequence[str], options: AlignOptions | None = None, progress: Progress | None = None
) -> list[Links]:
    """Links the words of tokenized sentence pairs, learning from these pairs alone."""
    training = AlignmentModel.train(source, target, options, keep_model=False, progress=progress)
    return [parse_links(line) for line in text_lines(training.links)]


def core_text(text: Sequence[str] | bytes | Path | _core.IdText) -> _core.IdText | bytes | str:
    if isinstance(text, _core.IdText):
        return text
    return str(text) if isinstance(text, Path) else as_bytes(text)


def as_bytes(text: Sequence[str] | bytes) -> bytes:
    return text if isinstance(text, bytes) else lines_to_bytes(text)


def text_lines(text: bytes) -> list[str]:
    return text.decode().split("\n")[:-1]
