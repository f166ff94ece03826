"""The model that a path has now: the one that was opened, with what was added since, or the one that took its place."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from dragoman.errors import ConfigError, DragomanError, UnavailableError
from dragoman.learn.overlay import ModelReplacedError, Overlay
from dragoman.learn.weight_steps import followed
from dragoman.model.opened import OpenedModel, OpenRequest
from dragoman.model.private_files import Fingerprint, fingerprint, is_quiet, same_text

Change = TypeVar("Change")
# A model whose corrections could not be had is not tried again before this.
RETRY_SECONDS = 5.0


class LatestModel:
    """Opens a model again when another has taken its place. Safe to share between threads."""

    def __init__(self, opened: OpenedModel, request: OpenRequest | None = None) -> None:
        """Without `request`, which opens it again, it stays what it is."""
        self._opened: OpenedModel | None = opened
        self.request = request
        self._reopening = threading.Lock()
        # Files that were found instead of those that private copies were made of, and could not be opened.
        self._refused: Fingerprint | None = None
        self._not_before = 0.0
        # With the weights that corrections led to, and what they were worked out for.
        self._followed: tuple[OpenedModel, int, OpenedModel] | None = None
        # Called when private copies were made anew, or with the reason why they could not be.
        self.on_reopened: Callable[[DragomanError | OSError | None], None] = lambda error: None

    @property
    def opened(self) -> OpenedModel:
        """As it was at the last look."""
        opened = self._opened
        if opened is None:
            raise ConfigError("this translator is closed; load the model again", "model")
        return self._following(opened)

    def _following(self, opened: OpenedModel) -> OpenedModel:
        """With weights that have followed the corrections, where they do."""
        if opened.tuned is None or opened.overlay is None or opened.log_end is not None:
            return opened
        known, version = self._followed, opened.overlay.version
        if known is None or known[0] is not opened or known[1] != version:
            steps = opened.overlay.steps(opened.tuned)
            adapted = opened.with_weights(followed(opened.tuned, steps)) if steps else opened
            self._followed = known = opened, version, adapted
        return known[2]

    @property
    def closed(self) -> bool:
        return self._opened is None

    def close(self) -> None:
        """Lets go of the files; work that is under way ends first, and holds them until then."""
        with self._reopening:
            self._opened = None

    @property
    def overlay(self) -> Overlay:
        """What was added to the model and removed from it."""
        opened = self.opened
        if opened.overlay is None or opened.log_end is not None:
            raise ConfigError("this translator keeps what it has and cannot learn; use the one it was made from", "add")
        return opened.overlay

    def now(self) -> OpenedModel:
        """With what other translators and processes have added, or the model that was put here."""
        opened = self.opened
        if opened.overlay is None or opened.log_end is not None:
            return opened
        if self.request is not None and self._is_outdated(opened):
            try:
                self._reload(self.request)
            except UnavailableError as error:
                # The old one is as good, and hears of all corrections as soon as anybody does.
                self._not_before = time.monotonic() + RETRY_SECONDS
                self.on_reopened(error)
            except (DragomanError, OSError) as error:
                # Private copies are as good as ever.
                if opened.fingerprint is None:
                    raise
                self._refused = fingerprint(opened.model.path)
                self.on_reopened(error)
            opened = self.opened
        if opened.overlay is None:
            return opened
        opened.overlay.refresh()
        return self.opened

    def change(self, change: Callable[[Overlay], Change]) -> Change:
        """Adds or removes; if another model has taken the place of this one meanwhile, it is done to that."""
        while True:
            opened, request = self.opened, self.request
            if (
                request is not None
                and opened.fingerprint is not None
                and not same_text(opened.fingerprint, fingerprint(opened.model.path))
            ):
                self._reload(request)
            try:
                return change(self.overlay)
            except ModelReplacedError:
                if request is None:
                    raise
                self._reload(request)

    def _is_outdated(self, opened: OpenedModel) -> bool:
        """Whether it is time to open the model again."""
        assert opened.overlay is not None
        if time.monotonic() < self._not_before:
            return False
        if opened.fingerprint is None:
            return opened.overlay.replaced()
        path = opened.model.path
        if fingerprint(path) in (opened.fingerprint, self._refused):
            return False
        # A directory that took the place of another is whole; files that are written into it may not be yet.
        return opened.overlay.replaced() or is_quiet(path)

    def _reload(self, request: OpenRequest) -> None:
        with self._reopening:
            opened = self.opened
            if opened.fingerprint is not None:
                if opened.fingerprint != fingerprint(opened.model.path):
                    self._opened = request.open()
                    self.on_reopened(None)
            elif opened.overlay is None or opened.overlay.replaced():
                self._opened = request.open()
