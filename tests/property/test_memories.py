"""A translation by some memories is that of a model which was taught their lessons and nothing else."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dragoman import Translator
from dragoman.config import DecodeOptions
from dragoman.learn.compaction import compact
from dragoman.learn.memory import DEFAULT, MemoryChoice
from dragoman.learn.new_pairs import NewPair
from dragoman.translation import Translation
from tests.unit.learn.support import make_model

DECODERS = ["hierarchical", "phrase-based"]
MEMORIES = (DEFAULT, "acme", "Müller & Söhne")
# Words of the model, and some that only lessons have; one of them differs from another by an accent alone.
SOURCE = ["le", "la", "maison", "bleue", "chat", "noir", "dort", "zorglub", "guérite", "guerite", "élan", "grue"]
TARGET = ["the", "house", "blue", "black", "cat", "sleeps", "Snark", "SNARK", "snark", "sentry", "box", "crane", "McX"]
TEXTS = ["Le zorglub voit la maison.", "guerite noire, elan et grue", "snark dort. La guérite", "McX", "Le chat 1 000"]


@dataclass(frozen=True, slots=True)
class Operation:
    """What is done to a model: a lesson, or with no texts the end of one."""

    memory: str
    name: str
    texts: tuple[str, str] | None

    def do(self, translator: Translator) -> None:
        if self.texts is None:
            translator.remove(self.name, memory=self.memory)
        else:
            translator.add_pairs([NewPair(*self.texts, self.name, memory=self.memory)], force=True)


def operations(random: Random) -> Iterator[Operation]:
    for _ in range(random.randint(1, 14)):
        memory, name = random.choice(MEMORIES), random.choice("abcd")
        if random.random() < 0.25:
            yield Operation(memory, name, None)
        else:
            yield Operation(memory, name, (sentence(random, SOURCE), sentence(random, TARGET)))


def sentence(random: Random, words: list[str]) -> str:
    return " ".join(random.choice(words) for _ in range(random.randint(1, 6))) + random.choice([".", ""])


def choice_of(memories: list[str]) -> MemoryChoice:
    return tuple((memory, 1) for memory in memories)


def translations(translator: Translator, decoder: str) -> list[Translation]:
    return translator.translate(TEXTS, DecodeOptions(decoder=decoder), nbest=3, explain=True)


def results(translator: Translator, decoder: str) -> list[Any]:
    nearest = [[(m.percent, m.memory, m.id, m.target) for m in translator.matches(text)] for text in TEXTS]
    # Of words that fit equally well, the one that was taught first comes first, whoever taught it.
    completed = [translator.complete(text, begun) for text in TEXTS for begun in ("the sn", "the se")]
    return [translations(translator, decoder), nearest, completed]


@pytest.fixture(scope="module", params=[1, 10])
def template(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("template") / "model", weight=request.param)


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=True), st.sampled_from(DECODERS))
def test_memories_that_do_not_apply_were_never_taught(template: Path, random: Random, decoder: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        model, alone = (Path(shutil.copytree(template, Path(name) / which)) for which in ("all", "alone"))
        chosen = random.sample(MEMORIES, random.randint(1, len(MEMORIES)))
        translator, reference = Translator.load(model), Translator.load(alone)
        using = translator.with_choice(choice_of(chosen))
        event(f"{len(chosen)} memories")
        for operation in operations(random):
            operation.do(translator)
            if operation.memory in chosen:
                operation.do(reference)
            # What was made for a choice before is used where it fits.
            if random.random() < 0.3:
                random.choice([using, translator.with_choice(choice_of([DEFAULT]))]).translate(TEXTS[0])
        wanted = results(reference, decoder)
        assert results(using, decoder) == wanted
        assert results(using.snapshot(), decoder) == wanted
        assert results(Translator.load(model).with_choice(choice_of(chosen)), decoder) == wanted
        if len(chosen) == len(MEMORIES):
            assert results(translator, decoder) == wanted


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=True), st.sampled_from(DECODERS), st.integers(1, 9))
def test_a_weight_is_that_of_corrections_for_one_memory(
    template: Path, random: Random, decoder: str, times: int
) -> None:
    """At weight 1 corrections are no corrections, and only their counts grow with that of their memory."""
    with tempfile.TemporaryDirectory() as name:
        model, alone = (Path(shutil.copytree(template, Path(name) / which)) for which in ("all", "alone"))
        translator = Translator.load(model, correction_weight=3)
        reference = Translator.load(alone, correction_weight=3 * times)
        for operation in operations(random):
            operation.do(translator)
            if operation.memory == "acme":
                operation.do(reference)
        using = translator.with_choice((("acme", times),))
        assert results(using, decoder) == results(reference, decoder)


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=True), st.sampled_from(DECODERS))
def test_compaction_keeps_memories(template: Path, random: Random, decoder: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        model = Path(shutil.copytree(template, Path(name) / "model"))
        translator = Translator.load(model)
        for operation in operations(random):
            operation.do(translator)
        # At weight 1 what was taught without a name becomes text like any other.
        kept = MEMORIES[1:] if translator.overlay.index.correction_weight == 1 else MEMORIES
        for name in "abcd" if len(kept) < len(MEMORIES) else "":
            translator.remove(name)
        counts = translator.overlay.memories()
        before = {memory: translations(translator.with_choice(((memory, 1),)), decoder) for memory in kept}
        compact(model)
        again = Translator.load(model)
        assert again.overlay.memories() == counts
        for memory, wanted in before.items():
            found = translations(again.with_choice(((memory, 1),)), decoder)
            assert [each.score for each in found] == pytest.approx([each.score for each in wanted], abs=1e-9), memory
