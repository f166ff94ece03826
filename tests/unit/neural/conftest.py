"""A small text in two languages, for tests of training."""

from __future__ import annotations

import random
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentences of a small grammar, their translation word by word with the adjective moved, and the links."""
    folder = tmp_path_factory.mktemp("corpus")
    choose = random.Random(1)
    nouns = {"cat": "chat", "dog": "chien", "house": "maison", "mouse": "souris"}
    adjectives = {"black": "noir", "white": "blanc", "big": "gros"}
    verbs = {"sees": "voit", "eats": "mange"}
    targets, sources, links = [], [], []
    for number in range(300):
        noun, adjective, verb, other = (choose.choice(list(part)) for part in (nouns, adjectives, verbs, nouns))
        rare = f"name{number}" if number % 10 == 0 else "friend"
        targets.append(f"the {adjective} {noun} {verb} a {other} {rare}")
        sources.append(f"le {nouns[noun]} {adjectives[adjective]} {verbs[verb]} {nouns[other]} {rare}")
        links.append("0-0 1-2 2-1 3-3 4-5 5-6")
    for name, lines in (("text", targets), ("source", sources), ("links", links)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder
