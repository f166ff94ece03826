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
    source, target, links = request.text("source"), request.text("target"), request.links()
    options = asdict(request.options.index)
    counts = _core.build_index(
        str(request.out), source, target, links, options, request.progress, request.chosen(), request.scratch
    )
    # How words are written is learned from all of the text, also where only a part of it is indexed; the case of target
    # words and the spaces between them from the source and the links as well.
    vocabulary = str(request.out / "vocab.bin")
    langs = canonical(request.options.source_lang), canonical(request.options.target_lang)
    _core.add_casing(vocabulary, "source", source, langs[0], request.threads)
    _core.add_casing(vocabulary, "target", target, langs[1], request.threads, source=source, links=links)
    _core.add_spacing(vocabulary, target, langs[1], source, links, langs[0])
    sizes = {name: (request.out / name).stat().st_size for name in FILES}
    return Indexed(counts["sentences"], counts["links"], sizes)
