"""A translator you train from your own bilingual text, on your own machine, within a memory budget you name."""

from typing import TYPE_CHECKING, Any

from dragoman.errors import ConfigError, DragomanError, FormatError, InputError

if TYPE_CHECKING:
    from dragoman.pipeline import train

from dragoman.version import __version__

__all__ = ["ConfigError", "DragomanError", "FormatError", "InputError", "__version__", "train"]


def __getattr__(name: str) -> Any:
    # Training needs much that translating does not; it is imported when it is asked for.
    if name == "train":
        from dragoman.pipeline import train

        return train
    raise AttributeError(f"module 'dragoman' has no attribute '{name}'")
