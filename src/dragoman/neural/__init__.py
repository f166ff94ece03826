"""Neural language models (thesis chapter 4): trained in the core or with PyTorch, asked for scores in the core."""

from dragoman.neural.train import train_model

__all__ = ["train_model"]
