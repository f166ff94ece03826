"""Stream filters and statistics."""

from __future__ import annotations

import io
import lzma
from pathlib import Path

import pytest

from dragoman.corpus import filters, stats

TEXT = "L'été, c'est beau.\n\n« Oui »  dit-il !\r\nfin"


@pytest.mark.parametrize("block", [5, 1 << 20])
@pytest.mark.parametrize("threads", [1, 2])
def test_one_line_out_per_line_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, threads: int) -> None:
    monkeypatch.setattr(filters, "BLOCK_BYTES", block)
    (tmp_path / "a.xz").write_bytes(lzma.compress(b"\xef\xbb\xbf" + TEXT.encode()))
    out = io.BytesIO()
    filters.tokenize(tmp_path / "a.xz", out, "fr", threads=threads)
    assert out.getvalue().decode().split("\n")[:2] == ["L' été , c' est beau .", ""]
    (tmp_path / "tokens").write_bytes(out.getvalue())
    back = io.BytesIO()
    filters.detokenize(tmp_path / "tokens", back, "fr", threads=threads)
    assert [line.split() for line in back.getvalue().decode().split("\n")] == [
        line.split() for line in TEXT.split("\n")
    ] + [[]]
    low = io.BytesIO()
    filters.tokenize(tmp_path / "a.xz", low, "fr", lowercase=True)
    assert low.getvalue().decode().startswith("l' été , c' est beau .\n")


def test_stats(tmp_path: Path) -> None:
    (tmp_path / "train.fr").write_text("le chat dort .\nle chien .\n\n")
    (tmp_path / "train.en").write_text("the cat sleeps .\nthe dog .\n\n")
    (tmp_path / "dev.fr").write_text("le chat mange le chat noir .\n")
    (tmp_path / "train.origin.jsonl").write_text("{}\n")
    counted = {Path(one.file).name: one for one in stats.gather([tmp_path])}
    assert sorted(counted) == ["dev.fr", "train.en", "train.fr"]
    train = counted["train.fr"].as_json()
    assert (train["lines"], train["empty_lines"], train["tokens"], train["types"]) == (3, 1, 7, 5)
    assert train["tokens_per_line"] == {"mean": 2.33, "median": 3, "p95": 4, "p99": 4, "max": 4}
    assert train["characters"] == 24
    dev = counted["dev.fr"]
    assert dev.known_from.endswith("train.fr")
    assert dev.unknown_tokens_percent == pytest.approx(100 * 2 / 7)
    assert dev.unknown_types_percent == pytest.approx(100 * 2 / 5)
    pairs = stats.ratios(list(counted.values()))
    assert len(pairs) == 1
    assert pairs[0].tokens_ratio == 1.0
    assert pairs[0].same_number_of_lines


@pytest.mark.parametrize(
    ("name", "lang"),
    [("train.fr", "fr"), ("a.pt-BR.xz", "pt-br"), ("a.txt", ""), ("corpus", ""), ("x.zh_Hant", "zh-hant")],
)
def test_language_of_a_file(name: str, lang: str) -> None:
    assert stats.language_of(name) == lang
