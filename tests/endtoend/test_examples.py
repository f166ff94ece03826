"""What the README and the tutorial tell a newcomer to type."""

from __future__ import annotations

import pytest

from tools.check_examples import PAGES, ROOT, check_page

pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")


@pytest.mark.parametrize("page", PAGES)
def test_every_example_works(page: str) -> None:
    assert check_page(ROOT / page) >= 5
