"""Word alignment beside eflomal, with and without prefixes, and fast_align, on the same files: errors on gold links."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks.align import compare, our_links, rates, sentence_scores, total
from benchmarks.alignment_rivals import installed, rival_links
from benchmarks.alignment_sets import AlignmentSet, alignment_set, write
from benchmarks.harness.table import Column, Finding, NotHereError, Row, Rows, Setting, Table, Values, Verdict

SYSTEMS = {
    "agreement": "ours (the default)",
    "hmm": "ours, HMM",
    "diagonal": "ours, diagonal",
    "eflomal": "eflomal",
    "eflomal-prefix": "eflomal, prefixes of 4",
    "systran-align": "fast_align (systran-align)",
}
OURS = ("agreement", "hmm", "diagonal")
RIVALS = tuple(name for name in SYSTEMS if name not in OURS)
INSTALL = {"systran-align": "systran-align", "eflomal": "eflomal", "eflomal-prefix": "eflomal"}


def files(setting: Setting, name: str, limit: int | None) -> tuple[AlignmentSet, Path, Path, Path]:
    data = alignment_set(name, limit)
    folder = setting.folder / f"align.{name}.{len(data.source)}"
    folder.mkdir(parents=True, exist_ok=True)
    return data, *write(data, folder), folder


def measured(setting: Setting, name: str, system: str, limit: int | None) -> Values:
    if system in RIVALS and system not in installed():
        raise NotHereError(f"pip install {INSTALL[system]}")
    data, source, target, folder = files(setting, name, limit)
    links, cost = (our_links if system in OURS else rival_links)(system, source, target, folder)
    (folder / f"{system}.scored").write_text("\n".join(links) + "\n")
    scores = sentence_scores(data, links)
    every = [score for gold in scores.values() for score in gold]
    values: dict[str, float | str] = {f"{gold}_aer": 100 * rates(part)["aer"] for gold, part in scores.items()}
    values |= {"aer": 100 * total(every).aer, "cpu_s": cost.cpu_seconds, "mb": cost.peak_mb, "pairs": len(data.source)}
    default = folder / "agreement.scored"
    if system in RIVALS and default.exists():
        ours = sentence_scores(data, default.read_text().split("\n")[:-1])
        difference = compare([score for gold in ours.values() for score in gold], every)
        values["difference"] = 100 * difference["difference"]
        values["interval"] = f"{100 * difference['low']:+.1f} to {100 * difference['high']:+.1f}"
        values |= {"low": 100 * difference["low"], "high": 100 * difference["high"]}
    return values


def rows(setting: Setting) -> list[Row]:
    sets: dict[str, int] = setting.either(
        quick={"fr-en": 10_000}, full={"fr-en": 50_000, "en-de": 50_000, "en-cs": 50_000}
    )
    return [
        Row(
            f"{name}-{system}",
            f"{name}, {title}",
            partial(measured, setting, name, system, limit),
            of="ours" if system in OURS else "rival",
        )
        for name, limit in sets.items()
        for system, title in SYSTEMS.items()
    ]


def finding(rows: Rows) -> Finding:
    sets = sorted({name.removesuffix("-agreement") for name in rows if name.endswith("-agreement")})
    told, surely, lost = [], [], []
    for name in sets:
        ours = rows[f"{name}-agreement"]
        for rival in ("eflomal", "eflomal-prefix"):
            theirs = rows[f"{name}-{rival}"]
            share = float(ours["cpu_s"] or 0) / float(theirs["cpu_s"] or 1)
            errors = f"{ours['aer']:.1f} against {rival} {theirs['aer']:.1f} ({theirs['interval']})"
            told.append(f"{name} {errors} in {share:.0%} of its CPU time")
            surely.append(float(theirs["high"] or 0) < 0 and share < 1)
            lost.append(float(theirs["low"] or 0) > 0)
    verdict = Verdict.CONFIRMED if all(surely) else Verdict.REFUTED if any(lost) else Verdict.UNDECIDED
    return Finding(verdict, f"Error rates in percent: {'; '.join(told)}.")


TABLE = Table(
    name="alignment",
    title="Word alignment beside eflomal and fast_align",
    claim="It aligns with fewer errors than eflomal, in less time.",
    claimed_by="Dragoman",
    columns=[
        Column("aer", "error rate, %", 1, "low"),
        Column("difference", "default less this", 1),
        Column("interval", "95 %"),
        Column("cpu_s", "CPU s", 1, "low"),
        Column("mb", "MB", 0, "low"),
    ],
    rows=rows,
    corpora=[
        "golden/alignment",
        "corpora/europarl.fr-en/train.fr.xz",
        "corpora/europarl.fr-en/train.en.xz",
        "corpora/europarl.en-de",
        "corpora/libreoffice-help.en-cs",
        "corpora/wesnoth.en-cs",
        "corpora/gnome-app-help.en-cs",
    ],
    code=["core/align", "core/text", "core/base", "core/bind", "src/dragoman/align"],
    rivals=["eflomal", "systran-align"],
    finding=finding,
    caveat=(
        "All symmetrized by grow-diag-final-and. Strength of priors, prefix length and pruning of ours were chosen by "
        "looking at these same gold sets; eflomal samples, and changes a little from run to run."
    ),
)
