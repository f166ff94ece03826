"""Tuning on image captions (multi30k): BLEU of tuned systems against other people's, and how stable tuning is.

    python -m benchmarks.tuning WORK [--pairs fr-en,en-de,en-cs] [--decoders hierarchical,phrase-based]
                                     [--seeds 1] [--methods mira] [--set name=value ...]

WORK is a folder for models and weights, which are kept there and used again. Trained on the training part, tuned on
the validation part, tested on the 2016 test part. Scores are sacreBLEU's, lowercased, with the 95 % interval of the
bootstrap. Known figures of cdec and thot (benchmarks/results/quoted) stand beside them; their outputs are not at hand,
so they can only be compared with our interval.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.harness.figures import Figures
from benchmarks.measure import corpus_lines, report, run_function
from dragoman import _core
from dragoman.align.aligner import AlignmentModel
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest
from dragoman.translator import Translator
from dragoman.tune import TuneRound, tune_model

RIVALS = ("cdec", "thot")


def known_scores(pair: str) -> dict[str, float]:
    """Of rivals that were not run here; benchmarks/results/quoted says where they are from."""
    quoted = Figures().quoted
    rows = {name: quoted[name].rows.get(f"captions-{pair}", {}) for name in RIVALS}
    return {name: float(row["bleu_lc"] or 0) for name, row in rows.items() if "bleu_lc" in row}


def build(path: Path, source: str, target: str) -> None:
    """A model with a 5-gram language model, all defaults."""
    texts = {}
    for lang in (source, target):
        raw = "\n".join(corpus_lines(f"multi30k/train.{lang}")) + "\n"
        texts[lang] = _core.Tokenizer(lang).tokenize(raw.encode(), model=True)
    links = AlignmentModel.train(texts[source], texts[target], keep_model=False).links
    words = _core.LmText()
    words.add(texts[target])
    model = _core.lm_estimate(words, 5, [1], [0.5, 1.0, 1.5])
    with building_model(path, Manifest(source, target), True) as directory:
        _core.build_index(str(directory), texts[source], texts[target], links, {})
        model.write(str(directory / "lm.bin"), 8, 8)
        (directory / "text.json").write_text('{"tokenizer": "language", "spacing": "apart"}\n')


def test(model: Path, weights: dict[str, float], source: str, target: str, decode: DecodeOptions) -> dict[str, Any]:
    """BLEU on the test part with its interval."""
    lines, references = corpus_lines(f"multi30k/test.{source}"), corpus_lines(f"multi30k/test.{target}")
    translator = Translator.load(model, weights=weights)
    begin = time.process_time()
    outputs = [each.text for each in translator.translate(lines, decode, threads=0)]
    seconds = time.process_time() - begin
    rows = _core.bleu_statistics(outputs, references, True)
    total = [sum(column) for column in zip(*rows, strict=True)]
    draws = sorted(_core.bootstrap_bleu([rows], 1000, 1)[0])
    return {
        "bleu": round(100 * _core.bleu_score(total), 2),
        "interval_95": [round(100 * draws[24], 2), round(100 * draws[974], 2)],
        "length_ratio": round(total[0] / total[1], 4),
        "ms_per_sentence_cpu": round(1000 * seconds / len(lines), 1),
    }


def show_round(made: TuneRound) -> None:
    line = f"{made.number} BLEU {made.bleu:.2f} length {made.length_ratio:.3f} new {made.fresh} of {made.candidates}"
    print(line, file=sys.stderr, flush=True)


def one(
    work: Path,
    pair: str,
    options: TuneOptions,
    decode: DecodeOptions,
    label: str,
    start: dict[str, float] | None = None,
) -> dict[str, Any]:
    source, target = pair.split("-")
    model = work / f"{pair}.model"
    if not model.exists():
        build(model, source, target)
    kept = work / f"{pair}.{decode.decoder}.{options.method}.{options.seed}{label}.json"
    result: dict[str, Any]
    if kept.exists():
        result = json.loads(kept.read_text())
    else:

        def tuned() -> dict[str, Any]:
            dev_source, dev_target = (corpus_lines(f"multi30k/dev.{lang}") for lang in (source, target))
            made = tune_model(model, dev_source, dev_target, options, decode=decode, weights=start, on_round=show_round)
            return made.as_json()

        made, cost = run_function(tuned)
        result = {**made, "cost": cost.as_json()}
        kept.write_text(json.dumps(result))
    tested = test(model, result["weights"], source, target, decode)
    rivals = known_scores(pair)
    return {
        "pair": pair,
        "decoder": decode.decoder,
        "method": options.method,
        "seed": options.seed,
        "settings": label,
        "dev_bleu": [round(each["bleu"], 2) for each in result["rounds"]],
        "test": tested,
        "above": {name: round(tested["bleu"] - score, 2) for name, score in rivals.items()},
        "interval_above": {name: tested["interval_95"][0] > score for name, score in rivals.items()},
        "tuning": result["cost"],
        "weights": {name: round(value, 4) for name, value in result["weights"].items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=Path)
    parser.add_argument("--pairs", default="fr-en,en-de,en-cs")
    parser.add_argument("--decoders", default="hierarchical,phrase-based")
    parser.add_argument("--methods", default="mira")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--set", action="append", default=[], help="an option of tuning or decoding, name=value")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    options, decode = TuneOptions(), DecodeOptions()
    for setting in given.set:
        name, value = setting.split("=")
        if name in {entry.name for entry in dataclasses.fields(TuneOptions)}:
            options = dataclasses.replace(options, **{name: type(getattr(options, name))(value)})
        else:
            decode = dataclasses.replace(decode, **{name: type(getattr(decode, name))(value)})
    label = "".join(f",{setting}" for setting in given.set)
    runs = []
    for pair in given.pairs.split(","):
        for decoder in given.decoders.split(","):
            for method in given.methods.split(","):
                for seed in map(int, given.seeds.split(",")):
                    chosen = dataclasses.replace(options, method=method, seed=seed)
                    searched = dataclasses.replace(decode, decoder=decoder)
                    runs.append(one(given.work, pair, chosen, searched, label))
    report({"runs": runs})


if __name__ == "__main__":
    main()
