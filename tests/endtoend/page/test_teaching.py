"""What the page is taught, and shows of it."""

# ruff: noqa: E402, these packages may be missing
from __future__ import annotations

from typing import Any

import pytest

from tests.endtoend.page.opened_page import Page

selenium = pytest.importorskip("selenium", reason="selenium is not installed: pip install '.[dev]'")
pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")

from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from dragoman.translator import Translator
from tests.unit.serve.support import Server


def test_correct_and_learn_and_forget(page: Page) -> None:
    both = "Le zorglub voit la maison.\nLe zorglub dort."
    page.type(both, "The zorglub sees the house.\nThe zorglub sleeps.")
    assert len(page.all("#target .unknown")) == 2
    page["source"].send_keys(Keys.CONTROL, Keys.ENTER)
    page.until(lambda: page["correction"].is_displayed())
    page["correction"].clear()
    page["correction"].send_keys("The snark sees the house.\nThe zorglub sleeps.")
    page["learn"].click()
    # Another sentence with the word changes too, and what changed is marked.
    page.until(lambda: page["target"].text == "The snark sees the house.\nThe snark sleeps.")
    assert [node.text for node in page.all("#target .changed")][:1] == ["snark"]
    page.word("snark").click()
    page.until(lambda: "taught here" in page["phrase-body"].text)
    page.type("Le zorglub et le chat", "The snark and the cat")
    page.driver.find_element(By.CSS_SELECTOR, "#lessons button").click()
    page.until(lambda: page["target"].text == "The zorglub and the cat")
    assert not page.all("#lessons li")


def taught(page: Page) -> list[str]:
    # In one go: the list is made anew whenever something changes.
    script = "return [...document.querySelectorAll('#taught-list .other')].map((node) => node.innerText)"
    return list(page.driver.execute_script(script))


def teach(page: Page, source: str, now: str, better: str) -> None:
    page.type(source, now)
    page["edit"].click()
    page["correction"].clear()
    page["correction"].send_keys(better)
    page["learn"].click()


def test_what_i_taught_survives_a_reload_and_is_searched_edited_and_forgotten(page: Page, server: Server) -> None:
    page.until(lambda: page["taught-none"].is_displayed())
    teach(page, "Le zorglub dort.", "The zorglub sleeps.", "The snark sleeps.")
    page.until(lambda: taught(page) == ["The snark sleeps."])
    path = next(iter(server.context.engine.pairs.values())).path
    Translator.load(path).add("Le bidule dort.", "The gizmo sleeps.", id="from elsewhere")
    page.driver.refresh()
    page.until(lambda: sorted(taught(page)) == ["The gizmo sleeps.", "The snark sleeps."])
    page.until(lambda: page["taught-count"].text == "2 lessons")
    page["taught-search"].send_keys("bidule GIZMO")
    page.until(lambda: taught(page) == ["The gizmo sleeps."])
    page.type("Le bidule voit le chat.", "The gizmo sees the cat.")
    page.all("#taught-list button")[0].click()
    _, target = page.all("#taught-list textarea")
    target.clear()
    target.send_keys("The gadget sleeps.", Keys.CONTROL, Keys.ENTER)
    page.until(lambda: page["target"].text == "The gadget sees the cat.")
    page["taught-search"].clear()
    page["taught-search"].send_keys("gadget")
    page.until(lambda: taught(page) == ["The gadget sleeps."])
    page.all("#taught-list button")[1].click()
    page.until(lambda: page["target"].text == "The bidule sees the cat.")
    page.until(lambda: taught(page) == [])
    page["taught-search"].send_keys(*[Keys.BACKSPACE] * 6)
    page.until(lambda: taught(page) == ["The snark sleeps."])
    page.all("#taught-list button")[1].click()
    page.until(lambda: page["taught-none"].is_displayed())


def test_what_looks_wrong_is_asked_about(page: Page) -> None:
    wrong = "C'est la maison que nous avons cherchée dans la ville."
    page["source"].send_keys("Le chat dort.")
    page.until(lambda: page["target"].text == "The cat sleeps.")
    for sure in (False, True):
        page["edit"].click()
        page["correction"].clear()
        page["correction"].send_keys(wrong)
        page["learn"].click()
        alert = page.until(lambda: asked(page))
        assert "looks like French, not English" in alert.text
        assert "--force" not in alert.text
        if sure:
            alert.accept()
        else:
            alert.dismiss()
            assert not taught(page)
            page["cancel"].click()
    page.until(lambda: taught(page) == [wrong])
    page.all("#taught-list button")[1].click()
    page.until(lambda: page["target"].text == "The cat sleeps.")


def asked(page: Page) -> Any:
    try:
        return page.driver.switch_to.alert
    except NoAlertPresentException:
        return None


def test_lessons_of_other_programs_show(page: Page, server: Server) -> None:
    page.type("Le machin dort.", "The machin sleeps.")
    path = next(iter(server.context.engine.pairs.values())).path
    Translator.load(path).add("machin", "gear", id="from elsewhere")
    page.until(lambda: page["target"].text == "The gear sleeps.")
    Translator.load(path).remove("from elsewhere")
    page.until(lambda: page["target"].text == "The machin sleeps.")


def test_memories_are_taught_and_applied_apart(page: Page, server: Server) -> None:
    page.until(lambda: page["taught-none"].is_displayed())
    assert not page["applied"].is_displayed()
    page["memory"].send_keys("acme" + Keys.TAB)
    teach(page, "Le zorglub dort.", "The zorglub sleeps.", "The snark sleeps.")
    page.until(lambda: taught(page) == ["The snark sleeps."])
    assert "acme" in page["taught-list"].text
    page.until(lambda: page["applied"].is_displayed())
    page.type("Le zorglub voit la maison.", "The snark sees the house.")
    boxes = page.all("#applied-list input")
    assert [box.is_selected() for box in boxes] == [True, True]
    boxes[1].click()
    page.until(lambda: page["target"].text == "The zorglub sees the house.")
    # Both choices are those of this browser.
    page.driver.refresh()
    page.until(lambda: page["applied"].is_displayed())
    assert [box.is_selected() for box in page.all("#applied-list input")] == [True, False]
    assert page["memory"].get_attribute("value") == "acme"
    page.type("Le zorglub voit la maison.", "The zorglub sees the house.")
    page.all("#applied-list input")[1].click()
    page.until(lambda: page["target"].text == "The snark sees the house.")
    page.driver.find_element(By.XPATH, "//*[@id='taught-list']//button[text()='Forget']").click()
    page.until(lambda: page["target"].text == "The zorglub sees the house.")
    assert not page["applied"].is_displayed()
