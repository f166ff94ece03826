"""Shards translated by workers of a cluster, to which they go by content and from which they come back so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman.batch.shard import ShardText
from dragoman.batch.translating import ShardTranslator, TranslatedShard
from dragoman.cluster.worker_models import opened_model
from dragoman.cluster.workers import ModelPlace, Workers
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError
from dragoman.glossary import Glossary
from dragoman.learn.memory import MemoryChoice
from dragoman.model.latest import LatestModel
from dragoman.translation_state import state_name
from dragoman.translator import Translator


@dataclass(frozen=True, slots=True)
class BatchState:
    """What all shards are translated by."""

    name: str
    weights: dict[str, float]
    options: DecodeOptions
    glossary: Glossary | None
    memories: MemoryChoice | None = None


class ShardsOnWorkers:
    """An engine of a batch."""

    def __init__(self, workers: Workers, model: Path, state: BatchState) -> None:
        self._workers = workers
        self._place = workers.place(model)
        self._state = state

    def __call__(self, texts: Iterable[ShardText]) -> Iterator[TranslatedShard]:
        for _, shard in self._workers.map(translate_shard, texts, self._place, self._state):
            yield shard


def translate_shard(text: ShardText, place: ModelPlace, state: BatchState) -> TranslatedShard:
    opened = opened_model(place).with_weights(state.weights)
    translator = Translator(LatestModel(opened.pinned()), state.memories)
    if state_name(translator, state.options, state.glossary) != state.name:
        raise ConfigError(
            "the model that the workers opened is in another state than the one here; run the same command again",
            "cluster",
        )
    return ShardTranslator(translator, state.options, state.glossary).translate(text)
