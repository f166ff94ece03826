"""Learning and forgetting through the translator: at once, exactly, for every process, and after compaction too."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.errors import ConfigError, InputError
from dragoman.index.sources import SourceRecord, write_sources
from dragoman.learn.compaction import compact
from dragoman.learn.new_pairs import NewPair
from dragoman.model.directory import ModelDirectory, component_output, revising_model
from dragoman.translation import TrainingPair
from dragoman.translator import Translator
from tests.unit.learn.support import make_model


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model")


def test_learns_the_sentence_other_sentences_and_single_words(model: Path) -> None:
    translator = Translator.load(model)
    assert str(translator.translate("Le zorglub dort.")) == "The zorglub sleeps."
    translator.add("Le zorglub voit une maison.", "The snark sees a house.", id="1")
    assert str(translator.translate("Le zorglub voit une maison.")) == "The snark sees a house."
    assert str(translator.translate("Le zorglub dort.")) == "The snark sleeps."
    translator.add("bidule", "gizmo", id="2")
    assert str(translator.translate("Une bidule bleue.")) == "A blue gizmo."


@pytest.mark.parametrize("text", ["{}", "{}.", "({}) !", "Le {} dort.", "Une {}, un {}.", "La maison voit {} et {}."])
def test_a_taught_word_is_used_everywhere_whole(model: Path, text: str) -> None:
    translator = Translator.load(model)
    # With a mark apart that is new too; two words for one; alike on both sides, beside another new word.
    translator.add("un chat voit la guérite ¶", "a cat sees the sentry box ¶", id="1")
    translator.add("Le vérin est ici.", "The hydraulic jack is here.", id="2")
    translator.add("La maison des fonctions d'analyse dort.", "The house of analysis functions sleeps.", id="3")
    for word, wanted in (("guérite", "sentry box"), ("vérin", "hydraulic jack"), ("analyse", "analysis")):
        for written in (word, word.capitalize()):
            asked = text.replace("{}", written)
            told = str(translator.translate(asked)).lower()
            assert told.count(wanted) == text.count("{}"), told
            assert word not in told


def test_a_word_that_some_text_links_is_not_passed_through(model: Path) -> None:
    translator = Translator.load(model)
    # Nothing in it is a phrase pair but all of it.
    translator.add("Le mot zéro passe dort.", "The password sleeps.", id="1", links="0-0 1-1 2-1 3-1 4-2 5-3")
    assert str(translator.translate("Le mot zéro passe voit un chat.")) == "The password sees a cat."
    for word in ("mot", "zéro", "passe"):
        told = translator.translate(word, explain=True)
        assert str(told).lower() == "password"
        (phrase,) = told.sentences[0].phrases
        assert [(origin.source_span, origin.target_span) for origin in phrase.origins]
    translator.remove("1")
    assert str(translator.translate("passe")) == "passe"
    # What nobody has linked to anything stays as it is.
    translator.add("Le bidule dort.", "The cat sleeps.", id="2", links="0-0 2-2 3-3")
    assert str(translator.translate("bidule")) == "bidule"


def test_what_the_training_text_links_once_to_a_frequent_word_is_chance(tmp_path: Path) -> None:
    often = [("la maison dort", "the house sleeps", "0-0 1-1 2-2")] * 40
    rare = ("le mot zéro passe dort", "the {} sleeps", "0-0 1-1 2-1 3-1 4-2")
    for target, wanted in (("house", "passe"), ("password", "password")):
        more = [*often, (rare[0], rare[1].format(target), rare[2])]
        translator = Translator.load(make_model(tmp_path / target, more=more))
        assert str(translator.translate("passe")).lower() == wanted
        # What somebody teaches is no chance.
        translator.add("Le mot zéro passe dort.", "The house sleeps.", id="1", links="0-0 1-1 2-1 3-1 4-2 5-3")
        assert str(translator.translate("mot")).lower() == "house"


def test_new_words_are_written_as_they_were_given(model: Path) -> None:
    translator = Translator.load(model)
    translator.add("Le chat voit Milou.", "The cat sees Snowy.", id="name")
    translator.add("Tintin dort.", "Tintin sleeps.", id="start")
    translator.add("OTAN", "NATO", id="capitals")
    assert str(translator.translate("Milou dort.")) == "Snowy sleeps."
    assert str(translator.translate("Le chien et Milou")) == "The dog and Snowy"
    assert str(translator.translate("L'OTAN dort.")).endswith("NATO sleeps.")


def test_a_correction_outweighs_old_text(model: Path) -> None:
    translator = Translator.load(model)
    before = str(translator.translate("Le chat dort."))
    assert before == "The cat sleeps."
    translator.add("Le chat dort.", "The tomcat sleeps.", id="1")
    assert str(translator.translate("Le chat dort.")) == "The tomcat sleeps."
    assert str(Translator.load(model).translate("Le chat dort.")) == "The tomcat sleeps."


def test_forgets_exactly(model: Path, tmp_path: Path) -> None:
    text = "Le zorglub voit la maison bleue."
    fresh = Translator.load(model).translate(text, explain=True)
    translator = Translator.load(model)
    translator.add("Le zorglub voit la maison bleue.", "The snark sees the azure house.", id="1")
    assert "snark" in str(translator.translate(text))
    assert translator.remove("1")
    assert not translator.remove("1")
    assert translator.translate(text, explain=True) == fresh
    # Of the training text too, whose pairs are called by their lines.
    assert translator.remove("line:1")
    assert not translator.remove("line:0")
    again = translator.translate("La maison bleue.", explain=True)
    assert all(origin.stable_id != 0 for phrase in again.sentences[0].phrases for origin in phrase.origins)


def test_the_same_id_replaces_and_the_same_pair_counts_once(model: Path) -> None:
    translator = Translator.load(model)
    translator.add("bidule", "gizmo", id="word")
    translator.add("bidule", "gadget", id="word")
    assert translator.overlay.index.corrections == 1
    assert str(translator.translate("Une bidule.")) == "A gadget."
    assert translator.add("un chat", "a cat") == translator.add("un chat", "a cat")
    assert translator.overlay.index.corrections == 2


def test_ids_that_collide_stay_apart(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hash_bytes = _core.hash_bytes
    # Of names; hashes of texts have a zero in the middle.
    monkeypatch.setattr(_core, "hash_bytes", lambda data: hash_bytes(data) if 0 in data else 7)
    translator = Translator.load(model)
    for number in range(3):
        translator.add(f"mot{number}", f"word{number}", id=f"id {number}")
    translator.remove("id 1")
    assert str(translator.translate("mot0 mot1 mot2")) == "Word0 mot1 word2"
    translator.add("mot1", "new1", id="id 1")
    translator.add("mot2", "new2", id="id 2")
    assert str(Translator.load(model).translate("mot0 mot1 mot2")) == "Word0 new1 new2"
    compact(model)
    again = Translator.load(model)
    assert again.remove("id 2")
    assert str(again.translate("mot0 mot1 mot2")) == "Word0 new1 mot2"


def test_translators_and_processes_share(model: Path) -> None:
    one, other = Translator.load(model), Translator.load(model)
    one.add("bidule", "gizmo", id="1")
    assert str(other.translate("Une bidule.")) == "A gizmo."
    command = "import sys; from dragoman.translator import Translator; t = Translator.load(sys.argv[1]);"
    command += "print(t.translate('Une bidule.')); t.add('truc', 'thing', id='2'); t.remove('1')"
    found = subprocess.run([sys.executable, "-c", command, model], check=True, capture_output=True, text=True)
    assert found.stdout == "A gizmo.\n"
    assert str(one.translate("Une bidule et un truc.")) == "A bidule and a thing."
    other.add("bidule", "gadget", id="3")
    assert str(one.translate("Une bidule.")) == "A gadget."


def test_sources_of_added_pairs_are_known(model: Path) -> None:
    translator = Translator.load(model)
    pair = NewPair(
        "Le zorglub dort.", "The snark sleeps.", "tm:7", {"file": "tm.tmx", "attributes": {"creationid": "x"}}
    )
    translator.add_pairs([pair])
    phrases = translator.translate("Le zorglub dort.", explain=True).sentences[0].phrases
    (stable_id,) = {origin.stable_id for phrase in phrases for origin in phrase.origins if "zorglub" in phrase.source}
    found = translator.sources(stable_id)
    assert found is not None
    assert (found.id, found.source, found.target, found.file) == ("tm:7", pair.source, pair.target, "tm.tmx")
    assert found.attributes["creationid"] == "x"
    words = translator.pair(stable_id)
    assert words is not None
    assert words.target == ["the", "snark", "sleeps", "."]


@pytest.mark.parametrize("weight", [1, 10])
def test_compaction_changes_no_translation(tmp_path: Path, weight: int) -> None:
    model = make_model(tmp_path / "model", weight=weight)
    translator = Translator.load(model)
    translator.add("Le zorglub voit Milou.", "The snark sees Snowy.", id="keep")
    translator.add("Le secretmot voit la maison.", "The hiddenword sees the house.", id="gone")
    translator.remove("gone")
    translator.remove("line:5")
    texts = ["Le zorglub dort.", "Le chat noir voit Milou.", "Le secretmot voit la maison rouge.", "La maison noire."]
    before = [str(each) for each in translator.translate(texts)]
    done = compact(model)
    assert (done.added, done.removed, done.language_models) == (1, 1, ["lm.bin"])
    assert not (model / "overlay").exists()
    ModelDirectory.open(model, verify=True)
    for opened in (translator, Translator.load(model)):
        assert [str(each) for each in opened.translate(texts)] == before
    assert Translator.load(model).overlay.index.corrections == (1 if weight > 1 else 0)
    # The name is known yet, to translators opened before and after.
    assert translator.remove("keep")
    assert not Translator.load(model).remove("keep")
    assert str(translator.translate("Le zorglub dort.")) != before[0]
    assert compact(model).removed == 1
    assert_gone(model, ["zorglub", "snark", "secretmot", "hiddenword", "noir"])


def test_compaction_keeps_scores_and_capitals_of_learned_words(model: Path) -> None:
    """Many new words change the order of the vocabulary, and none of that may show."""
    translator = Translator.load(model)
    translator.add_pairs([NewPair(f"mot{n} dort.", f"Word{n} sleeps.", f"word {n}") for n in range(60)])
    translator.add_pairs([NewPair("Le chat voit l'OTAN.", "The cat sees NATO.", "name")])
    texts = ["Le Mot3 voit la maison.", "La maison de Mot7 et mot8.", "MOT9 dort.", "Le chien voit l'Otan."]
    before = [(each.text, each.score) for each in translator.translate(texts)]
    weights = _core.testing.read_container((model / "vocab.bin").read_bytes(), "vocab")["target.case.weights"]
    compact(model)
    assert _core.testing.read_container((model / "vocab.bin").read_bytes(), "vocab")["target.case.weights"] == weights
    after = [(each.text, each.score) for each in Translator.load(model).translate(texts)]
    assert [text for text, _ in after] == [text for text, _ in before]
    assert [score for _, score in after] == pytest.approx([score for _, score in before], abs=1e-5)


def assert_gone(model: Path, words: list[str]) -> None:
    """In no file but the language models, which say so."""
    for path in model.rglob("*"):
        if path.is_file() and path.name != "lm.bin":
            content = path.read_bytes().lower()
            for word in words:
                assert word.encode() not in content, (path.name, word)


def test_compaction_merges_sources(model: Path) -> None:
    with component_output(model, "sources.bin") as path:
        records = [SourceRecord(n, f"corpus.tmx:{n}", f"source {n}", f"target {n}", "corpus.tmx", n) for n in range(8)]
        write_sources(path, records)
    translator = Translator.load(model)
    translator.add("Le zorglub dort.", "The snark sleeps.", id="mine")
    translator.add("Autre chose.", "Something else.", id="corpus.tmx:3")
    assert translator.remove("corpus.tmx:5")
    assert not translator.remove("line:6")
    compact(model)
    again = Translator.load(model)
    found = {each: again.sources(each) for each in _core.testing.stable_ids(again.overlay.index)}
    assert all(found.values())
    ids = {each.id: each for each in found.values() if each}
    assert set(ids) == {"mine", *(f"corpus.tmx:{n}" for n in range(8) if n != 5)}
    assert ids["mine"].source == "Le zorglub dort."
    assert ids["corpus.tmx:3"].target == "Something else."
    assert b"source 5" not in (model / "sources.bin").read_bytes()
    assert again.remove("mine")


def test_pairs_added_while_compaction_runs_are_kept(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dragoman.learn import compaction

    translator = Translator.load(model)
    translator.add("truc", "thing", id="early")
    real = compaction.revising_model

    def slowly(*arguments: object) -> object:
        # The index has been read; its files are not written yet.
        Translator.load(model).add("bidule", "gizmo", id="late")
        translator.remove("early")
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(compaction, "revising_model", slowly)
    compact(model)
    for opened in (Translator.load(model), translator):
        assert str(opened.translate("Une bidule et un truc.")) == "A gizmo and a truc."
    assert Translator.load(model).remove("late")


def test_revising_a_model_keeps_what_was_added(model: Path) -> None:
    translator = Translator.load(model)
    translator.add("bidule", "gizmo", id="1")
    with revising_model(ModelDirectory.open(model), lambda manifest: manifest) as directory:
        (directory / "confidence.json").write_text("{}")
        translator.add("truc", "thing", id="2")
    for opened in (translator, Translator.load(model)):
        assert str(opened.translate("Une bidule et un truc.")) == "A gizmo and a thing."
    translator.add("machin", "gear", id="3")
    assert str(Translator.load(model).translate("un machin")) == "a gear"


def test_bad_pairs_are_refused_and_leave_nothing(model: Path) -> None:
    translator = Translator.load(model)
    for source, target, name in (("", "x", "1"), ("x", " ", "1"), ("x", "y", " "), ("\ud800", "y", "1")):
        with pytest.raises(InputError):
            translator.add(source, target, id=name)
    with pytest.raises(InputError):
        translator.add_pairs([NewPair("un chat", "a cat", "good"), NewPair("", "x", "bad")])
    with pytest.raises(InputError, match="outside"):
        translator.add("un", "a", links="0-7")
    assert not (model / "overlay").exists()
    assert translator.overlay.index.corrections == 0


def test_a_model_without_aligner_says_what_to_do(tmp_path: Path) -> None:
    translator = Translator.load(make_model(tmp_path / "model", align=False))
    with pytest.raises(ConfigError, match="dragoman align SOURCE TARGET --save"):
        translator.add("un chat", "a cat")
    translator.add("bidule", "gizmo", links="0-0")
    assert str(translator.translate("bidule")) == "gizmo"


def test_a_torn_tail_is_recovered_and_reported(model: Path) -> None:
    translator = Translator.load(model)
    translator.add("bidule", "gizmo", id="1")
    translator.add("truc", "thing", id="2")
    log = model / "overlay" / "log"
    log.write_bytes(log.read_bytes()[:-3])
    again = Translator.load(model)
    assert str(again.translate("Une bidule et un truc.")) == "A gizmo and a truc."
    again.add("machin", "gear", id="3")
    assert again.overlay.recovery.torn > 0
    assert "half written" in again.overlay.recovery.sentence(str(log))
    assert str(Translator.load(model).translate("bidule machin truc")) == "gizmo gear truc"


def test_glossary_of_a_model(model: Path) -> None:
    with component_output(model, "glossary.tsv") as path:
        path.write_text("maison\thome\nmaison bleue\tMaison Bleue\nchat\tcat\nchat\ttomcat\n")
    translator = Translator.load(model)
    found = translator.translate("Une maison et la maison bleue. La maison.")
    assert str(found) == "A home and the Maison Bleue. The home."
    assert found.glossary_hits == {"maison": 2, "maison bleue": 1}
    assert json.loads(json.dumps(found.as_json()))["glossary_hits"] == found.glossary_hits
    assert str(translator.translate("La maison.", glossary={"maison": "villa"})) == "The villa."
    assert [(each.inside, each.term, each.line, each.other_line) for each in translator.glossary_conflicts()] == [
        (True, "maison", 1, 2),
        (False, "chat", 4, 3),
    ]
    (model / "glossary.tsv").write_text("maison\tmanor\n")
    assert str(Translator.load(model).translate("La maison.")) == "The manor."


def words_of(pair: TrainingPair | None) -> tuple[object, ...]:
    """What the index has of a pair; its text may be gone with the log."""
    assert pair is not None
    return pair.source, pair.target, pair.links


def test_a_snapshot_stays_as_it_is(model: Path) -> None:
    """Whatever is added, replaced, removed or compacted: translations, pairs and their sources."""
    translator = Translator.load(model)
    translator.add("Le zorglub dort.", "The snark sleeps.", id="1")
    translator.add("bidule", "gizmo", id="2")
    snapshot = translator.snapshot()
    text = "Le zorglub et la bidule."
    before = snapshot.translate(text, explain=True)
    assert str(before) == "The snark and the gizmo."
    seen = {each.stable_id for phrase in before.sentences[0].phrases for each in phrase.origins}
    pairs = {each: words_of(snapshot.pair(each)) for each in seen}
    translator.add("Le zorglub dort.", "The boojum sleeps.", id="1")
    translator.remove("2")
    translator.add("truc", "thing", id="3")
    added = translator.overlay.names()["1"]
    for compacted in (False, True):
        if compacted:
            compact(model)
        assert str(translator.translate(text)) == "The boojum and the bidule."
        assert snapshot.translate(text, explain=True) == before
        assert {each: words_of(snapshot.pair(each)) for each in seen} == pairs
        assert str(snapshot.translate("truc")) == "truc"
        found = snapshot.sources(added)
        # The log of before is gone with the compaction, but never is the text of another state shown.
        assert found is None if compacted else found and found.target == "The snark sleeps."
    with pytest.raises(ConfigError, match="cannot learn"):
        snapshot.add("un", "one")


def test_every_answer_is_of_some_state(model: Path) -> None:
    """Two writers and three readers: a pair is there whole or not at all, and what was acknowledged is seen."""
    translator = Translator.load(model)
    acknowledged = [0, 0]
    stop = threading.Event()
    wrong: list[str] = []

    def write(writer: int) -> None:
        for number in range(1, 60):
            translator.add(f"mot{writer}", f"word{writer}x{number} again{writer}x{number}", id=f"pair {writer}")
            acknowledged[writer] = number
            if number % 7 == 0:
                translator.add("bidule", f"gizmo{number}", id="other")
                translator.remove("other")

    def read() -> None:
        while not stop.is_set():
            least = list(acknowledged)
            text = str(translator.translate("mot0 mot1"))
            most = [each + 1 for each in acknowledged]
            words = text.lower().split()
            for writer in range(2):
                numbers = [
                    int(word.split("x")[1]) for word in words if word.startswith((f"word{writer}", f"again{writer}"))
                ]
                if not numbers and least[writer] == 0:
                    continue
                if len(numbers) != 2 or numbers[0] != numbers[1] or not least[writer] <= numbers[0] <= most[writer]:
                    wrong.append(f"{least} {text} {most}")

    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(2)]
    readers = [threading.Thread(target=read) for _ in range(3)]
    for thread in writers + readers:
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    for thread in readers:
        thread.join()
    assert not wrong
    assert acknowledged == [59, 59]


def test_long_pairs_come_back_whole_and_longer_ones_are_refused_in_a_sentence(model: Path) -> None:
    translator = Translator.load(model)
    # As many words as the decoder takes at once, none of them known, and not as many on both sides.
    source = " ".join(f"mot{number}" for number in range(99))
    target = " ".join(f"word{number}" for number in range(80))
    translator.add(source, target, id="long")
    assert str(translator.translate(source)).lower() == target
    links = translator.overlay.index.pair(translator.overlay.added()[0])[2]
    assert len(links) < 99 + 80
    before = translator.overlay.log.size()
    for one, other in [("mot " * 1001, "word"), ("mot", "word. " * 501), ("m" * 100_001, "word"), ("a " * 10_000,) * 2]:
        with pytest.raises(InputError, match="split it"):
            translator.add(one, other, id="longer")
    assert translator.overlay.log.size() == before
    translator.add("mot " * 1000, "word " * 600, id="longest", force=True)
