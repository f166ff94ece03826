"""A translator you train from your own bilingual text, on your own machine, within a memory budget you name."""

from dragoman.errors import ConfigError, DragomanError, FormatError, InputError

__version__ = "0.1.0"
__all__ = ["ConfigError", "DragomanError", "FormatError", "InputError", "__version__"]
