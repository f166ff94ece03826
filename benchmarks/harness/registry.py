"""All tables: the files of benchmarks/tables that have a TABLE."""

from __future__ import annotations

import importlib
import pkgutil

import benchmarks.tables
from benchmarks.harness.table import Table
from dragoman.errors import ConfigError


def all_tables() -> dict[str, Table]:
    tables = {}
    for module in sorted(pkgutil.iter_modules(benchmarks.tables.__path__), key=lambda entry: entry.name):
        table = getattr(importlib.import_module(f"benchmarks.tables.{module.name}"), "TABLE", None)
        if table is None:
            continue
        if table.name != module.name.replace("_", "-"):
            raise ConfigError(f"benchmarks/tables/{module.name}.py has a table named {table.name}", "name")
        tables[table.name] = table
    return tables


def table_named(name: str) -> Table:
    tables = all_tables()
    if name not in tables:
        raise ConfigError(f"there is no table {name}; there are {', '.join(tables)}", "table")
    return tables[name]
