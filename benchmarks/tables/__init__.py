"""One table a file, each with a `TABLE`; benchmarks/README.md says how to add one."""
