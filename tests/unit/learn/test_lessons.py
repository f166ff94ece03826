"""What was taught: listed, searched, taken back in bulk, and undone; the same pair under two names is one lesson."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from dragoman.errors import ConfigError, InputError
from dragoman.index.sources import SourceRecord, write_sources
from dragoman.learn.compaction import compact
from dragoman.learn.imports import new_import
from dragoman.learn.lesson_query import LessonQuery, moment
from dragoman.learn.log import OverlayLog
from dragoman.learn.new_pairs import NewPair
from dragoman.learn.overlay import bitext_hash
from dragoman.model.directory import component_output
from dragoman.translator import Translator
from tests.unit.learn.killed import in_child
from tests.unit.learn.support import make_model

State = dict[str, int]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("template") / "model")


def pair(name: str, text: int, file: str = "") -> NewPair:
    return NewPair(f"Le mot{text} dort.", f"The word{text} sleeps.", name, {"file": file} if file else {})


def with_sources(model: Path) -> Path:
    with component_output(model, "sources.bin") as path:
        write_sources(path, [SourceRecord(n, f"corpus:{n}", f"source {n}", f"target {n}") for n in range(8)])
    return model


def state_of(translator: Translator) -> State:
    """The text of each name."""
    found: State = {}
    for lesson in translator.lessons():
        for name in lesson.ids:
            assert name not in found
            found[name] = int("".join(filter(str.isdigit, lesson.source)))
    return found


def check(translator: Translator, expected: State) -> None:
    assert state_of(translator) == expected
    # Each pair counts once, however many names it has.
    assert translator.overlay.index.corrections == len(set(expected.values()))


def test_lessons_are_found_by_text_file_time_and_id(model: Path) -> None:
    translator = Translator.load(model)
    before = datetime.now(UTC) - timedelta(seconds=2)
    translator.add_pairs([pair("a", 1, "folder/one.tsv"), pair("b", 2, "folder/one.tsv")])
    translator.add_pairs([pair("c", 3, "two.tsv")])

    def found(**query: object) -> list[str]:
        return [name for lesson in translator.lessons(LessonQuery(**query)) for name in lesson.ids]  # type: ignore[arg-type]

    assert found() == ["a", "b", "c"]
    assert found(text="WORD2 mot2") == ["b"]
    assert found(text="word2 mot3") == []
    assert found(file="one.tsv") == found(file="folder/one.tsv") == ["a", "b"]
    assert found(file="ne.tsv") == []
    assert found(since=before) == ["a", "b", "c"]
    assert found(since=datetime.now(UTC) + timedelta(hours=1)) == []
    assert found(ids=("c", "x")) == ["c"]
    assert found(ids=("c",), file="one.tsv") == []
    one, _, three = translator.lessons()
    assert one.records[0].attributes["import"] != three.records[0].attributes["import"]
    assert translator.remove_lessons(LessonQuery(file="one.tsv")) == 2
    assert found() == ["c"]
    assert translator.remove_lessons(LessonQuery(since=before)) == 1
    assert translator.remove_lessons(LessonQuery(since=before)) == 0
    with pytest.raises(ConfigError):
        translator.remove_lessons(LessonQuery())


@pytest.mark.parametrize("text", ["yesterday", "", "2026-13-01", "99999-01-01"])
def test_what_is_no_time_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ConfigError, match="is no time"):
        moment(text)
    assert moment("2026-05-31") == datetime(2026, 5, 31).astimezone()
    assert moment("2026-05-31T10:00Z") == datetime(2026, 5, 31, 10, tzinfo=UTC)


@pytest.mark.parametrize("sources", [False, True])
def test_one_lesson_with_two_names(model: Path, sources: bool) -> None:
    """Before a compaction and after it."""
    if sources:
        with_sources(model)
    translator = Translator.load(model)
    translator.add_pairs([pair("a", 1), pair("b", 2)])
    translator.add_pairs([pair("c", 1)])
    check(translator, {"a": 1, "b": 2, "c": 1})
    text = "Le mot1 dort."
    assert str(translator.translate(text)) == "The word1 sleeps."
    for compacted in (False, True):
        if compacted:
            translator.add_pairs([pair("a", 1)])
            compact(model)
            translator = Translator.load(model)
            assert state_of(translator) == {"a": 1, "b": 2, "c": 1}
        assert translator.remove("a")
        assert not translator.remove("a")
        assert state_of(translator) == state_of(Translator.load(model)) == {"b": 2, "c": 1}
        assert str(translator.translate(text)) == "The word1 sleeps."
    compact(model)
    translator = Translator.load(model)
    assert state_of(translator) == {"b": 2, "c": 1}
    assert translator.remove("c")
    assert state_of(translator) == {"b": 2}
    assert str(translator.translate(text)) == "The mot1 sleeps."
    compact(model)
    assert state_of(Translator.load(model)) == {"b": 2}


NAMES, TEXTS = st.sampled_from("abcd"), st.integers(0, 2)
IMPORTS = st.lists(st.tuples(NAMES, TEXTS), min_size=1, max_size=5)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), IMPORTS),
        st.tuples(st.just("remove"), st.lists(NAMES, min_size=1, max_size=3)),
        st.just(("undo", ())),
        st.just(("reload", ())),
        st.just(("compact", ())),
    ),
    max_size=10,
)


@settings(max_examples=40, deadline=None)
@given(steps=STEPS, sources=st.booleans())
def test_names_are_what_the_plain_account_of_them_is(
    template: Path,
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[str, list]],
    sources: bool,  # type: ignore[type-arg]
) -> None:
    """Names and their texts, as a dictionary would have them, with what each name had before each import."""
    model = tmp_path_factory.mktemp("lessons") / "model"
    shutil.copytree(template, model)
    if sources:
        with_sources(model)
    translator = Translator.load(model)
    names: State = {}
    # Of each name its import, and for each import what its names had before; a compaction forgets the latter.
    given: dict[str, str] = {}
    before: dict[str, dict[str, tuple[int, str] | None]] = {}
    for kind, what in steps:
        if kind == "add":
            number = new_import()
            had = before.setdefault(number, {})
            for name, text in what:
                had.setdefault(name, (names[name], given[name]) if name in names else None)
                names[name], given[name] = text, number
            translator.add_pairs([pair(name, text) for name, text in what], import_id=number)
        elif kind == "remove":
            assert translator.overlay.remove(what) == [
                names.pop(name, None) is not None and given.pop(name) is not None for name in what
            ]
        elif kind == "reload":
            translator = Translator.load(model)
        elif kind == "compact":
            compact(model)
            before = {}
            # In a model without sources nothing is left of imports; with them, that of the first name.
            kept = {
                record.id: record.attributes.get("import", "") for e in translator.lessons() for record in e.records
            }
            given = {name: kept.get(name, "") for name in names}
        elif last := max(given.values(), default=""):
            translator.undo_import()
            for name in [name for name in names if given[name] == last]:
                old = before.get(last, {}).get(name)
                names.pop(name), given.pop(name)
                if old is not None:
                    names[name], given[name] = old
        else:
            with pytest.raises(InputError):
                translator.undo_import()
        assert state_of(translator) == names
        if not any(each == "compact" for each, _ in steps):
            check(translator, names)
    assert state_of(Translator.load(model)) == names
    shutil.rmtree(model.parent)


def test_after_an_undo_everything_is_as_before(model: Path) -> None:
    """Translations and scores, bit for bit; and pairs that an import had replaced are back."""
    texts = ["Le mot1 dort.", "Le mot2 voit la maison.", "La maison bleue.", "Le mot3 et le mot4."]

    def seen() -> list[tuple[str, float]]:
        return [(each.text, each.score) for each in Translator.load(model).translate(texts)]

    translator = Translator.load(model)
    start = seen()
    translator.add_pairs([pair("a", 1), pair("b", 2)])
    first = seen()
    translator.add_pairs([pair("a", 3), pair("c", 4), pair("d", 1)])
    second = seen()
    assert len({str(each) for each in (start, first, second)}) == 3
    done = translator.undo_import()
    assert (done.taken_back, done.restored, done.trained) == (3, 1, 0)
    assert seen() == first
    assert translator.undo_import().taken_back == 2
    assert seen() == start
    with pytest.raises(InputError, match="was taught nothing"):
        translator.undo_import()


def test_an_undo_says_which_trained_pairs_it_cannot_bring_back(model: Path) -> None:
    translator = Translator.load(model)
    translator.add("Autre chose.", "Something else.", id="line:3")
    done = translator.undo_import()
    assert (done.taken_back, done.restored, done.trained) == (1, 0, 1)


def test_lessons_of_earlier_versions_have_no_time_and_are_no_import(model: Path) -> None:
    translator = Translator.load(model)
    path = model / "overlay" / "log"
    index = bitext_hash(translator.model)
    record = {"kind": "addition", "stable_id": 1 << 56, "id": "old", "source_text": "mot", "target_text": "word"}
    record |= {"source": "mot", "target": "word", "written": "word", "links": "0-0", "origin": '{"file": "x.tmx"}'}
    path.parent.mkdir()
    path.write_bytes(_core.log_header(index, 2) + _core.encode_log_records([record], 2))
    (lesson,) = Translator.load(model).lessons()
    assert (lesson.ids, lesson.added, lesson.records[0].file) == (["old"], None, "x.tmx")
    translator = Translator.load(model)
    with pytest.raises(InputError, match="was taught nothing"):
        translator.undo_import()
    # Such a log has no way to take one of two names away, so that each name is a lesson of its own.
    translator.add("mot", "word", id="new")
    assert translator.overlay.log.version == 2
    assert len(list(translator.lessons())) == 2
    assert translator.undo_import().taken_back == 1
    compact(model)
    assert translator.remove_lessons(LessonQuery(ids=("old",))) == 1


def taught(path: Path) -> Path:
    translator = Translator.load(make_model(path))
    translator.add_pairs([pair(str(n), n, "first.tsv") for n in range(20)])
    translator.add_pairs([pair(str(n), n + 100, "second.tsv") for n in range(10, 30)])
    return path


def undo(model: Path) -> None:
    Translator.load(model).undo_import()


def remove_file(model: Path) -> None:
    Translator.load(model).remove_lessons(LessonQuery(file="second.tsv"))


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.parametrize("change", [undo, remove_file])
def test_killed_while_it_writes_a_bulk_change_is_there_whole_or_not_at_all(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    """Wherever in the write the process dies; the next change goes on from there."""
    model = taught(tmp_path / "model")
    before = state_of(Translator.load(model))
    size = Translator.load(model).overlay.log.size()
    whole = tmp_path / "whole"
    shutil.copytree(model, whole)
    change(whole)
    after = state_of(Translator.load(whole))
    assert before != after
    written = Translator.load(whole).overlay.log.size() - size
    write = os.pwrite
    for share in range(21):
        left = written * share // 20
        copy = tmp_path / str(share)
        shutil.copytree(model, copy)

        def dying(descriptor: int, data: bytes, offset: int, left: int = left) -> int:
            write(descriptor, data[:left], offset)
            os.kill(os.getpid(), signal.SIGKILL)
            return 0

        status = in_child(lambda copy=copy: change(copy), lambda dying=dying: setattr(os, "pwrite", dying))  # type: ignore[misc]
        assert os.WTERMSIG(status) == signal.SIGKILL
        found = state_of(Translator.load(copy))
        assert found == (after if left == written else before), share
        translator = Translator.load(copy)
        translator.add_pairs([pair("later", 999)])
        assert state_of(Translator.load(copy)) == {**found, "later": 999}
        shutil.rmtree(copy)


def test_a_log_cut_at_any_byte_has_whole_changes_alone(tmp_path: Path) -> None:
    model = taught(tmp_path / "model")
    log = Translator.load(model).overlay.log
    sizes = [_core.LOG_HEADER_BYTES, log.size()]
    remove_file(model)
    whole = log.path.read_bytes()
    index = bitext_hash(Translator.load(model).model)
    for cut in range(sizes[1], len(whole) + 1, 7):
        log.path.write_bytes(whole[:cut])
        reader = OverlayLog(model, index)
        reader.read_news()
        assert reader.offset == sizes[1]
    log.path.write_bytes(whole)
    reader = OverlayLog(model, index)
    reader.read_news()
    assert reader.offset == len(whole)
