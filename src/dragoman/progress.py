"""How long work says how far it is: a function that is called with what is done and with all there is to do."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
