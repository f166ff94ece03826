"""What the page does with text and files."""

# ruff: noqa: E402, these packages may be missing
from __future__ import annotations

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


def test_it_translates_while_one_types(page: Page) -> None:
    page.type("La maison bleue.", "The blue house.")
    page["source"].send_keys(Keys.END, Keys.ENTER, "Le chat dort.")
    page.until(lambda: page["target"].text == "The blue house.\nThe cat sleeps.")
    assert page["count"].text.startswith("30 / ")
    page["clear"].click()
    page.until(lambda: page["target"].text == "")


def test_hovering_lights_up_links_on_both_sides(page: Page) -> None:
    page.type("La maison bleue.", "The blue house.")
    ActionChains(page.driver).move_to_element(page.word("blue")).perform()
    page.until(lambda: page.lit() == (["bleue"], ["blue"]))
    # Over the text that is typed in, too.
    words = page.all("#mirror span")
    maison = next(node for node in words if node.get_attribute("textContent") == "maison")
    box = maison.rect
    source = page["source"].rect
    ActionChains(page.driver).move_to_element_with_offset(
        page["source"],
        int(box["x"] + box["width"] / 2 - source["x"] - source["width"] / 2),
        int(box["y"] + box["height"] / 2 - source["y"] - source["height"] / 2),
    ).perform()
    page.until(lambda: page.lit() == (["maison"], ["house"]))


def test_a_click_shows_the_sentences_behind_a_phrase(page: Page) -> None:
    page.type("Le chien et le chat", "The dog and the cat")
    page.word("dog").click()
    page.until(lambda: page.all(".examples li"))
    assert "le chien et le chat" in page["phrase-body"].text
    source, target = [node.text for node in page.all(".examples mark")][:2]
    assert "chien" in source.split() and "dog" in target.split()


def test_the_derivation_is_a_tree_one_can_walk(page: Page) -> None:
    page.type("La maison bleue.", "The blue house.")
    nodes = page.until(lambda: page.all("#tree button"))
    assert "seen" in nodes[0].text
    nodes[0].click()
    page.until(lambda: page.all(".examples li"))


def test_the_keyboard_is_enough(page: Page) -> None:
    page.type("La maison bleue.", "The blue house.")
    page.driver.execute_script("document.querySelector('#target .w').focus()")
    for key in (Keys.ARROW_RIGHT, Keys.ENTER):
        page.driver.switch_to.active_element.send_keys(key)
    page.until(lambda: page.all(".examples li"))
    assert page.driver.switch_to.active_element.text == "blue"
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    page.until(lambda: not page.all(".examples li"))


def test_a_glossary(page: Page) -> None:
    page.type("La maison.", "The house.")
    page["add-term"].click()
    term, translation = page.all(".term-row input")
    term.send_keys("maison")
    translation.send_keys("Mansion")
    page.until(lambda: page["target"].text == "The Mansion.")
    page.until(lambda: page.all(".term-row .hits")[0].text == "1×")
    page.driver.find_element(By.CSS_SELECTOR, ".term-row button").click()
    page.until(lambda: page["target"].text == "The house.")


def test_a_file(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "lettre.txt"
    path.write_text("La maison.\nLe chat dort.\n")
    page["file"].send_keys(str(path))
    link = page.until(lambda: page.all("#files a"))[0]
    text = page.driver.execute_async_script(
        "const done = arguments[1]; fetch(arguments[0].href).then((a) => a.text()).then(done)", link
    )
    assert text == "The house.\nThe cat sleeps.\n"
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG")
    page["file"].send_keys(str(path))
    page.until(lambda: "not supported" in page["files"].text)


def test_a_file_that_is_dropped(page: Page) -> None:
    page.driver.execute_script(
        """const transfer = new DataTransfer();
        transfer.items.add(new File(["<p>La <b>maison</b>.</p>"], "page.html"));
        for (const name of ["dragover", "drop"]) document.getElementById("source-pane").dispatchEvent(
          new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true }));"""
    )
    link = page.until(lambda: page.all("#files a"))[0]
    text = page.driver.execute_async_script(
        "const done = arguments[1]; fetch(arguments[0].href).then((a) => a.text()).then(done)", link
    )
    assert text == "<p>The <b>house</b>.</p>"


def test_text_is_never_markup(page: Page) -> None:
    page["source"].send_keys("<img src=x onerror=alert(1)> la maison")
    page.until(lambda: "<img src=x onerror=alert(1)>" in page["target"].text)
    assert not page.all("#target img, #mirror img, #tree img")


# Text that stands out too little from what is behind it, by the measure of WCAG 2: 4.5, or 3 for large text.
FAINT = """
const luminance = (c) => [0, 1, 2].reduce((sum, i) => sum + [0.2126, 0.7152, 0.0722][i] *
  (c[i] / 255 <= 0.04045 ? c[i] / 255 / 12.92 : ((c[i] / 255 + 0.055) / 1.055) ** 2.4), 0);
const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const chain = (node) => { const all = []; for (; node; node = node.parentElement) all.unshift(node); return all; };
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode.parentElement, style = getComputedStyle(node);
  const passed_over = !node.checkVisibility() || node.closest(":disabled, [aria-hidden=true]");
  if (passed_over || !walker.currentNode.textContent.trim()) continue;
  let behind = [255, 255, 255, 1], opacity = 1;
  for (const each of chain(node)) {
    behind = over(parse(getComputedStyle(each).backgroundColor), behind);
    opacity *= Number(getComputedStyle(each).opacity);
  }
  const colour = parse(style.color), size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
  const [a, b] = [luminance(over([...colour.slice(0, 3), colour[3] * opacity], behind)), luminance(behind)];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < (size >= 24 || (bold && size >= 18.66) ? 3 : 4.5))
    found.push(`${walker.currentNode.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
}
return found;
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_can_be_read(page: Page, theme: str) -> None:
    page.driver.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    # Colours are to be where they end, not on their way there.
    still = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", still)
    found = {"at first": page.driver.execute_script(FAINT)}
    page.type("Le zorglub et la maison bleue.", "The zorglub and the blue house.")
    found["text"] = page.driver.execute_script(FAINT)
    for number, node in enumerate(page.until(lambda: page.all("#tree button"))):
        ActionChains(page.driver).move_to_element(node).perform()
        page.until(lambda: page.all("#tree .in-phrase"))
        found[f"hovering {number}"] = page.driver.execute_script(FAINT)
    page.word("blue").click()
    page.until(lambda: page.all(".examples li"))
    found["sources"] = page.driver.execute_script(FAINT)
    page["add-term"].click()
    page["edit"].click()
    found["correcting"] = page.driver.execute_script(FAINT)
    page.driver.get(page.driver.current_url + "docs")
    page.driver.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    found["routes"] = page.driver.execute_script(FAINT)
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert {state: texts for state, texts in found.items() if texts} == {}


@pytest.mark.parametrize(
    ("sentences", "word"), [(1, "house"), (30, "cat"), (30, "house")], ids=["short", "long, top", "long, bottom"]
)
def test_sources_do_not_hide_the_translation_on_a_phone(
    browser: Any, server: Server, sentences: int, word: str
) -> None:
    size = {"width": 360, "height": 640, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    box = "const box = arguments[0].getBoundingClientRect(); return [box.top, box.bottom]"
    try:
        page = Page(browser, server.url)
        page["source"].send_keys("Le chat dort. " * (sentences - 1) + "La maison bleue.")
        page.until(lambda: page["target"].text.endswith("The blue house."))
        chosen = next(node for node in page.all("#target .w") if node.text in (word, word.title()))
        browser.execute_script("arguments[0].click()", chosen)
        sheet = page.until(lambda: page.all("#phrase.open"))[0]
        seen = page["target"] if sentences == 1 else chosen

        def in_sight() -> bool:
            (top, bottom), (edge, end) = (browser.execute_script(box, node) for node in (seen, sheet))
            return bool(top >= 0 and bottom <= edge + 1 and end <= 641 and edge >= 640 * 0.5)

        page.until(in_sight, 10)
        page["phrase-close"].click()
        page.until(lambda: not page.all("#phrase.open"))
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_on_a_phone(browser: Any, server: Server) -> None:
    size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page = Page(browser, server.url)
        page.type("La maison bleue.", "The blue house.")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
        page.word("blue").click()
        sheet = page.until(lambda: page.all("#phrase.open"))[0]
        page.until(lambda: browser.execute_script("return arguments[0].getBoundingClientRect().bottom", sheet) <= 741)
        page["phrase-close"].click()
        page.until(lambda: not page.all("#phrase.open"))
        for node in page.all("button"):
            if node.is_displayed():
                assert node.rect["x"] >= 0
                assert node.rect["x"] + node.rect["width"] <= 361
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_it_says_when_the_server_is_gone(browser: Any, tmp_path: Path) -> None:
    with running([make_model(tmp_path / "m")]) as server:
        page = Page(browser, server.url)
        page.type("La maison.", "The house.")
    page["source"].send_keys(" Le chat dort.")
    page.until(lambda: "does not answer" in page["notice"].text)
    assert page["source"].get_attribute("value") == "La maison. Le chat dort."
    with running([tmp_path / "m"], port=server.port):
        page.until(lambda: page["target"].text == "The house. The cat sleeps.")
        assert not page["notice"].is_displayed(), page["notice"].text
