"""Options of alignment in the order in which the core takes them."""

from __future__ import annotations

from dragoman.config import AlignOptions

CoreArguments = tuple[str, str, int, int, float, str, str, int]


def core_arguments(options: AlignOptions) -> CoreArguments:
    return (
        options.model,
        options.smoothing,
        options.ibm1_iterations,
        options.iterations,
        options.min_count,
        options.decoding,
        options.symmetrize,
        options.threads,
    )
