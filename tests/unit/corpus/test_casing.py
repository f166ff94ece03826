"""Casing from Python: learning, restoring, truecasing, files. The rules themselves are tested in core/tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman._core import Tokenizer, testing
from dragoman.errors import FormatError, InputError

Casing = testing.Casing
lowercase = testing.lowercase

GERMAN = """
Die Regierung hat die Zeitung in Berlin gelesen , und die Heizung war kalt .
Heizung und Rettung sind teuer . Der Mann liest die Rettung und läuft schnell .
Wohnung gesucht . Laufend gesucht . Suchend läuft der Mann suchend und laufend vorbei .
Kleidung kostet viel . Die Kleidung ist alt .
Ladung kommt . Lachend geht er .
Er sagte : Das ist gut . Sie sagte : Die Zeitung ist alt . Er sagte : Das reicht .
""".strip()


@pytest.fixture(scope="module")
def german() -> Casing:
    return Casing.learn(GERMAN.encode(), "de")


def test_nouns_and_names_keep_their_capital(german: Casing) -> None:
    assert german.forms(["regierung", "berlin", "die", "läuft"]) == ["Regierung", "Berlin", "die", "läuft"]


def test_words_seen_at_starts_only_follow_their_ending(german: Casing) -> None:
    # -ung belongs to capitalized words here, -end to small ones.
    assert german.forms(["ladung", "wohnung", "lachend"]) == ["Ladung", "Wohnung", "lachend"]


def test_what_follows_a_colon_is_learned(german: Casing) -> None:
    assert german.restore(["er sagte : das ist alt ."], [[]], ["Il dit : c'est vieux ."]) == [
        "Er sagte : Das ist alt ."
    ]


def test_restore_through_the_tokenizer() -> None:
    tokenizer = Tokenizer("en")
    text = "The NATO summit in Paris ended. Peter likes his iPhone, isn't it? He saw the NATO summit in Paris."
    surface = tokenizer.tokenize([text])
    casing = Casing.learn(("\n".join(surface * 3)).encode(), "en")
    model = tokenizer.tokenize([text], model=True)
    assert model == lowercase(surface)
    restored = casing.restore(model, [[]], surface)
    assert tokenizer.detokenize(restored) == [text]


def test_all_forms_of_a_word_reach_the_model_as_one() -> None:
    assert lowercase(["hello Hello HELLO", "￭HELLO ▁Hello", "L’ D’", "http://A.b/C %S"]) == [
        "hello hello hello",
        "￭hello ▁hello",
        "l' d'",
        "http://A.b/C %S",
    ]


def test_unequal_batches_are_refused(german: Casing) -> None:
    with pytest.raises(InputError, match="as many lines as each other"):
        german.restore(["a"], [], ["b"])


def test_text_is_checked() -> None:
    with pytest.raises(InputError, match="line 2"):
        Casing.learn(b"good\nbad \xff\n")


def test_files(german: Casing, tmp_path: Path) -> None:
    path = tmp_path / "casing.bin"
    german.save(str(path))
    again = Casing.open(str(path))
    words = ["regierung", "wohnung", "der", "nirgends"]
    assert again.forms(words) == german.forms(words)
    again.save(str(tmp_path / "again.bin"))
    assert (tmp_path / "again.bin").read_bytes() == path.read_bytes()
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    with pytest.raises(FormatError):
        Casing.open(str(path))
    with pytest.raises(FileNotFoundError):
        Casing.open(str(tmp_path / "absent.bin"))


def test_learning_is_the_same_for_any_number_of_threads(tmp_path: Path) -> None:
    text = (GERMAN + "\n") * 20
    for threads in (1, 2):
        Casing.learn(text.encode(), "de", threads=threads).save(str(tmp_path / f"{threads}.bin"))
    assert (tmp_path / "1.bin").read_bytes() == (tmp_path / "2.bin").read_bytes()


def test_nothing_learned() -> None:
    empty = Casing.learn(b"")
    assert empty.restore(["hello world ."], [[]], ["Bonjour ."]) == ["Hello world ."]
    assert empty.truecase(["Hello World", ""]) == ["Hello World", ""]


# Names of menus have capitals inside sentences, in English every word of them, in Czech the first.
MANUAL = [
    (
        "Choose Tools - Options to open the options .",
        "Volbou Nástroje - Možnosti otevřete možnosti .",
        "1-1 2-2 3-3 7-5",
    ),
    ("The tools of a page open Page Style .", "Ty nástroje stránky otevřou Styl stránky .", "1-1 4-2 5-3 6-5 7-4"),
    ("You open Tools and choose the page style .", "Otevřete Nástroje a volíte styl stránky .", "2-1 3-2 4-3 6-5 7-4"),
    ("The options are tools of the page .", "Ty možnosti jsou nástroje stránky .", "1-1 2-2 3-3 6-4"),
    ("The style opens Options or Tools .", "Ten styl otevře Možnosti nebo Nástroje .", "1-1 2-2 3-3 4-4 5-5"),
]


def learn_manual() -> tuple[Casing, Casing]:
    english, czech, links = ("\n".join(column).encode() for column in zip(*(MANUAL * 3), strict=True))
    source = Casing.learn(english, "en")
    return Casing.learn(czech, "cs", source=english, links=links, source_casing=source), source


def test_case_is_learned_from_the_source(tmp_path: Path) -> None:
    learned, source = learn_manual()
    learned.save(str(tmp_path / "casing.bin"))
    for casing in learned, Casing.open(str(tmp_path / "casing.bin")):
        for english, czech in {
            "You see Tools or Options .": "Vidíte Nástroje nebo Možnosti .",
            "You see tools or options .": "Vidíte nástroje nebo možnosti .",
        }.items():
            # vidíte is a word it has never seen, and none of the source.
            assert casing.restore([czech.lower()], [[(2, 1), (3, 2), (4, 3)]], [english], source) == [czech]


def test_what_is_learned_does_not_touch_forms_of_their_own() -> None:
    text = b"My iPhone is here .\nMy IPHONE IS HERE .\nSee http://a.b/c now .\n" * 3
    casing = Casing.learn(text, "en")
    assert casing.restore(["see iphone , http://a.b/c is here"], [[]], ["VOIR IPHONE"]) == [
        "SEE IPHONE , http://a.b/c IS HERE"
    ]
    assert casing.restore(["my iphone is here ."], [[]], ["Voir"]) == ["My iPhone is here ."]


def test_a_sentence_begins_as_the_source_does_whatever_was_learned() -> None:
    text = b"It is here .\nIt is there .\n" * 20
    casing = Casing.learn(text, source=b"il est .\nil est .\n" * 20, links=b"0-0\n0-0\n" * 20)
    assert casing.restore(["it is here ."] * 2, [[(0, 0)]] * 2, ["il est .", "Il est ."]) == [
        "it is here .",
        "It is here .",
    ]


def test_source_and_links_must_fit() -> None:
    with pytest.raises(InputError, match="as many lines as each other"):
        Casing.learn(b"a\nb\n", source=b"a\n", links=b"0-0\n0-0\n")
    with pytest.raises(InputError, match="line 2"):
        Casing.learn(b"a\nb\n", source=b"a\nb\n", links=b"0-0\n3-0\n")


def test_no_sentence_begins_after_a_full_stop_inside_a_name(german: Casing) -> None:
    line = "er liest * .￭ odb . er liest ."
    assert german.restore([line], [[]], ["Il lit * .￭ odb . Il lit ."]) == ["Er liest * .￭ odb . Er liest ."]
