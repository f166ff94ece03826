"""Stages that hand numbers to each other make the files that the same text would make as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import pytest

from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions, IndexOptions, LmOptions
from dragoman.lm import build_model
from dragoman.pipeline.budget import least_lm_bytes
from dragoman.pipeline.counts import CorpusCounts, TextCounts, counts_of
from dragoman.pipeline.index_bytes import PairBytes, least_index_bytes
from dragoman.pipeline.stage import Languages, NoOptions, Request
from dragoman.pipeline.stages import align, index, ngram_lm, select, sources, tokenize

ROOT = Path(__file__).parents[3]
Options = TypeVar("Options")
Result = TypeVar("Result")


class Stages:
    """Runs stages in this process, each in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(
        self, name: str, stage: Callable[[Request[Options]], Result], options: Options, **inputs: Path
    ) -> tuple[Path, Result]:
        out = self.folder / name
        out.mkdir()
        return out, stage(Request(inputs, options, out, out / "keep", 2, lambda done, total: None))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw text of both sides, what came of each stage, and the same text as lines of tokens."""
    folder = tmp_path_factory.mktemp("stages")
    pairs = [line.split("\t") for line in (ROOT / "examples/demo/phrasebook.tsv").read_text().splitlines()[:300]]
    raw = {}
    for side, lang in enumerate(("fr", "en")):
        raw[lang] = folder / f"raw.{lang}"
        raw[lang].write_text("".join(pair[side] + "\n" for pair in pairs))
        (folder / f"tokens.{lang}").write_bytes(_core.Tokenizer(lang).tokenize(raw[lang].read_bytes(), model=True))
    stages = Stages(folder)
    words, _ = stages.run(
        "tokenize", tokenize.run, Languages("fr", "en"), source=raw["fr"], target=raw["en"], monolingual0=raw["en"]
    )
    sides = {"source": words / "source.bin", "target": words / "target.bin"}
    links = stages.run("align", align.run, AlignOptions(), **sides)[0] / "links.bin"
    chosen, found = stages.run(
        "select", select.run, select.SelectOptions(3000, PairBytes(3, 2, 1)), **sides, links=links
    )
    assert 0 < found.pairs < found.of == 300
    options = index.IndexStageOptions("fr", "en", IndexOptions())
    stages.run("index", index.run, options, **sides, links=links, chosen=chosen / "chosen.bin")
    stages.run("lm", ngram_lm.run, LmOptions(order=3), target=sides["target"], monolingual=words / "monolingual.bin")
    origins = folder / "origins"
    origins.write_text("".join(f'{{"id": "{n}", "file": "f", "line": {n + 1}}}\n' for n in range(len(pairs))))
    inputs = {"source": raw["fr"], "target": raw["en"], "origins": origins, "chosen": chosen / "chosen.bin"}
    stages.run("sources", sources.run, NoOptions(), **inputs)
    return folder


def chosen_lines(folder: Path, lines: bytes) -> bytes:
    all_lines = lines.splitlines(keepends=True)
    return b"".join(all_lines[number] for number in _core.read_chosen(str(folder / "select" / "chosen.bin")))


def test_no_text_is_left_in_the_folders(folder: Path) -> None:
    for stage in ("tokenize", "align", "select", "index", "lm", "sources"):
        files = {path.name for path in (folder / stage).iterdir()}
        assert files and all(name.endswith(".bin") for name in files), stage


def test_links_and_aligner(folder: Path) -> None:
    training = AlignmentModel.train(folder / "tokens.fr", folder / "tokens.en", AlignOptions())
    assert training.model is not None
    training.model.save(folder / "align.bin")
    assert (folder / "align.bin").read_bytes() == (folder / "align" / "align.bin").read_bytes()
    pieces: list[bytes] = []
    _core.StoredLinks.open(str(folder / "align" / "links.bin")).write_lines(pieces.append)
    assert b"".join(pieces) == training.links


def test_index_and_written_forms_of_chosen_pairs(folder: Path, tmp_path: Path) -> None:
    pieces: list[bytes] = []
    _core.StoredLinks.open(str(folder / "align" / "links.bin")).write_lines(pieces.append)
    links = b"".join(pieces)
    texts = [chosen_lines(folder, (folder / f"tokens.{lang}").read_bytes()) for lang in ("fr", "en")]
    _core.build_index(str(tmp_path), *texts, chosen_lines(folder, links), asdict(IndexOptions()))
    # How words are written comes from all of the text.
    source, target = (_core.Tokenizer(lang).tokenize((folder / f"raw.{lang}").read_bytes()) for lang in ("fr", "en"))
    vocabulary = str(tmp_path / "vocab.bin")
    _core.add_casing(vocabulary, "source", source, "fr")
    _core.add_casing(vocabulary, "target", target, "en", source=source, links=links)
    _core.add_spacing(vocabulary, target, "en", source, links, "fr")
    for path in sorted(tmp_path.iterdir()):
        assert path.read_bytes() == (folder / "index" / path.name).read_bytes(), path.name


def counted(text: bytes) -> TextCounts:
    words = Counter(text.split())
    return counts_of(text.count(b"\n"), words, sum(map(len, words)))


def test_the_least_of_an_index_is_one_of_no_pairs(folder: Path, tmp_path: Path) -> None:
    sides = {side: folder / "tokenize" / f"{side}.bin" for side in ("source", "target")}
    links = {"links": folder / "align" / "links.bin"}
    stages = Stages(tmp_path)
    chosen, found = stages.run("select", select.run, select.SelectOptions(0, PairBytes(3, 2, 1)), **sides, **links)
    assert found.pairs == 0
    inputs = {**sides, **links, "chosen": chosen / "chosen.bin"}
    _, made = stages.run("index", index.run, index.IndexStageOptions("fr", "en", IndexOptions()), **inputs)
    source, target = (counted((folder / f"tokens.{lang}").read_bytes()) for lang in ("fr", "en"))
    assert made.total_bytes == least_index_bytes(CorpusCounts(source, target))


@pytest.mark.parametrize("lines", [1, 10, 100, 300])
def test_the_least_of_a_language_model_can_be_made(folder: Path, tmp_path: Path, lines: int) -> None:
    text = b"".join((folder / "tokens.en").read_bytes().splitlines(keepends=True)[:lines])
    (tmp_path / "text").write_bytes(text)
    least = least_lm_bytes(CorpusCounts(counted(text), counted(text)))
    build_model(tmp_path / "lm.bin", [tmp_path / "text"], options=LmOptions(memory=str(least)))
    assert (tmp_path / "lm.bin").stat().st_size <= least


def test_language_model(folder: Path, tmp_path: Path) -> None:
    texts = [folder / "tokens.en", folder / "tokens.en"]
    build_model(tmp_path / "lm.bin", texts, options=LmOptions(order=3))
    assert (tmp_path / "lm.bin").read_bytes() == (folder / "lm" / "lm.bin").read_bytes()


def test_sources_have_the_numbers_of_the_index(folder: Path) -> None:
    from dragoman.index.sources import Sources

    numbers = _core.read_chosen(str(folder / "select" / "chosen.bin"))
    kept = list(Sources.open(folder / "sources" / "sources.bin"))
    raw = (folder / "raw.fr").read_text().splitlines()
    assert [(record.stable_id, record.source) for record in kept] == [
        (place, raw[number]) for place, number in enumerate(numbers)
    ]
