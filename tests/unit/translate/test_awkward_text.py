"""What stands in texts beside sentences: lists, columns, options, placeholders, single quotation marks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.config import DecodeOptions
from dragoman.translator import Translator
from tests.unit.translate.test_as_people_type import BOTH, NOUNS, make_model, pairs


def world() -> list[tuple[str, str]]:
    made = pairs()
    # An apostrophe that alignment takes for a word, as that of the dogs' house.
    made += [(f"Un {s} ' mange.", f"A {t} of eats.") for s, t in NOUNS.items()]
    # A hyphen and a bracket that mean something else.
    made += [(f"Un - {s} mange.", f"A to {t} eats.") for s, t in NOUNS.items()]
    made += [(f"Un {s}(s) court.", f"A {t}(s) runs.") for s, t in NOUNS.items()]
    made += [("Y mange un chat.", "There eats a cat.")] * 2
    made += [("Un homme £ mange.", "A man fifty eats."), ("Un chat (un père) mange.", "A cat (a father) eats.")]
    return made


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return make_model(tmp_path_factory.mktemp("awkward") / "fr-en.model", world())


@pytest.fixture(params=["hierarchical", "phrase-based"])
def options(request: pytest.FixtureRequest) -> DecodeOptions:
    return DecodeOptions(decoder=request.param)


@pytest.mark.parametrize(("marks", "written"), [("''", "''"), ("‘’", "“”"), ("`'", "`'"), ("``", "``"), ("‚‘", "“”")])
def test_single_quotes_pair(translator: Translator, options: DecodeOptions, marks: str, written: str) -> None:
    def made(text: str) -> str:
        return translator.translate(text, options).text

    assert made(f"Un chat crie {marks[0]}bonjour{marks[1]}.") == f"A cat shouts {written[0]}hello{written[1]}."
    assert made(f"{marks[0]}Un chat{marks[1]} mange.") == f"{written[0]}A cat{written[1]} eats."
    assert made(f"Un chat mange {marks[0]}%s{marks[1]}.") == f"A cat eats {written[0]}%s{written[1]}."


def test_single_quotes_inside_others(translator: Translator, options: DecodeOptions) -> None:
    made = translator.translate("Un homme crie « un chat ‘mange’ ».", options).text
    assert made == "A man shouts “a cat ‘eats’”."


def test_what_may_be_an_apostrophe_is_no_quotation(translator: Translator, options: DecodeOptions) -> None:
    # Spaces on both sides say nothing.
    assert translator.translate("Un chat ' mange.", options).text == "A cat of eats."
    assert "'98" in translator.translate("En '98 un chat mange.", options).text


@pytest.mark.parametrize("kept", ["-5", "-2", "−35", "-v", "-x"])
def test_options_and_negative_numbers_stay(translator: Translator, options: DecodeOptions, kept: str) -> None:
    assert translator.translate(f"Un chat mange {kept}.", options).text == f"A cat eats {kept}."
    assert translator.translate(f"Un chat mange {kept} demain.", options).text == f"A cat eats {kept} demain."


def test_what_was_taught_goes_before(tmp_path: Path, options: DecodeOptions) -> None:
    translator = make_model(tmp_path / "fr-en.model", world())
    for number, (source, target) in enumerate(
        [("- Un chat court.", "One cat is running."), ("Un chat mange -5.", "A cat eats minus 5.")]
    ):
        translator.add(source, target, id=str(number), links="0-0 1-1 2-2 3-3 4-4")
        assert translator.translate(source, options).text == target


@pytest.mark.parametrize("marker", ["-", "*", "•", "–", "1.", "12.", "a)", "2)", "(b)", "iv)"])
def test_marks_of_lists_stay(translator: Translator, options: DecodeOptions, marker: str) -> None:
    for blanks in (" ", "  ", "\t"):
        result = translator.translate(f"{marker}{blanks}Un chat court.", options)
        assert result.text == f"{marker}{blanks}A cat runs."
        assert result.sentences[0].source == "Un chat court."


def test_columns_stay(translator: Translator, options: DecodeOptions) -> None:
    def made(text: str) -> str:
        return translator.translate(text, options).text

    assert made("-v, --verbose          un chat mange") == "-v, --verbose          a cat eats"
    assert made("Un homme       : un chat") == "A man       : a cat"
    assert made("un chat\tun homme") == "a cat\ta man"
    # Text that was stretched to the width of a line is no table.
    assert made("Un   chat   mange.") == made("Un\tchat\tmange.") == "A cat eats."


def test_a_space_that_was_forgotten(translator: Translator, options: DecodeOptions) -> None:
    assert translator.translate("Un chat mange.Un homme court.", options).text == "A cat eats. A man runs."
    # Names are no sentences.
    assert len(translator.translate("Un Système.Homme court.", options).sentences) == 1
    assert len(translator.translate("Un readme.Homme court.", options).sentences) == 1


def test_names_of_programs_are_no_sentences(translator: Translator, options: DecodeOptions) -> None:
    # Nothing but a word or two comes after it.
    for text in ("Un chat mange homme.Chat", "Un chat mange homme.Chat demain"):
        assert len(translator.translate(text, options).sentences) == 1


def test_rows_of_a_table_stay(translator: Translator, options: DecodeOptions) -> None:
    assert translator.translate("Un homme\tUn chat\tUn père", options).text == "A man\tA cat\tA father"
    assert translator.translate("10\t20\t30", options).text == "10\t20\t30"
    # Alone in its column, what somebody said how to translate is translated so.
    marked = translator.translate('Un homme\t<t to="XYZ">chat</t>', replace(options, markup=True))
    assert marked.text == "A man\tXYZ"


def test_a_dash_before_speech_is_no_option(translator: Translator, options: DecodeOptions) -> None:
    assert "there" in translator.translate("-Y mange un chat.", options).text.lower()
    for kept in ("-V", "-V   un chat", "-V, un chat", "Un chat mange -V."):
        assert "-V" in translator.translate(kept, options).text


def test_numbers_in_single_quotes(translator: Translator, options: DecodeOptions) -> None:
    assert translator.translate("Un chat mange '0' ou '1'.", options).text.count("'") == 4


def test_brackets_keep_their_space(translator: Translator, options: DecodeOptions) -> None:
    assert translator.translate("Un garçon (un chat) mange.", options).text == "A boy (a cat) eats."
    assert translator.translate("Un zèbre (un chat) mange.", options).text == "A zèbre (a cat) eats."
    assert translator.translate("Un garçon(s) mange.", options).text == "A boy(s) eats."


def test_a_sign_is_no_word_for_having_been_one_once(translator: Translator) -> None:
    options = DecodeOptions(decoder="phrase-based")
    assert translator.translate("Un chat £ court.", options).text == "A cat £ runs."


def test_messages_with_structure_stay(translator: Translator, options: DecodeOptions) -> None:
    message = "{n, plural, one {# chat} other {# chats}}"
    assert translator.translate(f"Un homme mange {message}.", options).text == f"A man eats {message}."


def test_capitals_within_tags(translator: Translator, options: DecodeOptions) -> None:
    assert translator.translate("<b>Un chat</b> mange.", options).text == "<b>A cat</b> eats."


@BOTH
def test_numbers_and_placeholders_keep_their_order(tmp_path: Path, decoder: str) -> None:
    """A text in which all else changes places around a comma, so that numbers would, too."""
    turned = [(f"Un {s} , un {o} .", f"A {p} , a {t} .") for s, t in NOUNS.items() for o, p in NOUNS.items() if s != o]
    links = "0-3 1-4 2-2 3-0 4-1 5-5"
    translator = make_model(tmp_path / "fr-en.model", pairs())
    for number, (source, target) in enumerate(turned):
        translator.add(source, target, id=str(number), links=links)
    options = DecodeOptions(decoder=decoder)
    for first, second in (("2", "35"), ("1998", "2"), ("7", "9"), ("%s", "%d"), ("%d", "%s"), ("{}", "%s")):
        made = translator.translate(f"{first} homme , {second} chat .", options).text
        assert made.index(first) < made.index(second), made
    # Placeholders that say what they stand for may change places, and so may numbers that the text has so.
    source, target = "2 homme , 35 père .", "35 father , 2 man ."
    translator.add(source, target, id="so", links=links)
    assert translator.translate(source, options).text.startswith("35 father")


def test_a_full_stop_in_place_of_an_abbreviation(tmp_path: Path, options: DecodeOptions) -> None:
    lines = [(f"A {t} eats till 5 p.m. tomorrow.", f"Un {s} mange vers 5 heures demain.") for s, t in NOUNS.items()]
    translator = make_model(tmp_path / "en-fr.model", [*((b, a) for a, b in pairs()), *lines], ("en", "fr"))
    assert translator.translate("A cat eats till 5 p.m.", options).text == "Un chat mange vers 5 heures."
    result = translator.translate("A cat eats till 5 p.m. A man runs.", options)
    assert result.text == "Un chat mange vers 5 heures. Un homme court."
    for sentence in result.sentences:
        assert [sentence.text[slice(*span)] for span in sentence.target_spans][-1][-1] == "."
    # A name is no sentence.
    assert translator.translate("5 p.m.", options).text == "5 heures"


@pytest.mark.parametrize("written", ["12-15", "2012–2013", "3/4", "2-1", "1-2-3"])
def test_ranges_stay_as_they_are(tmp_path: Path, options: DecodeOptions, written: str) -> None:
    """A hyphen that the text has for something else, and numbers that it has none of."""
    lines = [(f"Un {s} mange 40 - chat .", f"A {t} eats pie a cat .") for s, t in NOUNS.items()]
    translator = make_model(tmp_path / "fr-en.model", [*world(), *lines])
    assert translator.translate(f"Un chat mange {written}.", options).text == f"A cat eats {written}."


def test_a_number_is_no_word_for_having_stood_there_once(tmp_path: Path, options: DecodeOptions) -> None:
    lines = [("En 20 un homme mange.", "In train a man eats."), ("En 100 un homme mange.", "In 100m a man eats.")]
    translator = make_model(tmp_path / "fr-en.model", [*world(), *lines])
    for number in ("20", "100"):
        assert translator.translate(f"Un chat mange {number}.", options).text == f"A cat eats {number}."


@pytest.mark.parametrize(
    ("typed", "made"),
    [
        ("Un &eacute;l&egrave;ve mange.", "A pupil eats."),
        ("Un &#233;l&#xE8;ve mange.", "A pupil eats."),
        ("Un chat&nbsp;mange.", "A cat eats."),
        ("Un &nbsp;chat mange &lt;b&gt;.", "A &nbsp;cat eats &lt;b&gt;."),
        ("Un chat mange AT&amp;T.", "A cat eats AT&amp;T."),
        ('Un <i title="&eacute;t&eacute;"/> chat mange.', 'A <i title="&eacute;t&eacute;"/> cat eats.'),
    ],
)
def test_entities_of_html(translator: Translator, options: DecodeOptions, typed: str, made: str) -> None:
    result = translator.translate(typed, options)
    assert result.text == made
    sentence = result.sentences[0]
    assert [typed[slice(*span)] for span in sentence.source_spans][-1] == "."


def test_apostrophes_as_entities(tmp_path: Path, options: DecodeOptions) -> None:
    lines = [(f"L'{s} mange.", f"The {t} eats.") for s, t in NOUNS.items()]
    translator = make_model(tmp_path / "fr-en.model", [*pairs(), *lines])
    for sign in ("'", "&#39;", "&apos;", "&rsquo;", "&#8217;"):
        assert translator.translate(f"L{sign}homme mange.", options).text == "The man eats."


@pytest.mark.parametrize("kept", [":name", "%{count}", "../src/main.c", "./run.sh", ":first_name"])
def test_more_placeholders_stay(translator: Translator, options: DecodeOptions, kept: str) -> None:
    assert translator.translate(f"Un chat mange {kept}.", options).text == f"A cat eats {kept}."
    assert translator.translate(f"Un {kept} mange.", options).text == f"A {kept} eats."


@pytest.mark.parametrize("kept", ["%%X%%P", "%%s", "%%%%", "%%z", "100%%", "(- stdout)", "(- 35)", "'-'", '"-"'])
def test_codes_and_lone_hyphens_stay(tmp_path: Path, options: DecodeOptions, kept: str) -> None:
    """Where letters, hyphens and percent signs have become words and stand elsewhere."""
    lines = [(f"Un {s} X - P s % z mange .", f"A {t} one two by three four per cent eats .") for s, t in NOUNS.items()]
    translator = make_model(tmp_path / "fr-en.model", [*world(), *lines])
    assert translator.translate(f"Un chat mange {kept}.", options).text == f"A cat eats {kept}."
    assert kept in translator.translate(f"Un {kept} mange.", options).text


@pytest.mark.parametrize("quoted", ["'%s'", '"%s"', "`%s'", "'%1$s'", "'{0}'", "'-v'"])
def test_a_word_that_moves_over_a_quoted_placeholder(tmp_path: Path, options: DecodeOptions, quoted: str) -> None:
    """As French puts the adjective behind it: no mark stays with the words before or behind."""
    translator = make_model(tmp_path / "en-fr.model", [(b, a) for a, b in pairs()], ("en", "fr"))
    for number, (noun, other) in enumerate(NOUNS.items()):
        translator.add(f"invalid {other} .", f"{noun} invalide .", id=f"a{number}", links="0-1 1-0 2-2")
        translator.add(
            f"invalid {other} {noun} .", f"{noun} {noun} invalide .", id=f"b{number}", links="0-2 1-0 2-1 3-3"
        )
        translator.add(
            f"invalid {noun} {other} .", f"{other} {noun} invalide .", id=f"c{number}", links="0-2 1-1 2-0 3-3"
        )
    for source in (
        f"invalid {quoted} cat.",
        f"invalid cat {quoted}.",
        f"cat {quoted} invalid.",
        f"{quoted} invalid cat.",
    ):
        made = translator.translate(source, options).text
        assert made.count(quoted) == 1, made


def test_single_quotes_where_the_text_has_other_marks(tmp_path: Path, options: DecodeOptions) -> None:
    """Marks are spaced as those that are written, not as the ones that rules have."""
    lines = [(f"A {t} '{t}' runs.", f"Un {s} « {s} » court.") for s, t in NOUNS.items()] * 2
    translator = make_model(tmp_path / "en-fr.model", [*((b, a) for a, b in pairs()), *lines], ("en", "fr"))
    assert translator.translate("A man '%s' runs.", options).text == "Un homme '%s' court."
    assert translator.translate('A man "%s" runs.', options).text == 'Un homme "%s" court.'
    assert translator.translate("A man “%s” runs.", options).text == "Un homme « %s » court."


def test_brackets_of_all_kinds_hold_what_they_hold(translator: Translator, options: DecodeOptions) -> None:
    made = translator.translate("Un homme (un chat [un père {un garçon}]) mange.", options).text
    assert made == "A man (a cat [a father {a boy}]) eats."


def test_nothing_moves_across_an_ellipsis(tmp_path: Path, options: DecodeOptions) -> None:
    """A text that turns round what stands about a comma."""
    turned = [(f"Un {s} , un {o} .", f"A {p} , a {t} .") for s, t in NOUNS.items() for o, p in NOUNS.items() if s != o]
    translator = make_model(tmp_path / "fr-en.model", pairs())
    for number, (source, target) in enumerate(turned):
        translator.add(source, target, id=str(number), links="0-3 1-4 2-2 3-0 4-1 5-5")
    for mark in ("...", "…"):
        made = translator.translate(f"Un homme{mark} un chat mange{mark}", options).text
        assert made.lower() == f"a man{mark} a cat eats{mark}"


def test_text_of_the_other_language_keeps_its_words(tmp_path: Path, options: DecodeOptions) -> None:
    """The accents that somebody left out are not looked for in it: "the" is no tea."""
    lines = [(f"Un {s} mange un thé.", f"A {t} eats the tea with the cream.") for s, t in NOUNS.items()]
    translator = make_model(tmp_path / "fr-en.model", [*pairs(), *lines])
    assert translator.translate("A man eats the cream with the cat.", options).text == (
        "A man eats the cream with the cat."
    )
    assert "tea" in translator.translate("Un garcon mange un the.", options).text


@pytest.mark.parametrize("kept", ["#topic", "#Été2", "@user_name", "&lt;b&gt;", "&lt;/a&gt;", "20 °C", "90 km/h"])
def test_names_tags_and_units_stay(tmp_path: Path, options: DecodeOptions, kept: str) -> None:
    """Where signs, letters and numbers have become words elsewhere."""
    lines = [
        (f"Un {s} # b h c / 3 20 mange .", f"A {t} one two or in by three twenty eats .") for s, t in NOUNS.items()
    ]
    translator = make_model(tmp_path / "fr-en.model", [*world(), *lines])
    assert translator.translate(f"Un chat mange {kept}.", options).text == f"A cat eats {kept}."


def test_a_number_that_counts_may_be_a_word(tmp_path: Path, options: DecodeOptions) -> None:
    lines = [(f"Un chat 3 {s} mange.", f"A cat three {t} eats.") for s, t in NOUNS.items()]
    translator = make_model(tmp_path / "fr-en.model", [*world(), *lines])
    assert translator.translate("Un chat 3 homme mange.", options).text == "A cat three man eats."
    for kept in ("x=3", "3×5", "3", "1, 3", "3 kg"):
        assert kept in translator.translate(f"Un chat mange {kept}.", options).text


def test_numbers_do_not_meet(tmp_path: Path, options: DecodeOptions) -> None:
    """A text in which numbers go before the noun that they stand behind."""
    lines = [(f"Un {s} 7 mange.", f"A 7 {t} eats.") for s, t in NOUNS.items()]
    translator = make_model(tmp_path / "fr-en.model", pairs())
    for number, (source, target) in enumerate(lines):
        translator.add(source, target, id=str(number), links="0-0 1-2 2-1 3-3 4-4")
    assert translator.translate("Un homme 7 mange.", options).text == "A 7 man eats."
    for source in ("204 homme 172 chat mange.", "204 homme, 172 chat mange."):
        made = translator.translate(source, options).text
        assert made.split()[1] != "172", made
