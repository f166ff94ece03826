"""The tuning loop: translate, add the k best translations to the pool, learn weights on the pool, and again.

What is scored is the text a user would see, detokenized and put together, against the raw reference: BLEU with
the words that sacreBLEU's 13a, zh or char makes of it, by the target language (Japanese is counted in characters, since
the core knows no words of it). Case is left out of it, since case is restored after the search and no feature speaks of
it. A judge reads what is left when all this is done (judging.py).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dragoman import _core
from dragoman.cluster.workers import Workers
from dragoman.config import DecodeOptions, TuneOptions, require_limits
from dragoman.errors import InputError
from dragoman.model.opened import OpenRequest
from dragoman.model.options import decode_options
from dragoman.model.weights import JUDGE_WEIGHTS
from dragoman.progress import Progress
from dragoman.references import require_as_long
from dragoman.translation_job import checked
from dragoman.tune.decoding import Decoder, DevSet, decoder_here, decoder_on
from dragoman.tune.judging import JudgeTuned, judged_set, tune_judge
from dragoman.tune.result import TuneResult, TuneRound, TuningInterrupted
from dragoman.tune.state import TuningState, fingerprint


def tune_model(
    model: str | Path,
    source: list[str],
    target: list[str],
    options: TuneOptions | None = None,
    *,
    further: Sequence[list[str]] = (),
    decode: DecodeOptions | None = None,
    weights: Mapping[str, float] | None = None,
    grammar: Path | None = None,
    state: Path | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    on_round: Callable[[TuneRound], None] | None = None,
    workers: Workers | None = None,
    scratch: _core.ScratchSpace | None = None,
) -> TuneResult:
    """Learns weights for `model` on lines of raw text and their translations; the model is left as it is.

    `further` are texts with more translations of the same lines. `weights` are where to begin, else the model's own.
    With a `grammar`, a file of rules or a phrase table, the weights are for translating by it. With `state`, a folder,
    a later call with the same arguments goes on where this one was stopped. Ctrl-C raises TuningInterrupted, which
    holds what was reached. `workers` of a cluster decode; the result is the same. The model's files obey the limit of
    `scratch`.
    """
    options = options or TuneOptions()
    check(options, source, target, further)
    opened = OpenRequest(
        Path(model), None if weights is None else dict(weights), grammar=grammar, scratch=scratch
    ).open()
    decode = decode or decode_options(opened.model)
    # Features without a weight take part from 0, as long as they are computed.
    start = {name: opened.weights.get(name, 0.0) for name in opened.core.features if name not in JUDGE_WEIGHTS}
    judge = {name: opened.weights.get(name, 0.0) for name in opened.core.features if name in JUDGE_WEIGHTS}
    tokenize = _core.bleu_tokenizer(opened.model.manifest.target_lang)
    kept = TuningState(
        state, fingerprint(opened.model, source, [target, *further], options, decode, weights, tokenize, grammar)
    )
    search = {**dataclasses.asdict(decode), "kbest": options.kbest, "judged": 0}
    dev = DevSet(source, target, list(further), search, list(start), tokenize)
    rule_bytes = options.rule_megabytes << 20

    def decoder_of(lines: DevSet) -> Decoder:
        if workers is not None and workers.away and grammar is None:
            return decoder_on(workers, lines, Path(model), rule_bytes, progress)
        return decoder_here(lines, opened.remembering(rule_bytes), threads, progress)

    run = TuningRun(dev, options, decode, kept, threads, judge)
    try:
        run.go(decoder_of(dev), start, on_round)
        if judge and decode.judged:
            lines = judged_set(dev, decode)
            begin = judge if any(judge.values()) else JUDGE_WEIGHTS
            run.judged = tune_judge(decoder_of(lines), lines, run.best().weights, begin, options, threads)
    except KeyboardInterrupt:
        raise TuningInterrupted(run.result("interrupted") if run.rounds else None) from None
    return run.result(run.why_stopped)


class TuningRun:
    """One run: its pool and its rounds."""

    def __init__(
        self,
        dev: DevSet,
        options: TuneOptions,
        decode: DecodeOptions,
        state: TuningState,
        threads: int,
        judge: dict[str, float],
    ) -> None:
        self.options, self.decode = options, decode
        # The weights of the judge as they were, and what became of them.
        self.judge = judge
        self.judged: JudgeTuned | None = None
        self.tokenize = dev.tokenize
        self.names = dev.features
        self.pool = _core.TuningPool(len(dev.source), len(dev.features))
        self.state = state
        self.threads = threads
        self.rounds: list[TuneRound] = []
        self.why_stopped = ""

    def go(self, decoder: Decoder, start: dict[str, float], on_round: Callable[[TuneRound], None] | None) -> None:
        for finished, candidates in self.state.load():
            self.pool.add(candidates)
            self.rounds.append(finished)
            if on_round:
                on_round(finished)
        weights = self.learn() if self.rounds else start
        while not self.finished():
            candidates, statistics, narrowed = decoder(weights)
            tune_round = self.finished_round(weights, candidates, statistics, narrowed)
            self.rounds.append(tune_round)
            self.state.save(self.rounds, candidates)
            if on_round:
                on_round(tune_round)
            if not self.finished():
                weights = self.learn()

    def finished_round(
        self, weights: dict[str, float], candidates: _core.Candidates, statistics: Sequence[int], narrowed: int
    ) -> TuneRound:
        fresh = self.pool.add(candidates)
        return TuneRound(
            number=len(self.rounds) + 1,
            bleu=100 * _core.bleu_score(statistics),
            length_ratio=statistics[0] / max(1, statistics[1]),
            fresh=fresh,
            candidates=len(self.pool),
            narrowed=narrowed,
            weights=weights,
        )

    def learn(self) -> dict[str, float]:
        """New weights from the pool, beginning at those of the last round."""
        before = [self.rounds[-1].weights[name] for name in self.names]
        options = self.options
        seed = options.seed * 1000 + len(self.rounds)
        if options.method == "mert":
            weights, _ = self.pool.mert(before, options.starts, options.directions, seed, self.threads)
        elif options.method == "likelihood":
            weights, _ = self.pool.likelihood(before)
        else:
            weights, _ = self.pool.mira(
                before, options.passes, options.shuffles, options.clip, options.decay, seed, self.threads
            )
        return dict(zip(self.names, weights, strict=True))

    def finished(self) -> bool:
        if not self.rounds:
            return False
        last, best = self.rounds[-1], self.best()
        if last.number >= self.options.rounds:
            self.why_stopped = f"{self.options.rounds} rounds were made"
        elif last.fresh == 0 and last.number > 1:
            self.why_stopped = "the last round found no new translations"
        elif last.number - best.number >= self.options.patience:
            self.why_stopped = f"BLEU has not risen for {self.options.patience} rounds"
        return bool(self.why_stopped)

    def best(self) -> TuneRound:
        return max(self.rounds, key=lambda tune_round: tune_round.bleu)

    def result(self, why_stopped: str) -> TuneResult:
        best, judged = self.best(), self.judged
        return TuneResult(
            {**best.weights, **(judged.weights if judged else self.judge)},
            judged.bleu if judged else best.bleu,
            self.tokenize,
            list(self.rounds),
            best.number,
            why_stopped,
            best.bleu if judged else None,
            self.options,
            self.decode,
        )


def check(options: TuneOptions, source: list[str], target: list[str], further: Sequence[list[str]] = ()) -> None:
    """Refuses what cannot be tuned on."""
    if len(source) != len(target):
        raise InputError(
            f"the source has {len(source)} lines and the target {len(target)}; they must correspond line by line"
        )
    require_as_long([target, *further])
    if not source:
        raise InputError("there is no text to tune on; give held-out lines of both languages")
    for lines in (source, target, *further):
        for number, line in enumerate(lines, start=1):
            checked(line, number)
            if "\n" in line:
                raise InputError(f"line {number}: holds a line end; give one line for each", number)
    require_limits(options)
