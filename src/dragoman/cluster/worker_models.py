"""Models as a worker has them: each is opened once, however many pieces of work ask for it.

A place has the name of the connection in it, so that the next connection opens the model anew: it may have changed.
"""

from __future__ import annotations

import threading
from pathlib import Path

from dragoman.cluster.workers import ModelPlace
from dragoman.model.opened import OpenedModel, OpenRequest

# Those that a worker keeps open: two trainings may take turns on it.
KEPT = 2

_opening = threading.Lock()
_opened: dict[tuple[ModelPlace, int], OpenedModel] = {}


def opened_model(place: ModelPlace, rule_bytes: int = 0) -> OpenedModel:
    """The model, which remembers so many bytes of rules."""
    key = place, rule_bytes
    with _opening:
        model = _opened.get(key)
        if model is None:
            model = OpenRequest(model_path(place)).open()
            if rule_bytes:
                model = model.remembering(rule_bytes)
            while len(_opened) >= KEPT:
                del _opened[next(iter(_opened))]
            _opened[key] = model
        return model


def model_path(place: ModelPlace) -> Path:
    if place.path is not None:
        return Path(place.path)
    from distributed import get_worker

    return Path(get_worker().local_directory) / place.name
