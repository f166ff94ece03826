"""Language models beside KenLM: cost of estimation, size, speed of queries, and perplexity against bytes.

    python -m benchmarks.lm [--lines N] [--curve] [--out-json FILE] [--out-svg FILE]

Text: europarl.fr-en, English side, lowercased and split at punctuation by one regular expression; perplexity on
newstest2013. KenLM's programs build_binary and its query library are compiled from the source archive that PyPI has
for `kenlm`; its estimator lmplz needs Boost and is timed only where lmplz is on the PATH.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.core_library import NATIVE, compile_with_core
from benchmarks.harness.table import NotHereError
from benchmarks.measure import SHARED, report, run_command, run_function
from dragoman import _core
from dragoman.lm import LanguageModel, Perplexity
from dragoman.text_file import pieces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "data" / "lm"
TOKEN = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
BUDGETS_MB = (3, 6, 12, 24, 48)
RATIOS = (0.01, 0.03, 0.1, 0.3)


def prepare(corpus: str, name: str, lines: int | None = None) -> Path:
    path = WORK / f"{name}.{lines or 'all'}.txt"
    if path.exists():
        return path
    archive = SHARED / "corpora" / f"{corpus}.xz"
    if not archive.exists():
        raise NotHereError(f"corpora/{corpus}.xz is not here")
    with (
        lzma.open(archive, "rt", encoding="utf-8", newline="\n") as source,
        path.open("w", encoding="utf-8") as out,
    ):
        for number, line in enumerate(source):
            if number == lines:
                break
            out.write(" ".join(TOKEN.findall(line.lower())) + "\n")
    return path


def words_of(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(len(line.split()) + 1 for line in stream)


def build_kenlm() -> Path | None:
    """KenLM's sources with compiled objects, or None where they cannot be had."""
    try:
        archives = list(WORK.glob("kenlm-*.tar.gz"))
        if not archives:
            command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "kenlm", "kenlm"]
            subprocess.run(command, cwd=WORK, check=True)
            archives = list(WORK.glob("kenlm-*.tar.gz"))
        source = WORK / archives[0].name.removesuffix(".tar.gz")
        if not (source / "bin" / "query").exists():
            with tarfile.open(archives[0]) as archive:
                archive.extractall(WORK, filter="data")
            subprocess.run(["bash", "./compile_query_only.sh"], cwd=source, check=True, stdout=subprocess.DEVNULL)
        return source
    except (subprocess.CalledProcessError, OSError, IndexError) as error:
        print(f"KenLM cannot be built here: {error}", file=sys.stderr)
        return None


def compile_queries() -> tuple[dict[str, Path], Path | None]:
    """The two query programs, ours against the library of the installed build, and KenLM's sources."""
    programs = {"dragoman": compile_with_core("dragoman_queries.cpp", WORK / "dragoman_queries", [f"-I{NATIVE}"])}
    kenlm = build_kenlm()
    if kenlm is not None:
        objects = [*kenlm.glob("util/*.o"), *kenlm.glob("util/double-conversion/*.o"), *kenlm.glob("lm/*.o")]
        programs["kenlm"] = WORK / "kenlm_queries"
        headers = [f"-I{kenlm}", f"-I{ROOT / 'core'}"]
        flags = ["-std=c++17", "-O3", "-DNDEBUG", f"-I{NATIVE}", "-DKENLM_MAX_ORDER=6"]
        theirs = ["g++", *flags, *headers, NATIVE / "kenlm_queries.cpp"]
        subprocess.run([*map(str, [*theirs, *objects]), "-lrt", "-o", str(programs["kenlm"])], check=True)
    return programs, kenlm


def queries(program: Path, model: Path, text: Path) -> dict[str, Any]:
    output = subprocess.run([program, model, text, "8"], check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(output)
    return result


def perplexity(model: Path, text: Path, all_words: int | None = None) -> dict[str, float]:
    """Perplexities of a text; with `all_words`, also one that models of different vocabularies can be compared by.

    There the model's <unk> stands for every one of the words that the largest model knows and this one does not, plus
    one: its probability is divided evenly among them, so that all models spread their mass over the same events.
    """
    opened = LanguageModel(model)
    result = Perplexity.of(opened.score_bytes(text.read_bytes(), threads=2))
    found = {
        "words": opened.counts[0],
        "unknown": result.unknown,
        "perplexity": result.perplexity,
        "perplexity_known": result.perplexity_known,
    }
    if all_words is not None:
        log10_prob = result.log10_prob - result.unknown * math.log10(all_words - opened.counts[0] + 1)
        found["perplexity_same_words"] = 10 ** (-log10_prob / result.tokens)
    return found


def compare(train: Path, test: Path) -> dict[str, Any]:
    programs, kenlm = compile_queries()
    tokens = words_of(train)
    results: dict[str, Any] = {"tokens": tokens, "sentence_ends": "counted"}
    dragoman = [sys.executable, "-m", "dragoman"]
    ours: dict[str, Any] = {}
    models = {"bits8": (8, 8), "floats": (0, 0)}
    arpa = WORK / "model.arpa"

    cost = run_command([*dragoman, "lm", "build", train, "--out", WORK / "bits8.bin", "--threads", "1"], stdout=-3)
    ours["build_one_thread"] = cost.as_json() | {"tokens_per_cpu_second": tokens / cost.cpu_seconds}
    (encoded, cost) = run_function(estimate_only, train)
    ours["estimate_one_thread"] = cost.as_json() | {"tokens_per_cpu_second": tokens / cost.cpu_seconds}
    for name, (prob_bits, backoff_bits) in models.items():
        bits = ["--prob-bits", str(prob_bits), "--backoff-bits", str(backoff_bits)]
        more: list[str | Path] = ["--arpa", arpa] if name == "floats" else []
        run_command([*dragoman, "lm", "build", train, "--out", WORK / f"{name}.bin", *bits, *more], stdout=-3)
        model = LanguageModel(WORK / f"{name}.bin")
        ngrams = sum(model.counts)
        ours[name] = {"bytes": model.file_bytes, "bytes_per_ngram": model.file_bytes / ngrams, "counts": model.counts}
        ours[name] |= perplexity(WORK / f"{name}.bin", test)
    results["dragoman"] = ours

    for name in models:
        ours[name]["queries"] = queries(programs["dragoman"], WORK / f"{name}.bin", test)
    if kenlm is not None:
        theirs: dict[str, Any] = {}
        kinds = {"trie_q8": ["-a", "22", "-q", "8", "-b", "8", "trie"], "trie": ["trie"], "probing": ["probing"]}
        for name, arguments in kinds.items():
            model_path = WORK / f"kenlm_{name}.bin"
            cost = run_command([kenlm / "bin" / "build_binary", *arguments, arpa, model_path], stdout=-3, stderr=-3)
            size = model_path.stat().st_size
            theirs[name] = {"bytes": size, "bytes_per_ngram": size / sum(encoded), "build_binary": cost.as_json()}
            theirs[name]["queries"] = queries(programs["kenlm"], model_path, test)
        if shutil.which("lmplz"):
            with train.open("rb") as stdin, arpa.open("wb") as stdout:
                theirs["lmplz"] = run_command(["lmplz", "-o", "5"], stdin=stdin, stdout=stdout).as_json()
        results["kenlm"] = theirs
    return results


def estimated(train: Path, ratio: float = 1.0, keep_counts: bool = False) -> _core.NgramModel:
    """Text to probabilities in memory, without pruning or writing."""
    text = _core.LmText(ratio, 1)
    for piece in pieces(train):
        text.add(piece)
    return _core.lm_estimate(text, 5, [1], [0.5, 1, 1.5], keep_counts, 1)


def estimate_only(train: Path) -> list[int]:
    return estimated(train).counts


def curve(train: Path, test: Path) -> dict[str, Any]:
    """Perplexity of models made smaller in two ways: entropy pruning, and sampling sentences as the thesis did."""
    points: dict[str, Any] = {"pruned": [], "sampled": []}
    whole = estimated(train, 1.0, True)
    all_words = whole.counts[0]

    def point(model: _core.NgramModel, **more: Any) -> dict[str, Any]:
        path = WORK / "point.bin"
        model.write(str(path))
        size = {"bytes": path.stat().st_size, "ngrams": sum(model.counts)}
        return more | size | perplexity(path, test, all_words)

    for budget in BUDGETS_MB:
        points["pruned"].append(point(whole.pruned_to_bytes(budget * 10**6), budget_mb=budget))
    for ratio in RATIOS:
        points["sampled"].append(point(estimated(train, ratio), ratio=ratio))
    full = point(whole)
    points["pruned"].append(full)
    points["sampled"].append(full)
    return points


def plot(points: dict[str, Any]) -> str:
    """Perplexity over bytes, both on logarithmic scales."""
    width, height, margin = 640, 400, 56
    rows = [row for name in ("pruned", "sampled") for row in points[name]]
    sizes = [math.log(row["bytes"]) for row in rows]
    values = [math.log(row["perplexity_same_words"]) for row in rows]

    def scale(low: float, high: float, begin: float, end: float) -> Callable[[float], float]:
        return lambda value: begin + (value - low) / ((high - low) or 1) * (end - begin)

    x = scale(min(sizes), max(sizes), margin, width - margin)
    y = scale(min(values), max(values), height - margin, margin)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<path d="M{margin} {margin}V{height - margin}H{width - margin}" fill="none" stroke="#888"/>',
        f'<text x="{width / 2}" y="{height - 12}" text-anchor="middle">bytes of lm.bin</text>',
        f'<text x="16" y="{margin - 16}">perplexity of newstest2013, unknown words shared out</text>',
    ]
    for megabytes in (1, 2, 5, 10, 20, 50, 100):
        at = math.log(megabytes * 1e6)
        if min(sizes) <= at <= max(sizes):
            parts.append(f'<text x="{x(at):.0f}" y="{height - margin + 18}" text-anchor="middle">{megabytes} MB</text>')
    for value in (250, 300, 350, 400, 500, 600, 800, 1000, 1500):
        at = math.log(value)
        if min(values) <= at <= max(values):
            parts.append(f'<text x="{margin - 6}" y="{y(at) + 4:.0f}" text-anchor="end">{value}</text>')
            parts.append(f'<path d="M{margin} {y(at):.1f}H{width - margin}" stroke="#eee"/>')
    for name, colour, label in (("pruned", "#1b6ca8", "entropy pruning"), ("sampled", "#c44", "sampled sentences")):
        ordered = sorted(points[name], key=lambda row: row["bytes"])
        spots = [(x(math.log(row["bytes"])), y(math.log(row["perplexity_same_words"]))) for row in ordered]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in spots)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in spots]
        parts.append(f'<text x="{spots[0][0] + 10:.1f}" y="{spots[0][1] + 4:.1f}" fill="{colour}">{label}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=None, help="use only so many lines of training text")
    parser.add_argument("--curve", action="store_true", help="perplexity against bytes instead of the comparison")
    parser.add_argument("--out-json", type=Path, help="where the curve's points go")
    parser.add_argument("--out-svg", type=Path, help="where the curve's plot goes")
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    train = prepare("europarl.fr-en/train.en", "europarl", arguments.lines)
    test = prepare("newstest/fr-en/newstest2013.en", "newstest2013")
    if not arguments.curve:
        report(compare(train, test))
        return
    points = curve(train, test)
    report(points)
    if arguments.out_json:
        arguments.out_json.write_text(json.dumps(points, indent=1) + "\n")
    if arguments.out_svg:
        arguments.out_svg.write_text(plot(points))


if __name__ == "__main__":
    main()
