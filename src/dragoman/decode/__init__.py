"""Decoding: weights, k-best lines, and the translator's options. The search itself is in the core."""
