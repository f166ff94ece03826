"""Documents in, sentence pairs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.config import PairOptions, require_limits
from dragoman.corpus.languages import canonical, matches, require_code
from dragoman.corpus.pair import Origin, SentencePair
from dragoman.documents import Columns
from dragoman.errors import ConfigError, InputError
from dragoman.model.directory import ModelDirectory
from dragoman.pairing.beads import Bead, Sentences, find_beads
from dragoman.pairing.sentences import read_sentences
from dragoman.progress import Progress

# Languages that put nothing between sentences.
UNSPACED = ("zh", "ja")


@dataclass(slots=True)
class DocumentsPaired:
    """The pairs that are good enough, and what became of every sentence."""

    pairs: list[SentencePair] = field(default_factory=list)
    documents: int = 0
    source_sentences: int = 0
    target_sentences: int = 0
    # Beads by kind, as 1-1 or 2-1: all that were found, 1-0 and 0-1 being sentences without a partner.
    beads: Counter[str] = field(default_factory=Counter)
    low_quality: int = 0
    # Documents of which less than a third was paired: they are hardly translations of each other.
    doubtful: list[tuple[Path, Path]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {
            "documents": self.documents,
            "source_sentences": self.source_sentences,
            "target_sentences": self.target_sentences,
            "beads": dict(sorted(self.beads.items())),
            "low_quality": self.low_quality,
            "doubtful": [[str(path) for path in paths] for paths in self.doubtful],
            "pairs": len(self.pairs),
        }


def pair_documents(
    documents: Sequence[tuple[str | Path, str | Path]],
    source_lang: str,
    target_lang: str,
    options: PairOptions | None = None,
    *,
    model: str | Path | None = None,
    columns: Columns | None = None,
    progress: Progress | None = None,
) -> DocumentsPaired:
    """Sentence pairs of documents and their translations, all learned from together.

    `model` is a model of the same languages whose lexicon is asked instead of one learned from these documents, and
    `columns` are those of CSV files that hold text. A file from which no text can be read, or that has none, is an
    InputError.
    """
    options = options or PairOptions()
    require_limits(options)
    languages = require_code(source_lang, "source-lang"), require_code(target_lang, "target-lang")
    lexicon = open_lexicon(model, *languages) if model is not None else None
    paths = [(Path(source), Path(target)) for source, target in documents]
    texts = [
        (read_side(source, languages[0], options, columns), read_side(target, languages[1], options, columns))
        for source, target in paths
    ]
    bead_lists = find_beads(texts, *languages, lexicon, progress)
    result = DocumentsPaired(documents=len(paths))
    for (source, target), sides, beads in zip(paths, texts, bead_lists, strict=True):
        result.source_sentences += len(sides[0].texts)
        result.target_sentences += len(sides[1].texts)
        result.beads.update(bead.kind for bead in beads)
        whole = [bead for bead in beads if "0" not in bead.kind]
        kept = [bead for bead in whole if bead.quality >= options.least_quality]
        result.low_quality += len(whole) - len(kept)
        if 3 * len(kept) < min(len(side.texts) for side in sides):
            result.doubtful.append((source, target))
        result.pairs.extend(sentence_pairs(kept, source, target, sides, languages))
    return result


def open_lexicon(model: str | Path, source_lang: str, target_lang: str) -> _core.AlignmentModel:
    directory = ModelDirectory.open(model)
    manifest = directory.manifest
    if not (matches(source_lang, manifest.source_lang) and matches(target_lang, manifest.target_lang)):
        raise ConfigError(
            f"{model} translates {manifest.source_lang}-{manifest.target_lang}, but the documents are"
            f" {source_lang}-{target_lang}",
            "model",
        )
    if not directory.has("align.bin"):
        raise ConfigError(f"{model} has no align.bin to ask about words; pair the documents without it", "model")
    return _core.AlignmentModel.open(str(directory.file("align.bin")))


def read_side(path: Path, lang: str, options: PairOptions, columns: Columns | None) -> Sentences:
    sentences = read_sentences(path, lang, options.wrapped, columns=columns)
    if not sentences.texts:
        raise InputError(f"{path} holds no text")
    return sentences


def sentence_pairs(
    beads: Sequence[Bead], source: Path, target: Path, sides: tuple[Sentences, Sentences], languages: tuple[str, str]
) -> Iterator[SentencePair]:
    for bead in beads:
        texts = [
            joined(side.texts[begin:end], lang)
            for side, lang, (begin, end) in zip(sides, languages, (bead.source, bead.target), strict=True)
        ]
        places = [f"{path}:{begin + 1}" for path, (begin, _) in ((source, bead.source), (target, bead.target))]
        attributes = {"quality": f"{bead.quality:.3f}", "source-place": places[0], "target-place": places[1]}
        yield SentencePair(texts[0], texts[1], places[0], Origin(str(source), bead.source[0] + 1, "", attributes))


def joined(sentences: Sequence[str], lang: str) -> str:
    return ("" if canonical(lang).split("-")[0] in UNSPACED else " ").join(sentences)
