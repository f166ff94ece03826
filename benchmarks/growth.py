"""How time and peak memory of each stage of training grow with the text, with and without a limit of memory.

    python -m benchmarks.growth 25000 100000 350000 [--work-memory 1GB] [--models ngram] [--work FOLDER]
    python -m benchmarks.growth 10000000 --work FOLDER --threads 16

Pairs are those of europarl fr-en; sizes beyond them are filled up with pairs recombined from real ones: the beginning
of one pair and the end of another, cut at the same share of their words on both sides. Their words, n-grams and lengths
are real ones, and no two of them are alike.

What a stage took is also said as soon as it ends. With a folder to work in, the same command goes on where it was
stopped.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.measure import SHARED, report
from dragoman.child.call import Cost
from dragoman.files import writing
from dragoman.pipeline.job import make_job
from dragoman.pipeline.runner import Runner, Silence
from dragoman.pipeline.stage import StageResult
from dragoman.pipeline.steps import Pipeline
from dragoman.pipeline.work import WorkFolder
from dragoman.pipeline.work_memory import work_limit

CORPUS = SHARED / "corpora" / "europarl.fr-en"
LANGUAGES = ("fr", "en")
# The real pairs that recombined ones are made from.
MATERIAL = 400_000
STEPS = {
    "prepare": "prepare_text",
    "tokenize": "find_words",
    "align": "link_words",
    "index": "index_pairs",
    "sources": "keep_sources",
    "lm": "language_models",
}


def real_pairs() -> Iterator[tuple[str, str]]:
    for part in ("train", "more"):
        if not (CORPUS / f"{part}.fr.xz").exists():
            continue
        with ExitStack() as files:
            sides = [
                files.enter_context(lzma.open(CORPUS / f"{part}.{lang}.xz", "rt", encoding="utf-8", newline="\n"))
                for lang in LANGUAGES
            ]
            yield from ((source.rstrip("\n"), target.rstrip("\n")) for source, target in zip(*sides, strict=True))


def recombined(seed: int = 1) -> Iterator[tuple[str, str]]:
    """Pairs without end."""
    material = [tuple(side.split(" ") for side in pair) for pair in itertools.islice(real_pairs(), MATERIAL)]
    chance = random.Random(seed)
    while True:
        first, second = chance.choice(material), chance.choice(material)
        share = chance.uniform(0.3, 0.7)
        yield tuple(  # type: ignore[misc]
            " ".join(one[: round(share * len(one))] + other[round(share * len(other)) :])
            for one, other in zip(first, second, strict=True)
        )


def write_pairs(folder: Path, pairs: int) -> dict[str, Any]:
    paths = {"source": folder / "train.fr", "target": folder / "train.en"}
    if all(path.exists() for path in paths.values()):
        return paths
    with ExitStack() as files:
        sides = [files.enter_context(writing(path)) for path in paths.values()]
        for pair in itertools.islice(itertools.chain(real_pairs(), recombined()), pairs):
            for side, line in zip(sides, pair, strict=True):
                side.write(f"{line}\n".encode())
    return paths


def cost_row(cost: Cost) -> dict[str, float]:
    return {
        "cpu_seconds": round(cost.cpu_seconds, 1),
        "seconds": round(cost.seconds, 1),
        "peak_mb": round((cost.peak_bytes or 0) / 1e6),
    }


class Lines(Silence):
    """Says what each stage took, because whoever runs this may stop it before the end."""

    def __init__(self, pairs: int) -> None:
        self.pairs = pairs

    def finished(self, result: StageResult[Any]) -> None:
        if result.cost is not None:
            row = {"pairs": self.pairs, "stage": result.stage, **cost_row(result.cost)}
            print(json.dumps(row), file=sys.stderr, flush=True)


def measured(pairs: int, folder: Path, until: str, **options: Any) -> dict[str, Any]:
    """What the stages up to one take; what was measured before in the same folder is not measured again."""
    folder.mkdir(parents=True, exist_ok=True)
    job = make_job(
        **write_pairs(folder, pairs),
        source_lang="fr",
        target_lang="en",
        out=folder / "model",
        work=folder / f"work.{options.get('work_memory') or 'unlimited'}",
        **options,
    )
    names = list(STEPS)
    with WorkFolder.opened(job.work) as work:
        pipeline = Pipeline(job, Runner(work, job.out, Lines(pairs), job.threads, work_limit(job.options)))
        for name in names[: names.index(until) + 1]:
            if name == "align":
                pipeline.refuse_the_hopeless()
            if name == "lm":
                pipeline.settle()
            getattr(pipeline, STEPS[name])()
        counts = pipeline.counts
        stages = {result.stage: cost_row(result.cost) for result in pipeline.runner.results if result.cost is not None}
    return {
        "pairs": counts.pairs,
        "words": [counts.source.tokens, counts.target.tokens],
        "different_words": [counts.source.types, counts.target.types],
        "stages": stages,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="+", type=int, help="numbers of pairs")
    parser.add_argument("--work-memory", default="")
    parser.add_argument("--memory", default="auto")
    parser.add_argument("--models", default="ngram", help="language models, as `dragoman train` takes them")
    parser.add_argument("--until", choices=list(STEPS), default="lm")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=Path)
    given = parser.parse_args()
    options = {
        "work_memory": given.work_memory,
        "memory": given.memory,
        "language_models": given.models,
        "threads": given.threads,
        "stages": {"decode": {"decoder": "phrase-based"}},
    }
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.work or Path(temporary)
        report({f"{pairs}": measured(pairs, folder / str(pairs), given.until, **options) for pairs in given.sizes})


if __name__ == "__main__":
    main()
