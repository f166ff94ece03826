"""Rows of the attack that come as files: models of strangers, damage, kills, and what is no file at all.

Each says for each try what went wrong, or None.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

from benchmarks.soak_server import running
from dragoman.errors import DragomanError
from dragoman.learn.compaction import compact
from dragoman.model.directory import ModelDirectory
from dragoman.model.pack import pack
from dragoman.translator import Translator
from tests.endtoend.overwriting import LINE, Readers, rounds, three_models
from tests.fuzz.archives import refused, with_odd_header
from tests.fuzz.damaged_text import damaged_reads
from tests.fuzz.logs import MutatedLogs
from tests.fuzz.special_files import SPECIAL, dangling, remove
from tests.fuzz.strange_models import make_model as make_whole_model
from tests.fuzz.strange_models import strange_uses
from tests.unit.learn.killed import check_after_kill, in_child, kill_after, kill_at, taught_model
from tests.unit.learn.support import make_model

# About as many calls of the system as a compaction makes.
KILL_EVENTS = 150
MOST_MUTATIONS = 1_000_000


def strange_model(name: str, folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    """One file of a model changed, sizes and hashes made right."""
    model = make_whole_model(folder / "model")
    yield from strange_uses(model, name, folder, tries, first=seed * MOST_MUTATIONS)


def damaged_text(kind: str, folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    yield from damaged_reads(kind, folder, tries, random.Random(f"{kind} {seed}"))


def killed_compactions(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    """At a call of the system or at a moment; the next writer leaves nothing of what was to be forgotten."""
    chance = random.Random(seed)
    template = taught_model(folder / "template" / "model")
    for number in range(tries):
        model = folder / str(number) / "model"
        shutil.copytree(template, model)
        event, seconds = chance.randint(1, KILL_EVENTS), chance.uniform(0, 0.05)
        kill = kill_at(event) if number % 2 else kill_after(seconds)
        status = in_child(lambda model=model: compact(model) and None, kill)  # type: ignore[arg-type,misc]
        try:
            # Whoever was not hit in time has compacted the model.
            assert status == 0 or os.WTERMSIG(status) in (signal.SIGKILL, signal.SIGALRM), f"status {status}"
            check_after_kill(model, add=chance.random() < 0.5)
            yield None
        except (AssertionError, DragomanError, OSError) as error:
            yield f"killed at call {event} or after {seconds:.4f} s: {error!r}"
        shutil.rmtree(model.parent)


def overwritten_files(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    """Under a running server, which goes on with answers of a whole model."""
    models = three_models(folder)
    texts = {str(Translator.load(model).translate(LINE)) for model in models[1:]}
    with running(models[0], folder / "log") as server:
        readers = Readers(server, texts)
        with readers.reading():
            for number in rounds(tries, models, random.Random(seed), readers):
                if server.died():
                    yield f"the server ended in round {number}"
                    return
                yield readers.wrong[0] if readers.wrong else None
                if readers.wrong:
                    return


def mutated_logs(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    chance = random.Random(seed)
    mutations = MutatedLogs(folder / "model")
    for number in range(tries):
        try:
            mutations.check(chance)
            yield None
        except Exception as error:
            yield f"mutation {number}: {error!r}"


def mutated_archives(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    chance = random.Random(seed)
    pack(ModelDirectory.open(make_model(folder / "model")), folder / "packed", lambda done, total: None)
    archive = (folder / "packed").read_bytes()
    for number in range(tries):
        try:
            refused(with_odd_header(archive, chance), folder)
            yield None
        except Exception as error:
            yield f"mutation {number}: {error!r}"


def special_files(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    """A pipe, a folder, a socket, a link to nowhere or a device in the place of a file is refused at once."""
    chance = random.Random(seed)
    path = make_model(folder / "model")
    Translator.load(path).add("un chat", "a cat", id="1")
    names = sorted(str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())
    # Without its log a model is what it was before anything was added.
    places = [(name, make) for name in names for make in SPECIAL if (name, make) != ("overlay/log", dangling)]
    for _ in range(tries):
        name, make = chance.choice(places)
        kept = (path / name).read_bytes()
        (path / name).unlink()
        make(path / name)
        try:
            Translator.load(path).add("un chien", "a dog", id="2")
            yield f"{make.__name__} in the place of {name} was no trouble"
        except (DragomanError, OSError) as error:
            yield None if name in str(error) else f"{make.__name__} in the place of {name}: {error}"
        except Exception as error:
            yield f"{make.__name__} in the place of {name}: {error!r}"
        remove(path / name)
        (path / name).write_bytes(kept)
