"""The page in a real browser: Debian's chromium, headless. Skipped, visibly, where there is none."""

# ruff: noqa: E402, these packages may be missing
from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.learn.support import make_model
from tools.get_browser import find_browser

selenium = pytest.importorskip("selenium", reason="selenium is not installed: pip install '.[dev]'")
pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")

from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from dragoman.translator import Translator
from tests.unit.serve.support import Server, running
from tests.unit.translate.support import INTO_GERMAN, TEXTS, pairs_of
from tests.unit.translate.support import make_model as make_model_of

FOUND = find_browser()
pytestmark = pytest.mark.skipif(
    FOUND is None, reason="no chromium with chromedriver here: apt-get install chromium chromium-driver"
)
# The browser shows our page and nothing else: it looks for no news, and what it keeps goes with the test.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,1000",
)


class Page:
    """What a user sees and does."""

    def __init__(self, driver: Any, url: str) -> None:
        self.driver = driver
        driver.get(url)
        self.until(lambda: driver.find_elements(By.CSS_SELECTOR, "#from option"))

    def until(self, condition: Callable[[], Any], seconds: float = 60.0) -> Any:
        end = time.monotonic() + seconds
        while not (found := condition()):
            assert time.monotonic() < end, f"it never happened; the browser says {self.driver.get_log('browser')}"
            time.sleep(0.03)
        return found

    def __getitem__(self, name: str) -> Any:
        return self.driver.find_element(By.ID, name)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def type(self, text: str, wanted: str) -> None:
        self["source"].clear()
        self["source"].send_keys(text)
        self.until(lambda: self["target"].text == wanted)

    def word(self, text: str) -> Any:
        return next(node for node in self.all("#target .w") if node.text == text)

    def lit(self) -> tuple[list[str], list[str]]:
        return tuple(
            [node.get_attribute("textContent") for node in self.all(f"{side} .linked")]
            for side in ("#mirror", "#target")
        )  # type: ignore[return-value]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    assert FOUND is not None
    program, its_driver = FOUND
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(its_driver))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running([make_model(tmp_path_factory.mktemp("page") / "fr-en.model")]) as started:
        yield started


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Page]:
    opened = Page(browser, server.url)
    yield opened
    complaints = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    browser.execute_script("localStorage.clear()")
    assert not [entry for entry in complaints if "Failed to load resource" not in entry["message"]]


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
    return [node.text for node in page.all("#taught-list .other")]


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
        assert not page["notice"].is_displayed()


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
    enter(desk, "the house is big %(name)s {0} https://example.org/a_b ( dog )")
    codes = [node.text for node in desk.all("#target .code")]
    assert codes == ["%(name)s", "{0}", "https://example.org/a_b"]
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
