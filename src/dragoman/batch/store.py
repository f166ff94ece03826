"""Translated shards on the disk, each there whole or not at all, and the files that are made of them.

DIR/.dragoman-batch/NAME holds the shards of the output DIR/NAME, one file for each: a line with the hash of what
follows, and the translations. A shard is called by its number and by what it depends on, its text and the state of the
model, so what is found under a name was made for it. NAME.json says which state an output was made by, and its hash.

Several processes may work in one folder, on one machine or on many: all that they write is renamed into its place, and
two that write the same thing write the same bytes.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import lzma
import shutil
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from dragoman.batch.shard import Shard
from dragoman.errors import ConfigError
from dragoman.files import open_plain, sync_names, writing
from dragoman.model.directory import sha256_of

FOLDER = ".dragoman-batch"
MAGIC = b"dragoman-shard-1 "
# How often a folder may be gone when one looks what it is.
ATTEMPTS = 100
HEADER_BYTES = len(MAGIC) + 64 + 1


class Output:
    """The translation of one file, under the same name and compressed in the same way."""

    def __init__(self, directory: Path, name: str, state: str) -> None:
        self.path = directory / name
        self.state = state
        self._shards = directory / FOLDER / name
        self._record = directory / FOLDER / f"{name}.json"

    def shard_path(self, shard: Shard) -> Path:
        key = sha256(f"{self.state} {shard.sha256}".encode()).hexdigest()
        return self._shards / f"{shard.number:06d}-{key[:32]}"

    def put(self, shard: Shard, translated: bytes) -> None:
        while True:
            self._open_folder()
            # Another process may join the shards at any moment, and remove their folder.
            with contextlib.suppress(FileNotFoundError), writing(self.shard_path(shard)) as stream:
                stream.write(MAGIC + sha256(translated).hexdigest().encode() + b"\n" + translated)
                return

    def _open_folder(self) -> None:
        """Makes the folder of the shards, which another process may remove while it is seen to be there."""
        for _ in range(ATTEMPTS):
            with contextlib.suppress(FileExistsError):
                self._shards.mkdir(parents=True, exist_ok=True)
                return
        self._shards.mkdir(parents=True, exist_ok=True)

    def get(self, shard: Shard) -> bytes | None:
        """The translation of a shard; None where there is none yet, or none that is whole."""
        try:
            with open_plain(self.shard_path(shard)) as stream:
                header, translated = stream.read(HEADER_BYTES), stream.read()
        except FileNotFoundError:
            return None
        whole = header == MAGIC + sha256(translated).hexdigest().encode() + b"\n"
        return translated if whole and translated.count(b"\n") == shard.lines else None

    def may_be_complete(self, shards: Sequence[Shard]) -> bool:
        """Whether all shards are there by name, which costs little to ask."""
        try:
            there = {entry.name for entry in self._shards.iterdir()}
        except FileNotFoundError:
            return not shards
        return all(self.shard_path(shard).name in there for shard in shards)

    def join(self, shards: Sequence[Shard]) -> list[Shard]:
        """Makes the output of its shards, which go then; returns those that are missing or damaged, and makes none."""
        missing = [shard for shard in shards if self.get(shard) is None]
        try:
            if not missing:
                self._write(shards)
        except (Gone, FileNotFoundError):
            # Another process has joined them at this moment.
            return self.join(shards)
        if missing and not self.is_done(shards):
            return missing
        self.sweep()
        return []

    def _write(self, shards: Sequence[Shard]) -> None:
        """In the folder of the shards, which goes with all that a process that was killed may have left there."""
        joined, record = self._shards / "joined", self._shards / "record"
        self._open_folder()
        with writing(joined) as stream:
            digest = Hashing(stream)
            with compressing(digest, self.path.name) as packed:
                for shard in shards:
                    translated = self.get(shard)
                    if translated is None:
                        raise Gone
                    packed.write(translated)
        with writing(record) as notes:
            said = {"state": self.state, "text": text_name(shards), "sha256": digest.hexdigest()}
            notes.write(json.dumps(said).encode() + b"\n")
        # The record first, so that the output is known for ours from its first moment.
        record.replace(self._record)
        joined.replace(self.path)
        sync_names(self._record.parent)
        sync_names(self.path.parent)

    def is_done(self, shards: Sequence[Shard]) -> bool:
        """Whether the output is there, made of these shards by this state, and whole."""
        record = self._read_record()
        if record.get("state") != self.state or record.get("text") != text_name(shards):
            return False
        return record.get("sha256") == hash_of(self.path)

    def require_replaceable(self) -> None:
        """ConfigError for a file of somebody else, or one that was made of other text or by another state."""
        if self.path.is_dir():
            raise ConfigError(f"{self.path} is a directory; choose another --out", "out")
        if not self.path.exists():
            return
        ours = self._read_record().get("sha256") == hash_of(self.path)
        why = (
            "was made of other text, by another state of the model or with other options" if ours else "exists already"
        )
        raise ConfigError(f"{self.path} {why}; choose another --out or pass --overwrite", "out")

    def sweep(self) -> None:
        """Removes shards that have served, and what killed processes left beside them."""
        shutil.rmtree(self._shards, ignore_errors=True)

    def _read_record(self) -> dict[str, Any]:
        try:
            with open_plain(self._record) as stream:
                record = json.loads(stream.read())
        except (FileNotFoundError, ValueError, RecursionError):
            return {}
        return record if isinstance(record, dict) else {}


def text_name(shards: Sequence[Shard]) -> str:
    """Of the whole text that they were cut from."""
    return sha256(" ".join(shard.sha256 for shard in shards).encode()).hexdigest()


class Gone(Exception):  # noqa: N818
    """Shards that were there went while they were read."""


class Hashing:
    """Writes through, and knows the hash of what was written."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._digest = sha256()

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        return self._stream.write(data)

    def flush(self) -> None:
        self._stream.flush()

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


@contextlib.contextmanager
def compressing(stream: Hashing, name: str) -> Iterator[BinaryIO]:
    """What compresses as the name ends; the same text gives the same bytes, so no time or name is kept in them."""
    if name.lower().endswith(".gz"):
        with gzip.GzipFile("", "wb", fileobj=cast(IO[bytes], stream), mtime=0) as packed:
            yield cast(BinaryIO, packed)
    elif name.lower().endswith(".xz"):
        with lzma.LZMAFile(cast(IO[bytes], stream), "wb") as packed:
            yield cast(BinaryIO, packed)
    else:
        yield cast(BinaryIO, stream)


def hash_of(path: Path) -> str | None:
    try:
        return sha256_of(path)
    except FileNotFoundError:
        return None
