"""Whole systems on image captions, three language pairs, beside a Transformer's translations of the same sentences.

Small and large differ in how long weights are tuned: on part of the dev set for a few rounds, or with the defaults.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks.harness.table import Column, Finding, NotHereError, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.measure import corpus_lines
from benchmarks.rival_outputs import transformer_output
from benchmarks.thesis_systems import CAPTIONS, IN_CORE, thesis_system
from benchmarks.thot_system import installed, is_trained, translated
from benchmarks.trained import TrainedModel, captions, scores_of
from benchmarks.transformer_int8 import measured

PAIRS = ("fr-en", "en-de", "en-cs")
MODELS = {"ngram": "ngram", "all": "ngram+neural+conditioned"}
DECODERS = {"phrases": "phrase-based", "gaps": "hierarchical"}


def system(setting: Setting, pair: str, decoder: str, models: str) -> TrainedModel:
    """`models` as `dragoman train --language-models` has it."""
    stages = {"decode": {"decoder": decoder}}
    if setting.size == "quick":
        return thesis_system(setting, pair, models, stages=stages)
    return captions(setting, pair, language_models=models, judge="off", stages=stages | {"neural_lm": IN_CORE})


def ours(model: TrainedModel) -> Values:
    return model.values(against=transformer_output(f"multi30k.{model.pair}.test"))


def transformer(pair: str) -> Values:
    target = pair.split("-")[1]
    return scores_of(transformer_output(f"multi30k.{pair}.test"), corpus_lines(f"multi30k/test.{target}"))


def small_transformer(weights: Path, pair: str) -> Values:
    """As a user would run it on a CPU, beside the translations of the one that was trained earlier."""
    source, target = pair.split("-")
    lines, references = (corpus_lines(f"multi30k/test.{lang}") for lang in (source, target))
    return measured(weights, lines, references, transformer_output(f"multi30k.{pair}.test"))


def thot(work: Path, pair: str) -> Values:
    if not installed():
        raise NotHereError("pip install sil-thot; pip install --no-deps sil-machine")
    if not is_trained(work):
        raise NotHereError("a model of python -m benchmarks.thot_system, which tunes for an hour")
    source, target = pair.split("-")
    lines, references = (corpus_lines(f"multi30k/test.{lang}") for lang in (source, target))
    outputs, costs = translated(work, lines, (source, target))
    return scores_of(outputs, references, transformer_output(f"multi30k.{pair}.test")) | costs


def rows(setting: Setting) -> list[Row]:
    listed: list[Row] = []
    for pair in PAIRS:
        for name, models in MODELS.items():
            for short, decoder in DECODERS.items():
                model = system(setting, pair, decoder, models)
                title = f"{pair}, {decoder}, {'all three models' if name == 'all' else 'n-grams'}"
                listed.append(Row(f"{pair}-{short}-{name}", title, partial(ours, model), [model]))
        listed.append(Row(f"{pair}-transformer", f"{pair}, Transformer", partial(transformer, pair), of="rival"))
        work = setting.folder / "thot" / pair
        listed.append(Row(f"{pair}-thot", f"{pair}, thot", partial(thot, work, pair), of="rival"))
        weights = setting.folder / "transformers" / pair
        title = f"{pair}, another Transformer, int8 in CTranslate2"
        listed.append(Row(f"{pair}-int8", title, partial(small_transformer, weights, pair), of="rival"))
    return listed


def finding(rows: Rows) -> Finding:
    told, better, worse = [], 0, 0
    for pair in PAIRS:
        ours = rows[f"{pair}-gaps-all"]
        told.append(
            f"{pair} {ours['bleu_lc']:.1f} against {rows[f'{pair}-transformer']['bleu_lc']:.1f} ({ours['interval']})"
        )
        better += float(ours["low"] or 0) > 0
        worse += float(ours["high"] or 0) < 0
    verdict = Verdict.REFUTED if worse else Verdict.CONFIRMED if better == len(PAIRS) else Verdict.UNDECIDED
    return Finding(verdict, f"Lowercased BLEU of the default, hierarchical: {'; '.join(told)}.")


TABLE = Table(
    name="whole-systems",
    title="Whole systems on captions",
    claim="On small text it translates better than a Transformer trained on the same pairs.",
    claimed_by="Dragoman",
    columns=[
        Column("bleu", "BLEU", 2, "high"),
        Column("bleu_lc", "lowercased", 2, "high"),
        Column("chrf", "chrF", 2, "high"),
        Column("difference", "less Transformer, lowercased", 2),
        Column("interval", "95 %"),
        Column("ms", "ms CPU a sentence", 1, "low"),
        Column("memory_mb", "memory, MB", 0, "low"),
        Column("model_mb", "on disk, MB", 1, "low"),
    ],
    rows=rows,
    corpora=["corpora/multi30k", "rivals/outputs"],
    rivals=["sacrebleu", "sil-thot", "ctranslate2", "sentencepiece"],
    finding=finding,
    texts={"quick": CAPTIONS, "full": CAPTIONS},
    caveat=(
        "One seed. The Transformer (10 million parameters) was trained on a GPU in another "
        "run; its translations are resampled in pairs with ours, and with thot's, which are in lower case. Time and "
        "memory are those of another one, trained by the same program on another day, whose weights lie in "
        "transformers/PAIR below the folder of models."
    ),
)
