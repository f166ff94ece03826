"""The stages in order, and how the files of one become the inputs of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from dragoman.config import DecodeOptions
from dragoman.model.weights import LANGUAGE_MODELS, default_weights
from dragoman.pipeline import budget as budgets
from dragoman.pipeline.costs import CONFIDENCE_WORDS, MEASURED_SENTENCES
from dragoman.pipeline.counts import CorpusCounts, Split
from dragoman.pipeline.index_bytes import least_index_bytes, pair_bytes
from dragoman.pipeline.job import Job, in_other_languages
from dragoman.pipeline.networks import LANGUAGE_MODEL_FILES
from dragoman.pipeline.plan import Plan, Sizes, make_plan
from dragoman.pipeline.runner import Runner, without_resources
from dragoman.pipeline.scores import TrainScores
from dragoman.pipeline.stage import Languages, NoOptions, Stage, StageResult
from dragoman.pipeline.stages import (
    align,
    combine,
    confidence,
    evaluate,
    index,
    judge,
    measure,
    neural_lm,
    ngram_lm,
    prepare,
    select,
    sources,
    tokenize,
    tune,
)

PREPARE = Stage("prepare", prepare.run, 4, "read, clean and split the text")
TOKENIZE = Stage("tokenize", tokenize.run, 6, "find the words")
ALIGN = Stage("align", align.run, 2, "link the words of both languages")
SELECT = Stage("select", select.run, 3, "choose the pairs that fit the memory")
INDEX = Stage("index", index.run, 6, "index the bitext")
SOURCES = Stage("sources", sources.run, 2, "keep where each pair came from")
LM = Stage("lm", ngram_lm.run, 2, "build the n-gram language model")
NEURAL = Stage("neural", neural_lm.run, 5, "train the neural language model")
CONDITIONED = Stage("conditioned", neural_lm.run, 4, "train the neural language model that reads the source")
JUDGE = Stage("judge", judge.run, 2, "train the judge of finished translations")
MODEL = Stage("model", combine.run, 2, "put the model together")
TUNE = Stage("tune", tune.run, 3, "tune the weights on the dev set")
CONFIDENCE = Stage("confidence", confidence.run, 3, "learn how far to trust a translation")
EVALUATE = Stage("evaluate", evaluate.run, 3, "translate and score the test set")
MEASURE = Stage("measure", measure.run, 2, "measure speed and memory")

# Where cleaning leaves less, something is wrong with the text.
KEPT_SHARE = 0.5
# Where not all pairs fit: how near to the bytes for them is near enough.
FIT_ENOUGH = 0.93
FIT_ATTEMPTS = 6
# Before the index is there: it takes at least so much of what is foretold.
SURE_SHARE = 0.9
SIDES = ("source", "target")


class Pipeline:
    """One training from text to a scored model in the work folder: each step leaves its result here for the next."""

    prepared: StageResult[prepare.Prepared]
    tokenized: StageResult[CorpusCounts]
    aligned: StageResult[align.Aligned]
    indexed: StageResult[index.Indexed]
    model: StageResult[combine.Combined]
    measured: StageResult[measure.Measured]
    plan: Plan

    def __init__(self, job: Job, runner: Runner) -> None:
        self.job = job
        self.runner = runner
        self.langs = Languages(job.source_lang, job.target_lang)
        self.warnings: list[str] = []
        # Where pairs were chosen: those, and the index of all.
        self.selected: StageResult[select.Selected] | None = None
        self.whole: StageResult[index.Indexed] | None = None
        self.kept_sources: StageResult[sources.SourcesKept] | None = None
        self.networks: dict[str, StageResult[neural_lm.NetworkTrained]] = {}
        self.judge: StageResult[judge.JudgeTrained] | None = None
        self.ngrams: StageResult[ngram_lm.NgramsBuilt] | None = None
        self.tuned: StageResult[tune.Tuned] | None = None
        self.learned: StageResult[confidence.ConfidenceLearned] | None = None
        self.evaluated: StageResult[evaluate.Evaluated] | None = None
        self.evaluated_whole: StageResult[evaluate.Evaluated] | None = None

    def run(self) -> None:
        self.prepare_text()
        self.find_words()
        self.refuse_the_hopeless()
        self.link_words()
        self.index_pairs()
        self.keep_sources()
        self.settle()
        self.train_judge()
        self.language_models()
        self.model = self.combined(self.indexed)
        self.tune_weights()
        self.learn_confidence()
        self.score_test_set()
        self.measure_speed()

    @property
    def counts(self) -> CorpusCounts:
        return self.tokenized.facts

    def planned(self, sizes: Sizes) -> Plan:
        """The plan with what is known by now."""
        split = Split(self.prepared.facts.read, *(self.pairs(part) for part in ("train", "dev", "test")))
        return make_plan(self.counts, split, self.job.options, self.job.stages, sizes)

    def refuse_the_hopeless(self) -> None:
        """Before the stages that take long, by what is foretold, which may err by a few percent."""
        self.plan = self.planned(Sizes())
        least = self.planned(Sizes(whole_index=int(SURE_SHARE * self.plan.index.whole_bytes)))
        if self.plan.refusal and least.refusal:
            raise self.plan.refusal

    def settle(self) -> None:
        """The last plan: everything but the language models has its size, and they get what is left."""
        self.plan = self.planned(
            Sizes(
                whole_index=(self.whole or self.indexed).facts.total_bytes,
                index=self.indexed.facts.total_bytes,
                align=self.aligned.facts.bytes,
                sources=self.kept_sources.facts.bytes if self.kept_sources else None,
            )
        )
        if self.plan.refusal:
            raise self.plan.refusal
        for message in self.plan.warnings:
            self.warn(message)

    def text(self, part: str, side: str) -> Path:
        """A file of prepared text; side is source or target."""
        return self.prepared.file(f"text/{part}.{getattr(self.langs, f'{side}_lang')}")

    def texts(self, part: str) -> dict[str, Path]:
        return {side: self.text(part, side) for side in SIDES}

    def prepare_text(self) -> None:
        job = self.job
        inputs = {
            f"input{number}.{place}": file
            for number, entry in enumerate(job.inputs)
            for place, file in enumerate(entry.files)
        }
        for part, given in (("dev", job.dev), ("test", job.test)):
            for place, path in enumerate(given or ()):
                inputs[f"{part}.{place}"] = Path(path)
        options = prepare.PrepareOptions(
            source_lang=job.source_lang,
            target_lang=job.target_lang,
            inputs=job.inputs,
            read=job.stages.read,
            clean=job.stages.clean,
            split=job.split_options(),
            dev=job.dev,
            test=job.test,
        )
        self.prepared = self.runner.run(PREPARE, inputs, options)
        if job.aside:
            self.warn(f"{counted_files(job.aside)} no bilingual text for these languages, and left aside")
        facts = self.prepared.facts
        if facts.other_languages:
            files = "1 file is" if facts.other_languages == 1 else f"{facts.other_languages:,} files are"
            self.warn(f"{files} for other languages, and left aside")
        for doubt in (*facts.doubts, *job.monolingual_doubts()):
            if not job.force:
                raise in_other_languages(doubt)
            self.warn(doubt)
        if facts.kept < KEPT_SHARE * facts.read:
            rule, count = max(facts.dropped.items(), key=lambda entry: entry[1])
            self.warn(
                f"only {facts.kept:,} of {facts.read:,} pairs are left after cleaning, {count:,} were dropped as"
                f" `{rule}`; look at the text and at the languages you named"
            )
        for part, count in facts.overlaps.items():
            if count:
                self.warn(
                    f"{count:,} of {facts.pairs[part]:,} sentences of the {part} set are in the training text too, so"
                    " that scores on it are too good; leave them out of the one or the other"
                )

    def find_words(self) -> None:
        inputs = self.texts("train")
        if self.pairs("dev"):
            inputs["dev"] = self.text("dev", "source")
        for number, path in enumerate(self.job.monolingual):
            inputs[f"monolingual{number}"] = Path(path)
        self.tokenized = self.runner.run(TOKENIZE, inputs, self.langs)

    def sides(self) -> dict[str, Path]:
        """Both sides of the text to train on, as numbers."""
        return {side: self.tokenized.file(f"{side}.bin") for side in SIDES}

    def link_words(self) -> None:
        threads = self.plan.work.threads("align", self.runner.threads)
        self.aligned = self.runner.run(ALIGN, self.sides(), replace(self.job.stages.align, threads=threads))

    def index_pairs(self) -> None:
        """All of the text, or as much of it as the memory allows."""
        self.indexed = whole = self.run_index(self.bitext_inputs())
        plan = self.planned(Sizes(whole_index=whole.facts.total_bytes))
        if plan.refusal:
            raise plan.refusal
        if plan.index.chosen:
            self.whole = whole
            self.fit(whole.facts, plan.index.bytes)

    def run_index(self, inputs: Mapping[str, Path]) -> StageResult[index.Indexed]:
        options = index.IndexStageOptions(self.job.source_lang, self.job.target_lang, self.job.stages.index)
        return self.runner.run(INDEX, inputs, options)

    def bitext_inputs(self) -> dict[str, Path]:
        return {**self.sides(), "links": self.aligned.file("links.bin")}

    def fit(self, whole: index.Indexed, allowed: int) -> None:
        """Chooses pairs and indexes them, with a better guess of how many fit each time."""
        # What every index of this text takes is no pairs' share.
        least = least_index_bytes(self.counts)
        max_bytes = int(0.95 * whole.bytes["bitext.bin"] * (allowed - least) / (whole.total_bytes - least))
        fitting, excessive = 0, whole.bytes["bitext.bin"]
        for _ in range(FIT_ATTEMPTS):
            size = self.index_chosen(max_bytes, whole.links)
            if FIT_ENOUGH * allowed <= size <= allowed and self.chosen_pairs:
                return
            if size <= allowed:
                fitting = max_bytes
            else:
                excessive = max_bytes
            max_bytes = int(max_bytes * 0.985 * (allowed - least) / max(1, size - least))
            # Rare words make proportions mislead.
            if not fitting < max_bytes < 0.98 * excessive:
                max_bytes = (fitting + excessive) // 2
        self.index_chosen(fitting, whole.links)
        if not self.chosen_pairs:
            least = whole.total_bytes + self.plan.least_ngram_bytes
            raise budgets.too_small(self.plan.budget, least, self.counts.pairs, 0)

    def index_chosen(self, max_bytes: int, links: int) -> int:
        """Indexes the pairs that fit into so many bytes of bitext; returns the bytes of their index."""
        bitext = self.bitext_inputs()
        wanted = {"wanted": self.tokenized.file("dev.bin")} if self.tokenized.has("dev.bin") else {}
        options = select.SelectOptions(max_bytes, pair_bytes(self.counts, links))
        self.selected = self.runner.run(SELECT, {**bitext, **wanted}, options)
        self.indexed = self.run_index({**bitext, "chosen": self.selected.file("chosen.bin")})
        return self.indexed.facts.total_bytes

    @property
    def chosen_pairs(self) -> int:
        return self.selected.facts.pairs if self.selected is not None else 0

    def keep_sources(self) -> None:
        if not self.job.options.keep_sources:
            return
        inputs = {**self.texts("train"), "origins": self.prepared.file("text/train.origin.jsonl")}
        if self.selected is not None:
            inputs["chosen"] = self.selected.file("chosen.bin")
        self.kept_sources = self.runner.run(SOURCES, inputs, NoOptions())

    def train_judge(self) -> None:
        """On all pairs, whichever are indexed."""
        chosen = self.plan.networks.judge
        if chosen is not None:
            self.judge = self.runner.run(JUDGE, self.sides(), judge.JudgeStageOptions(chosen))

    def language_models(self) -> None:
        """The neural models first: their size is known before, and the n-gram model takes what they leave."""
        names = {name: f"{name}.bin" for name in ("target", "monolingual")}
        texts = {name: self.tokenized.file(file) for name, file in names.items() if self.tokenized.has(file)}
        # Words that no rule can produce would take room for nothing; all of the bitext's can be where all is indexed.
        if self.selected is not None or "monolingual" in texts:
            texts["vocabulary"] = self.indexed.file("vocab.bin")
        for kind, chosen in self.plan.networks.options.items():
            options = neural_lm.NeuralOptions(chosen)
            if kind == "neural":
                self.networks[kind] = self.runner.run(NEURAL, texts, options)
            else:
                known = {"vocabulary": texts["vocabulary"]} if self.selected is not None else {}
                self.networks[kind] = self.runner.run(CONDITIONED, {**self.bitext_inputs(), **known}, options)
        if self.plan.has_ngrams:
            judge_bytes = self.judge.facts.bytes if self.judge else 0
            room = self.plan.ngram_room((network.facts.bytes for network in self.networks.values()), judge_bytes)
            self.ngrams = self.runner.run(LM, texts, replace(self.job.stages.lm, memory=str(room)))

    def language_model_files(self) -> dict[str, Path]:
        """By their names in the model directory."""
        files = {LANGUAGE_MODEL_FILES["lm"]: self.ngrams.file("lm.bin")} if self.ngrams else {}
        return files | {LANGUAGE_MODEL_FILES[kind]: network.file("nlm.bin") for kind, network in self.networks.items()}

    def combined(self, indexed: StageResult[index.Indexed]) -> StageResult[combine.Combined]:
        """A model directory of this index and everything else, with weights nobody has tuned yet."""
        language_models = self.language_model_files()
        files = {name: indexed.file(name) for name in indexed.facts.bytes} | language_models
        files["align.bin"] = self.aligned.file("align.bin")
        if self.judge is not None:
            files["judge.bin"] = self.judge.file("judge.bin")
        if self.kept_sources is not None and indexed is self.indexed:
            files["sources.bin"] = self.kept_sources.file("sources.bin")
        budget = self.plan.budget
        options = combine.CombineOptions(
            source_lang=self.job.source_lang,
            target_lang=self.job.target_lang,
            weights=default_weights([LANGUAGE_MODELS[name] for name in language_models], self.judge is not None),
            options={
                "train": without_resources(asdict(self.job.options)),
                "budget": {**budget.as_json(), **asdict(budget.decode_limits)},
                **without_resources(asdict(self.job.stages)),
            },
        )
        return self.runner.run(MODEL, files, options)

    def decode_options(self) -> DecodeOptions:
        """As asked for, within what the budget leaves to the search."""
        asked, limits = self.job.stages.decode, self.plan.budget.decode_limits
        return replace(
            asked,
            scratch_bytes=min(asked.scratch_bytes or limits.scratch_bytes, limits.scratch_bytes),
            max_sentence_words=min(asked.max_sentence_words or limits.max_sentence_words, limits.max_sentence_words),
        )

    def model_inputs(self, part: str, model: StageResult[combine.Combined]) -> dict[str, Path]:
        """A model and a set of sentences for it."""
        inputs = {**self.texts(part), "model": model.file("model")}
        if self.tuned is not None:
            inputs["weights"] = self.tuned.file("weights.txt")
        return inputs

    def tune_weights(self) -> None:
        if self.plan.tunes:
            words = self.job.options.tune_words
            asked = self.job.stages.tune
            megabytes = self.plan.work.rule_megabytes(asked.rule_megabytes, self.plan.memory_bytes)
            options = tune.TuneStageOptions(replace(asked, rule_megabytes=megabytes), self.decode_options(), words)
            self.tuned = self.runner.run(TUNE, self.model_inputs("dev", self.model), options)

    def learn_confidence(self) -> None:
        if self.plan.learns_confidence:
            tuned_words = self.job.options.tune_words if self.tuned else 0
            options = confidence.ConfidenceOptions(self.decode_options(), tuned_words, CONFIDENCE_WORDS)
            self.learned = self.runner.run(CONFIDENCE, self.model_inputs("dev", self.model), options)
            if self.learned.facts.learned is None:
                self.warn("the dev set is in the training text, so that the model cannot say how far to trust it")

    def score_test_set(self) -> None:
        if not self.pairs("test"):
            return
        threads = self.plan.work.threads("evaluate", self.runner.threads)
        options = evaluate.EvaluateOptions(self.decode_options(), threads)
        self.evaluated = self.runner.run(EVALUATE, self.model_inputs("test", self.model), options)
        if self.whole is not None:
            # What leaving pairs out costs: the same models and weights with all of the text.
            inputs = self.model_inputs("test", self.combined(self.whole))
            self.evaluated_whole = self.runner.run(EVALUATE, inputs, options)

    def measure_speed(self) -> None:
        part = next(part for part in ("test", "dev", "train") if self.pairs(part))
        options = measure.MeasureOptions(self.decode_options(), MEASURED_SENTENCES)
        self.measured = self.runner.run(MEASURE, self.model_inputs(part, self.model), options)

    def pairs(self, part: str) -> int:
        return self.prepared.facts.pairs.get(part, 0)

    def finishing_files(self) -> dict[str, Path]:
        """Files of the model that were made with it."""
        files = {}
        if self.tuned is not None:
            files["weights.txt"] = self.tuned.file("weights.txt")
        if self.learned is not None and self.learned.has("confidence.json"):
            files["confidence.json"] = self.learned.file("confidence.json")
        return files

    def scores(self) -> TrainScores:
        by_name = dict(self.evaluated.facts.scores) if self.evaluated else {}
        if self.tuned is not None:
            by_name["dev BLEU-lc"] = round(self.tuned.facts.bleu, 2)
            if self.tuned.facts.unjudged_bleu is not None:
                by_name["dev BLEU-lc unjudged"] = round(self.tuned.facts.unjudged_bleu, 2)
        if self.evaluated_whole is not None:
            by_name["BLEU with all pairs"] = self.evaluated_whole.facts.scores["BLEU"]
        return TrainScores(by_name, self.evaluated.facts.test if self.evaluated else None)

    def warn(self, message: str) -> None:
        self.warnings.append(message)
        self.runner.listener.warn(message)


def counted_files(names: Sequence[str]) -> str:
    """`a.txt is`, `a.txt and b.txt are`, `a.txt, b.txt and 5 more files are`."""
    shown = list(names[:3]) + ([f"{len(names) - 3} more files"] if len(names) > 3 else [])
    return f"{', '.join(shown[:-1])} and {shown[-1]} are" if len(shown) > 1 else f"{shown[0]} is"
