"""Programs that show what the package does."""
