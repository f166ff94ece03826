"""Thesis, table 5.1: whole systems within one limit that binds, hierarchical, n-grams sampled to fit or a network.

The limit holds for the whole process, and the index takes what the language model leaves. The baseline's n-gram model
is made of a share of the sentences, which is how the thesis fits it, and once more of all of them, pruned where that is
needed, which the thesis leaves out.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks.harness.table import Column, Finding, NotHereError, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.thesis_systems import CORPORA, LARGE_TEXTS, MOST_PAIRS, PAIRS, thesis_system
from benchmarks.trained import TrainedModel

# MB of the whole, of the language model and of the index, and BLEU.
THESIS = {
    "fr-en": {"ngram": (979, 519, 460, 27.21), "network": (648, 188, 460, 27.95)},
    "en-cs": {"ngram": (993, 566, 427, 14.54), "network": (947, 520, 427, 15.90)},
    "en-de": {"ngram": (1054, 580, 474, 16.44), "network": (993, 519, 474, 17.33)},
}
THESIS_COLUMNS = ("memory_mb", "lm_mb", "index_mb", "bleu_lc")


def compared(model: TrainedModel, other: TrainedModel | None) -> Values:
    values: dict[str, Any] = dict(model.values(against=other.translations() if other else None))
    # Where a network has no room, training goes on with n-grams, which would be compared with themselves here.
    if other is not None and "nlm.bin_mb" not in values:
        raise NotHereError("a limit that has room for a network")
    values["lm_mb"] = sum(float(values.get(f"{name}_mb") or 0) for name in ("lm.bin", "nlm.bin", "source_nlm.bin"))
    values["index_mb"] = sum(
        float(values.get(f"{name}_mb") or 0) for name in ("bitext.bin", "lexicon.bin", "vocab.bin")
    )
    values["limit"] = model.options["memory"]
    values["pairs"] = model.summary().get("fit", {}).get("pairs", model.summary()["pairs"]["train"])
    return values


def systems(setting: Setting) -> list[tuple[str, str, float]]:
    """Pair, limit, and the share of sentences that n-grams are of. Captions and manuals are small texts: their limit is
    about the least that has room for a network."""
    if setting.size == "quick":
        return [(pair, "50MB", 0.5) for pair in PAIRS]
    return [("fr-en", "96MB", 0.3), ("en-de", "96MB", 0.3), ("en-cs", "50MB", 0.5)]


def rows(setting: Setting) -> list[Row]:
    listed = []
    for pair, limit, share in systems(setting):
        within: dict[str, Any] = {"memory": limit, "fit": True, "pairs": MOST_PAIRS}
        decode = {"decode": {"decoder": "hierarchical"}}
        sampled = thesis_system(setting, pair, "ngram", stages=decode | {"lm": {"sample": share}}, **within)
        pruned = thesis_system(setting, pair, "ngram", stages=dict(decode), **within)
        network = thesis_system(setting, pair, "neural", stages=dict(decode), **within)
        thesis = {name: dict(zip(THESIS_COLUMNS, row, strict=True)) for name, row in THESIS[pair].items()}
        listed += [
            Row(
                f"{pair}-sampled",
                f"{pair}, {limit}, n-grams of {share:.0%}",
                partial(compared, sampled, None),
                [sampled],
                thesis["ngram"],
            ),
            Row(f"{pair}-pruned", f"{pair}, {limit}, n-grams pruned", partial(compared, pruned, None), [pruned]),
            Row(
                f"{pair}-network",
                f"{pair}, {limit}, network",
                partial(compared, network, sampled),
                [sampled, network],
                thesis["network"],
            ),
        ]
    return listed


def finding(rows: Rows) -> Finding:
    networks = {name: row for name, row in rows.items() if name.endswith("-network")}
    if not networks:
        raise KeyError("network")
    lows, highs = ([float(row[end] or 0) for row in networks.values()] for end in ("low", "high"))
    verdict = Verdict.UNDECIDED
    if min(lows) > 0 and len(networks) == len(PAIRS):
        verdict = Verdict.CONFIRMED
    elif max(highs) < 0:
        verdict = Verdict.REFUTED
    told = []
    for name, row in networks.items():
        pruned = rows[name.replace("-network", "-pruned")]
        above_pruned = float(row["bleu_lc"] or 0) - float(pruned["bleu_lc"] or 0)
        told.append(
            f"{name.removesuffix('-network')} {row['difference']:+.2f} ({row['interval']}) above sampled n-grams, "
            f"{above_pruned:+.2f} above pruned ones"
        )
    return Finding(verdict, f"Networks: {'; '.join(told)}. The thesis has +0.74, +1.36 and +0.89 above sampled ones.")


TABLE = Table(
    name="end-to-end",
    title="Whole systems within one limit",
    claim="Within one limit, a system with a network translates better than one with n-grams sampled to fit.",
    claimed_by="Thesis, table 5.1",
    columns=[
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
        Column("difference", "network's gain", 2),
        Column("interval", "95 %"),
        Column("memory_mb", "memory, MB", 0, "low"),
        Column("lm_mb", "language model, MB", 2, "low"),
        Column("index_mb", "index, MB", 2, "low"),
        Column("pairs", "pairs indexed", 0),
        Column("ms", "ms a sentence", 1, "low"),
    ],
    rows=rows,
    corpora=CORPORA,
    finding=finding,
    texts={name: text.replace("100,000", "200,000") for name, text in LARGE_TEXTS.items()},
    both=True,
    caveat="Captions are so few that their whole n-gram model is hardly larger than a network; their limit is about "
    "the least that a network can be planned within, and more than n-grams need.",
)
