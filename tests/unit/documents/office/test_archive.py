"""Archives: what is not replaced keeps its bytes, and nothing from anywhere costs more than the limits allow."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.documents.office.archive import Archive
from dragoman.documents.segment import DocumentLimits
from dragoman.errors import InputError
from tests.unit.documents.office.packages import archive

LIMITS = DocumentLimits()
NAMES = ["mimetype", "a.xml", "ordner/é.xml", "b.bin"]


def opened(data: bytes, limits: DocumentLimits = LIMITS) -> Archive:
    return Archive(data, "a.docx", limits)


def record(data: bytes, name: str) -> bytes:
    """A part as it is stored, with its local header."""
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        info = made.getinfo(name)
        following = [other.header_offset for other in made.infolist() if other.header_offset > info.header_offset]
        return data[info.header_offset : min(following, default=made.start_dir)]


contents = st.dictionaries(st.sampled_from(NAMES), st.binary(max_size=300), min_size=1)


@given(contents, contents, st.sets(st.sampled_from(NAMES)))
def test_replaced_parts_and_no_others_change(old: dict[str, bytes], new: dict[str, bytes], stored: set[str]) -> None:
    data = archive(old, tuple(stored))
    new = {name: content for name, content in new.items() if name in old}
    made = opened(data).replaced(new)
    with zipfile.ZipFile(io.BytesIO(made)) as after, zipfile.ZipFile(io.BytesIO(data)) as before:
        assert after.testzip() is None
        assert after.namelist() == before.namelist()
        for a, b in zip(after.infolist(), before.infolist(), strict=True):
            assert after.read(a) == new.get(a.filename, old[a.filename])
            same = ("compress_type", "date_time", "external_attr", "create_system", "extra", "comment")
            assert [getattr(a, each) for each in same] == [getattr(b, each) for each in same]
            if a.filename not in new:
                assert record(made, a.filename) == record(data, b.filename)


def test_nothing_to_replace_gives_the_same_bytes() -> None:
    data = archive({"a": "x"})
    assert opened(data).replaced({}) == data


def test_sizes_behind_the_data_and_of_eight_bytes() -> None:
    """As programs write that do not know sizes beforehand."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *where: int) -> int:
            raise OSError

        def tell(self) -> int:
            raise OSError

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as made:
        for name in "abc":
            with made.open(name, "w", force_zip64=True) as stream:
                stream.write(name.encode() * 100)
        made.comment = b"a comment"
    data = pipe.getvalue()
    replaced = opened(data).replaced({"b": b"new"})
    with zipfile.ZipFile(io.BytesIO(replaced)) as after:
        assert [after.read(name) for name in "abc"] == [b"a" * 100, b"new", b"c" * 100]
        assert after.comment == b"a comment"
    assert record(replaced, "a") == record(data, "a") and record(replaced, "c") == record(data, "c")


def test_sizes_of_eight_bytes_in_the_directory() -> None:
    data = archive({"a": "x" * 50})
    at, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    packed, size = struct.unpack_from("<2L", data, at + 20)
    long = struct.pack("<2H2Q", 1, 16, size, packed)
    entry = (
        data[at : at + 20] + b"\xff" * 8 + data[at + 28 : at + 30] + struct.pack("<H", len(long)) + data[at + 32 : end]
    )
    ending = data[end : end + 12] + struct.pack("<L", len(entry + long)) + data[end + 16 :]
    made = opened(data[:at] + entry + long + ending).replaced({"a": b"new"})
    with zipfile.ZipFile(io.BytesIO(made)) as after:
        assert after.read("a") == b"new"
        assert after.getinfo("a").extra == b""


def test_order_of_the_directory_is_not_that_of_the_data() -> None:
    data = archive({"a": "1", "b": "2"})
    directory = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", directory + 1)
    end = data.index(b"PK\x05\x06")
    turned = data[:directory] + data[second:end] + data[directory:second] + data[end:]
    made = opened(turned).replaced({"a": b"longer than before"})
    with zipfile.ZipFile(io.BytesIO(made)) as after:
        assert after.namelist() == ["b", "a"]
        assert after.read("a") == b"longer than before" and after.read("b") == b"2"
        assert after.getinfo("a").header_offset == 0


def test_bombs() -> None:
    bomb = archive({"a.xml": b"\0" * 1_000_000})
    limits = DocumentLimits(max_bytes=100_000)
    assert len(bomb) < limits.max_bytes
    with pytest.raises(InputError, match="unpacks to more than the 100,000 bytes"):
        opened(bomb, limits).read("a.xml")
    # It may declare less than it holds.
    lying = bytearray(bomb)
    size = struct.pack("<L", 1_000_000)
    for _ in range(2):
        at = lying.index(size)
        lying[at : at + 4] = struct.pack("<L", 10)
    with pytest.raises(InputError, match="unpacks to more"):
        opened(bytes(lying), limits).read("a.xml")
    # Or many parts may hold as much as one.
    many = archive({f"{number}.xml": b"\0" * 40_000 for number in range(3)})
    files = opened(many, limits)
    files.read("0.xml")
    files.read("1.xml")
    with pytest.raises(InputError, match="unpacks to more"):
        files.read("2.xml")
    # What is not read is not unpacked.
    assert opened(bomb, limits).replaced({}) == bomb


def with_info(**values: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        info = zipfile.ZipInfo("a.xml")
        for key, value in values.items():
            setattr(info, key, value)
        made.writestr(info, b"/etc/passwd")
    return stream.getvalue()


def test_links_passwords_and_other_methods() -> None:
    with pytest.raises(InputError, match="is a link"):
        opened(with_info(external_attr=0o120777 << 16, create_system=3))
    locked = bytearray(archive({"a.xml": "x"}))
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(InputError, match="encrypted"):
        opened(bytes(locked))
    with pytest.raises(InputError, match="office programs do not use"):
        opened(with_info(compress_type=zipfile.ZIP_LZMA)).read("a.xml")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_ways_to_read_it() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("a.xml", "one")
        made.writestr("a.xml", "two")
    with pytest.raises(InputError, match="twice"):
        opened(stream.getvalue())
    # A part that reaches into the next one, and two that are the same.
    data = archive({"a": "xyz", "b": "y"}, ("a", "b"))
    size = data.index(b"PK\x01\x02") + 20
    with pytest.raises(InputError, match="not where its directory says"):
        opened(data[:size] + struct.pack("<L", 40) + data[size + 4 :])
    data = archive({"a": zlib.compress(b"x" * 99), "b": "y"}, ("a", "b"))
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    with pytest.raises(InputError, match="not where its directory says"):
        opened(data[: second + 42] + struct.pack("<L", 0) + data[second + 46 :])


def test_damaged_archives_are_refused_with_a_sentence() -> None:
    data = archive({"a.xml": "x" * 500, "b.xml": bytes(range(256))}, ("b.xml",))
    rng = random.Random(5)
    for _ in range(2000):
        broken = bytearray(data)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(broken))
            if rng.random() < 0.3:
                del broken[at : at + rng.randrange(1, 20)]
            else:
                broken[at] = rng.randrange(256)
        try:
            files = opened(bytes(broken))
            for name in files.names:
                files.read(name)
            made = files.replaced(dict.fromkeys(files.names[:1], b"new"))
        except InputError as error:
            assert str(error).startswith("a.docx: ")
            continue
        with zipfile.ZipFile(io.BytesIO(made)) as after:
            assert len(after.namelist()) == len(files.names)
