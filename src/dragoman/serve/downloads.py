"""Translated files that wait to be fetched.

A file is kept in memory under a name nobody can guess until it is fetched often enough or grows old; what is kept at
once is bounded, the oldest goes first. File names come from strangers: only the last part of one is used, and only to
name the download.
"""

from __future__ import annotations

import re
import secrets
import time
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from dragoman.config import ServeOptions
from dragoman.documents import BY_EXTENSION, CSV

# In a table of columns somebody must say which are text, and here nobody can.
EXTENSIONS = sorted(suffix for suffix, format_name in BY_EXTENSION.items() if format_name != CSV)
KEPT_SECONDS = 1800.0
UNSAFE = re.compile(r"[^\w.()\[\] +,=@~-]")


def safe_name(name: str) -> str:
    """The last part of a path, without anything that means something to a shell, a header or a file system."""
    last = PurePosixPath(unicodedata.normalize("NFC", name).replace("\\", "/")).name
    return UNSAFE.sub("_", last).lstrip(".")[-100:] or "file"


@dataclass(slots=True)
class Download:
    name: str
    content: bytes
    kept_since: float = field(default_factory=time.monotonic)


class Downloads:
    """All that wait, and which kinds of files may be sent."""

    def __init__(self, options: ServeOptions) -> None:
        self._most_bytes = 8 * options.file_limit
        self._kept: OrderedDict[str, Download] = OrderedDict()
        self._bytes = 0
        self.extensions = EXTENSIONS if options.file_limit else []

    def add(self, name: str, content: bytes) -> str:
        """The secret name under which it can be fetched."""
        self._forget_old()
        key = f"{secrets.token_hex(16)}.{name}"
        self._kept[key] = Download(name, content)
        self._bytes += len(content)
        while self._bytes > self._most_bytes and len(self._kept) > 1:
            self._bytes -= len(self._kept.popitem(last=False)[1].content)
        return key

    def get(self, key: str) -> Download | None:
        self._forget_old()
        return self._kept.get(key)

    def _forget_old(self) -> None:
        oldest = time.monotonic() - KEPT_SECONDS
        while self._kept and next(iter(self._kept.values())).kept_since < oldest:
            self._bytes -= len(self._kept.popitem(last=False)[1].content)
