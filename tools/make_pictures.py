"""Takes the pictures of the page that the documents show: `python -m tools.make_pictures`.

Trains the phrasebook, serves it, and does in chromium what the tutorial tells the reader to do. Pictures are made again
when the page changes; nothing compares them.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from tools.get_browser import find_browser

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
MOST_BYTES = 150_000
WIDTH = 1180
SENTENCE = "Mon collègue cherche un hôtel près de la gare."
LESSON = ("La réunion est reportée à lundi.", "The meeting has been postponed until Monday.")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as url, browser(Path(folder)) as driver:
        page = Page(driver, url)
        page.type(SENTENCE)
        page.word("hotel").click()
        page.until(lambda: page.all(".examples li"))
        page.picture("page", 820)
        page.type(LESSON[0])
        page.by_id("edit").click()
        page.replace("correction", LESSON[1])
        page.picture("correction", 370)
        page.by_id("learn").click()
        page.until(lambda: page.by_id("target").text == LESSON[1])
        page.type("La réunion est reportée à demain.")
        page.picture("learned", 438)
    return 0


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    program = (sys.executable, "-m", "dragoman")
    model = folder / "fr-en.model"
    phrasebook = ROOT / "examples" / "demo" / "phrasebook.tsv"
    train = (*program, "train", phrasebook.relative_to(ROOT), "--source-lang", "fr", "--target-lang", "en")
    subprocess.run([*train, "--out", model], check=True, capture_output=True, cwd=ROOT)
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    server = subprocess.Popen([*program, "serve", "-m", model, "--port", str(port)], stderr=subprocess.DEVNULL)
    try:
        until(lambda: answers(url + "health"))
        yield url
    finally:
        server.terminate()
        server.wait()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url):
            return True
    except OSError:
        return False


@contextlib.contextmanager
def browser(folder: Path) -> Iterator[Any]:
    found = find_browser()
    if found is None:
        raise SystemExit("there is no chromium with chromedriver here; apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = found[0]
    for flag in (*FLAGS, f"--user-data-dir={folder / 'browser'}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(found[1]))
    try:
        yield driver
    finally:
        driver.quit()


def until(condition: Callable[[], Any], seconds: float = 60.0) -> Any:
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise SystemExit("the page never got there; has it changed?")
        time.sleep(0.05)
    return found


class Page:
    """What a user sees and does."""

    def __init__(self, driver: Any, url: str) -> None:
        self.driver = driver
        driver.set_window_size(WIDTH, 900)
        driver.get(url)
        self.until(lambda: self.all("#from option"))

    until = staticmethod(until)

    def by_id(self, name: str) -> Any:
        return self.driver.find_element(By.ID, name)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def word(self, text: str) -> Any:
        return next(node for node in self.all("#target .w") if node.text == text)

    def replace(self, name: str, text: str) -> None:
        self.by_id(name).clear()
        self.by_id(name).send_keys(text)

    def type(self, text: str) -> None:
        before = self.by_id("target").text
        self.replace("source", text)
        self.until(lambda: self.by_id("target").text not in ("", before))
        # The last letters are translated a moment after they were typed.
        time.sleep(2.0)

    def picture(self, name: str, height: int) -> None:
        # A window has a frame, which takes some of its height.
        frame = self.driver.execute_script("return window.outerHeight - window.innerHeight")
        self.driver.set_window_size(WIDTH, height + frame)
        self.driver.execute_script("window.scrollTo(0, 0)")
        time.sleep(0.5)
        path = PICTURES / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(path))
        if path.stat().st_size > MOST_BYTES:
            raise SystemExit(f"{path} is larger than {MOST_BYTES:,} bytes; show less of the page")


if __name__ == "__main__":
    sys.exit(main())
