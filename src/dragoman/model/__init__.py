"""A model on disk: its directory and manifest, opening it, packing it, its lock, weights and options."""
