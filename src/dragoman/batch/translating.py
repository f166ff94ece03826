"""How a shard is translated, wherever that happens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dragoman import _core
from dragoman.batch.shard import ShardText
from dragoman.config import DecodeOptions
from dragoman.glossary import Glossary
from dragoman.line_batch import BATCH_CHARACTERS, batches
from dragoman.translator import Translator


@dataclass(frozen=True, slots=True)
class TranslatedShard:
    """Its text, a line for each line, and how many words went in."""

    text: ShardText
    data: bytes
    words: int


# Translates shards as they come, and gives them back in any order.
Engine = Callable[[Iterable[ShardText]], Iterator[TranslatedShard]]


@dataclass(frozen=True, slots=True)
class ShardTranslator:
    """One state of a model, and how it is asked."""

    translator: Translator
    options: DecodeOptions
    glossary: Glossary | None = None
    threads: int = 1

    def translate(self, text: ShardText) -> TranslatedShard:
        written: list[str] = []
        words = 0
        first_line = text.shard.first_line
        for batch in batches(text.lines(), BATCH_CHARACTERS * (self.threads or _core.default_threads())):
            results = self.translator.translate(
                batch, self.options, glossary=self.glossary, threads=self.threads, first_line=first_line
            )
            first_line += len(batch)
            for result in results:
                written += (result.text, "\n")
                words += sum(len(sentence.source_tokens) for sentence in result.sentences)
        return TranslatedShard(text, "".join(written).encode("utf-8", "replace"), words)

    def __call__(self, texts: Iterable[ShardText]) -> Iterator[TranslatedShard]:
        """One after the other in this process."""
        return map(self.translate, texts)
