"""Memories: names of lessons are their own, which memories apply is said for each translation, and each goes whole."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError, InputError
from dragoman.index.sources import SourceRecord, write_sources
from dragoman.learn.compaction import compact
from dragoman.learn.lesson_query import LessonQuery
from dragoman.learn.memory import DEFAULT, MemoriesLike, full_name, memory_of, own_name, required_choice
from dragoman.learn.new_pairs import NewPair
from dragoman.model.directory import component_output
from dragoman.translation_state import state_name
from dragoman.translator import Translator
from tests.unit.learn.replica import replicas, soon
from tests.unit.learn.support import make_model
from tests.unit.learn.test_weight_steps import LESSONS

TEXT = "Le zorglub voit la maison."
ACME, OTHER = "The snark sees the house.", "The boojum sees the house."


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model", weight=10)


def teach(translator: Translator) -> None:
    """The same name in two memories, for two things."""
    translator.add("Le zorglub dort.", "The snark sleeps.", id="1", memory="acme")
    translator.add("Le zorglub dort.", "The boojum sleeps.", id="1", memory="other")


def taught(translator: Translator, memory: str = "") -> list[tuple[str, list[str], str]]:
    lessons = translator.lessons(LessonQuery(memory=memory))
    return sorted((lesson.memory, lesson.ids, lesson.target) for lesson in lessons)


def with_sources(model: Path) -> None:
    with component_output(model, "sources.bin") as path:
        write_sources(path, [SourceRecord(n, f"corpus:{n}", f"source {n}", f"target {n}") for n in range(8)])


@pytest.mark.parametrize(
    ("given", "choice"),
    [
        (None, None),
        ("acme", (("acme", 1),)),
        ("acme=3, default", (("acme", 3), (DEFAULT, 1))),
        (["acme", "legal=2"], (("acme", 1), ("legal", 2))),
        ({"acme": 2, "Müller & Söhne": 1}, (("acme", 2), ("Müller & Söhne", 1))),
    ],
)
def test_choices_as_people_write_them(given: MemoriesLike | None, choice: object) -> None:
    assert required_choice(given) == choice


NOT_TEXT: list[object] = [5, [5], {"acme": 0}, {"acme": True}, {"acme": 1.5}, {5: 1}, [""]]
NO_CHOICE = ["", ",", "acme,", "acme=", "acme=0", "acme=101", "acme=two", "acme=1=2", "acme,acme", "a\x1fb", "x" * 101]


@pytest.mark.parametrize("given", [*NO_CHOICE, *NOT_TEXT])
def test_what_is_no_choice_is_refused(given: object) -> None:
    with pytest.raises(ConfigError):
        required_choice(given)


def test_full_names_say_both() -> None:
    assert full_name("memo-17") == "memo-17"
    assert memory_of("memo-17") == DEFAULT and own_name("memo-17") == "memo-17"
    full = full_name("memo-17", "acme")
    assert (memory_of(full), own_name(full)) == ("acme", "memo-17")


def test_a_translation_says_which_apply(model: Path) -> None:
    translator = Translator.load(model)
    before = str(translator.translate(TEXT))
    teach(translator)
    assert str(translator.translate(TEXT, memories="acme")) == ACME
    assert str(translator.translate(TEXT, memories=["other"])) == OTHER
    assert str(translator.translate(TEXT, memories="default")) == before
    assert str(translator.translate(TEXT, memories="acme=9,other")) == ACME
    assert str(translator.translate(TEXT, memories={"acme": 1, "other": 9})) == OTHER
    using = translator.using("other")
    assert str(using.translate(TEXT)) == str(using.snapshot().translate(TEXT)) == OTHER
    assert str(using.translate(TEXT, memories="acme")) == ACME
    assert str(using.complete(TEXT, "The b")[0]) == OTHER
    assert [match.memory for match in using.matches("Le zorglub dort.")][:1] == ["other"]
    assert [match.target for match in using.matches("Le zorglub dort.", memories="acme")][:1] == ["The snark sleeps."]
    assert using.explain(TEXT).sentences[0].sentence.text == OTHER
    assert using.explain("Le zorglub dort.", matches=1).matches[0].as_json()["memory"] == "other"
    assert str(Translator.load(model, memories="acme").translate(TEXT)) == ACME
    # A step of an alternative is found in what applies.
    assert using.why(TEXT, OTHER).score is not None
    assert using.why(TEXT, ACME).score is None


def test_unknown_memories_get_a_sentence_with_those_that_exist(model: Path) -> None:
    translator = Translator.load(model)
    teach(translator)
    for ask in (
        lambda: translator.translate(TEXT, memories="acne"),
        lambda: translator.using("acne"),
        lambda: Translator.load(model, memories="acne"),
        lambda: translator.require_taught("acne"),
    ):
        with pytest.raises(ConfigError, match="no memory called acne; there are: default, acme, other"):
            ask()
    assert translator.remove_lessons(LessonQuery(memory="acme")) == 1
    with pytest.raises(ConfigError, match="there are: default, other"):
        translator.using("acme")


def test_names_belong_to_their_memory(model: Path) -> None:
    translator = Translator.load(model)
    teach(translator)
    translator.add("Le zorglub dort.", "The snark sleeps.", id="2", memory="acme")
    assert taught(translator) == [
        ("acme", ["1", "2"], "The snark sleeps."),
        ("other", ["1"], "The boojum sleeps."),
    ]
    # The same pair in another memory is another lesson.
    translator.add("Le zorglub dort.", "The snark sleeps.")
    assert translator.overlay.memories() == {DEFAULT: 1, "acme": 1, "other": 1}
    assert not translator.remove("1")
    assert translator.remove("1", memory="acme")
    assert taught(translator, "acme") == [("acme", ["2"], "The snark sleeps.")]
    assert str(translator.translate(TEXT, memories="acme")) == ACME
    assert translator.remove("2", memory="acme") and not translator.remove("2", memory="acme")
    # A pair of the training text is no memory's to replace.
    training = [str(result) for result in translator.translate(["Le chat noir dort."], memories="other")]
    translator.add("Le truc dort.", "The thing sleeps.", id="line:1", memory="other")
    assert translator.overlay.index.removed == 0
    assert [str(result) for result in translator.translate(["Le chat noir dort."], memories="default")] == training


def test_an_import_is_undone_in_its_memory(model: Path) -> None:
    translator = Translator.load(model)
    teach(translator)
    translator.add_pairs([NewPair("Le zorglub dort.", "The cat sleeps.", "1", memory="acme")])
    assert translator.undo_import().restored == 1
    assert taught(translator, "acme") == [("acme", ["1"], "The snark sleeps.")]
    assert taught(translator, "other") == [("other", ["1"], "The boojum sleeps.")]


@pytest.mark.parametrize("sources", [True, False])
def test_compaction_keeps_names_memories_and_what_they_say(model: Path, sources: bool) -> None:
    if sources:
        with_sources(model)
    translator = Translator.load(model)
    teach(translator)
    translator.add("Le zorglub dort.", "The snark sleeps.", id="2", memory="acme")
    translator.add("Milou dort.", "Snowy sleeps.", id="1")
    lower = [(memory, ids) for memory, ids, _ in taught(translator)]
    for _ in range(2):
        compact(model)
        translator = Translator.load(model)
        assert translator.overlay.index.segments == 1
        assert [(memory, ids) for memory, ids, _ in taught(translator)] == lower
        assert str(translator.translate(TEXT, memories="acme")) == ACME
        assert str(translator.translate(TEXT, memories="other")) == OTHER
        translator.add("Un bidule.", "A gizmo.", id="3", memory="third")
        assert translator.remove("3", memory="third")
    translator.remove_lessons(LessonQuery(memory="acme"))
    assert str(translator.translate(TEXT)) == str(translator.translate(TEXT, memories="other")) == OTHER
    compact(model)
    translator = Translator.load(model)
    assert translator.overlay.memories() == {DEFAULT: 1, "other": 1}
    assert not any(b"acme" in path.read_bytes() or b"snark" in path.read_bytes() for path in model.glob("*.bin"))


def test_replicas_share_memories(original: Path, tmp_path: Path, url: str) -> None:
    one, other = replicas(original, tmp_path, url)
    teach(one)
    soon(lambda: len(list(other.lessons())) == 2)
    assert other.overlay.memories() == {DEFAULT: 0, "acme": 1, "other": 1}
    assert str(other.translate(TEXT, memories="acme")) == ACME
    other.add("Milou dort.", "Snowy sleeps.", memory="acme")
    for number in range(2):
        compact(tmp_path / f"{number}.model", corrections=url)
    files = [(tmp_path / f"{number}.model" / "bitext.bin").read_bytes() for number in range(2)]
    assert files[0] == files[1]
    late = Translator.load(tmp_path / "0.model", corrections=url)
    assert late.overlay.memories() == {DEFAULT: 0, "acme": 2, "other": 1}
    assert str(late.translate(TEXT, memories="other")) == OTHER


def test_work_that_goes_on_knows_its_memories(model: Path) -> None:
    translator = Translator.load(model)
    teach(translator)
    again = pickle.loads(pickle.dumps(translator.using("acme=2")))
    assert again.memories == (("acme", 2),)
    assert str(again.translate(TEXT)) == ACME
    names = {state_name(each, DecodeOptions(), None) for each in (translator, again, translator.using("acme"))}
    assert len(names) == 3


def test_weights_follow_the_lessons_that_apply(tmp_path: Path) -> None:
    model = make_model(tmp_path / "model", live={"follow_weights": True})
    translator = Translator.load(model)
    tuned = dict(translator.weights)
    for name, pair in LESSONS.items():
        translator.add(*pair, id=name, force=True, memory="acme")
    assert dict(translator.weights) != tuned
    assert dict(translator.using("acme").weights) == dict(translator.weights)
    assert dict(translator.using("default").weights) == tuned


def test_what_cannot_be_taught(model: Path) -> None:
    translator = Translator.load(model)
    with pytest.raises(InputError, match=r"U\+001F"):
        translator.add("Un bidule.", "A gizmo.", id="acme\x1f1")
    for name in ("", "a,b", "a=b", "a\x1fb", " a"):
        with pytest.raises(ConfigError, match="no name for a memory"):
            translator.add("Un bidule.", "A gizmo.", memory=name)
    assert not taught(translator)


def test_a_grammar_has_no_memories(model: Path, tmp_path: Path) -> None:
    grammar = tmp_path / "grammar"
    grammar.write_text("[X] ||| chat ||| cat ||| EgivenFCoherent=0.1\n")
    with pytest.raises(ConfigError, match="grammar"):
        Translator.load(model, grammar=grammar, weights={"EgivenFCoherent": -1.0}, memories="acme")
