"""An alignment model without some of its words: they are gone from its bytes, and the others link as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions
from tests.unit.translate.support import PAIRS


@pytest.mark.parametrize("kind", ["agreement", "hmm", "diagonal", "ibm1"])
def test_without_words(tmp_path: Path, kind: str) -> None:
    source, target = ("".join(f"{row[i]}\n" for row in PAIRS).encode() * 3 for i in range(2))
    training = AlignmentModel.train(source, target, AlignOptions(model=kind, threads=1))
    assert training.model is not None
    training.model.save(tmp_path / "align.bin")
    old = _core.AlignmentModel.open(str(tmp_path / "align.bin"))
    new = old.without(["noir", "voiture"], ["black", "car"])
    new.save(str(tmp_path / "new.bin"))
    content = (tmp_path / "new.bin").read_bytes()
    for word in (b"noir", b"voiture", b"black", b"car"):
        assert word in (tmp_path / "align.bin").read_bytes()
        assert word not in content
    again = _core.AlignmentModel.open(str(tmp_path / "new.bin"))
    rows = [row for row in PAIRS if not {"noir", "voiture"} & set(row[0].split())]
    both = ["".join(f"{row[i]}\n" for row in rows).encode() for i in range(2)]
    assert again.align(*both, "posterior", "grow-diag-final-and") == old.align(
        *both, "posterior", "grow-diag-final-and"
    )
    assert again.probabilities("maison", "house") == old.probabilities("maison", "house")
    assert again.probabilities("maison", "black") == again.probabilities("maison", "never seen")
    assert again.probabilities(None, "the") == old.probabilities(None, "the")
    assert again.probabilities("chat", None) == old.probabilities("chat", None)
