"""Thesis, tables 4.1 and 4.2: the texts that its systems and ours learn from.

Counted as the thesis counts: in words of the tokenizer, lowercased, without sentences of more than 80 words. Here the
target side of the bilingual text is all that language models learn from.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from functools import partial
from itertools import islice

from benchmarks.harness.table import Column, NotHereError, Row, Setting, Table, Values
from benchmarks.measure import SHARED
from dragoman import _core

LONGEST = 80
BLOCK = 20_000
# Parallel tokens in millions, pairs, tokens of the target side's monolingual text and its different words.
THESIS: dict[str, Values] = {
    "more-fr-en": {"tokens": 113, "pairs": 2_000_000, "target_tokens": 2050, "words": 105_500},
    "debates-en-de": {"tokens": 104.9, "pairs": 1_950_000, "target_tokens": 1570, "words": 369_000},
    "help-en-cs": {"tokens": 36.5, "pairs": 733_400, "target_tokens": 566, "words": 214_900},
}
TEXTS = {
    "debates-fr-en": ("fr-en, debates", "fr-en", ["europarl.fr-en/train"]),
    "more-fr-en": ("fr-en, debates, all of them", "fr-en", ["europarl.fr-en/train", "europarl.fr-en/more"]),
    "debates-en-de": ("en-de, debates", "en-de", ["europarl.en-de/train"]),
    "help-en-cs": ("en-cs, manuals", "en-cs", ["libreoffice-help.en-cs/train"]),
    "captions-fr-en": ("fr-en, captions", "fr-en", ["multi30k/train"]),
    "captions-en-de": ("en-de, captions", "en-de", ["multi30k/train"]),
    "captions-en-cs": ("en-cs, captions", "en-cs", ["multi30k/train"]),
}


def tokenized(parts: list[str], lang: str) -> Iterator[list[bytes]]:
    """Words of each line."""
    tokenizer = _core.Tokenizer(lang)
    for part in parts:
        path = SHARED / "corpora" / f"{part}.{lang}.xz"
        if not path.exists():
            raise NotHereError(f"corpora/{part}.{lang}.xz")
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as stream:
            while block := "".join(islice(stream, BLOCK)):
                text = tokenizer.tokenize(block.lower().encode(), model=True)
                yield from (line.split(b" ") for line in text.split(b"\n")[:-1])


def counted(pair: str, parts: list[str]) -> Values:
    pairs = source_tokens = target_tokens = 0
    words: set[bytes] = set()
    source, target = (tokenized(parts, lang) for lang in pair.split("-"))
    for one, other in zip(source, target, strict=True):
        if max(len(one), len(other)) > LONGEST:
            continue
        pairs += 1
        source_tokens += len(one)
        target_tokens += len(other)
        words.update(other)
    total = (source_tokens + target_tokens) / 1e6
    return {"pairs": pairs, "tokens": total, "target_tokens": target_tokens / 1e6, "words": len(words)}


def rows(setting: Setting) -> list[Row]:
    return [
        Row(name, title, partial(counted, pair, parts), (), THESIS.get(name, {}), of="other")
        for name, (title, pair, parts) in TEXTS.items()
    ]


TABLE = Table(
    name="corpora",
    title="The texts",
    claim="What the thesis' systems learn from, and ours.",
    claimed_by="Thesis, tables 4.1 and 4.2",
    columns=[
        Column("pairs", "pairs", 0),
        Column("tokens", "tokens of both sides, millions", 1),
        Column("target_tokens", "language model's tokens, millions", 1),
        Column("words", "different words", 0),
    ],
    rows=rows,
    corpora=[
        "corpora/europarl.fr-en/train.fr.xz",
        "corpora/europarl.fr-en/train.en.xz",
        "corpora/europarl.fr-en/more.fr.xz",
        "corpora/europarl.fr-en/more.en.xz",
        "corpora/europarl.en-de",
        "corpora/libreoffice-help.en-cs",
        "corpora/multi30k",
    ],
    code=["core/text", "core/base", "core/bind"],
    caveat="The thesis' language models read news of many years besides, which is not here, nor is large Czech text.",
    sizes=["full"],
)
