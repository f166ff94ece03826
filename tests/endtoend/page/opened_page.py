"""The page as a user sees it and works with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

# What selenium calls By.ID and By.CSS_SELECTOR; it may be missing where this is read.
ID, SELECTOR = "id", "css selector"


class Page:
    """What a user sees and does."""

    def __init__(self, driver: Any, url: str) -> None:
        self.driver = driver
        driver.get(url)
        self.until(lambda: driver.find_elements(SELECTOR, "#from option"))

    def until(self, condition: Callable[[], Any], seconds: float = 60.0) -> Any:
        end = time.monotonic() + seconds
        while not (found := condition()):
            assert time.monotonic() < end, f"it never happened; the browser says {self.driver.get_log('browser')}"
            time.sleep(0.03)
        return found

    def __getitem__(self, name: str) -> Any:
        return self.driver.find_element(ID, name)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements(SELECTOR, selector))

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
