"""Programs that use Dragoman. A package, because one that tests use brings another of this name."""
