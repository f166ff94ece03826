"""The translator people use from Python.

>>> from dragoman.translator import Translator
>>> translator = Translator.load("fr-en.model")
>>> print(translator.translate("Une maison bleue."))
A blue house.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

from dragoman import _core
from dragoman.config import DecodeOptions
from dragoman.decode.weights import DEFAULT_WEIGHTS, read_weights
from dragoman.errors import FormatError, InputError
from dragoman.extract.sources import SourceRecord, Sources
from dragoman.model import ModelDirectory


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
    # there are in all, which is the count that the rule's features are made of.
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
    # Whether a limit of time or memory made the search narrower than asked for.
    narrowed: bool
    phrases: list[Phrase] = field(default_factory=list)


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

    def as_dict(self) -> dict[str, Any]:
        """What `dragoman translate --json` prints."""
        made = dataclasses.asdict(self)
        for sentence in made["sentences"]:
            if not sentence["phrases"]:
                del sentence["phrases"]
        return made


def phrase_of(rule: Mapping[str, Any]) -> Phrase:
    values = {entry.name: rule[entry.name] for entry in dataclasses.fields(Phrase)}
    return Phrase(**{**values, "origins": [Occurrence(**each) for each in rule["origins"]]})


def sentence_of(sentence: Mapping[str, Any]) -> SentenceTranslation:
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
        narrowed=sentence["narrowed"],
        phrases=[phrase_of(rule) for rule in best.get("rules", [])],
    )


def translation_of(lines: Sequence[Mapping[str, Any]]) -> Translation:
    """One text of one or more lines; alternatives are those of a text of one line, else its best translation."""
    sentences = [sentence_of(sentence) for line in lines for sentence in line["sentences"]]
    if len(lines) == 1:
        found = [Alternative(each["text"], each["score"], each["features"]) for each in lines[0]["alternatives"]]
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
        sources: Sources | None = None,
    ) -> None:
        self._core = core
        self.model = model
        self.weights = weights
        self._sources = sources

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        weights: str | Path | Mapping[str, float] | None = None,
        matching: str = "exact",
        trust: bool = False,
    ) -> Translator:
        """Opens a model directory; `weights` replace those of the model."""
        model = ModelDirectory.open(path)
        if isinstance(weights, Mapping):
            chosen = dict(weights)
        elif weights is not None:
            chosen = read_weights(weights)
        else:
            chosen = read_weights(model.file("weights.txt")) if model.has("weights.txt") else dict(DEFAULT_WEIGHTS)
        for name in ("vocab.bin", "bitext.bin", "lexicon.bin"):
            model.file(name)
        tokenizers = tokenizers_of(model)
        models = [("LanguageModel", str(model.file("lm.bin")))] if model.has("lm.bin") else []
        core = _core.TextTranslator.open(
            str(model.path), *tokenizers, models, list(chosen.items()), matching=matching, trust=trust
        )
        sources = Sources.open(model.file("sources.bin"), trust=trust) if model.has("sources.bin") else None
        return cls(core, model, chosen, sources)

    @property
    def features(self) -> list[str]:
        """Names of all features that translations of this model may have."""
        return self._core.features

    def with_weights(self, weights: Mapping[str, float]) -> Translator:
        """The same translator with other weights; both share what is in memory."""
        return Translator(self._core.with_weights(list(weights.items())), self.model, dict(weights))

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
        glossary: str | Mapping[str, str] | None = None,
        threads: int = 1,
        first_line: int = 1,
        progress: _core.Progress = None,
    ) -> Translation | list[Translation]:
        """Translates a text, or a list of texts. Line ends stay where they are.

        `glossary` is the content of a glossary file, or a mapping of terms. `first_line` is the number that errors
        give the first text. With `explain`, sentences have their phrases, each with at most `origins` of the places
        it was seen in.
        """
        texts = [text] if isinstance(text, str) else text
        given = {
            **dataclasses.asdict(options or DecodeOptions()),
            "kbest": nbest,
            "explain": explain,
            "origins": origins,
        }
        lines = [line for each in texts for line in each.split("\n")]
        found = self._core.translate(
            [checked(line, first_line + number) for number, line in enumerate(lines)],
            given,
            glossary_bytes(glossary),
            first_line,
            threads,
            progress,
        )
        results, at = [], 0
        for each in texts:
            count = each.count("\n") + 1
            results.append(translation_of(found[at : at + count]))
            at += count
        return results[0] if isinstance(text, str) else results

    def sources(self, stable_id: int) -> SourceRecord | None:
        """Where a training pair came from; None where the model keeps no sources or has no such pair."""
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
        given = {**dataclasses.asdict(options or DecodeOptions()), "kbest": 1}
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


def checked(line: str, number: int) -> str:
    """Text that can be written as UTF-8, with the line's own end left to the caller."""
    try:
        line.encode()
    except UnicodeEncodeError:
        raise InputError(
            f"line {number}: the text holds half a surrogate pair; it is not Unicode text", number
        ) from None
    return line


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
