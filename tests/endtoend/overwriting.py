"""What may happen to the files of a model while a server has them open, and readers who watch the answers meanwhile."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from dragoman.learn.compaction import compact
from dragoman.model.manifest import EDITABLE
from dragoman.translator import Translator
from tests.unit.learn.support import make_model
from tests.unit.serve.client import Client

LINE = "Le chat voit la maison bleue. Une voiture rouge."


def three_models(folder: Path) -> tuple[Path, Path, Path]:
    """The model that is served, what it was made of, and another that says something else."""
    old = make_model(folder / "old.model")
    new = folder / "new.model"
    shutil.copytree(old, new)
    translator = Translator.load(new)
    for source, target in (("Une voiture rouge.", "A red wagon."), ("le chat", "the tomcat")):
        translator.add(source, target)
    compact(new)
    live = folder / "live.model"
    shutil.copytree(old, live)
    return live, old, new


def files_of(*models: Path) -> list[str]:
    """Those that no user edits."""
    return sorted({each.name for model in models for each in model.iterdir() if each.is_file()} - EDITABLE)


def overwrite(path: Path, content: bytes) -> None:
    """In place, as `cp` does: the file stays the same one."""
    with path.open("wb") as stream:
        for at in range(0, len(content), 1 << 14):
            stream.write(content[at : at + (1 << 14)])
            stream.flush()


def copy_over(model: Path, live: Path) -> None:
    for file in sorted(model.iterdir()):
        if file.is_file():
            overwrite(live / file.name, file.read_bytes())


def harm(live: Path, chance: random.Random, names: list[str]) -> None:
    path = live / chance.choice(names)
    size = path.stat().st_size if path.exists() else 0
    what = chance.randrange(4)
    if what == 0 and size:
        os.truncate(path, chance.randrange(size))
    elif what == 1 and size:
        with path.open("r+b") as stream:
            for _ in range(20):
                stream.seek(chance.randrange(size))
                stream.write(chance.randbytes(chance.randint(1, 64)))
    elif what == 2:
        overwrite(path, chance.randbytes(size or 100))
    elif size:
        path.unlink()


class Readers:
    """Callers who ask all the time, and what they got."""

    def __init__(self, client: Client, texts: set[str]) -> None:
        self._client = client
        self._texts = texts
        self._ended = threading.Event()
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._threads = [threading.Thread(target=self._read, args=(number,)) for number in range(2)]

    def _read(self, number: int) -> None:
        while not self._ended.is_set():
            try:
                answer = self._client.post("/translate", q=LINE, source="fr", target="en", explain=number == 1)
                said = answer.json
            except (OSError, http.client.HTTPException) as error:
                self.wrong.append(repr(error))
                return
            self.counts[f"{answer.status}"] += 1
            if answer.status == 200 and said["translatedText"] not in self._texts:
                self.wrong.append(said["translatedText"])
            if answer.status != 200 and not said.get("error"):
                self.wrong.append(str(said))

    def wait(self, answers: int) -> None:
        """Until there were so many more."""
        goal = self.counts.total() + answers
        end = time.monotonic() + 60
        while self.counts.total() < goal and not self.wrong and time.monotonic() < end:
            time.sleep(0.002)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._ended.set()
            for thread in self._threads:
                thread.join()


def rounds(count: int, models: tuple[Path, Path, Path], chance: random.Random, readers: Readers) -> Iterator[int]:
    """Harms files of the model that is served, or puts whole ones in their place, and lets readers have answers."""
    live, *whole = models
    names = files_of(*whole)
    for number in range(count):
        if number % 6 == 5:
            copy_over(chance.choice(whole), live)
        else:
            harm(live, chance, names)
        readers.wait(6)
        yield number
