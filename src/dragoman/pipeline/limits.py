"""Texts too long for numbers of 32 bits, refused before anything takes long. The core says the same of texts that come
to it another way."""

from __future__ import annotations

from dragoman.errors import ConfigError
from dragoman.pipeline.counts import CorpusCounts

# Of one side (core/align/cooccurrence.h), and of all that an n-gram model learns from, with a mark on each side of a
# sentence (core/lm/text_encoder.h). Suffixes have 64 bits where they need them.
MOST_ALIGNED_WORDS = 2**32 - 1
MOST_MODELLED_WORDS = 2**32 - 65


def limit_refusal(counts: CorpusCounts, sample: float, has_ngrams: bool) -> ConfigError | None:
    """`sample` is the share of the sentences that an n-gram model learns from."""
    longest = max(counts.source.tokens, counts.target.tokens)
    if longest > MOST_ALIGNED_WORDS:
        return ConfigError(
            f"the text has {longest:,} words on one side where at most {MOST_ALIGNED_WORDS:,} can be aligned; train on"
            " a part of it",
            "source",
        )
    modelled = sum(text.tokens + 2 * text.lines for text in counts.target_texts())
    if has_ngrams and modelled * sample > MOST_MODELLED_WORDS:
        share = int(1000 * MOST_MODELLED_WORDS / modelled) / 1000
        return ConfigError(
            f"an n-gram model learns from at most {MOST_MODELLED_WORDS:,} words where there are {modelled:,}; pass"
            f" --set lm.sample={share}",
            "monolingual",
        )
    return None
