"""How large a judge is and how long it learns: what follows from the text where the options leave it open."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from dragoman.config import JudgeOptions

HEAD = 64
FEEDFORWARD = 4  # times the dimension
# Dimensions, and the words of the target text that each wants; one that does not fit gives way to the next, and below
# the last a judge is worth nothing.
DIMENSIONS = {512: 10_000_000, 384: 5_000_000, 256: 0, 128: 0}
SMALL_TEXT = 100_000  # pairs
PIECES = 8000
FEW_PIECES = 4000
# Pairs that all epochs together go through, and the bounds of those.
PAIRS_IN_ALL = 8_000_000
EPOCHS = (4, 40)
# Pieces of a step, for texts that have enough of them; others make about so many steps in an epoch.
BATCH = (512, 25_000)
STEPS_OF_EPOCH = 150
# Steps until the learning rate has risen, and the most of all steps that they may be.
WARM_UP = 2000
WARM_UP_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a network; the core knows them by these names."""

    dimension: int
    heads: int
    feedforward: int
    encoder_layers: int
    decoder_layers: int
    backward_layers: int = 0

    def parameters(self, pieces: int) -> int:
        """All numbers of it."""
        return self.encoder_parameters + self.reading_parameters(pieces)

    def reading_parameters(self, pieces: int) -> int:
        """Those that every piece of a translation meets: the decoder's, and the vectors of all pieces."""
        size = self.dimension
        layer = 2 * self.attention_parameters + self.feedforward_parameters + 6 * size
        norms = 2 * size * (2 if self.backward_layers else 1)
        return pieces * size + (self.decoder_layers + self.backward_layers) * layer + norms

    @property
    def encoder_parameters(self) -> int:
        size = self.dimension
        layer = self.attention_parameters + self.feedforward_parameters + 4 * size
        return self.encoder_layers * layer + 2 * size

    @property
    def attention_parameters(self) -> int:
        return 4 * self.dimension * (self.dimension + 1)

    @property
    def feedforward_parameters(self) -> int:
        return 2 * self.dimension * self.feedforward + self.feedforward + self.dimension


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast to learn."""

    epochs: int
    batch_pieces: int
    learning_rate: float
    dropout: float


def shape_of(options: JudgeOptions) -> Shape:
    """Of options whose dimension is given."""
    size = options.dimension
    layers = options.encoder_layers, options.decoder_layers, options.backward_layers
    return Shape(size, max(2, size // HEAD), FEEDFORWARD * size, *layers)


def dimensions_for(words: int) -> list[int]:
    """Those for a text of so many target words, the best first."""
    return [dimension for dimension, least in DIMENSIONS.items() if words >= least]


def completed(options: JudgeOptions, pairs: int, words: int) -> JudgeOptions:
    """With the number of pieces and the dimension that suit so many pairs and target words, unless they are given."""
    return dataclasses.replace(
        options,
        pieces=options.pieces or (PIECES if pairs >= SMALL_TEXT else FEW_PIECES),
        dimension=options.dimension or dimensions_for(words)[0],
    )


def make_schedule(options: JudgeOptions, pairs: int, target_pieces: int) -> Schedule:
    """For a text of so many pairs, and pieces of its target side."""
    least, most = EPOCHS
    fewest, largest = BATCH
    return Schedule(
        epochs=options.epochs or min(most, max(least, round(PAIRS_IN_ALL / max(1, pairs)))),
        batch_pieces=options.batch_pieces or min(largest, max(fewest, target_pieces // STEPS_OF_EPOCH)),
        learning_rate=options.learning_rate,
        dropout=options.dropout if options.dropout >= 0 else (0.1 if pairs >= SMALL_TEXT else 0.3),
    )


def warm_up_steps(steps: int) -> int:
    """Of a training that takes so many steps in all."""
    return max(1, min(WARM_UP, int(steps * WARM_UP_SHARE)))


NUMBER_BYTES = {"int8": 1, "f32": 4}
# The spelling of a piece with where it lies; and a scale for each row of a matrix, which is small beside the row.
PIECE_BYTES = 16
SCALES_SHARE = 0.03
FILE_BYTES = 8192


def predicted_bytes(options: JudgeOptions) -> int:
    """About the size of the file of a judge whose number of pieces and dimension are given."""
    numbers = shape_of(options).parameters(options.pieces) * NUMBER_BYTES[options.precision]
    return int(numbers * (1 + SCALES_SHARE)) + PIECE_BYTES * options.pieces + FILE_BYTES
