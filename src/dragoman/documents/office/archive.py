"""A zip archive in memory: parts are read within limits, and written so that all others keep their bytes.

What is not replaced is copied as it is stored, local header and compressed bytes alike, in the order it had; only the
directory at the end is made anew. Nothing is unpacked to disk. An archive from anywhere is bounded by what it declares
and by what it really holds, and one that two programs could read in two ways is refused.
"""

from __future__ import annotations

import io
import stat
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from dragoman.archive import UNREADABLE
from dragoman.documents.segment import DocumentLimits
from dragoman.errors import InputError

MAX_MEMBERS = 65_000
LOCAL = struct.Struct("<4s5H3L2H")
CENTRAL = struct.Struct("<4s6H3L5H2L")
END = struct.Struct("<4s4H2LH")
ENCRYPTED, DESCRIPTOR, UTF8 = 1 << 0, 1 << 3, 1 << 11
# Sizes of eight bytes, which nothing within the limits needs.
ZIP64_FIELD = 1


@dataclass(frozen=True, slots=True)
class Member:
    """Where a part lies: its local header at `begin`, its data, and the end of what belongs to it."""

    info: ZipInfo
    begin: int
    data: int
    end: int


class Archive:
    def __init__(self, data: bytes, name: str, limits: DocumentLimits) -> None:
        self._data = data
        self._name = name
        self._left = limits.max_bytes
        self._limit = limits.max_bytes
        if not data.startswith(b"PK\x03\x04"):
            raise self.damaged("it does not begin like one")
        if data.count(b"PK\x01\x02") > MAX_MEMBERS:
            raise InputError(f"{name}: holds more than {MAX_MEMBERS:,} parts, which no office document does")
        try:
            with ZipFile(io.BytesIO(data)) as archive:
                self._infos, self._comment, directory = archive.infolist(), archive.comment, archive.start_dir
        except (*UNREADABLE, OSError) as error:
            raise self.damaged(str(error)) from None
        self._members = self.members(directory)

    def damaged(self, why: str) -> InputError:
        return InputError(f"{self._name}: is no whole zip archive, as office documents are ({why}); save it again")

    def members(self, directory: int) -> dict[str, Member]:
        """All parts in the order in which they are stored."""
        stored = sorted(self._infos, key=lambda info: info.header_offset)
        ends = [*(info.header_offset for info in stored[1:]), directory]
        members: dict[str, Member] = {}
        for info, end in zip(stored, ends, strict=True):
            name, begin = info.orig_filename, info.header_offset
            if info.flag_bits & ENCRYPTED:
                raise InputError(f"{self._name}: is encrypted; save it without a password first")
            if stat.S_ISLNK(info.external_attr >> 16):
                raise InputError(f"{self._name}: its part {name!r} is a link to another file; save it again")
            if name in members:
                raise self.damaged(f"it holds {name!r} twice")
            if not 0 <= begin <= len(self._data) - LOCAL.size:
                raise self.damaged("its directory points outside")
            magic, *_, name_size, extra_size = LOCAL.unpack_from(self._data, begin)
            data = begin + LOCAL.size + name_size + extra_size
            own_name = self._data[begin + LOCAL.size : begin + LOCAL.size + name_size]
            if magic != b"PK\x03\x04" or own_name != encoded_name(info) or data + info.compress_size > end:
                raise self.damaged(f"{name!r} is not where its directory says")
            members[name] = Member(info, begin, data, end)
        return members

    def __contains__(self, part: str) -> bool:
        return part in self._members

    @property
    def names(self) -> list[str]:
        return list(self._members)

    def read(self, part: str) -> bytes:
        """What a part holds; all parts together no more than the limit, whatever they declare."""
        member = self._members[part]
        info = member.info
        if info.file_size > self._left:
            raise self.too_large()
        raw = self._data[member.data : member.data + info.compress_size]
        if info.compress_type == ZIP_DEFLATED:
            unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                content = unpacker.decompress(raw, self._left + 1)
            except zlib.error as error:
                raise self.damaged(f"{part!r}: {error}") from None
        elif info.compress_type == ZIP_STORED:
            content = raw
        else:
            raise self.damaged(f"{part!r} is compressed in a way that office programs do not use")
        if len(content) > self._left:
            raise self.too_large()
        if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
            raise self.damaged(f"{part!r} is not what its directory says")
        self._left -= len(content)
        return content

    def too_large(self) -> InputError:
        return InputError(f"{self._name}: unpacks to more than the {self._limit:,} bytes allowed; split it")

    def replaced(self, parts: Mapping[str, bytes]) -> bytes:
        """The archive with other content in some parts."""
        if not parts:
            return self._data
        written = bytearray()
        entries: dict[str, bytes] = {}
        for name, member in self._members.items():
            entry = Entry.of(member.info, len(written))
            if name in parts:
                written += entry.filled(parts[name])
            else:
                written += self._data[member.begin : member.end]
            entries[name] = entry.packed()
        directory = b"".join(entries[info.orig_filename] for info in self._infos)
        count = len(entries)
        sizes = (0, 0, count, count, len(directory), len(written), len(self._comment))
        return bytes(written) + directory + END.pack(b"PK\x05\x06", *sizes) + self._comment


@dataclass(slots=True)
class Entry:
    """What the directory says of a part."""

    info: ZipInfo
    offset: int
    flags: int
    crc: int
    packed_size: int
    size: int

    @classmethod
    def of(cls, info: ZipInfo, offset: int) -> Entry:
        return cls(info, offset, info.flag_bits, info.CRC, info.compress_size, info.file_size)

    def filled(self, content: bytes) -> bytes:
        """Takes other content, compressed as the old one was; gives the local header and the data."""
        data = content
        if self.info.compress_type == ZIP_DEFLATED:
            packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
            data = packer.compress(content) + packer.flush()
        # Sizes stand in the header, so nothing describes them behind the data.
        self.flags &= ~DESCRIPTOR
        self.crc, self.packed_size, self.size = zlib.crc32(content), len(data), len(content)
        name = encoded_name(self.info)
        return LOCAL.pack(b"PK\x03\x04", *self.shared(), len(name), 0) + name + data

    def shared(self) -> tuple[int, ...]:
        """What both headers say."""
        info = self.info
        year, month, day, hour, minute, second = info.date_time
        date, time = (year - 1980) << 9 | month << 5 | day, hour << 11 | minute << 5 | second // 2
        sizes = (self.crc, self.packed_size, self.size)
        return (info.extract_version, self.flags, info.compress_type, time, date, *sizes)

    def packed(self) -> bytes:
        info = self.info
        name, extra = encoded_name(info), without_field(info.extra, ZIP64_FIELD)
        version = info.create_version | info.create_system << 8
        lengths = (len(name), len(extra), len(info.comment))
        places = (0, info.internal_attr, info.external_attr, self.offset)
        header = CENTRAL.pack(b"PK\x01\x02", version, *self.shared(), *lengths, *places)
        return header + name + extra + info.comment


def encoded_name(info: ZipInfo) -> bytes:
    return info.orig_filename.encode("utf-8" if info.flag_bits & UTF8 else "cp437")


def without_field(extra: bytes, unwanted: int) -> bytes:
    """Further fields of a header but one."""
    kept = b""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind != unwanted:
            kept += extra[: 4 + size]
        extra = extra[4 + size :]
    return kept + extra
