"""What the page offers who types a translation: near matches of the memory, and words that Tab takes."""

# ruff: noqa: E402, these packages may be missing
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.endtoend.page.opened_page import Page
from tests.unit.learn.support import make_model

selenium = pytest.importorskip("selenium", reason="selenium is not installed: pip install '.[dev]'")
pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")

from selenium.webdriver.common.keys import Keys

from tests.unit.serve.support import running


def ghost(page: Page) -> str:
    return str(page["ghost-rest"].get_attribute("textContent"))


def test_near_matches_are_shown_and_taken(page: Page) -> None:
    page.type("La maison rouge.", "The red house.")
    rows = page.until(lambda: page.all("#matches li"))
    assert rows[0].text.startswith("75 %")
    struck = [node.text for node in page.all("#matches li:first-child del")]
    assert struck in (["bleue"], ["une"])
    written = page.all("#matches li:first-child .grow-1 p")[1].text
    page.all("#matches li:first-child button")[0].click()
    assert page["correction"].get_attribute("value") == written
    page["cancel"].click()
    page["clear"].click()
    page.until(lambda: not page.all("#matches li"))


def test_a_lesson_is_an_exact_match_until_it_is_forgotten(page: Page) -> None:
    page.type("Une maison bleue.", "A blue house.")
    page["edit"].click()
    page["correction"].clear()
    page["correction"].send_keys("A house, in blue.", Keys.CONTROL, Keys.ENTER)
    page.until(lambda: page["target"].text == "A house, in blue.")
    page.until(lambda: page.all("#matches .exact"))
    assert "A house, in blue." in page.all("#matches li")[0].text
    page.all("#lessons button")[0].click()
    page.until(lambda: page["target"].text == "A blue house." and not page.all("#matches .exact"))


def test_tab_takes_the_next_word(page: Page) -> None:
    page.type("Le chat noir dort.", "The black cat sleeps.")
    page["edit"].click()
    page["retype"].click()
    page.until(lambda: ghost(page) == "The black cat sleeps.")
    assert page["next-word"].is_displayed()
    page["correction"].send_keys(Keys.TAB)
    assert page["correction"].get_attribute("value") == "The" and ghost(page) == " black cat sleeps."
    page["next-word"].click()
    assert page["correction"].get_attribute("value") == "The black" and ghost(page) == " cat sleeps."
    page["correction"].send_keys(*[Keys.BACKSPACE] * len(" black"))
    page.until(lambda: ghost(page) == " black cat sleeps.")
    # What is offered and typed stays offered; another word makes another offer.
    page["correction"].send_keys(" bl")
    assert ghost(page) == "ack cat sleeps."
    page["correction"].send_keys(Keys.BACKSPACE, Keys.BACKSPACE, "cat ")
    page.until(lambda: ghost(page) not in ("", "ack cat sleeps.") and "black" in ghost(page))
    while ghost(page):
        page["correction"].send_keys(Keys.TAB)
    typed = page["correction"].get_attribute("value")
    assert typed.startswith("The cat ") and not page["next-word"].is_displayed()
    # With nothing to take, Tab goes on as everywhere.
    page["correction"].send_keys(Keys.TAB)
    assert page.driver.switch_to.active_element.get_attribute("id") == "learn"
    page["correction"].send_keys(Keys.ESCAPE)
    assert not page["correction"].is_displayed() and not page["ghost"].is_displayed()


@pytest.fixture(scope="module")
def shy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose callers without a key may translate and see no sources."""
    keys = tmp_path_factory.mktemp("keys") / "keys.toml"
    keys.write_text('[[key]]\nkey = "long-enough"\nrights = ["translate"]\n', encoding="utf-8")
    model: Path = make_model(tmp_path_factory.mktemp("shy") / "fr-en.model")
    with running([model], keys=str(keys), anonymous="translate") as started:
        yield started.url


def test_who_may_not_see_stored_text_sees_no_card(browser: object, shy: str) -> None:
    page = Page(browser, shy)
    page.type("La maison.", "The house.")
    page.until(lambda: not page["matches-card"].is_displayed())
    assert not page["notice"].is_displayed()
