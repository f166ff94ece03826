"""Archives of models whose headers were changed and their sums made right."""

from __future__ import annotations

import io
import random
import shutil
import tarfile
from pathlib import Path

from dragoman.errors import FormatError
from dragoman.model.pack import unpack

KINDS = b"\x000123457SgxLKX"


def headers_of(archive: bytes) -> list[int]:
    """Where the headers of an archive begin."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        return [member.offset for member in opened]


def with_checksum(header: bytes) -> bytes:
    blank = header[:148] + b" " * 8 + header[156:]
    return blank[:148] + b"%06o\0 " % sum(blank) + blank[156:]


def refused(archive: bytes, folder: Path) -> bool:
    """Whether an archive is refused in a sentence, and leaves nothing; anything else that is raised goes on."""
    path = folder / "odd.tar"
    path.write_bytes(archive)
    try:
        unpack(path, folder / "unpacked", lambda done, total: None)
    except FormatError as error:
        assert str(path) in str(error)
        assert not (folder / "unpacked").exists()
        return True
    shutil.rmtree(folder / "unpacked")
    return False


def with_odd_header(archive: bytes, chance: random.Random) -> bytes:
    """Bytes of one header changed; sparse members and pax records among what comes of it."""
    mutated = bytearray(archive)
    at = chance.choice(headers_of(archive))
    header = bytearray(mutated[at : at + 512])
    for _ in range(chance.randint(0, 6)):
        header[chance.randrange(512)] = chance.choice([0, 32, 48, 55, 57, 128, 255, chance.randrange(256)])
    if chance.random() < 0.7:
        header[156] = chance.choice(KINDS)
    if chance.random() < 0.3:
        header[124:136] = chance.choice([b"77777777777\0", b"\x80" + b"\xff" * 11, b"-0000000001\0", b"1" * 12])
    if chance.random() < 0.3:
        records = chance.choice([b"30 GNU.sparse.map=1,x,3\n", b"25 GNU.sparse.size=-1\n", b"9 size=x\n", b"0 a=b\n"])
        mutated[at + 512 : at + 512 + len(records)] = records
    mutated[at : at + 512] = with_checksum(bytes(header))
    return bytes(mutated)
