"""What the decoder knows about how sure it is, as numbers: for each word of its best translation, and for all of it.

Words: the rule that gave them and its counts, how the language model sees them, and how many of the other candidates
have them too (word posteriors, Ueffing and Ney 2007); and of the sentence around them how much of it is unknown and how
the language model sees it, because a word is less to be trusted in a strange sentence. Sentences: every feature of the
decoder per word, the margin to the second best, how the candidates' scores spread, unknown words, lengths, and the
words' numbers averaged.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman import _core

# Candidates that agreement is judged by.
NBEST = 10
OWN_FEATURES = (
    "grammar",
    "unknown",
    "coherent",
    "count",
    "samples",
    "lexical_target",
    "lexical_source",
    "singleton",
    "rule_words",
    "gaps",
    "share",
    "posterior",
    "lm",
    "lm_next",
    "lm_order",
    "letters",
    "sign",
    "digit",
    "links",
    "sentence_words",
)
SENTENCE_FEATURES = (
    "words",
    "ratio",
    "unknown",
    "margin",
    "entropy",
    "posterior",
    "posterior_least",
    "share",
    "lm",
    "lm_least",
    "lm_order",
    "count",
    "coherent",
    "rule_words",
    "narrowed",
    "capped_words",
)
# Of the sentence's numbers, those that its words have too.
AROUND = ("unknown", "lm", "lm_order")
WORD_FEATURES = (*OWN_FEATURES, *(f"sentence_{name}" for name in AROUND))
Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class SentenceFeatures:
    """Rows of numbers in the order of the names above; `decoder` are its features per word."""

    words: list[list[float]]
    sentence: list[float]
    decoder: dict[str, float]


class FeatureReader:
    """Takes numbers out of what the core says of a sentence."""

    def __init__(self, language_model: _core.LanguageModel | None) -> None:
        self._lm = language_model

    def read(self, sentences: Sequence[_core.TranslatedSentence]) -> list[SentenceFeatures]:
        scored = self.language_model_scores([sentence["candidates"][0]["target_tokens"] for sentence in sentences])
        return [read_sentence(sentence, lm) for sentence, lm in zip(sentences, scored, strict=True)]

    def language_model_scores(self, texts: Sequence[Sequence[str]]) -> list[list[tuple[float, int]]]:
        """(log10 probability, length of the n-gram found) of each word, and of the end."""
        if self._lm is None:
            return [[(0.0, 0)] * (len(words) + 1) for words in texts]
        lines = "".join(" ".join(map(model_form, words)) + "\n" for words in texts)
        _, tokens = self._lm.score_text(lines.encode(), per_token=True)
        rows, at = [], 0
        for words in texts:
            row = [(max(prob, -10.0), order) for prob, order, _ in tokens[at : at + len(words) + 1]]
            rows.append(row)
            at += len(words) + 1
        return rows


def model_form(token: str) -> str:
    """A written word as models have it; a blank inside, which escapes should not leave, would make two of it."""
    return "_".join(_core.lower(token).split()) or "_"


def read_sentence(sentence: _core.TranslatedSentence, lm: Sequence[tuple[float, int]]) -> SentenceFeatures:
    candidates = sentence["candidates"]
    best = candidates[0]
    tokens = [_core.lower(token) for token in best["target_tokens"]]
    scores = [candidate["score"] for candidate in candidates]
    posteriors = normalised(scores)
    share, posterior = agreement(tokens, candidates, posteriors)
    rules = rules_by_word(best["rules"], len(tokens))
    links = Counter(target for _, target in best["alignment"])
    size = math.log(1 + len(tokens))
    rows = []
    for at, token in enumerate(tokens):
        rule = rules[at]
        values = rule["features"] if rule else {}
        words = max(1, own_words(rule) if rule else 1)
        source_words = max(1, span_words(rule["source_span"], rule["source_gaps"]) if rule else 1)
        kind = rule["kind"] if rule else ""
        letters = sum(1 for character in token if character.isalpha())
        rows.append(
            [
                float(kind == "grammar"),
                float(kind == "pass-through"),
                values.get("EgivenFCoherent", 0.0),
                values.get("CountEF", 0.0),
                values.get("SampleCountF", 0.0),
                min(values.get("MaxLexEgivenF", 0.0) / words, 5.0),
                min(values.get("MaxLexFgivenE", 0.0) / source_words, 5.0),
                values.get("IsSingletonFE", 0.0),
                float(min(words, 6)),
                float(len(rule["source_gaps"]) if rule else 0),
                share[at],
                posterior[at],
                lm[at][0],
                lm[at + 1][0],
                float(lm[at][1]),
                float(min(letters, 10)),
                float(letters == 0),
                float(any(character.isdigit() for character in token)),
                float(min(links[at], 3)),
                size,
            ]
        )
    whole = sentence_row(sentence, tokens, scores, posteriors, rows, lm)
    around = [whole[SENTENCE_FEATURES.index(name)] for name in AROUND]
    return SentenceFeatures([row + around for row in rows], whole, per_word(best["features"], len(tokens)))


def sentence_row(
    sentence: _core.TranslatedSentence,
    tokens: Sequence[str],
    scores: Sequence[float],
    posteriors: Sequence[float],
    rows: Sequence[Sequence[float]],
    lm: Sequence[tuple[float, int]],
) -> list[float]:
    count = max(1, len(tokens))
    column = {name: [row[at] for row in rows] for at, name in enumerate(OWN_FEATURES)}

    def mean(values: Sequence[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    return [
        math.log(1 + len(tokens)),
        math.log((1 + len(tokens)) / (1 + len(sentence["source_tokens"]))),
        mean(column["unknown"]),
        min((scores[0] - scores[1]) / count, 1.0) if len(scores) > 1 else 1.0,
        -sum(p * math.log(p) for p in posteriors if p > 0),
        mean(column["posterior"]),
        min(column["posterior"], default=1.0),
        mean(column["share"]),
        mean([prob for prob, _ in lm]),
        min((prob for prob, _ in lm), default=0.0),
        mean([float(order) for _, order in lm]),
        mean(column["count"]),
        mean(column["coherent"]),
        mean(column["rule_words"]),
        float(sentence["narrowed"]),
        float(min(len(tokens), 5)),
    ]


def per_word(features: Mapping[str, float], words: int) -> dict[str, float]:
    return {name: value / max(1, words) for name, value in features.items()}


def normalised(scores: Sequence[float]) -> list[float]:
    weights = [math.exp(score - scores[0]) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]


def agreement(
    tokens: Sequence[str], candidates: Sequence[_core.SentenceCandidate], posteriors: Sequence[float]
) -> tuple[list[float], list[float]]:
    """For each word, the share of the other candidates that have it as often as up to here, and of their weight."""
    held = [Counter(_core.lower(token) for token in candidate["target_tokens"]) for candidate in candidates]
    seen: Counter[str] = Counter()
    share, weight = [], []
    for token in tokens:
        seen[token] += 1
        has = [number for number, counts in enumerate(held) if counts[token] >= seen[token]]
        others = len(candidates) - 1
        share.append((len(has) - 1) / others if others else 1.0)
        weight.append(sum(posteriors[number] for number in has))
    return share, weight


def rules_by_word(rules: Sequence[_core.RuleUse], words: int) -> list[_core.RuleUse | None]:
    """The rule that each target word comes from: those that fill gaps come after the rules they fill."""
    by_word: list[_core.RuleUse | None] = [None] * words
    for rule in rules:
        for at in range(*rule["target_span"]):
            if not any(begin <= at < end for begin, end in rule["target_gaps"]):
                by_word[at] = rule
    return by_word


def own_words(rule: _core.RuleUse) -> int:
    return span_words(rule["target_span"], rule["target_gaps"])


def span_words(span: tuple[int, int], gaps: Spans) -> int:
    return span[1] - span[0] - sum(end - begin for begin, end in gaps)
