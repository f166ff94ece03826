"""What the page says of languages, how their text runs, and how it goes through two models."""

# ruff: noqa: E402, these packages may be missing
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.endtoend.page.opened_page import Page

selenium = pytest.importorskip("selenium", reason="selenium is not installed: pip install '.[dev]'")
pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.unit.learn.support import make_model
from tests.unit.serve.support import Server, running
from tests.unit.translate.support import INTO_GERMAN, TEXTS, pairs_of
from tests.unit.translate.support import make_model as make_model_of


@pytest.fixture(scope="module")
def polyglot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("polyglot")
    directions = [("fr", "en"), ("de", "en"), ("en", "ar"), ("ar", "en")]
    models = [make_model_of(folder / "-".join(each), languages=each, pairs=pairs_of(*each)) for each in directions]
    with running(models) as started:
        yield started


@pytest.fixture
def desk(browser: Any, polyglot: Server) -> Iterator[Page]:
    yield Page(browser, polyglot.url)
    browser.execute_script("localStorage.clear()")


def choose(page: Page, source: str, target: str) -> None:
    for name, code in (("from", source), ("to", target)):
        page.driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))", page[name], code
        )
        assert page[name].get_attribute("value") == code


def enter(page: Page, text: str) -> None:
    """Types a text and waits for its translation."""
    page.driver.execute_script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", page["source"], text
    )
    page.until(lambda: page["target"].text.strip() and not page.all("#target.stale"))


def style(page: Page, node: Any, name: str) -> str:
    return str(page.driver.execute_script(f"return getComputedStyle(arguments[0]).{name}", node))


@pytest.mark.parametrize(("code", "said"), [("fr", "Detected: French"), ("de", "Detected: German")])
def test_it_says_what_it_detected(desk: Page, code: str, said: str) -> None:
    choose(desk, "auto", "en")
    assert desk.all("#from option")[0].text == "Detect language"
    enter(desk, TEXTS[code][0])
    desk.until(lambda: desk.all("#from option")[0].text == said)
    assert not desk["language-note"].is_displayed()
    assert desk["source"].get_attribute("lang") == code


@pytest.mark.parametrize(
    ("code", "said"),
    [("el", "This looks like Greek, which is not translated here."), ("en", "This is English already.")],
)
def test_it_says_that_it_does_not_translate_what_it_detected(desk: Page, code: str, said: str) -> None:
    choose(desk, "auto", "en")
    text = "\n".join(TEXTS[code])
    enter(desk, text)
    desk.until(lambda: desk["language-note"].text == said)
    assert desk["target"].text == text
    enter(desk, f"{TEXTS['fr'][0]}\n{text}")
    desk.until(lambda: desk["language-note"].text.startswith("Part of this "))
    assert desk.all("#from option")[0].text.startswith("Detected: ")


def test_it_says_that_the_text_is_in_another_language_and_offers_that(desk: Page) -> None:
    choose(desk, "fr", "en")
    enter(desk, " ".join(TEXTS["de"]))
    desk.until(lambda: "This looks like German, not French." in desk["language-note"].text)
    desk.driver.find_element(By.CSS_SELECTOR, "#language-note button").click()
    desk.until(lambda: desk["from"].get_attribute("value") == "de")
    desk.until(lambda: not desk["language-note"].is_displayed())
    desk.until(lambda: "the house is big" in desk["target"].text.lower())


def test_text_from_right_to_left(desk: Page) -> None:
    choose(desk, "en", "ar")
    enter(desk, "the house is big . the cat sees the dog .")
    assert desk["target"].get_attribute("dir") == "rtl"
    assert desk["source"].get_attribute("dir") == desk["mirror"].get_attribute("dir") == "ltr"
    words = desk.all("#target .w")
    places = [node.rect["x"] for node in words]
    assert places == sorted(places, reverse=True)
    # The keys go where the words are.
    desk.driver.execute_script("arguments[0].focus()", words[0])
    words[0].send_keys(Keys.ARROW_LEFT)
    assert desk.driver.switch_to.active_element.text == words[1].text


def test_a_correction_and_what_is_said_of_phrases_run_as_their_text(desk: Page) -> None:
    choose(desk, "en", "ar")
    enter(desk, "the house is big .")
    desk.all("#target .w")[0].click()
    desk.until(lambda: desk.all(".examples li"))
    source, target = desk.all(".examples li p")[:2]
    assert (style(desk, source, "direction"), style(desk, target, "direction")) == ("ltr", "rtl")
    targets = [node for node in desk.all(".tree button > span:nth-of-type(3)") if re.search(r"\w", node.text)]
    assert {style(desk, node, "direction") for node in targets} == {"rtl"}
    assert desk["correction"].get_attribute("dir") == "rtl"


def test_placeholders_stand_by_themselves(desk: Page) -> None:
    choose(desk, "en", "ar")
    enter(desk, "the house is big %(name)s {0} https://example.org/a_b --help -5 ( dog )")
    codes = [node.text for node in desk.all("#target .code")]
    assert codes == ["%(name)s", "{0}", "https://example.org/a_b", "--help", "-5"]
    assert {style(desk, node, "unicodeBidi") for node in desk.all("#target .code")} == {"isolate"}


def test_a_text_whose_language_is_not_known_yet_runs_line_by_line(desk: Page) -> None:
    choose(desk, "auto", "en")
    for name in ("source", "mirror"):
        assert desk[name].get_attribute("dir") == "auto"
        assert style(desk, desk[name], "unicodeBidi") == "plaintext"
    enter(desk, TEXTS["ar"][1])
    desk.until(lambda: desk["source"].get_attribute("dir") == desk["mirror"].get_attribute("dir") == "rtl")
    enter(desk, f"{TEXTS['ar'][1]}\n{TEXTS['fr'][1]}")
    desk.until(lambda: desk["source"].get_attribute("dir") == desk["mirror"].get_attribute("dir") == "auto")


def test_a_file_in_other_languages_is_translated_all_the_same_when_asked(desk: Page, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text('<html lang="es"><p>la maison est grande .</p></html>')
    choose(desk, "fr", "en")
    desk["file"].send_keys(str(path))
    button = desk.until(lambda: desk.all("#files button"))[0]
    assert "Spanish (es)" in desk["files"].text
    button.click()
    desk.until(lambda: desk.all("#files a"))


@pytest.fixture(scope="module")
def through(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("through")
    into_german = make_model_of(folder / "en-de.model", languages=("en", "de"), pairs=INTO_GERMAN)
    with running([make_model(folder / "fr-en.model"), into_german], through=True) as started:
        yield started


def test_both_steps_of_a_translation_through_another_language(browser: Any, through: Server) -> None:
    page = Page(browser, through.url)
    choose(page, "fr", "de")
    enter(page, "La maison bleue.")
    page.until(lambda: page["target"].text == "Das blaue haus.")
    assert page["through"].is_displayed() and page["through"].text == "Through English: The blue house."
    assert [node.text for node in page.all("#tree .step")] == ["French to English", "English to German"]
    # Words of the translation show the sentences of the second model.
    page.word("blaue").click()
    page.until(lambda: page.all(".examples li"))
    assert page.all("#phrase .step")[0].text == "English to German"
    assert "das blaue haus" in page["phrase"].text.lower()
    assert [node.text for node in page.all("#target .chosen")]
    # Phrases of the first step show those of the first, and what they translate.
    first = page.all("#tree button")[0]
    first.click()
    assert page.all("#phrase .step")[0].text == "French to English"
    assert "maison" in page["phrase"].text.lower()
    assert not page.all("#target .chosen")
    page.driver.execute_script("arguments[0].dispatchEvent(new Event('mouseenter'))", first)
    assert page.all("#mirror .in-phrase") and not page.all("#target .in-phrase")
    # Words that are linked in the middle alone do not light up.
    ActionChains(browser).move_to_element(page.word("blaue")).perform()
    assert page.lit() == ([], ["blaue"])
    choose(page, "fr", "en")
    page.until(lambda: page["target"].text == "The blue house.")
    assert not page["through"].is_displayed() and not page.all(".step")
    browser.execute_script("localStorage.clear()")
