"""A real browser, Debian's chromium, headless. Tests of the page are skipped, visibly, where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.endtoend.page.opened_page import Page
from tests.unit.learn.support import make_model
from tools.get_browser import find_browser

if TYPE_CHECKING:
    from tests.unit.serve.support import Server

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


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: pip install '.[dev]'")
    found = find_browser()
    if found is None:
        pytest.skip("no chromium with chromedriver here: apt-get install chromium chromium-driver")
    program, its_driver = found
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(its_driver))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    from tests.unit.serve.support import running

    with running([make_model(tmp_path_factory.mktemp("page") / "fr-en.model")]) as started:
        yield started


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Page]:
    opened = Page(browser, server.url)
    yield opened
    complaints = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    browser.execute_script("localStorage.clear()")
    assert not [entry for entry in complaints if "Failed to load resource" not in entry["message"]]
