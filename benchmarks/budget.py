"""BLEU against memory: the same text trained within several budgets, the least useful pairs left out where need be.

    python -m benchmarks.budget 25000 48MB 64MB 96MB [--neural off on] [--sentences 300] [--work FOLDER]

europarl.fr-en (or --corpus multi30k), first so many pairs; weights are the defaults unless --tune. Memory is
measured: mapped bytes of the model and the peak of anonymous memory of a process that translates. `random` beside --fit
is what the same number of pairs drawn at random give.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import report
from benchmarks.training import files_of, trained, write


def shortened(files: dict[str, Any], part: str, count: int) -> None:
    for side in ("source", "target"):
        path = files[f"{part}_{side}"]
        write(path.parent, path.name, path.read_text(encoding="utf-8").split("\n")[:count])


def row_of(summary: dict[str, Any]) -> dict[str, Any]:
    memory = summary["memory"]
    return {
        "pairs": summary.get("fit", {}).get("pairs", summary["pairs"]["train"]),
        "bleu": summary["scores"]["BLEU"],
        "bleu_with_all_pairs": summary["scores"].get("BLEU with all pairs"),
        "mapped_mb": round(memory["mapped_bytes"] / 1e6, 1),
        "anonymous_mb": round(memory["anonymous_bytes"] / 1e6, 1),
        "total_mb": round(memory["total_bytes"] / 1e6, 1),
        "within_budget": memory["within_budget"],
        "ms_per_sentence": summary["speed"]["milliseconds_p50"],
    }


def random_pairs(files: dict[str, Any], folder: Path, count: int) -> dict[str, Any]:
    """The same files with so many training pairs drawn at random."""
    folder.mkdir(parents=True, exist_ok=True)
    sides = [files[side].read_text(encoding="utf-8").split("\n")[:-1] for side in ("source", "target")]
    chosen = sorted(random.Random(1).sample(range(len(sides[0])), count))
    made = dict(files)
    for side, lines in zip(("source", "target"), sides, strict=True):
        made[side] = write(folder, files[side].name, [lines[at] for at in chosen])
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=int)
    parser.add_argument("budgets", nargs="+")
    parser.add_argument("--corpus", default="europarl.fr-en", choices=("europarl.fr-en", "multi30k"))
    parser.add_argument("--neural", nargs="+", default=["off"], choices=("off", "on"))
    parser.add_argument("--sentences", type=int, default=300, help="of the test set")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--decoder", default="hierarchical", choices=("hierarchical", "phrase-based"))
    parser.add_argument("--random", action="store_true", help="compare --fit with pairs drawn at random")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.work or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        files = files_of(given.corpus, folder, "fr", "en", given.pairs)
        shortened(files, "test", given.sentences)
        results: dict[str, Any] = {}
        for neural in given.neural:
            for budget in given.budgets:
                options: dict[str, Any] = {"neural": neural, "tune": given.tune, "threads": given.threads}
                options["stages"] = {"decode": {"decoder": given.decoder}}
                summary = trained(folder, files, "fr", "en", memory=budget, fit=True, **options)
                row = row_of(summary)
                if given.random and row["pairs"] < summary["pairs"]["train"]:
                    place = folder / f"random.{budget}"
                    drawn = random_pairs(files, place, row["pairs"])
                    other = trained(place, drawn, "fr", "en", memory="1GB", **options)
                    row["bleu_random_pairs"] = other["scores"]["BLEU"]
                results[f"{budget}, {'with' if neural == 'on' else 'no'} neural model"] = row
        report({"corpus": given.corpus, "pairs": given.pairs, "sentences": given.sentences, "budgets": results})


if __name__ == "__main__":
    main()
