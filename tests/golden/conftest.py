"""What other programs made of text: of the project's own, in this folder, and of other people's, in the shared one."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
UNPACK: dict[str, Callable[[bytes], bytes]] = {".xz": lzma.decompress, ".gz": gzip.decompress}


@pytest.fixture
def golden(shared: Callable[[str], Path]) -> Callable[[str], str]:
    """golden("phrasebook/train.fr") is the text of that file here, golden("shared/mert/INIT") of a shared one.

    Packed files are unpacked.
    """

    def read(name: str) -> str:
        folder, _, rest = name.partition("/")
        path = shared(f"golden/{rest}") if folder == "shared" else HERE / name
        return UNPACK.get(path.suffix, bytes)(path.read_bytes()).decode()

    return read
