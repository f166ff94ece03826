"""The systems that the thesis' tables 4.4 to 5.1 compare, on captions (small) or on the largest corpora here (large).

Phrase-based like the thesis' Moses, unless said otherwise. Small, weights are tuned on part of the captions' dev set
for a few rounds; large, on part of newstest2013, and tested on most of newstest2012. There is no large Czech text, so
en-cs is trained and tested on manuals.
"""

from __future__ import annotations

from typing import Any

from benchmarks.harness.table import Setting, Size
from benchmarks.trained import TrainedModel

PAIRS = ("fr-en", "en-de", "en-cs")
# Corpus, and what is tuned and tested on; "" for the corpus' own.
LARGE = {
    "fr-en": ("europarl.fr-en", "newstest/fr-en/newstest2013", "newstest/fr-en/newstest2012"),
    "en-de": ("europarl.en-de", "newstest/en-de/newstest2013", "newstest/en-de/newstest2012"),
    "en-cs": ("libreoffice-help.en-cs", "", ""),
}
# Of a training text, so that all of a table's systems are trained within an hour on eight cores. A few tables read
# more, up to the most.
PAIRS_OF_LARGE = 100_000
MOST_PAIRS = 200_000
# Of a test set.
LARGE_SENTENCES = 1500
# Of the text that they are tuned on, of which tuning itself takes 5,000 words.
DEV_SENTENCES = 1000
# Of networks that are not compared by them: what is compared has the same effort.
NETWORK = {"dimension": 128, "epochs": 6}
# What the core trains it trains everywhere, so that a GPU makes no difference but for trees and flat layers.
IN_CORE = {"device": "cpu"}
SEEDS = (1, 2, 3)


def beginnings(corpus: str) -> tuple[str, ...]:
    """What tables read of a large text, for digests."""
    languages = corpus.rpartition(".")[2].split("-")
    return tuple(f"corpora/{corpus}/train.{lang}.xz:{MOST_PAIRS}" for lang in languages)


DEBATES = beginnings("europarl.fr-en")
FRENCH = ("corpora/multi30k", *DEBATES, "corpora/newstest/fr-en")
CORPORA = (*FRENCH, "corpora/newstest/en-de", *beginnings("europarl.en-de"), "corpora/libreoffice-help.en-cs")
# What was chosen in sight of scores on the very sentences that are tested on.
CAPTIONS = (
    "29,000 captions (multi30k), tested on 1,000 (test 2016), in sight of whose scores the default search and its pop "
    "limit were chosen."
)
NEWS = (
    "tested on 1,500 sentences of it (newstest2012), in sight of whose scores casing and the rules for marks and "
    "numbers were worked on"
)
LARGE_TEXTS: dict[Size, str] = {
    "quick": CAPTIONS,
    "full": f"100,000 pairs of debates, tuned on news and {NEWS}; en-cs: 40,000 of manuals.",
}
FRENCH_TEXTS: dict[Size, str] = {
    "quick": CAPTIONS,
    "full": f"100,000 pairs of debates, tuned on news and {NEWS}.",
}


def seeded(seed: int, **network: Any) -> dict[str, Any]:
    """Stages with such a network; the first seed is the default, so that its model is that of other tables."""
    network |= {} if seed == SEEDS[0] else {"seed": seed}
    return {"neural_lm": network} if network else {}


def of_seed(seed: int) -> tuple[str, str]:
    """How a row's name and title end."""
    return ("", "") if seed == SEEDS[0] else (f"-{seed}", f", seed {seed}")


def thesis_system(
    setting: Setting,
    pair: str,
    models: str,
    *,
    pairs: int = PAIRS_OF_LARGE,
    **options: Any,
) -> TrainedModel:
    """`models` as `dragoman train --language-models` has it; "stages" among the options adds to those here. `pairs`
    bounds the large texts."""
    stages: dict[str, Any] = {"decode": {"decoder": "phrase-based"}} | options.pop("stages", {})
    stages["tune"] = {"rounds": setting.either(quick=3, full=4)} | stages.get("tune", {})
    if models != "ngram":
        network = stages.get("neural_lm", {})
        sizes = setting.either(quick={}, full=NETWORK)
        stages["neural_lm"] = sizes | ({} if "output" in network else IN_CORE) | network
    common: dict[str, Any] = {"language_models": models, "judge": "off", "stages": stages}
    if setting.size == "quick":
        common |= {"tune_words": 4000}
        return TrainedModel("multi30k", pair, common | options, folder=setting.folder, threads=setting.threads)
    common |= {"memory": "2GB", "tune_words": 5000}
    corpus, dev, test = LARGE[pair]
    return TrainedModel(
        corpus,
        pair,
        common | options,
        pairs,
        dev,
        test,
        LARGE_SENTENCES,
        DEV_SENTENCES,
        folder=setting.folder,
        threads=setting.threads,
    )
