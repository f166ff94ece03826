"""Digests of what a result depends on: the code that is measured, the table's own code, and its corpora.

A result is stale when one of them differs from today's. The harness itself is not among them: how results are stored
and shown changes no figure. Of compressed corpora the text counts, not how it was compressed; where a table reads the
beginning alone, only that: "corpora/x/train.fr.xz:1000" is the first thousand lines. So results of a machine that has
the same text in other archives, or no more of it than the table reads, are as fresh as those of this one.
"""

from __future__ import annotations

import ast
import hashlib
import json
import lzma
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import benchmarks.tables
from benchmarks.harness.table import Table
from benchmarks.measure import SHARED
from dragoman.files import writing

ROOT = Path(__file__).resolve().parents[2]
CODE_ENDINGS = {".cpp", ".h", ".inc", ".py", ".txt"}
APART = {ROOT / "core" / "tests"}
ABSENT = "-"
# Reading all corpora takes seconds, so what their texts are is remembered until they change.
REMEMBERED = ROOT / "build" / "corpora.json"


def digest(paths: Iterable[Path], base: Path, lines: int | None = None) -> str:
    """Of names and bytes, or of so many lines of compressed texts; a file that is not there counts as such."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(f"{path.relative_to(base) if path.is_relative_to(base) else path.name}\0".encode())
        total.update(content(path, lines))
    return total.hexdigest()[:16]


def content(path: Path, lines: int | None = None) -> bytes:
    """The hash of a file, or of what is compressed in it."""
    if path.suffix != ".xz":
        return hashlib.sha256(path.read_bytes() if path.exists() else b"absent").digest()
    state = path.stat()
    key = f"{path} {state.st_size} {state.st_mtime_ns}{'' if lines is None else f' {lines} lines'}"
    known: dict[str, str] = json.loads(REMEMBERED.read_text(encoding="utf-8")) if REMEMBERED.exists() else {}
    if key not in known:
        with lzma.open(path) as stream:
            if lines is None:
                known[key] = hashlib.file_digest(stream, "sha256").hexdigest()
            else:
                known[key] = hashlib.sha256(b"".join(islice(stream, lines))).hexdigest()
        REMEMBERED.parent.mkdir(parents=True, exist_ok=True)
        with writing(REMEMBERED) as out:
            out.write(json.dumps(known, indent=1).encode())
    return bytes.fromhex(known[key])


def files_below(place: Path) -> Iterator[Path]:
    if place.is_dir():
        for path in place.iterdir():
            if path not in APART and path.name != "__pycache__":
                yield from files_below(path)
    else:
        yield place


def code_digest(parts: Sequence[str], root: Path = ROOT) -> str:
    files = (path for part in parts for path in files_below(root / part) if path.suffix in CODE_ENDINGS)
    return digest(files, root)


def imported(path: Path, root: Path = ROOT) -> set[Path]:
    """The file and all that it imports of benchmarks/, directly or not, without the harness."""
    waiting, known = [path], {path}
    while waiting:
        tree = ast.parse(waiting.pop().read_text(encoding="utf-8"))
        names: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        for name in names:
            file = root / f"{name.replace('.', '/')}.py"
            inside = name.startswith("benchmarks.") and not name.startswith("benchmarks.harness")
            if inside and file.exists() and file not in known:
                known.add(file)
                waiting.append(file)
    return known


def table_file(name: str) -> Path:
    return Path(benchmarks.tables.__path__[0]) / f"{name.replace('-', '_')}.py"


def corpora_digest(parts: Sequence[str], shared: Path = SHARED) -> str:
    """One of each, and a hyphen for what is not on this machine; empty where none is."""
    each = []
    for part in parts:
        name, _, lines = part.partition(":")
        here = (shared / name).exists()
        each.append(digest(files_below(shared / name), shared, int(lines) if lines else None) if here else ABSENT)
    return " ".join(each) if set(each) - {ABSENT} else ""


def digests_of(table: Table) -> dict[str, str]:
    return {
        "code": code_digest(table.code),
        "table": digest(imported(table_file(table.name)), ROOT),
        "corpora": corpora_digest(table.corpora),
    }


def staleness(stored: Mapping[str, str], today: Mapping[str, str]) -> list[str]:
    """What has changed since a result was taken; corpora that are not here, or were not there, cannot be compared."""
    names = {"code": "the code it measures", "table": "the table's own code", "corpora": "the corpora"}
    return [names[key] for key, value in today.items() if value and not agree(stored.get(key, ""), value)]


def agree(stored: str, today: str) -> bool:
    one, other = stored.split(), today.split()
    return len(one) == len(other) and all(a == b or ABSENT in (a, b) for a, b in zip(one, other, strict=True))
