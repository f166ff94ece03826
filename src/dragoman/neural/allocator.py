"""The allocator's habits, and advice when there is not enough memory."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator

from dragoman.errors import DragomanError

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3


def keep_freed_memory() -> None:
    """Tells glibc to reuse freed blocks instead of returning them to the system.

    A minibatch of PyTorch allocates and frees tens of megabytes many times over; fetching those pages anew each time
    takes longer than the arithmetic on them. Elsewhere than on glibc this does nothing. It holds for the whole process,
    so it is for our own commands alone to ask for it.
    """
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, 1 << 30)
        libc.mallopt(M_TRIM_THRESHOLD, 2**31 - 1)


@contextlib.contextmanager
def advising(
    device: str, lower: str = "--minibatch first, then --dimension, --max-words or --direct-ngrams"
) -> Iterator[None]:
    """Out of memory becomes one sentence that says what to lower."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        text = str(error)
        exhausted = isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError"
        if not exhausted and "out of memory" not in text and "can't allocate memory" not in text:
            raise
        where = "the GPU" if device == "cuda" else "this machine"
        raise DragomanError(f"{where} has not enough memory for this network; lower {lower}") from None
