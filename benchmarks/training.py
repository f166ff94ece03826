"""Training end to end: time and memory of every stage, size, speed and score of what comes out.

    python -m benchmarks.training stages 25000 100000 [--work FOLDER]     # europarl.fr-en, without tuning
    python -m benchmarks.training multi30k fr en [--work FOLDER]          # the whole job, tuned and scored

Stages run in processes of their own, so that CPU time and peak memory are theirs. `python -m benchmarks whole-systems`
holds whole systems beside a Transformer's translations.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import SHARED, corpus_lines, report
from dragoman.pipeline.job import make_job
from dragoman.pipeline.runner import Silence
from dragoman.pipeline.training import train_job


def write(folder: Path, name: str, lines: list[str]) -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def files_of(corpus: str, folder: Path, source: str, target: str, pairs: int | None) -> dict[str, Any]:
    """The parts of a shared corpus as plain files, by the names that training knows them by."""
    names = {"source": ("train", source), "target": ("train", target)}
    for part in ("dev", "test"):
        names[f"{part}_source"], names[f"{part}_target"] = (part, source), (part, target)
    return {
        key: write(
            folder, f"{part}.{lang}", corpus_lines(f"{corpus}/{part}.{lang}", pairs if part == "train" else None)
        )
        for key, (part, lang) in names.items()
    }


def trained(folder: Path, files: dict[str, Any], source: str, target: str, **options: Any) -> dict[str, Any]:
    job = make_job(
        **files,
        source_lang=source,
        target_lang=target,
        out=folder / "model",
        work=folder / "work",
        overwrite=True,
        **options,
    )
    return train_job(job, Silence()).summary


def stage_table(summary: dict[str, Any]) -> dict[str, dict[str, float]]:
    return {
        row["stage"]: {
            "cpu_seconds": row["cpu_seconds"],
            "wall_seconds": row["seconds"],
            "peak_mb": round((row["peak_bytes"] or 0) / 1e6, 1),
        }
        for row in summary["stages"]
    }


def by_stage(sizes: list[int], folder: Path, threads: int, models: str) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for pairs in sizes:
        place = folder / f"europarl.{pairs}"
        place.mkdir(parents=True, exist_ok=True)
        files = files_of("europarl.fr-en", place, "fr", "en", pairs)
        # The test set costs as much per sentence whatever there is to train on; the stages are what is compared.
        for key in ("test_source", "test_target"):
            write(place, files[key].name, files[key].read_text(encoding="utf-8").split("\n")[:100])
        summary = trained(place, files, "fr", "en", tune=False, language_models=models, memory="1GB", threads=threads)
        results[str(pairs)] = {"stages": stage_table(summary), "files": summary["files"], "memory": summary["memory"]}
    return results


def whole_job(source: str, target: str, folder: Path, threads: int, models: str) -> dict[str, Any]:
    place = folder / f"multi30k.{source}-{target}"
    place.mkdir(parents=True, exist_ok=True)
    files = files_of("multi30k", place, source, target, None)
    summary = trained(place, files, source, target, threads=threads, language_models=models)
    return {
        "scores": summary["scores"],
        "training_cpu_minutes": round(sum(row["cpu_seconds"] for row in summary["stages"]) / 60, 2),
        "training_wall_minutes": round(sum(row["seconds"] for row in summary["stages"]) / 60, 2),
        "model_mb": round(summary["disk_bytes"] / 1e6, 2),
        "memory": summary["memory"],
        "speed": summary["speed"],
        "stages": stage_table(summary),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("stages", "multi30k"))
    parser.add_argument("arguments", nargs="*", help="sizes, or two languages")
    parser.add_argument("--work", type=Path, help="folder to keep the work in")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--language-models", default="auto")
    given = parser.parse_args()
    if not SHARED.exists():
        parser.error("the shared corpora are not here; set DRAGOMAN_SHARED")
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.work or Path(temporary)
        if given.what == "stages":
            sizes = [int(size) for size in given.arguments] or [25_000, 100_000]
            report({"stages": by_stage(sizes, folder, given.threads, given.language_models)})
        else:
            source, target = given.arguments or ("fr", "en")
            report(
                {f"multi30k {source}-{target}": whole_job(source, target, folder, given.threads, given.language_models)}
            )


if __name__ == "__main__":
    main()
