"""Neural language models (thesis chapter 4): trained here with PyTorch, asked for scores in the core without it."""
