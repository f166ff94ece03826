"""The stages in order, and how the files of one become the inputs of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dragoman.model.weights import LANGUAGE_MODELS, default_weights
from dragoman.pipeline import budget as budgets
from dragoman.pipeline.costs import CONFIDENCE_WORDS, MEASURED_SENTENCES
from dragoman.pipeline.counts import CorpusCounts, Split
from dragoman.pipeline.index_bytes import pair_bytes
from dragoman.pipeline.job import Job
from dragoman.pipeline.networks import LANGUAGE_MODEL_FILES
from dragoman.pipeline.plan import Plan, Sizes, make_plan
from dragoman.pipeline.runner import Runner, without_resources
from dragoman.pipeline.stage import Made, Stage
from dragoman.pipeline.typed_json import from_json


def stage(name: str, module: str, version: int, does: str) -> Stage:
    return Stage(name, f"dragoman.pipeline.stages.{module}:run", version, does)


PREPARE = stage("prepare", "prepare", 1, "read, clean and split the text")
TOKENIZE = stage("tokenize", "tokenize", 4, "find the words")
ALIGN = stage("align", "align", 1, "link the words of both languages")
SELECT = stage("select", "select", 2, "choose the pairs that fit the memory")
INDEX = stage("index", "index", 4, "index the bitext")
SOURCES = stage("sources", "sources", 1, "keep where each pair came from")
LM = stage("lm", "ngram_lm", 1, "build the n-gram language model")
NEURAL = stage("neural", "neural_lm", 3, "train the neural language model")
CONDITIONED = stage("conditioned", "neural_lm", 2, "train the neural language model that reads the source")
MODEL = stage("model", "combine", 1, "put the model together")
TUNE = stage("tune", "tune", 1, "tune the weights on the dev set")
CONFIDENCE = stage("confidence", "confidence", 1, "learn how far to trust a translation")
EVALUATE = stage("evaluate", "evaluate", 1, "translate and score the test set")
MEASURE = stage("measure", "measure", 1, "measure speed and memory")

STAGES = (
    *(PREPARE, TOKENIZE, ALIGN, SELECT, INDEX, SOURCES, LM, NEURAL, CONDITIONED),
    *(MODEL, TUNE, CONFIDENCE, EVALUATE, MEASURE),
)
# Where cleaning leaves less, something is wrong with the text.
KEPT_SHARE = 0.5
# Where not all pairs fit: how near to the bytes for them is near enough.
FIT_ENOUGH = 0.93
FIT_ATTEMPTS = 6
# Before the index is there: it takes at least so much of what is foretold.
SURE_SHARE = 0.9


class Pipeline:
    """One training from text to a scored model in the work folder."""

    def __init__(self, job: Job, runner: Runner) -> None:
        self.job = job
        self.runner = runner
        self.langs = {"source_lang": job.source_lang, "target_lang": job.target_lang}
        self.made: dict[str, Made] = {}
        self.warnings: list[str] = []

    def run_stage(self, stage: Stage, inputs: Mapping[str, Path], options: Mapping[str, Any]) -> Made:
        made = self.runner.run(stage, inputs, options)
        self.made[stage.name] = made
        return made

    def run(self) -> dict[str, Made]:
        self.prepare()
        self.tokenize()
        self.refuse_the_hopeless()
        self.align()
        self.index()
        self.sources()
        self.settle()
        self.language_models()
        self.combine()
        self.tune()
        self.confidence()
        self.evaluate()
        self.measure()
        return self.made

    def planned(self, sizes: Sizes) -> Plan:
        """The plan with what is known by now."""
        facts = self.made["prepare"].facts
        split = Split(facts["read"], self.pairs("train"), self.pairs("dev"), self.pairs("test"))
        return make_plan(self.counts, split, self.job.options, self.job.stages, sizes)

    def refuse_the_hopeless(self) -> None:
        """Before the stages that take long, by what is foretold, which may err by a few percent."""
        self.counts = from_json(CorpusCounts, self.made["tokenize"].facts)
        self.plan = self.planned(Sizes())
        least = self.planned(Sizes(whole_index=int(SURE_SHARE * self.plan.index.whole_bytes)))
        if self.plan.refusal and least.refusal:
            raise self.plan.refusal

    def settle(self) -> None:
        """The last plan: everything but the language models has its size, and they get what is left."""
        kept = self.made.get("sources")
        self.plan = self.planned(
            Sizes(
                whole_index=index_bytes(self.made.get("whole", self.made["index"])),
                index=index_bytes(self.made["index"]),
                align=self.made["align"].facts["bytes"],
                sources=kept.facts["bytes"] if kept else None,
            )
        )
        if self.plan.refusal:
            raise self.plan.refusal
        for message in self.plan.warnings:
            self.warn(message)

    def text(self, part: str, side: str) -> Path:
        """A file of prepared text; side is source or target."""
        return self.made["prepare"].file(f"text/{part}.{self.langs[f'{side}_lang']}")

    def prepare(self) -> None:
        job = self.job
        inputs = {
            f"input{number}.{place}": Path(path)
            for number, entry in enumerate(job.inputs)
            for place, path in enumerate(entry.paths)
        }
        for part, given in (("dev", job.dev), ("test", job.test)):
            for place, path in enumerate(given or ()):
                inputs[f"{part}.{place}"] = Path(path)
        options = {
            **self.langs,
            "inputs": [[entry.format, *entry.paths] for entry in job.inputs],
            "read": asdict(job.stages.read),
            "clean": asdict(job.stages.clean),
            "split": asdict(job.split_options()),
            "dev": job.dev and list(job.dev),
            "test": job.test and list(job.test),
        }
        facts = self.run_stage(PREPARE, inputs, options).facts
        if facts["kept"] < KEPT_SHARE * facts["read"]:
            rule, count = max(facts["dropped"].items(), key=lambda entry: entry[1])
            self.warn(
                f"only {facts['kept']:,} of {facts['read']:,} pairs are left after cleaning, {count:,} were dropped as"
                f" `{rule}`; look at the text and at the languages you named"
            )
        for part, count in facts["overlaps"].items():
            if count:
                total = facts["pairs"][part]
                self.warn(
                    f"{count:,} of {total:,} sentences of the {part} set are in the training text too, so that scores"
                    " on it are too good; leave them out of the one or the other"
                )

    def tokenize(self) -> None:
        inputs = {side: self.text("train", side) for side in ("source", "target")}
        if self.pairs("dev"):
            inputs["dev"] = self.text("dev", "source")
        for number, path in enumerate(self.job.monolingual):
            inputs[f"monolingual{number}"] = Path(path)
        self.run_stage(TOKENIZE, inputs, self.langs)

    def align(self) -> None:
        tokens = self.made["tokenize"]
        inputs = {side: tokens.file(side) for side in ("source", "target")}
        self.run_stage(ALIGN, inputs, asdict(self.job.stages.align))

    def index(self) -> None:
        """All of the text, or as much of it as the memory allows."""
        inputs = self.bitext_inputs()
        whole = self.run_stage(INDEX, inputs, self.index_options())
        plan = self.planned(Sizes(whole_index=index_bytes(whole)))
        if plan.refusal:
            raise plan.refusal
        if plan.index.chosen:
            self.made["whole"] = whole
            self.fit(inputs, whole, plan.index.bytes)

    def bitext_inputs(self) -> dict[str, Path]:
        tokens = self.made["tokenize"]
        inputs = {side: tokens.file(side) for side in ("source", "target")}
        inputs["links"] = self.made["align"].file("links")
        for side in ("source", "target"):
            inputs[f"raw_{side}"] = self.text("train", side)
        inputs["raw_links"] = inputs["links"]
        return inputs

    def index_options(self) -> dict[str, Any]:
        return {**self.langs, "index": asdict(self.job.stages.index)}

    def fit(self, inputs: dict[str, Path], whole: Made, allowed: int) -> None:
        """Chooses pairs and indexes them, with a better guess of how many fit each time."""
        given = {**inputs, "origins": self.made["prepare"].file("text/train.origin.jsonl")}
        if self.made["tokenize"].has("dev"):
            given["wanted"] = self.made["tokenize"].file("dev")
        max_bytes = int(0.95 * whole.facts["bytes"]["bitext.bin"] * allowed / index_bytes(whole))
        fitting, excessive = 0, whole.facts["bytes"]["bitext.bin"]
        for _ in range(FIT_ATTEMPTS):
            size = self.index_chosen(given, inputs, max_bytes)
            if FIT_ENOUGH * allowed <= size <= allowed:
                return
            if size <= allowed:
                fitting = max_bytes
            else:
                excessive = max_bytes
            max_bytes = int(max_bytes * 0.985 * allowed / size)
            # Where much of the index is not pairs, proportions mislead.
            if not fitting < max_bytes < 0.98 * excessive:
                max_bytes = (fitting + excessive) // 2
        if fitting == 0:
            raise budgets.too_small(
                self.plan.budget, index_bytes(whole), self.plan.least_ngram_bytes, self.counts.pairs, fit=True
            )
        self.index_chosen(given, inputs, fitting)

    def index_chosen(self, given: Mapping[str, Path], inputs: Mapping[str, Path], max_bytes: int) -> int:
        """Indexes the pairs that fit into so many bytes of bitext; returns the bytes of their index."""
        cost = pair_bytes(self.counts, self.made["whole"].facts["links"])
        options = {"max_bytes": max_bytes, "pairs": self.counts.pairs, "pair_bytes": asdict(cost)}
        chosen = self.run_stage(SELECT, given, options)
        parts = {name: chosen.file(name) for name in ("source", "target", "links")}
        # The written forms of words are learned from all of the text.
        return index_bytes(self.run_stage(INDEX, {**inputs, **parts}, self.index_options()))

    def sources(self) -> None:
        if not self.job.options.keep_sources:
            return
        if "select" in self.made:
            chosen = self.made["select"]
            inputs = {side: chosen.file(f"raw_{side}") for side in ("source", "target")}
            inputs["origins"] = chosen.file("origins")
        else:
            inputs = {side: self.text("train", side) for side in ("source", "target")}
            inputs["origins"] = self.made["prepare"].file("text/train.origin.jsonl")
        self.run_stage(SOURCES, inputs, {})

    def language_models(self) -> None:
        """The neural models first: their size is known before, and the n-gram model takes what they leave."""
        texts = {name: self.made["tokenize"].file(name) for name in ("target", "monolingual") if self.has_text(name)}
        for kind, chosen in self.plan.networks.options.items():
            options = {"neural_lm": asdict(chosen)}
            if kind == "neural":
                self.run_stage(NEURAL, texts, options)
            else:
                bitext = self.bitext_inputs()
                self.run_stage(CONDITIONED, {name: bitext[name] for name in ("source", "target", "links")}, options)
        if self.plan.has_ngrams:
            room = self.plan.ngram_room(self.made[kind].facts["bytes"] for kind in self.plan.networks.kinds)
            self.run_stage(LM, texts, {**asdict(self.job.stages.lm), "memory": str(room)})

    def has_text(self, name: str) -> bool:
        return self.made["tokenize"].has(name)

    def start_weights(self) -> dict[str, float]:
        """Where tuning begins, and what an untuned model has."""
        return default_weights([LANGUAGE_MODELS[file] for stage, file in self.language_model_files()])

    def language_model_files(self) -> list[tuple[str, str]]:
        """Stages that made a language model, with the name of its file in the model directory."""
        return [(stage, file) for stage, file in LANGUAGE_MODEL_FILES.items() if stage in self.made]

    def combine(self) -> None:
        self.made["model"] = self.combined(self.made["index"])

    def combined(self, index: Made) -> Made:
        """A model directory of this index and everything else."""
        files = {name: index.file(name) for name in index.facts["bytes"]}
        files["align.bin"] = self.made["align"].file("align.bin")
        for stage, file in self.language_model_files():
            files[file] = self.made[stage].file("lm.bin" if stage == "lm" else "nlm.bin")
        if "sources" in self.made and index is self.made["index"]:
            files["sources.bin"] = self.made["sources"].file("sources.bin")
        options = {
            **self.langs,
            "weights": self.start_weights(),
            "options": {
                "train": asdict(self.job.options),
                "budget": {**self.plan.budget.as_dict(), **asdict(self.plan.budget.decode_limits)},
                **without_resources(asdict(self.job.stages)),
            },
        }
        return self.runner.run(MODEL, files, options)

    def decode_options(self) -> dict[str, Any]:
        options = asdict(self.job.stages.decode)
        for name, limit in asdict(self.plan.budget.decode_limits).items():
            options[name] = min(options[name], limit) if options[name] > 0 else limit
        return options

    def model_inputs(self, part: str, model: Made) -> dict[str, Path]:
        """A model and a set of sentences for it."""
        inputs = {side: self.text(part, side) for side in ("source", "target")}
        inputs["model"] = model.file("model")
        weights = self.weights()
        if weights is not None:
            inputs["weights"] = weights
        return inputs

    def tune(self) -> None:
        if not self.plan.tunes:
            return
        options = {
            "tune": asdict(self.job.stages.tune),
            "decode": self.decode_options(),
            "max_words": self.job.options.tune_words,
        }
        self.run_stage(TUNE, self.model_inputs("dev", self.made["model"]), options)

    def confidence(self) -> None:
        if not self.plan.learns_confidence:
            return
        options = {
            "decode": self.decode_options(),
            "tuned_words": self.job.options.tune_words if "tune" in self.made else 0,
            "max_words": CONFIDENCE_WORDS,
        }
        self.run_stage(CONFIDENCE, self.model_inputs("dev", self.made["model"]), options)

    def evaluate(self) -> None:
        if not self.pairs("test"):
            return
        options = {"decode": self.decode_options()}
        self.run_stage(EVALUATE, self.model_inputs("test", self.made["model"]), options)
        if "whole" in self.made:
            # What leaving pairs out costs: the same models and weights with all of the text.
            whole = self.combined(self.made["whole"])
            made = self.runner.run(EVALUATE, self.model_inputs("test", whole), options)
            self.made["evaluate whole"] = made

    def measure(self) -> None:
        part = next(part for part in ("test", "dev", "train") if self.pairs(part))
        options = {"decode": self.decode_options(), "sentences": MEASURED_SENTENCES}
        self.run_stage(MEASURE, self.model_inputs(part, self.made["model"]), options)

    def pairs(self, part: str) -> int:
        return int(self.made["prepare"].facts["pairs"].get(part, 0))

    def finishing_files(self) -> dict[str, Path]:
        """Files of the model that were made with it."""
        files = {}
        weights = self.weights()
        if weights is not None:
            files["weights.txt"] = weights
        if "confidence" in self.made:
            files["confidence.json"] = self.made["confidence"].file("confidence.json")
        return files

    def weights(self) -> Path | None:
        """Tuned weights, or None for those of the untuned model."""
        return self.made["tune"].file("weights.txt") if "tune" in self.made else None

    def scores(self) -> dict[str, Any]:
        scores: dict[str, Any] = {}
        if "tune" in self.made:
            scores["dev BLEU-lc"] = round(self.made["tune"].facts["bleu"], 2)
        if "evaluate" in self.made:
            scores = {**self.made["evaluate"].facts["scores"], **scores}
        if "evaluate whole" in self.made:
            scores["BLEU with all pairs"] = self.made["evaluate whole"].facts["scores"]["BLEU"]
        return scores

    def warn(self, message: str) -> None:
        self.warnings.append(message)
        self.runner.listener.warn(message)


def index_bytes(made: Made) -> int:
    return int(sum(made.facts["bytes"].values()))
