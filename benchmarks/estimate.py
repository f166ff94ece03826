"""`dragoman estimate` against reality: each figure foretold, divided by what the training then took or made.

    python -m benchmarks.estimate multi30k europarl:25000 libreoffice [--tune] [--work FOLDER]

Times are CPU seconds. What counts is the whole: files, disk, the memory of the model, all stages together, the largest
peak of memory; single stages are listed beside.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import report
from benchmarks.training import files_of, write
from dragoman.pipeline.budget import MAPPED
from dragoman.pipeline.forecast import estimate_job
from dragoman.pipeline.job import make_job
from dragoman.pipeline.runner import Silence
from dragoman.pipeline.training import train_job

CORPORA = {
    "multi30k": ("multi30k", "fr", "en"),
    "europarl": ("europarl.fr-en", "fr", "en"),
    "libreoffice": ("libreoffice-help.en-cs", "en", "cs"),
}
INDEX = ("vocab.bin", "bitext.bin", "lexicon.bin")


def compared(name: str, folder: Path, options: dict[str, Any], sentences: int) -> dict[str, Any]:
    corpus, _, limit = name.partition(":")
    where, source, target = CORPORA[corpus]
    folder.mkdir(parents=True, exist_ok=True)
    files = files_of(where, folder, source, target, int(limit) if limit else None)
    for part in ("dev", "test"):
        for side in ("source", "target"):
            path = files[f"{part}_{side}"]
            write(folder, path.name, path.read_text(encoding="utf-8").split("\n")[:-1][:sentences])
    job = make_job(
        **files, source_lang=source, target_lang=target, out=folder / "model", work=folder / "work", **options
    )
    foretold = estimate_job(job).as_json()
    made = train_job(job, Silence()).summary
    real = {name: size for name, size in made["files"].items() if name not in INDEX}
    real["index"] = sum(made["files"].get(name, 0) for name in INDEX)
    costs = {row["stage"]: row for row in made["stages"]}
    return {
        "files": {name: round(size / real[name], 3) for name, size in foretold["files"].items()},
        "disk": round(foretold["disk_bytes"] / made["disk_bytes"], 3),
        "mapped": round(foretold["mapped_bytes"] / sum(made["files"].get(each, 0) for each in MAPPED), 3),
        "cpu_seconds": round(foretold["cpu_seconds"] / sum(row["cpu_seconds"] for row in made["stages"]), 3),
        "peak_memory": round(foretold["peak_bytes"] / max(row["peak_bytes"] for row in made["stages"]), 3),
        "stages": {
            row["stage"]: {
                "cpu_seconds": round(row["cpu_seconds"] / max(0.01, costs[row["stage"]]["cpu_seconds"]), 2),
                "peak_memory": round(row["peak_bytes"] / costs[row["stage"]]["peak_bytes"], 2),
            }
            for row in foretold["stages"]
        },
        "real": {"cpu_seconds": {name: row["cpu_seconds"] for name, row in costs.items()}, "files": real},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", help=f"of {', '.join(CORPORA)}; :N for the first N pairs")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--sentences", type=int, default=200, help="of the dev and test sets")
    parser.add_argument("--language-models", default="auto")
    parser.add_argument("--work", type=Path)
    given = parser.parse_args()
    options = {"tune": given.tune, "language_models": given.language_models, "threads": 1}
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.work or Path(temporary)
        names = given.corpora
        report({name: compared(name, folder / name.replace(":", "."), options, given.sentences) for name in names})


if __name__ == "__main__":
    main()
