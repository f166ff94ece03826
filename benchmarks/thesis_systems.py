"""The systems that the thesis' tables 4.4 to 5.1 compare, on captions (small) or on the largest corpora here (large).

Phrase-based like the thesis' Moses, unless said otherwise. Small, weights are tuned on part of the captions' dev set
for a few rounds; large, with the defaults on newstest2013, and tested on newstest2012. There is no large Czech text, so
en-cs is trained and tested on manuals.
"""

from __future__ import annotations

from typing import Any

from benchmarks.harness.table import Setting
from benchmarks.trained import TrainedModel

PAIRS = ("fr-en", "en-de", "en-cs")
# Corpus, and what is tuned and tested on; "" for the corpus' own.
LARGE = {
    "fr-en": ("europarl.fr-en", "newstest/fr-en/newstest2013", "newstest/fr-en/newstest2012"),
    "en-de": ("europarl.en-de", "newstest/en-de/newstest2013", "newstest/en-de/newstest2012"),
    "en-cs": ("libreoffice-help.en-cs", "", ""),
}
CORPORA = ("corpora/multi30k", *(f"corpora/{corpus}" for corpus, _, _ in LARGE.values()), "corpora/newstest")
TEXTS = (
    "Small, all of this is captions (multi30k, 29,000 pairs, test 2016), where the thesis has two million pairs and "
    "news: figures are not to be compared with the thesis', differences may be. One seed, where the thesis has three."
)


def thesis_system(setting: Setting, pair: str, models: str, **options: Any) -> TrainedModel:
    """`models` as `dragoman train --language-models` has it; "stages" among the options adds to those here."""
    stages: dict[str, Any] = {"decode": {"decoder": "phrase-based"}} | options.pop("stages", {})
    common: dict[str, Any] = {"language_models": models, "judge": "off", "stages": stages}
    if setting.size == "quick":
        stages |= {"tune": {"rounds": 3}}
        common |= {"tune_words": 4000}
        corpus, dev, test = "multi30k", "", ""
    else:
        common |= {"memory": "4GB"}
        corpus, dev, test = LARGE[pair]
    return TrainedModel(
        corpus, pair, common | options, dev=dev, test=test, folder=setting.folder, threads=setting.threads
    )
