"""The version of this program, in a file of its own: models record it, and nothing else is needed to know it."""

__version__ = "0.1.0"
