"""`dragoman translate-batch`: the bytes of `dragoman translate`, whoever did which shard, whatever was interrupted."""

from __future__ import annotations

import gzip
import json
import lzma
import random
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.batch import shard as shards
from dragoman.batch.batch import Part
from dragoman.batch.shard import ShardText, cut
from dragoman.batch.store import FOLDER
from dragoman.cli.lines import lines_of
from dragoman.cli.main import run
from dragoman.translator import Translator
from tests.unit.translate.support import PAIRS, make_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("model") / "fr-en.model")


def sentences(count: int, seed: int = 0) -> bytes:
    chance = random.Random(seed)
    rows = [*(source for source, _, _ in PAIRS), "", "Le chat. La maison !\r", "une maison zorglub"]
    return "".join(f"{chance.choice(rows)}\n" for _ in range(count)).encode()


TEXTS = {
    "plain.txt": sentences(47, 1),
    "packed.gz": sentences(20, 2) + b"la maison",  # the last line has no end
    "packed.xz": b"\xef\xbb\xbfla maison\r\nle chat\r\n" + sentences(3, 3),
    "empty.txt": b"",
    "ends.txt": b"\n\n\n",
}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in TEXTS.items():
        packed = gzip.compress(text) if name.endswith(".gz") else lzma.compress(text) if name.endswith(".xz") else text
        (folder / name).write_bytes(packed)
    return [str(folder / name) for name in TEXTS]


@pytest.fixture
def expected(model: Path, files: list[str], tmp_path: Path) -> dict[str, bytes]:
    found = {}
    for path in files:
        assert run(["translate", "-m", str(model), path, "-o", str(tmp_path / "whole")]) == 0
        found[Path(path).name] = (tmp_path / "whole").read_bytes()
    return found


def outputs(out: Path) -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in out.iterdir() if not path.name.startswith(".")}
    unpack = {"gz": gzip.decompress, "xz": lzma.decompress}
    return {name: unpack.get(name.rpartition(".")[2], bytes)(data) for name, data in found.items()}


def batch(model: Path, files: list[str], out: Path, *more: str) -> int:
    return run(["translate-batch", "-m", str(model), *files, "--out", str(out), "--shard-lines", "5", *more])


@pytest.mark.parametrize("threads", ["1", "2"])
def test_equal_to_the_whole(
    model: Path, files: list[str], expected: dict[str, bytes], tmp_path: Path, threads: str
) -> None:
    out = tmp_path / "new" / "out"
    assert batch(model, files, out, "--threads", threads) == 0
    assert outputs(out) == expected
    # Nothing is left but what says that they are done.
    assert {path.name for path in (out / FOLDER).iterdir()} == {f"{name}.json" for name in TEXTS}


def test_compressed_outputs_are_the_same_bytes(model: Path, files: list[str], tmp_path: Path) -> None:
    for out in ("one", "other"):
        assert batch(model, files, tmp_path / out) == 0
    for name in TEXTS:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


@pytest.mark.parametrize("count", [2, 3, 7])
def test_parts_in_any_order(
    model: Path, files: list[str], expected: dict[str, bytes], tmp_path: Path, count: int
) -> None:
    out = tmp_path / "out"
    order = list(range(1, count + 1))
    random.Random(count).shuffle(order)
    for number in order[:-1]:
        assert batch(model, files, out, "--shard", f"{number}/{count}") == 0
        assert "plain.txt" not in outputs(out)
    assert batch(model, files, out, "--shard", f"{order[-1]}/{count}") == 0
    assert outputs(out) == expected


def test_parts_at_once(model: Path, files: list[str], expected: dict[str, bytes], tmp_path: Path) -> None:
    """And two processes that were given the same part, by mistake."""
    out = tmp_path / "out"
    parts = ["1/3", "2/3", "3/3", "2/3", "1/1"]
    codes: list[int] = []
    workers = [
        threading.Thread(target=lambda part=part: codes.append(batch(model, files, out, "--shard", part)))  # type: ignore[misc]
        for part in parts
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert codes == [0] * len(parts)
    assert batch(model, files, out) == 0
    assert outputs(out) == expected


@given(st.integers(1, 20), st.integers(0, 50), st.integers(0, 200))
def test_every_shard_has_one_part(count: int, file: int, number: int) -> None:
    shard = shards.Shard(number, 1, 1, "")
    assert sum(Part(part, count).has(file, shard) for part in range(1, count + 1)) == 1


@given(st.binary(max_size=300), st.integers(1, 7), st.integers(1, 60))
def test_shards_hold_every_line(tmp_path_factory: pytest.TempPathFactory, data: bytes, lines: int, size: int) -> None:
    data = data.decode("utf-8", "replace").replace("a", "\n").encode()
    path = tmp_path_factory.getbasetemp() / "text"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "SHARD_BYTES", size)
        found = list(cut(str(path), lines))
    assert b"".join(text.data for text in found) == data
    assert [line for text in found for line in text.lines()] == list(lines_of(str(path)))
    assert all(0 < text.shard.lines <= lines for text in found)
    assert [text.shard.first_line for text in found] == [
        1 + sum(before.shard.lines for before in found[:place]) for place in range(len(found))
    ]


def shard_files(out: Path, name: str) -> list[Path]:
    return sorted(path for path in (out / FOLDER / name).iterdir() if path.name[0].isdigit())


@pytest.mark.parametrize("damage", ["cut", "grown", "changed", "empty", "gone", "another shard's"])
def test_damaged_shards_are_done_again(
    model: Path, files: list[str], expected: dict[str, bytes], tmp_path: Path, damage: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    out = tmp_path / "out"
    assert batch(model, files, out, "--shard", "1/2") == 0
    victim, other = shard_files(out, "plain.txt")[:2]
    data = victim.read_bytes()
    match damage:
        case "cut":
            victim.write_bytes(data[:-1])
        case "grown":
            victim.write_bytes(data + b"x\n")
        case "changed":
            victim.write_bytes(data.replace(b"t", b"d"))
        case "empty":
            victim.write_bytes(b"")
        case "gone":
            victim.unlink()
        case _:
            # It is whole, and of another number of lines: a name alone says nothing.
            victim.write_bytes(b"".join(other.read_bytes().splitlines(keepends=True)[:2]))
    capsys.readouterr()
    # The part that did it is not asked again: who joins finds it.
    assert batch(model, files, out, "--shard", "2/2", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["damaged"] == (damage != "gone")
    if damage == "gone":
        assert report["unfinished"] == [str(out / "plain.txt")]
        assert batch(model, files, out, "--shard", "1/2") == 0
    assert outputs(out) == expected


def test_what_is_done_is_not_done_again(
    model: Path, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert batch(model, files, out) == 0
    capsys.readouterr()
    monkeypatch.setattr(Translator, "translate", None)
    assert batch(model, files, out, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (
        said["lines"] == 0 and said["files"] == [] and said["there"] == sum(len(list(lines_of(path))) for path in files)
    )


def test_another_state_of_the_model_begins_anew(files: list[str], tmp_path: Path) -> None:
    model = make_model(tmp_path / "fr-en.model")
    out = tmp_path / "out"
    assert batch(model, files[:1], out, "--shard", "1/2") == 0
    with Translator.load(model) as translator:
        translator.add("une maison zorglub", "a snark house", "taught", links="0-0 1-2 2-1")
    assert batch(model, files[:1], out) == 0
    text = (out / "plain.txt").read_text()
    assert text.count("a snark house\n") == TEXTS["plain.txt"].count(b"une maison zorglub") > 1
    with Translator.load(model) as translator:
        translator.add("une maison zorglub", "a boojum house", "taught", links="0-0 1-2 2-1")
    assert batch(model, files[:1], out) == 2
    assert (out / "plain.txt").read_text() == text
    assert batch(model, files[:1], out, "--overwrite") == 0
    assert "a boojum house" in (out / "plain.txt").read_text()


def test_changed_text_is_done_again_and_no_more(
    model: Path, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert batch(model, files[:1], out, "--shard", "1/3") == 0
    assert batch(model, files[:1], out, "--shard", "2/3") == 0
    Path(files[0]).write_bytes(TEXTS["plain.txt"] + b"la maison\n")
    capsys.readouterr()
    assert batch(model, files[:1], out, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["there"] > 0 and report["lines"] + report["there"] == 48
    assert (out / "plain.txt").read_bytes().count(b"\n") == 48


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--shard", "0/3"], "names no part"),
        (["--shard", "4/3"], "names no part"),
        (["--shard", "x"], "write it as 3/64"),
        (["--shard", "1/²"], "write it as 3/64"),
    ],
)
def test_parts_that_are_none(
    model: Path, files: list[str], tmp_path: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert batch(model, files, tmp_path / "out", *arguments) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_refused_before_any_work(
    model: Path, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    twin = tmp_path / "plain.txt"
    twin.write_bytes(b"la maison\n")
    assert batch(model, [*files, str(twin)], out) == 2
    assert "would both be written" in capsys.readouterr().err
    assert batch(model, [str(twin)], tmp_path) == 2
    assert "lies in --out" in capsys.readouterr().err
    assert batch(model, ["-"], out) == 2
    assert batch(model, [str(tmp_path / "nothing")], out) == 1
    bad = tmp_path / "bad.gz"
    bad.write_bytes(gzip.compress(sentences(33) + b"caf\xe9\n" + sentences(3)))
    assert batch(model, [*files, str(bad)], out) == 1
    assert "bad.gz, line 34: is not UTF-8" in capsys.readouterr().err
    bad.write_bytes(gzip.compress(sentences(33))[:-20])
    assert batch(model, [*files, str(bad)], out) == 1
    assert "cut off" in capsys.readouterr().err
    assert not out.exists()
    out.mkdir()
    (out / "plain.txt").write_text("mine\n")
    assert batch(model, files, out) == 2
    assert "exists already" in capsys.readouterr().err
    assert (out / "plain.txt").read_text() == "mine\n"


def test_text_that_changes_meanwhile(
    model: Path, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def changing(path: str, lines: int) -> list[shards.Shard]:
        found = [text.shard for text in cut(path, lines)]
        Path(path).write_bytes(b"la maison\n" * 3)
        return found

    monkeypatch.setattr("dragoman.batch.batch.survey", changing)
    assert batch(model, files[:1], tmp_path / "out") == 2
    assert "has changed meanwhile" in capsys.readouterr().err


def test_lines_of_a_shard_count_from_its_first() -> None:
    shard = shards.Shard(3, 31, 2, "")
    assert list(ShardText("a", shard, "\ufeffx\n\ufeffy".encode()).lines()) == ["\ufeffx", "\ufeffy"]


def test_a_folder_that_goes_while_it_is_seen_to_be_there(
    model: Path, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when another process has joined the shards in the same moment."""
    left = ["once", "twice"]
    plain = Path.mkdir

    def mkdir(path: Path, *arguments: object, **more: object) -> None:
        if left and FOLDER in path.parts:
            left.pop()
            raise FileExistsError(str(path))
        plain(path, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "mkdir", mkdir)
    assert run(["translate-batch", "-m", str(model), files[0], "-o", str(tmp_path / "out")]) == 0
    assert not left and len((tmp_path / "out" / "plain.txt").read_bytes().splitlines()) == 47
