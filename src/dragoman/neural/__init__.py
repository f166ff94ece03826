"""Neural language models (thesis chapter 4): trained here with PyTorch, asked for scores in the core without it."""

from dragoman.neural.train import train_model

__all__ = ["train_model"]
