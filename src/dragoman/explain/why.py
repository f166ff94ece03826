"""Whether a model can give a translation that somebody has in mind, and if not, what stands in the way."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from dragoman import _core
from dragoman.translation import Phrase, phrase_of


@dataclass(frozen=True, slots=True)
class Why:
    """How a model makes one text of another: its best derivation, or what stands in the way.

    Where it is not possible, `missing` are words that no rule for this source gives, `pieces` are the stretches of the
    target that parts of the source do give, `prefix` says how many words from the beginning, and `relaxations` name
    limits of the search with which it would be possible. `reason` says it in a sentence.
    """

    possible: bool
    reason: str
    missing: list[str]
    prefix: int
    pieces: list[tuple[int, int]]
    relaxations: dict[str, str]
    source_tokens: list[str]
    target_tokens: list[str]
    # Of the derivation, where there is one.
    score: float | None
    features: dict[str, float]
    phrases: list[Phrase]

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def why_of(core: _core.TextTranslator, forced: _core.ForcedDecoding) -> Why:
    """What forced decoding found."""
    best = forced["candidates"][0] if forced["candidates"] else None
    return Why(
        possible=best is not None,
        reason=obstacle(core, forced) if best is None else "",
        missing=forced["missing"],
        prefix=forced["prefix"],
        pieces=forced["pieces"],
        relaxations=dict(forced["relaxations"]),
        source_tokens=forced["source_tokens"],
        target_tokens=forced["target_tokens"],
        score=best["score"] if best else None,
        features=best["features"] if best else {},
        phrases=[phrase_of(rule) for rule in best["rules"]] if best else [],
    )


def obstacle(core: _core.TextTranslator, forced: _core.ForcedDecoding) -> str:
    """Why forced decoding found nothing, in a sentence."""
    words = forced["target_tokens"]
    if forced["missing"]:
        return f"no rule for this source gives {', '.join(map(repr, forced['missing']))}"
    if forced["relaxations"]:
        limits = " and ".join(f"--{name.replace('_', '-')} {value}" for name, value in forced["relaxations"])
        return f"the search is too narrow for it; it can be had with {limits}"
    if forced["prefix"] == len(words):
        return "its words can be had, but words of the source would be left without a translation"
    pieces = [core.joined_words(words[begin:end], True)[0] for begin, end in forced["pieces"]]
    begun, _ = core.joined_words(words[: forced["prefix"]], True)
    start = f"from its beginning no further than {begun!r}" if begun else "not even its first word at its place"
    return (
        f"no order of the rules' parts gives it, {start}; the parts that can be had are {', '.join(map(repr, pieces))}"
    )
