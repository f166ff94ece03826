"""Gets chromium and its driver, with which the page is tested: `python -m tools.get_browser`."""

from __future__ import annotations

import shutil

from tools.programs import Programs


def find_browser() -> tuple[str, str] | None:
    """The browser and its driver, if both are on this machine."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


BROWSER = Programs("Browser for the tests of the page", ("chromium", "chromium-driver"), find_browser)


def main() -> None:
    BROWSER.get()


if __name__ == "__main__":
    main()
