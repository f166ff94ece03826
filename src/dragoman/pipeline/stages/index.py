"""index: the bitext with its suffix array, the lexicon, and the words with their written forms."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from dragoman import _core
from dragoman.config import IndexOptions
from dragoman.corpus.languages import canonical
from dragoman.pipeline.stage import Request

FILES = ("vocab.bin", "bitext.bin", "lexicon.bin")


@dataclass(frozen=True, slots=True)
class IndexStageOptions:
    source_lang: str
    target_lang: str
    index: IndexOptions


@dataclass(frozen=True, slots=True)
class Indexed:
    """`bytes` by file."""

    sentences: int
    links: int
    bytes: dict[str, int]

    @property
    def total_bytes(self) -> int:
        return sum(self.bytes.values())


def run(request: Request[IndexStageOptions]) -> Indexed:
    """Writes vocab.bin, bitext.bin and lexicon.bin."""
    counts = _core.build_index(
        str(request.out),
        request.input("source").read_bytes(),
        request.input("target").read_bytes(),
        request.input("links").read_bytes(),
        asdict(request.options.index),
        request.progress,
    )
    add_written_forms(request)
    sizes = {name: (request.out / name).stat().st_size for name in FILES}
    return Indexed(counts["sentences"], counts["links"], sizes)


def add_written_forms(request: Request[IndexStageOptions]) -> None:
    """Learned from all of the text, also where only a part of it is indexed. The case of target words is learned from
    the source and the links as well."""
    vocabulary = str(request.out / "vocab.bin")
    langs = {"source": canonical(request.options.source_lang), "target": canonical(request.options.target_lang)}
    source, target = (
        _core.Tokenizer(lang).tokenize(request.input(f"raw_{side}").read_bytes(), threads=request.threads)
        for side, lang in langs.items()
    )
    _core.add_casing(vocabulary, "source", source, langs["source"], request.threads)
    links = request.input("raw_links").read_bytes()
    _core.add_casing(vocabulary, "target", target, langs["target"], request.threads, source=source, links=links)
