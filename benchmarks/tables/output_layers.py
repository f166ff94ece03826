"""Thesis, table 4.3: output layers by classes, by a tree, and flat without normaliser, three pairs."""

from __future__ import annotations

from functools import partial

from benchmarks.harness.table import Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.thesis_systems import CORPORA, LARGE_TEXTS, PAIRS, SEEDS, of_seed, seeded, thesis_system
from benchmarks.trained import TrainedModel

LAYERS = {
    "class": ("classes", {}),
    "flat": ("flat, not normalised", {"output": "flat", "training": "nce"}),
    "tree": ("tree", {"output": "tree"}),
}
THESIS = {
    "fr-en": {"class": 31.55, "flat": 30.98, "tree": 30.37},
    "en-de": {"class": 18.33, "flat": 18.05, "tree": 17.26},
    "en-cs": {"class": 18.56, "flat": 18.57, "tree": 17.19},
}


def compared(model: TrainedModel, classes: TrainedModel) -> Values:
    return model.values(against=None if model == classes else classes.translations())


def rows(setting: Setting) -> list[Row]:
    """Seed by seed, so that one that was begun is worth something."""
    listed = []
    for seed in setting.either(quick=SEEDS[:1], full=SEEDS):
        end, more = of_seed(seed)
        for pair in PAIRS:
            classes = thesis_system(setting, pair, "neural", stages=seeded(seed))
            for name, (title, network) in LAYERS.items():
                model = thesis_system(setting, pair, "neural", stages=seeded(seed, **network))
                thesis = THESIS[pair]
                told = {"bleu_lc": thesis[name]}
                told |= {} if name == "class" else {"difference": thesis[name] - thesis["class"]}
                run = partial(compared, model, classes)
                title = f"{pair}, {title}{more}"
                listed.append(Row(f"{pair}-{name}{end}", title, run, [classes, model], told, again=bool(end)))
    return listed


def mean(rows: Rows, beginning: str, column: str) -> float:
    """Over the seeds that there are."""
    found = [float(rows[name][column] or 0) for name in rows if name.startswith(beginning)]
    if not found:
        raise KeyError(beginning)
    return sum(found) / len(found)


def finding(rows: Rows) -> Finding:
    """An interval of a mean over seeds is at most as wide as the mean of theirs."""
    told, surely, against = [], [], []
    for pair in PAIRS:
        parts = []
        for name in ("flat", "tree"):
            difference, low, high = (mean(rows, f"{pair}-{name}", column) for column in ("difference", "low", "high"))
            parts.append(f"{LAYERS[name][0]} {difference:+.2f} ({low:+.1f} to {high:+.1f})")
            surely.append(high < 0)
            against.append(low > 0)
        told.append(f"{pair} {', '.join(parts)}")
    verdict = Verdict.CONFIRMED if all(surely) else Verdict.REFUTED if any(against) else Verdict.UNDECIDED
    seeds = len([name for name in rows if name.startswith("fr-en-class")])
    return Finding(
        verdict,
        f"Beside classes{f', means of up to {seeds} seeds' if seeds > 1 else ''}: {'; '.join(told)}. "
        "The thesis has -0.57 and -1.18, -0.28 and -1.07, +0.01 and -1.37.",
    )


TABLE = Table(
    name="output-layers",
    title="Output layers: classes, trees, or none",
    claim="Networks with word classes translate better than flat ones without normaliser, and better than trees.",
    claimed_by="Thesis, table 4.3",
    columns=[
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
        Column("difference", "more than classes", 2),
        Column("interval", "95 %"),
        Column("ms", "ms a sentence", 1, "low"),
    ],
    rows=rows,
    corpora=CORPORA,
    seeds=SEEDS,
    finding=finding,
    texts=LARGE_TEXTS,
    caveat="Classes and trees are trained by likelihood, the flat layer by noise, as it is asked without "
    "normaliser; the thesis trains its classes by noise too. PyTorch trains flat layers and trees.",
)
