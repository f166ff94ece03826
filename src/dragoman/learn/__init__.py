"""Learning while in use: pairs added to a model and removed from it, their log, and compaction."""
