"""Files inside zip archives, read where they lie: `opus/en-fr.zip/train.fr` is the member `train.fr` of that archive.

Nothing is unpacked. A member is read as it is decompressed, so it costs no memory and no disk; one that would grow
beyond all measure, or that has a password, is refused.
"""

from __future__ import annotations

import contextlib
import errno
import stat
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from dragoman.errors import InputError, excerpt

SUFFIX = ".zip"
# Text shrinks to a third or a tenth; what shrinks to less than this share, and is large, was made to fill disks.
MOST_GROWTH = 200
SMALL_BYTES = 64 << 20
# What zipfile raises for headers that make no sense.
UNREADABLE = (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, struct.error)


def split_name(path: str | Path) -> tuple[Path, str] | None:
    """The archive and the member that a name stands for; None for the name of a file that lies on the disk."""
    name = str(path)
    if SUFFIX not in name.lower() or Path(name).exists():
        return None
    for archive in Path(name).parents:
        if archive.suffix.lower() == SUFFIX and archive.is_file():
            return archive, name[len(str(archive)) + 1 :]
    return None


def members(archive: str | Path) -> list[str]:
    """Names of the plain files in an archive, without those that systems and their file managers hide."""
    with opened(archive) as content:
        return sorted(
            entry.filename
            for entry in content.infolist()
            if not entry.is_dir()
            and not stat.S_ISLNK(entry.external_attr >> 16)
            and not any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(entry.filename).parts)
        )


def open_member(archive: Path, member: str) -> BinaryIO:
    with opened(archive) as content:
        try:
            entry = content.getinfo(member)
        except KeyError:
            raise InputError(f"{archive}/{member}: the archive has no such file") from None
        if entry.flag_bits & 1:
            raise InputError(f"{archive}: '{excerpt(member)}' has a password; unpack the archive first")
        if entry.file_size > max(SMALL_BYTES, MOST_GROWTH * entry.compress_size):
            raise InputError(
                f"{archive}: '{excerpt(member)}' would grow to {entry.file_size:,} bytes from {entry.compress_size:,},"
                " which no text does; unpack it first if you trust it"
            )
        # It keeps the archive open as long as it is open itself.
        return cast(BinaryIO, content.open(entry))


@contextlib.contextmanager
def opened(archive: str | Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(archive) as content:
            yield content
    except (*UNREADABLE, OSError) as error:
        # A place before the beginning, which a damaged list of contents may name, is no fault of the system.
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise
        raise InputError(f"{archive}: is no zip archive that can be read ({error}); fetch it again") from None
