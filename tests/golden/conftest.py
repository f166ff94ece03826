"""What other programs made of text: of the project's own, in this folder, and of other people's, in the shared one."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
UNPACK: dict[str, Callable[[bytes], bytes]] = {".xz": lzma.decompress, ".gz": gzip.decompress, "": bytes}

Golden = Callable[[str], str]


@pytest.fixture
def golden(shared: Callable[[str], Path]) -> Golden:
    """golden("phrasebook/train.fr") is the text of that file here, golden("shared/mert/INIT") of a shared one.

    Either may be packed, which the name does not say.
    """

    def read(name: str) -> str:
        folder, _, rest = name.partition("/")
        stem = shared("golden") / rest if folder == "shared" else HERE / name
        packing = next((end for end in UNPACK if Path(f"{stem}{end}").exists()), "")
        return UNPACK[packing](Path(f"{stem}{packing}").read_bytes()).decode()

    return read
