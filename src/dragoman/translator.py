"""The translator people use from Python.

>>> from dragoman.translator import Translator
>>> translator = Translator.load("fr-en.model")
>>> print(translator.translate("Une maison bleue."))
A blue house.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, overload

from dragoman import _core
from dragoman.confidence.features import FeatureReader
from dragoman.confidence.model import ConfidenceModel
from dragoman.config import DecodeOptions
from dragoman.decode.weights import LANGUAGE_MODELS, SENTENCE_MEMORY, default_weights, read_weights
from dragoman.errors import ConfigError, FormatError, InputError
from dragoman.extract.sources import SourceRecord, Sources
from dragoman.live import overlay as live
from dragoman.live.overlay import ModelReplacedError, NewPair, Overlay
from dragoman.model import ModelDirectory

Change = TypeVar("Change")


@dataclass(frozen=True, slots=True)
class GlossaryConflict:
    """Two lines of a glossary, from 1: the same term twice, or a term `inside` another."""

    inside: bool
    term: str
    other: str
    line: int
    other_line: int

    def __str__(self) -> str:
        if self.inside:
            return (
                f"line {self.line}: '{self.term}' is part of '{self.other}' of line {self.other_line}, which goes first"
            )
        return f"line {self.line}: '{self.term}' has another translation in line {self.other_line}, which goes first"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to translate a text: the score is the product of its features and the model's weights."""

    text: str
    score: float
    features: dict[str, float]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A training pair that a rule was sampled from, and where in its words: spans with their gaps, and the gaps."""

    stable_id: int
    source_span: tuple[int, int]
    target_span: tuple[int, int]
    source_gaps: list[tuple[int, int]]
    target_gaps: list[tuple[int, int]]
    # How often it counts: pairs added since training may weigh more than others.
    weight: int = 1


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """A sentence pair as the model sees it: words of both sides, and links between their positions."""

    source: list[str]
    target: list[str]
    links: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A rule of the derivation: what it covers on either side, and where in the training text it was seen."""

    kind: str
    source: str
    target: str
    source_span: tuple[int, int]
    target_span: tuple[int, int]
    source_gaps: list[tuple[int, int]]
    target_gaps: list[tuple[int, int]]
    features: dict[str, float]
    # The sentence pairs that its sampled matches came from, as many as were asked for; origin_count says how many
    # there are in all. Their weights add up to the count that the rule's features are made of.
    origins: list[Occurrence]
    origin_count: int


@dataclass(frozen=True, slots=True)
class SentenceTranslation:
    """The best translation of one sentence; positions count its tokens."""

    source: str
    text: str
    score: float
    features: dict[str, float]
    source_tokens: list[str]
    target_tokens: list[str]
    alignment: list[tuple[int, int]]
    # Positions of target words that no rule could translate: they are the source's words.
    oov: list[int]
    # Tags, placeholders, addresses and spans with given translations: in the source, and in the translation.
    protected_in: int
    protected_out: int
    # Terms of the glossaries that were obeyed, in the model's words, and how each is written in the translation.
    terms: list[tuple[str, str]]
    # Whether a limit of time or memory made the search narrower than asked for.
    narrowed: bool
    # With neural models: how many words they were asked about, and the shares that their caches knew.
    neural: dict[str, float] = field(default_factory=dict)
    phrases: list[Phrase] = field(default_factory=list)
    # What to expect of the sentence, and of each target word: see dragoman.confidence. None where it was not asked for
    # or the model was not taught it.
    confidence: float | None = None
    word_confidence: list[float] | None = None


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated text. `str` of it is the text."""

    text: str
    alternatives: list[Alternative]
    sentences: list[SentenceTranslation]

    def __str__(self) -> str:
        return self.text

    @property
    def score(self) -> float:
        return self.alternatives[0].score

    @property
    def glossary_hits(self) -> dict[str, int]:
        """How often each term of the glossaries was obeyed."""
        return dict(Counter(term for sentence in self.sentences for term, _ in sentence.terms))

    def as_dict(self) -> dict[str, Any]:
        """What `dragoman translate --json` prints."""
        made = {**dataclasses.asdict(self), "glossary_hits": self.glossary_hits}
        for sentence in made["sentences"]:
            for name in ("phrases", "neural"):
                if not sentence[name]:
                    del sentence[name]
        return made


def phrase_of(rule: Mapping[str, Any]) -> Phrase:
    values = {entry.name: rule[entry.name] for entry in dataclasses.fields(Phrase)}
    return Phrase(**{**values, "origins": [Occurrence(**each) for each in rule["origins"]]})


def sentence_of(sentence: Mapping[str, Any], explain: bool = True) -> SentenceTranslation:
    best = sentence["candidates"][0]
    return SentenceTranslation(
        source=sentence["source"],
        text=best["text"],
        score=best["score"],
        features=best["features"],
        source_tokens=sentence["source_tokens"],
        target_tokens=best["target_tokens"],
        alignment=best["alignment"],
        oov=best["unknown"],
        protected_in=sentence["protected_in"],
        protected_out=sentence["protected_out"],
        terms=sentence["terms"],
        narrowed=sentence["narrowed"],
        neural=sentence.get("neural", {}),
        phrases=[phrase_of(rule) for rule in best.get("rules", [])] if explain else [],
        confidence=sentence.get("confidence"),
        word_confidence=sentence.get("word_confidence"),
    )


def translation_of(lines: Sequence[Mapping[str, Any]], nbest: int = 1, explain: bool = True) -> Translation:
    """One text of one or more lines; alternatives are those of a text of one line, else its best translation."""
    sentences = [sentence_of(sentence, explain) for line in lines for sentence in line["sentences"]]
    if len(lines) == 1:
        found = [
            Alternative(each["text"], each["score"], each["features"]) for each in lines[0]["alternatives"][:nbest]
        ]
        return Translation(found[0].text, found, sentences)
    text = "\n".join(line["text"] for line in lines)
    features: dict[str, float] = {}
    for line in lines:
        for name, value in line["alternatives"][0]["features"].items():
            features[name] = features.get(name, 0.0) + value
    score = sum(line["alternatives"][0]["score"] for line in lines)
    return Translation(text, [Alternative(text, score, features)], sentences)


class Translator:
    """Translates with one model. Safe to share between threads."""

    def __init__(
        self,
        core: _core.TextTranslator,
        model: ModelDirectory,
        weights: dict[str, float],
        overlay: Overlay | None = None,
    ) -> None:
        self._core = core
        self.model = model
        self.weights = weights
        self._overlay = overlay
        self._reopen: Callable[[], Translator] | None = None
        self._reopening = threading.Lock()

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        weights: str | Path | Mapping[str, float] | None = None,
        matching: str = "exact",
        trust: bool = False,
        correction_weight: int | None = None,
    ) -> Translator:
        """Opens a model directory; `weights` replace those of the model, `correction_weight` that of added pairs."""
        model = ModelDirectory.open(path)
        chosen: dict[str, float] | None
        if isinstance(weights, Mapping):
            chosen = dict(weights)
        elif weights is not None:
            chosen = read_weights(weights)
        else:
            chosen = read_weights(model.file("weights.txt")) if model.has("weights.txt") else None
        for name in ("vocab.bin", "bitext.bin", "lexicon.bin"):
            model.file(name)
        tokenizers = tokenizers_of(model)
        models = [(name, str(model.file(file))) for file, name in LANGUAGE_MODELS.items() if model.has(file)]
        if chosen is None:
            chosen = default_weights([name for name, _ in models])
        chosen.setdefault(*SENTENCE_MEMORY)
        core = _core.TextTranslator.open(
            str(model.path),
            *tokenizers,
            models,
            list(chosen.items()),
            matching=matching,
            trust=trust,
            correction_weight=correction_weight or live.correction_weight(model),
        )
        if model.has("glossary.tsv"):
            set_glossary(core, model.file("glossary.tsv"))
        overlay = Overlay(model, core.index, core.tokenize_pair)
        translator = cls(core, model, chosen, overlay)
        translator._reopen = functools.partial(
            cls.load, path, weights=weights, matching=matching, trust=trust, correction_weight=correction_weight
        )
        return translator

    @property
    def features(self) -> list[str]:
        """Names of all features that translations of this model may have."""
        return self._core.features

    def with_weights(self, weights: Mapping[str, float]) -> Translator:
        """The same translator with other weights; both share what is in memory."""
        chosen = dict(weights)
        chosen.setdefault(*SENTENCE_MEMORY)
        core = self._core.with_weights(list(chosen.items()))
        return Translator(core, self.model, chosen, self._overlay)

    def remembering(self, most_bytes: int) -> Translator:
        """The same translator, which keeps the rules of sentences, to translate them again with other weights."""
        return Translator(self._core.remembering(most_bytes), self.model, self.weights)

    def candidates(
        self,
        lines: list[str],
        references: list[str],
        features: list[str],
        options: DecodeOptions,
        kbest: int,
        threads: int = 1,
        progress: _core.Progress = None,
    ) -> tuple[_core.Candidates, list[int], int]:
        """The k best translations of each line for tuning; see _core.collect_candidates."""
        given = {**dataclasses.asdict(options), "kbest": kbest}
        return _core.collect_candidates(self._core, lines, references, given, features, True, threads, progress)

    @overload
    def translate(
        self,
        text: str,
        options: DecodeOptions | None = None,
        *,
        nbest: int = 1,
        explain: bool = False,
        origins: int = 5,
        confidence: bool = False,
        glossary: str | Mapping[str, str] | None = None,
        threads: int = 1,
        first_line: int = 1,
        progress: _core.Progress = None,
    ) -> Translation: ...
    @overload
    def translate(
        self,
        text: list[str],
        options: DecodeOptions | None = None,
        *,
        nbest: int = 1,
        explain: bool = False,
        origins: int = 5,
        confidence: bool = False,
        glossary: str | Mapping[str, str] | None = None,
        threads: int = 1,
        first_line: int = 1,
        progress: _core.Progress = None,
    ) -> list[Translation]: ...
    def translate(
        self,
        text: str | list[str],
        options: DecodeOptions | None = None,
        *,
        nbest: int = 1,
        explain: bool = False,
        origins: int = 5,
        confidence: bool = False,
        glossary: str | Mapping[str, str] | None = None,
        threads: int = 1,
        first_line: int = 1,
        progress: _core.Progress = None,
    ) -> Translation | list[Translation]:
        """Translates a text, or a list of texts. Line ends stay where they are.

        `glossary` is the content of a glossary file, or a mapping of terms. `first_line` is the number that errors
        give the first text. With `explain`, sentences have their phrases, each with at most `origins` of the places
        it was seen in. With `confidence`, sentences and words say how far to trust them, if the model was taught that.
        """
        self._take_news()
        texts = [text] if isinstance(text, str) else text
        judge = self._confidence if confidence else None
        found = self.lines_with_candidates(
            [line for each in texts for line in each.split("\n")],
            options,
            nbest=nbest if judge is None else max(nbest, judge.nbest),
            explain=explain or judge is not None,
            origins=origins if explain else None,
            glossary=glossary,
            threads=threads,
            first_line=first_line,
            progress=progress,
        )
        if judge is not None:
            self.add_confidence(found, judge)
        results, at = [], 0
        for each in texts:
            count = each.count("\n") + 1
            results.append(translation_of(found[at : at + count], nbest, explain))
            at += count
        return results[0] if isinstance(text, str) else results

    def lines_with_candidates(
        self,
        lines: Sequence[str],
        options: DecodeOptions | None = None,
        *,
        nbest: int = 1,
        explain: bool = True,
        origins: int | None = None,
        glossary: str | Mapping[str, str] | None = None,
        threads: int = 1,
        first_line: int = 1,
        progress: _core.Progress = None,
    ) -> list[dict[str, Any]]:
        """What the core says of lines, for those who work with candidates; without `origins` they are not counted."""
        given = within_budget(options or DecodeOptions(), self.model)
        given |= {"kbest": nbest, "explain": explain, "origins": origins or 0, "count_origins": origins is not None}
        return self._core.translate(
            [checked(line, first_line + number) for number, line in enumerate(lines)],
            given,
            glossary_bytes(glossary),
            first_line,
            threads,
            progress,
        )

    def add_confidence(self, lines: Sequence[dict[str, Any]], judge: ConfidenceModel) -> None:
        sentences = [sentence for line in lines for sentence in line["sentences"]]
        for sentence, features in zip(sentences, FeatureReader(self.language_model()).read(sentences), strict=True):
            sentence["confidence"] = judge.whole(features)
            sentence["word_confidence"] = judge.words(features)

    @functools.cached_property
    def _sources(self) -> Sources | None:
        """Opened when first asked for: whoever only translates does not pay for it."""
        return Sources.open(self.model.file("sources.bin")) if self.model.has("sources.bin") else None

    @functools.cached_property
    def _confidence(self) -> ConfidenceModel | None:
        if not self.model.has("confidence.json"):
            return None
        found = ConfidenceModel.load(self.model.file("confidence.json"))
        # Learned with other weights, it would promise what nobody measured.
        return found if found.weights == self.weights else None

    def language_model(self) -> _core.LanguageModel | None:
        """The n-gram model by itself, if there is one; it is mapped, so this costs next to nothing."""
        return _core.LanguageModel(str(self.model.file("lm.bin")), True) if self.model.has("lm.bin") else None

    def target_words(self, texts: list[str]) -> list[list[str]]:
        """Texts of the target language in words of the model, without marks of spacing."""
        tokenizer = _core.Tokenizer(tokenizers_of(self.model)[1])
        return [line.split() for line in tokenizer.tokenize(texts, model=True, marks=False)]

    @property
    def overlay(self) -> Overlay:
        """What was added to the model and removed from it."""
        if self._overlay is None:
            raise ConfigError("this translator keeps its rules and cannot learn; use the one it was made from", "add")
        return self._overlay

    def add(self, source: str, target: str, id: str | None = None, *, links: str | None = None) -> str:
        """Learns a sentence pair: the next translation uses it. Returns its id.

        When this returns, the pair is on the disk. A pair with the same id is replaced; without an id it gets one that
        depends on the pair alone. `links` between the model's tokens are found by the model unless given.
        """
        return self.add_pairs([NewPair(source, target, id, links=links)])[0]

    def add_pairs(self, pairs: Sequence[NewPair]) -> list[str]:
        """Learns sentence pairs, all or none, and returns their ids."""
        return self._changing(lambda overlay: overlay.add(pairs))

    def remove(self, id: str) -> bool:
        """Forgets the pair of this id, added or trained: no later translation uses it. False if there is none."""
        return self._changing(lambda overlay: overlay.remove([id]))[0]

    def glossary_conflicts(self, glossary: str | Mapping[str, str] | None = None) -> list[GlossaryConflict]:
        """Terms of a glossary, or else of the model's own, that cannot all be obeyed everywhere."""
        if glossary is None:
            text = self.model.file("glossary.tsv").read_bytes() if self.model.has("glossary.tsv") else b""
        else:
            text = glossary_bytes(glossary)
        return [GlossaryConflict(*each) for each in self._core.glossary_conflicts(text)]

    def _changing(self, change: Callable[[Overlay], list[Change]]) -> list[Change]:
        while True:
            try:
                return change(self.overlay)
            except ModelReplacedError:
                if self._reopen is None:
                    raise
                self._reload()

    def _take_news(self) -> None:
        """Sees what other translators and other processes have added, or that the model was compacted."""
        if self._overlay is None:
            return
        if self._reopen is not None and self._overlay.replaced():
            self._reload()
        self._overlay.refresh()

    def _reload(self) -> None:
        with self._reopening:
            if self._reopen is None or (self._overlay is not None and not self._overlay.replaced()):
                return
            fresh = self._reopen()
            self._core, self.model, self.weights = fresh._core, fresh.model, fresh.weights
            self._overlay = fresh._overlay
            for name in ("_sources", "_confidence"):  # opened again when they are next asked for
                self.__dict__.pop(name, None)

    def sources(self, stable_id: int) -> SourceRecord | None:
        """Where a training pair came from; None where the model keeps no sources or has no such pair."""
        if self._overlay is not None and (added := self._overlay.source(stable_id)) is not None:
            return added
        return None if self._sources is None else self._sources.get(stable_id)

    def pair(self, stable_id: int) -> TrainingPair | None:
        """A training pair in the words of the model; None where there is no such pair."""
        found = self._core.pair(stable_id)
        return None if found is None else TrainingPair(*found)

    def why(self, source: str, target: str, options: DecodeOptions | None = None) -> dict[str, Any]:
        """How the model makes `target` of `source`: its best derivation, or what stands in the way.

        Where it is not possible, `missing` are words that no rule for this source gives, `pieces` are the stretches of
        the target that parts of the source do give, `prefix` says how many words from the beginning, and
        `relaxations` name limits of the search with which it would be possible. `reason` says it in a sentence.
        """
        given = {**within_budget(options or DecodeOptions(), self.model), "kbest": 1}
        result = self._core.force(checked(source, 1), checked(target, 1), given)
        best = result["candidates"][0] if result["candidates"] else None
        return {
            "possible": best is not None,
            "missing": result["missing"],
            "prefix": result["prefix"],
            "pieces": result["pieces"],
            "relaxations": dict(result["relaxations"]),
            "reason": obstacle(result) if best is None else "",
            "source_tokens": result["source_tokens"],
            "target_tokens": result["target_tokens"],
            "score": best["score"] if best else None,
            "features": best["features"] if best else {},
            "phrases": [phrase_of(rule) for rule in best["rules"]] if best else [],
        }


def obstacle(result: Mapping[str, Any]) -> str:
    """Why forced decoding found nothing, in a sentence."""
    words = result["target_tokens"]
    if result["missing"]:
        return f"no rule for this source gives {', '.join(map(repr, result['missing']))}"
    if result["relaxations"]:
        limits = " and ".join(f"--{name.replace('_', '-')} {value}" for name, value in result["relaxations"])
        return f"the search is too narrow for it; it can be had with {limits}"
    if result["prefix"] == len(words):
        return "its words can be had, but words of the source would be left without a translation"
    pieces = [" ".join(words[begin:end]) for begin, end in result["pieces"]]
    begun = " ".join(words[: result["prefix"]])
    start = f"from its beginning no further than {begun!r}" if begun else "not even its first word at its place"
    return (
        f"no order of the rules' parts gives it, {start}; the parts that can be had are {', '.join(map(repr, pieces))}"
    )


def within_budget(options: DecodeOptions, model: ModelDirectory) -> dict[str, Any]:
    """The options, narrowed to what the memory budget leaves that the model was trained for."""
    given = dataclasses.asdict(options)
    budget = model.manifest.options.get("budget", {})
    for name in ("scratch_bytes", "max_sentence_words"):
        limit = budget.get(name) if isinstance(budget, dict) else None
        if isinstance(limit, int) and limit > 0:
            given[name] = min(given[name], limit) if given[name] > 0 else limit
    return given


def checked(line: str, number: int) -> str:
    """Text that can be written as UTF-8, with the line's own end left to the caller."""
    try:
        line.encode()
    except UnicodeEncodeError:
        raise InputError(
            f"line {number}: the text holds half a surrogate pair; it is not Unicode text", number
        ) from None
    return line


def set_glossary(core: _core.TextTranslator, path: Path) -> None:
    """The terms of a model, which hold for all its translations."""
    try:
        core.set_glossary(path.read_bytes())
    except InputError as error:
        raise InputError(f"{path}: {error}", error.line) from None


def glossary_bytes(glossary: str | Mapping[str, str] | None) -> bytes:
    if glossary is None:
        return b""
    if isinstance(glossary, str):
        return glossary.encode()
    return "".join(f"{source}\t{target}\n" for source, target in glossary.items()).encode()


def tokenizers_of(model: ModelDirectory) -> tuple[str, str]:
    """Names of the tokenizers of both sides: languages, or none where the model was made from tokens."""
    if not model.has("text.json"):
        return "none", "none"
    path = model.file("text.json")
    try:
        text = json.loads(path.read_bytes())
        kind = text["tokenizer"]
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{path}: does not say which tokenizer the model uses; build it again", str(path)) from error
    if kind == "none":
        return "none", "none"
    return model.manifest.source_lang, model.manifest.target_lang
