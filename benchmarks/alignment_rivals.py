"""The aligners Dragoman is compared with, run as their authors advise.

They are no dependency of the project: `pip install eflomal systran-align` beside it (eflomal is under the GPL). A run
takes minutes to hours, so its links and cost are kept in a folder and used again; delete the folder to run it anew.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import Cost, run_command, run_function


def eflomal_program() -> str | None:
    """Beside the interpreter, or in a folder of packages."""
    places = [Path(sys.executable).parent, *(Path(entry) / "bin" for entry in sys.path if entry)]
    return shutil.which("eflomal-align", path=os.pathsep.join(map(str, places)))


def installed() -> list[str]:
    names = [
        "eflomal" if eflomal_program() else "",
        "eflomal-prefix" if eflomal_program() else "",
        "systran-align" if importlib.util.find_spec("systran_align") else "",
    ]
    return [name for name in names if name]


def rival_links(name: str, source: Path, target: Path, cache: Path) -> tuple[list[str], Cost]:
    """Symmetrized links (grow-diag-final-and) of both files' lines, and what they cost."""
    cache.mkdir(parents=True, exist_ok=True)
    links, cost = cache / f"{name}.links", cache / f"{name}.json"
    if not cost.exists():
        spent = {"eflomal": eflomal, "eflomal-prefix": eflomal_prefix, "systran-align": systran}[name](
            source, target, links
        )
        cost.write_text(json.dumps(spent.as_json()))
    return links.read_text().split("\n")[:-1], Cost(**json.loads(cost.read_text()))


def eflomal_prefix(source: Path, target: Path, links: Path) -> Cost:
    """Words that begin alike share their statistics, as rare words do in the default model here."""
    return eflomal(source, target, links, ["--source-prefix", "4", "--target-prefix", "4"])


def eflomal(source: Path, target: Path, links: Path, options: Sequence[str] = ()) -> Cost:
    from dragoman.align import symmetrize

    forward, backward = links.with_suffix(".forward"), links.with_suffix(".backward")
    program = eflomal_program()
    assert program is not None
    files: list[str | Path] = ["-s", source, "-t", target, "-f", forward, "-r", backward]
    cost = run_command([sys.executable, program, "--overwrite", "-m", "3", *options, *files])
    lines = symmetrize(forward.read_text().splitlines(), backward.read_text().splitlines(), "grow-diag-final-and")
    links.write_text("".join(f"{line}\n" for line in lines))
    return cost


def systran(source: Path, target: Path, links: Path) -> Cost:
    _, cost = run_function(run_systran, source, target, links)
    return cost


def run_systran(source: Path, target: Path, links: Path) -> None:
    import systran_align

    joined, forward, backward = (links.with_suffix(f".{ending}") for ending in ("text", "forward", "backward"))
    pairs = list(zip(source.read_text().splitlines(), target.read_text().splitlines(), strict=True))
    joined.write_text("".join(f"{s} ||| {t}\n" for s, t in pairs))
    systran_align.generate_alignment_probabilities(
        str(joined),
        str(forward),
        str(backward),
        favor_diagonal=True,
        optimize_tension=True,
        variational_bayes=True,
    )
    aligner = systran_align.Aligner(str(forward), str(backward))
    with links.open("w") as out:
        for begin in range(0, len(pairs), 1000):
            part = pairs[begin : begin + 1000]
            for answer in aligner.align_batch([s.split() for s, _ in part], [t.split() for _, t in part]):
                out.write(" ".join(f"{i}-{j}" for i, j in answer["alignments"]) + "\n")
