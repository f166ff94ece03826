"""What runs tables of benchmarks, keeps their results and writes them into pages; benchmarks/README.md explains it."""
