"""sources.bin: what goes in comes out, by either id; damaged files are refused; nothing is half-written."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.corpus.preparation import prepare
from dragoman.errors import FormatError, InputError
from dragoman.index.sources import SourceRecord, Sources, write_prepared, write_sources


def records(count: int, seed: int = 1) -> list[SourceRecord]:
    rng = random.Random(seed)
    words = ["maison", "bleue", "été", "\u4e2d", "the", "house", "is", "\U0001f600", ""]
    made, stable_id = [], 0
    for number in range(count):
        stable_id += rng.choice((1, 1, 1, 2, 1000))
        file = rng.choice(("a.tmx", "dir/b.fr", "odd\udcff.po"))
        unit = rng.choice(("", "", f"tu{rng.randrange(count)}"))
        line = 0 if unit else rng.randrange(1, 10**9)
        own = rng.choice((f"{file}:{line}", unit, f"{file}:{unit}", f"own {number}", ""))
        attributes = {f"key{rng.randrange(5)}": rng.choice(words) * rng.randrange(3) for _ in range(rng.randrange(4))}
        texts = [" ".join(rng.choices(words, k=rng.randrange(40))) for _ in range(2)]
        made.append(SourceRecord(stable_id, own, texts[0], texts[1], file, line, unit, attributes))
    return made


@pytest.mark.parametrize("count", [0, 1, 2, 700])
def test_round_trip(tmp_path: Path, count: int) -> None:
    given = records(count)
    report = write_sources(tmp_path / "sources.bin", given)
    assert (report.pairs, report.bytes) == (count, (tmp_path / "sources.bin").stat().st_size)
    sources = Sources.open(tmp_path / "sources.bin")
    assert len(sources) == count
    assert list(sources) == given
    for record in given:
        assert sources.get(record.stable_id) == record
        assert sources.find(record.id) == [each.stable_id for each in given if each.id == record.id]
    present = {record.stable_id for record in given}
    for stable_id in (0, 5, 10**6, 1 << 63, -1, 1 << 70):
        assert (sources.get(stable_id) is not None) == (stable_id in present)
    assert sources.find("nobody is called so") == []


def test_large_pair_and_incompressible_text(tmp_path: Path) -> None:
    noise = "".join(chr(random.Random(3).randrange(0x4E00, 0x9000)) for _ in range(50_000))
    given = [SourceRecord(1, "a", noise, noise[::-1]), SourceRecord(2, "b", "x" * 1_000_000, "")]
    write_sources(tmp_path / "s", given)
    assert list(Sources.open(tmp_path / "s")) == given


def test_ids_must_rise(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rising stable id"):
        write_sources(tmp_path / "s", [SourceRecord(2, "", "", ""), SourceRecord(2, "", "", "")])
    assert not list(tmp_path.iterdir())


def test_prepared_corpus(tmp_path: Path) -> None:
    tmx = tmp_path / "memory.tmx"
    units = "".join(
        f'<tu tuid="u{n}" creationid="anna" changedate="2024010{n}T000000Z"><tuv xml:lang="fr"><seg>La {n}e maison '
        f'est bleue</seg></tuv><tuv xml:lang="en"><seg>House {n} is blue</seg></tuv></tu>'
        for n in range(9)
    )
    tmx.write_text(f'<tmx version="1.4"><header srclang="fr"/><body>{units}</body></tmx>')
    prepare(tmx, tmp_path / "out", source_lang="fr", target_lang="en")
    train = tmp_path / "out" / "train"
    report = write_prepared(
        tmp_path / "s", train.with_suffix(".fr"), train.with_suffix(".en"), train.with_suffix(".origin.jsonl")
    )
    sources = Sources.open(tmp_path / "s")
    lines = [path.read_text().splitlines() for path in (train.with_suffix(".fr"), train.with_suffix(".en"))]
    origins = [json.loads(line) for line in train.with_suffix(".origin.jsonl").read_text().splitlines()]
    assert report.pairs == len(lines[0]) == len(sources)
    for number, record in enumerate(sources):
        assert (record.source, record.target) == (lines[0][number], lines[1][number])
        assert (record.id, record.file, record.unit) == (origins[number]["id"], str(tmx), origins[number]["unit"])
        assert record.attributes["creationid"] == "anna"
        assert sources.find(record.unit) == [number]
        assert record.place == f"{tmx}:{record.unit}"


def test_without_origins(tmp_path: Path) -> None:
    (tmp_path / "a.fr").write_bytes(b"un\r\ndeux\n")
    (tmp_path / "a.en").write_bytes(b"one\ntwo")
    write_prepared(tmp_path / "s", tmp_path / "a.fr", tmp_path / "a.en")
    second = Sources.open(tmp_path / "s").get(1)
    assert second is not None
    assert (second.source, second.target, second.line) == ("deux", "two", 2)
    assert second.id == second.place == f"{tmp_path}/a.fr:2"


@pytest.mark.parametrize(
    ("origins", "what"),
    [
        (b'{"id":"a","file":"f"}\n', "different numbers of lines"),
        (b'{"id":"a","file":"f"}\n' * 3, "different numbers of lines"),
        (b'{"id":"a","file":"f"}\nnot json\n', "line 2: is not an origin"),
        (b'{"id":"a","file":"f"}\n{"id":3,"file":"f"}\n', "line 2: is not an origin"),
        (b'{"id":"a","file":"f","line":-1}\n' * 2, "line 1: is not an origin"),
        (b"[" * 100_000 + b"\n" + b"{}\n", "line 1: is not an origin"),
    ],
)
def test_bad_origins(tmp_path: Path, origins: bytes, what: str) -> None:
    for name, text in (("a.fr", b"un\ndeux\n"), ("a.en", b"one\ntwo\n"), ("o", origins)):
        (tmp_path / name).write_bytes(text)
    with pytest.raises(InputError, match=what):
        write_prepared(tmp_path / "s", tmp_path / "a.fr", tmp_path / "a.en", tmp_path / "o")
    assert not (tmp_path / "s").exists()


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    write_sources(path, records(300))
    good = path.read_bytes()
    rng = random.Random(5)
    for _ in range(150):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        if rng.random() < 0.2:
            del data[rng.randrange(len(data)) :]
        path.write_bytes(data)
        with pytest.raises(FormatError):
            Sources.open(path)
        # Without the hashes every access is still bounded: an answer or a FormatError, nothing else.
        try:
            trusting = Sources.open(path, trust=True)
            list(trusting)
            trusting.get(rng.randrange(1000))
            trusting.find("own 7")
        except FormatError:
            pass


def test_inflate_is_zlibs() -> None:
    rng = random.Random(11)
    for level in range(10):
        for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE):
            plain = b"".join(rng.choice((b"abc", b"\0" * 300, rng.randbytes(9))) for _ in range(rng.randrange(400)))
            packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
            packed = packer.compress(plain) + packer.flush()
            assert _core.testing.inflate(packed, len(plain)) == plain
            for wrong in (packed[:-1], packed[: len(packed) // 2], b""):
                with pytest.raises(InputError):
                    _core.testing.inflate(wrong, len(plain) + 1)


def test_inflate_with_a_dictionary() -> None:
    rng = random.Random(13)
    for _ in range(50):
        known = b"".join(rng.choice((b"la maison ", b"bleue ", rng.randbytes(5))) for _ in range(rng.randrange(300)))
        plain = b"".join(rng.choice((b"la maison bleue", rng.randbytes(4))) for _ in range(rng.randrange(300)))
        packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, known)
        packed = packer.compress(plain) + packer.flush()
        assert _core.testing.inflate(packed, len(plain), known) == plain


def test_inflate_survives_noise() -> None:
    rng = random.Random(12)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    good = packer.compress(b"la maison bleue " * 500 + rng.randbytes(500)) + packer.flush()
    for _ in range(2000):
        data = bytearray(good if rng.random() < 0.7 else rng.randbytes(200))
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        try:
            made = _core.testing.inflate(bytes(data), 8500)
        except InputError:
            continue
        assert len(made) == 8500
