"""The judge of finished translations: a small encoder-decoder that reads both sentences whole.

It is trained with PyTorch on the bitext and asked by the core, for the best translations that a search found: words
still come from rules, so every phrase keeps its sources.
"""

from dragoman.judge.training import train_judge

__all__ = ["train_judge"]
