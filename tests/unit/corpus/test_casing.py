"""Casing from Python: learning, restoring, truecasing, files. The rules themselves are tested in core/tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman._core import Casing, Tokenizer, lowercase
from dragoman.errors import FormatError, InputError

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
    with pytest.raises(InputError, match="same number of lines"):
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


MANUAL = """
You can choose Tools - Options to open the tools or the options of a page .
The page has options and tools that you can open , and Page Style opens the style of the page .
""".strip()
CZECH_MANUAL = """
Volbou Nástroje - Možnosti můžete otevřít nástroje nebo možnosti stránky .
Ta stránka má možnosti a nástroje , které můžete otevřít , a Styl stránky otevře styl té stránky .
""".strip()
PLAIN = "Volbou nástroje můžete otevřít nástroje nebo možnosti stránky , a styl stránky otevře styl té stránky ."


def restored(target: Casing, line: str, links: list[tuple[int, int]], written: str, english: str = MANUAL) -> str:
    return target.restore([line], [links], [written], Casing.learn(english.encode(), "en"))[0]


def test_names_of_things_begin_with_a_capital_where_the_target_text_has_such_capitals(tmp_path: Path) -> None:
    learned = Casing.learn(CZECH_MANUAL.encode(), "cs")
    learned.save(str(tmp_path / "casing.bin"))
    line, links = "v nástroje - možnosti - styl stránky .", [(0, 0), (1, 1), (3, 3), (5, 6), (6, 5)]
    for czech in learned, Casing.open(str(tmp_path / "casing.bin")):
        # Of a run, only the first word of its translation.
        assert restored(czech, line, links, "In Tools - Options - Page Style .") == (
            "V Nástroje - Možnosti - Styl stránky ."
        )
        assert restored(czech, line, links, "In tools - options - page style .") == (
            "V nástroje - možnosti - styl stránky ."
        )
    # A heading in title case says nothing.
    assert restored(czech, "otevřít možnosti", [(0, 0), (1, 1)], "Open Options") == "Otevřít možnosti"
    # Nor does a capital where the target language hardly knows it.
    plain = Casing.learn(PLAIN.encode(), "cs")
    assert restored(plain, line, links, "In Tools - Options - Page Style .") == "V nástroje - možnosti - styl stránky ."


def test_no_sentence_begins_after_a_full_stop_inside_a_name(german: Casing) -> None:
    line = "er liest * .￭ odb . er liest ."
    assert german.restore([line], [[]], ["Il lit * .￭ odb . Il lit ."]) == ["Er liest * .￭ odb . Er liest ."]
