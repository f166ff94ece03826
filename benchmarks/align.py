"""Word alignment: error rate, CPU time and memory of every model here, of eflomal and of fast_align (systran-align).

    python -m benchmarks.align quality [--set fr-en ...] [--limit 200000] [--rival eflomal] [--jobs 1]
    python -m benchmarks.align growth [--size 25000 ...]

`quality` trains every system on the same files, scores the gold sentences among them, and compares the default with
eflomal by resampling sentences. `growth` aligns the first pairs of europarl.fr-en in growing numbers. Everything runs
on one thread where the system lets one choose; CPU time covers all threads. Rivals: benchmarks/alignment_rivals.py.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.alignment_rivals import installed, rival_links
from benchmarks.alignment_sets import AlignmentSet, alignment_set, write
from benchmarks.measure import Cost, report, run_command
from dragoman.align import parse_links
from dragoman.align.score import Score, score_sentence

MODELS = ["ibm1", "diagonal", "hmm", "agreement"]
LIMITS = {"fr-en": 200_000, "en-de": None, "en-cs": None}
RESAMPLES = 1000


def our_links(model: str, source: Path, target: Path, folder: Path) -> tuple[list[str], Cost]:
    """The command as a user runs it, interpreter and all."""
    links = folder / f"{model}.links"
    program = [sys.executable, "-m", "dragoman"]
    with links.open("wb") as out:
        cost = run_command([*program, "align", source, target, "--model", model, "--threads", "1"], stdout=out)
    return links.read_text().split("\n")[:-1], cost


def run_systems(
    systems: list[str], source: Path, target: Path, folder: Path, jobs: int
) -> Iterator[tuple[str, tuple[list[str], Cost]]]:
    """Links and cost of every system, each a process of its own, `jobs` at a time."""

    def links_of(system: str) -> tuple[list[str], Cost]:
        return (our_links if system in MODELS else rival_links)(system, source, target, folder)

    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(systems, pool.map(links_of, systems), strict=True)


def sentence_scores(data: AlignmentSet, links: list[str]) -> dict[str, list[Score]]:
    """By gold set, the counts of every sentence."""
    parts = data.gold_lines(links)
    return {
        gold.name: [
            score_sentence(parse_links(found), parse_links(sure), parse_links(possible))
            for found, sure, possible in zip(parts[gold.name], gold.sure, gold.possible, strict=True)
        ]
        for gold in data.gold
    }


def total(scores: list[Score]) -> Score:
    return sum(scores, Score())


def rates(scores: list[Score]) -> dict[str, float]:
    pooled = total(scores)
    return {name: round(getattr(pooled, name), 4) for name in ("aer", "precision", "recall")}


def compare(ours: list[Score], theirs: list[Score]) -> dict[str, float]:
    """Difference of the error rates (ours less theirs) with its 95% interval over resampled sentences."""
    rng = random.Random(1)
    differences = []
    for _ in range(RESAMPLES):
        chosen = rng.choices(range(len(ours)), k=len(ours))
        differences.append(total([ours[n] for n in chosen]).aer - total([theirs[n] for n in chosen]).aer)
    differences.sort()
    return {
        "difference": round(total(ours).aer - total(theirs).aer, 4),
        "low": round(differences[int(0.025 * RESAMPLES)], 4),
        "high": round(differences[int(0.975 * RESAMPLES)], 4),
    }


def quality(names: list[str], limit: int | None, rivals: list[str], cache: Path, jobs: int) -> dict[str, Any]:
    results: dict[str, Any] = {"sets": {}}
    pooled: dict[str, list[Score]] = {}
    for name in names:
        data = alignment_set(name, limit or LIMITS[name])
        folder = cache / f"{name}.{len(data.source)}"
        folder.mkdir(parents=True, exist_ok=True)
        source, target = write(data, folder)
        systems: dict[str, Any] = {}
        scores: dict[str, dict[str, list[Score]]] = {}
        for system, (links, cost) in run_systems([*MODELS, *rivals], source, target, folder, jobs):
            scores[system] = sentence_scores(data, links)
            systems[system] = {gold: rates(found) for gold, found in scores[system].items()} | cost.as_json()
            pooled.setdefault(system, []).extend(score for found in scores[system].values() for score in found)
        against = {
            f"{gold}: agreement against {rival}": compare(scores["agreement"][gold], scores[rival][gold])
            for rival in rivals
            for gold in scores[rival]
        }
        results["sets"][name] = {"pairs": len(data.source), "systems": systems, "against": against}
    results["pooled"] = {system: rates(found) for system, found in pooled.items()}
    for rival in rivals:
        results["pooled"][f"agreement against {rival}"] = compare(pooled["agreement"], pooled[rival])
    return results


def growth(sizes: list[int]) -> dict[str, Any]:
    results = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            data = alignment_set("fr-en", size)
            words = sum(line.count(" ") + 1 for line in data.source)
            source, target = write(data, Path(folder))
            del data
            _, cost = our_links("agreement", source, target, Path(folder))
        results[size] = cost.as_json() | {"cpu_us_per_word": round(1e6 * cost.cpu_seconds / words, 2)}
    return {"europarl.fr-en": results}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["quality", "growth"])
    parser.add_argument("--set", dest="sets", action="append", choices=list(LIMITS))
    parser.add_argument("--limit", type=int, help="training pairs per corpus")
    parser.add_argument("--rival", dest="rivals", action="append", choices=installed(), help="all installed by default")
    parser.add_argument("--cache", type=Path, default=Path("data/align"), help="where rivals' links are kept")
    parser.add_argument("--jobs", type=int, default=1, help="systems at a time, where there are cores to spare")
    parser.add_argument("--size", dest="sizes", action="append", type=int)
    arguments = parser.parse_args()
    if arguments.part == "quality":
        rivals = installed() if arguments.rivals is None else arguments.rivals
        report(quality(arguments.sets or list(LIMITS), arguments.limit, rivals, arguments.cache, arguments.jobs))
    else:
        report(growth(arguments.sizes or [25_000, 50_000, 100_000, 200_000, 700_000]))


if __name__ == "__main__":
    main()
