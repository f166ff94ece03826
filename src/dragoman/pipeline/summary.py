"""What came of a training: sizes, memory, scores, speed, samples, and what each stage took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.pipeline.budget import MAPPED, Budget
from dragoman.pipeline.networks import LANGUAGE_MODEL_FILES, NEURAL_KINDS
from dragoman.pipeline.stage import Made
from dragoman.sizes import format_bytes


@dataclass(frozen=True, slots=True)
class TrainResult:
    """A finished training. `summary` is what `dragoman train --json` prints."""

    model: Path
    summary: dict[str, Any]

    @property
    def scores(self) -> dict[str, Any]:
        return dict(self.summary["scores"])


def summarize(
    out: Path,
    made: Mapping[str, Made],
    order: Iterable[Made],
    budget: Budget,
    scores: Mapping[str, Any],
    warnings: Iterable[str],
) -> dict[str, Any]:
    files: dict[str, int] = {path.name: path.stat().st_size for path in sorted(out.iterdir()) if path.is_file()}
    summary: dict[str, Any] = {
        "model": str(out),
        "pairs": made["prepare"].facts["pairs"],
        "files": files,
        "disk_bytes": sum(files.values()),
        "budget": budget.as_dict(),
        "memory": memory_of(files, made, budget),
        "scores": dict(scores),
        "speed": {},
        "samples": [],
        "warnings": list(warnings),
        "stages": [stage_row(each) for each in order],
    }
    if "measure" in made:
        facts = made["measure"].facts
        summary["speed"] = {name: facts[name] for name in ("milliseconds_p50", "milliseconds_p95", "words_per_second")}
        summary["samples"] = facts["samples"]
    if "select" in made:
        summary["fit"] = made["select"].facts
    return summary


def memory_of(files: Mapping[str, int], made: Mapping[str, Made], budget: Budget) -> dict[str, Any]:
    """Measured where something was translated, else what the plan says."""
    mapped = sum(size for name, size in files.items() if name in MAPPED)
    networks = sum(LANGUAGE_MODEL_FILES[kind] in files for kind in NEURAL_KINDS)
    anonymous = budget.process_bytes(networks)
    measured = False
    if "measure" in made and made["measure"].facts["anonymous_bytes"] is not None:
        facts = made["measure"].facts
        mapped, anonymous, measured = facts["mapped_bytes"], facts["anonymous_bytes"], True
    total = mapped + anonymous
    return {
        "mapped_bytes": mapped,
        "anonymous_bytes": anonymous,
        "total_bytes": total,
        "measured": measured,
        "within_budget": total <= budget.memory_bytes,
    }


def stage_row(made: Made) -> dict[str, Any]:
    cost = made.cost
    return {
        "stage": made.stage,
        "skipped": made.skipped,
        "seconds": round(cost.seconds, 3) if cost else None,
        "cpu_seconds": round(cost.cpu_seconds, 3) if cost else None,
        "peak_bytes": cost.peak_bytes if cost else None,
    }


def summary_lines(summary: Mapping[str, Any]) -> list[str]:
    """The summary for people, a few lines of plain text."""
    memory = summary["memory"]
    pairs = ", ".join(f"{count:,} {part}" for part, count in summary["pairs"].items() if count)
    files = ", ".join(
        f"{name} {format_bytes(size)}"
        for name, size in sorted(summary["files"].items(), key=lambda entry: -entry[1])
        if size >= 0.01 * summary["disk_bytes"]
    )
    lines = [
        f"Model      {summary['model']}: {format_bytes(summary['disk_bytes'])} on disk ({files})",
        f"Pairs      {pairs}",
        f"Memory     {format_bytes(memory['total_bytes'])} of {format_bytes(summary['budget']['memory_bytes'])}:"
        f" {format_bytes(memory['mapped_bytes'])} mapped, {format_bytes(memory['anonymous_bytes'])} of its own"
        f" ({'measured' if memory['measured'] else 'planned'})",
    ]
    if not memory["within_budget"]:
        lines.append("           more than the budget: translate with a smaller --scratch-bytes")
    scores = [f"{name} {value}" for name, value in summary["scores"].items() if isinstance(value, int | float)]
    if scores:
        sentences = summary["scores"].get("test", {}).get("sentences")
        lines.append(f"Scores     {', '.join(scores)}" + (f" ({sentences:,} sentences)" if sentences else ""))
    if "fit" in summary:
        chosen = summary["fit"]
        lines.append(
            f"Fit        {chosen['pairs']:,} of {chosen['of']:,} pairs are indexed; the language models know all"
        )
    if summary["speed"]:
        speed = summary["speed"]
        lines.append(
            f"Speed      {speed['milliseconds_p50']:.0f} ms a sentence (95 % below {speed['milliseconds_p95']:.0f} ms),"
            f" {speed['words_per_second']:.0f} words a second on one thread"
        )
    took = sum(row["seconds"] or 0 for row in summary["stages"] if not row["skipped"])
    peak = max((row["peak_bytes"] or 0 for row in summary["stages"]), default=0)
    lines.append(f"Training   {took:.0f} s, at most {format_bytes(peak)} of memory")
    for sample in summary["samples"]:
        lines += ["", f"  {sample['source']}", f"→ {sample['translation']}", f"  ({sample['reference']})"]
    return lines
