"""What is made with a scratch space is the same bits as what is made in memory, and does lie in files."""

from __future__ import annotations

import gc
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions, LmOptions
from dragoman.lm import build_model
from dragoman.model.opened import OpenRequest
from dragoman.process_memory import anonymous_bytes
from tests.unit.translate.support import make_model

LINES = 80_000
# What a pager leaves open under any limit: 64 windows of 64 KiB (core/base/pager.h).
LEAST_OPEN_BYTES = 64 << 16


@pytest.fixture(scope="module")
def lines() -> tuple[bytes, bytes]:
    """Long enough that each large array is worth a file; a target word follows from its source word, mostly."""
    chance = random.Random(1)
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(LINES):
        words = [int(chance.paretovariate(0.7)) % 5000 for _ in range(chance.randrange(3, 12))]
        sides[0].append(" ".join(f"s{word}" for word in words))
        sides[1].append(" ".join(f"t{word if chance.random() < 0.9 else word // 2}" for word in reversed(words)))
    source, target = ("".join(f"{line}\n" for line in side).encode() for side in sides)
    return source, target


def made(folder: Path, lines: tuple[bytes, bytes], scratch: _core.ScratchSpace | None) -> dict[str, bytes]:
    """All that the stages before translating make of a text, by file."""
    folder.mkdir()
    for name, text in zip(("source.bin", "target.bin"), lines, strict=True):
        builder = _core.IdTextBuilder(scratch)
        builder.add(text)
        builder.finish().save(str(folder / name))
    sides = [_core.IdText.open(str(folder / name), False, scratch) for name in ("source.bin", "target.bin")]
    options = AlignOptions(ibm1_iterations=3, iterations=1, threads=2)
    training = AlignmentModel.train(sides[0], sides[1], options, scratch=scratch)
    training.stored_links.save(str(folder / "links.bin"))
    assert training.model is not None
    training.model.save(folder / "align.bin")
    links = _core.StoredLinks.open(str(folder / "links.bin"), False, scratch)
    _core.build_index(str(folder), sides[0], sides[1], links, {"sample_seed": 1}, scratch=scratch)
    build_model(folder / "lm.bin", [sides[1]], options=LmOptions(order=4, memory="1MB"), scratch=scratch)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def test_files_do_not_depend_on_where_the_work_lay(tmp_path: Path, lines: tuple[bytes, bytes]) -> None:
    free = made(tmp_path / "free", lines, None)
    space = tmp_path / "space"
    space.mkdir()
    # A limit that no process keeps to: everything leaves memory again and again.
    scratch = _core.ScratchSpace(str(space), 1_000_000)
    bounded = made(tmp_path / "bounded", lines, scratch)
    assert len(free) == 8 and free == bounded
    assert scratch.peak_bytes > 5_000_000
    assert not list(space.iterdir())


@pytest.mark.skipif(anonymous_bytes() is None, reason="the system does not tell")
def test_a_large_text_takes_little_memory(tmp_path: Path) -> None:
    scratch = _core.ScratchSpace(str(tmp_path), 100_000_000)
    builder = _core.IdTextBuilder(scratch)
    piece = b"".join(b"%d %d %d\n" % (n, n * 7 % 997, n % 13) for n in range(20_000))
    before = anonymous_bytes()
    assert before is not None
    for _ in range(100):
        builder.add(piece)
    text = builder.finish()
    assert text.tokens == 6_000_000 and scratch.peak_bytes > 10_000_000
    now = anonymous_bytes()
    assert now is not None and now - before < 8_000_000


def resident_bytes_of(folder: Path) -> int:
    """Bytes that this process has in memory of the files of a folder."""
    resident, ours = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        fields = line.split(maxsplit=5)
        if "-" in fields[0]:
            ours = fields[-1].startswith(f"{folder}/")
        elif ours and fields[0] == "Rss:":
            resident += 1024 * int(fields[1])
    return resident


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="the system does not tell")
def test_a_model_leaves_memory_where_that_is_limited(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m.model").resolve()
    free = OpenRequest(model).open()
    assert resident_bytes_of(model) > 0
    text, options = ["Le chat dort."], {"kbest": 5}
    expected = free.core.translate(text, options)
    del free
    gc.collect()
    # A limit that no process keeps to: the least that a pager leaves open.
    scratch = _core.ScratchSpace(str(tmp_path), 1_000_000)
    bounded = OpenRequest(model, scratch=scratch).open()
    assert bounded.core.translate(text, options) == expected
    assert resident_bytes_of(model) <= LEAST_OPEN_BYTES


# Learns from a text within a limit and says what files took of its memory at most, measured at every thousandth of a
# second or whenever this thread gets a turn, and what the process took.
LEARN = """
import resource, sys, threading, time
from pathlib import Path
from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions
folder, limit = Path(sys.argv[1]), int(sys.argv[2])
scratch = _core.ScratchSpace(str(folder), limit)
sides = [_core.IdText.open(str(folder / name), True, scratch) for name in ("source.bin", "target.bin")]
AlignmentModel.train(*sides, AlignOptions(ibm1_iterations=3, iterations=1, threads=4), scratch=scratch)
print(scratch.peak_bytes, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system counts memory otherwise")
def test_the_limit_holds_whatever_else_runs(tmp_path: Path, lines: tuple[bytes, bytes]) -> None:
    for name, text in zip(("source.bin", "target.bin"), lines, strict=True):
        builder = _core.IdTextBuilder()
        builder.add(text)
        builder.finish().save(str(tmp_path / name))

    def learned(limit: int) -> tuple[int, int]:
        run = subprocess.run(
            [sys.executable, "-c", LEARN, str(tmp_path), str(limit)], capture_output=True, text=True, check=True
        )
        in_files, peak = map(int, run.stdout.split())
        return in_files, peak

    # What the process takes beside its files: the little that they may in any case is no part of it.
    in_files, floor = learned(1_000_000)
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
    try:
        for limit in (floor + (2 << 20), floor + in_files // 2):
            _, peak = learned(limit)
            assert peak <= limit
    finally:
        for other in others:
            other.kill()
            other.wait()


# A mistake of the core beside paged memory. Python's own handler of faults was there before, or came afterwards.
CRASH = """
import faulthandler, sys
from dragoman import _core
enable, folder = sys.argv[1] == "before", sys.argv[2]
if enable:
    faulthandler.enable()
scratch = _core.ScratchSpace(folder, 1_000_000)
builder = _core.IdTextBuilder(scratch)
builder.add(b"a b c\\n" * 500_000)
text = builder.finish()
if not enable:
    faulthandler.enable()
    other = _core.ScratchSpace(folder, 1_000_000)
assert text.tokens == 1_500_000 and scratch.peak_bytes > 0
faulthandler._sigsegv()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such signal")
@pytest.mark.parametrize("order", ["before", "afterwards"])
def test_a_crash_still_says_where(tmp_path: Path, order: str) -> None:
    run = subprocess.run([sys.executable, "-c", CRASH, order, str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == -signal.SIGSEGV
    assert run.stderr.count("Fatal Python error: Segmentation fault") == 1
