"""Marked parts of pages, which are written from results: HTML comments that a code host does not show.

<!-- bench:TABLE -->                     the whole table, until <!-- /bench -->
<!-- bench:text/NAME -->                 benchmarks/texts/NAME.md with its figures, {TABLE.ROW.COLUMN} or with a format
<!-- bench:claims -->                    what is claimed and what was found, of all tables
<!-- bench:kept -->                      where the other figures of the page are from
<!-- bench:TABLE.ROW.COLUMN -->50.6<!-- /bench -->       one figure; a format may follow a colon
"""

from __future__ import annotations

import re

BLOCK = re.compile(r"<!-- bench:(?P<name>[^ ]+) -->(?P<content>.*?)<!-- /bench -->", re.DOTALL)
FIGURE_NAME = re.compile(r"([\w-]+)\.([\w-]+)\.([\w-]+)(?::([^}]+))?")


def outside(text: str) -> str:
    """What no block has."""
    return BLOCK.sub(" ", text)
