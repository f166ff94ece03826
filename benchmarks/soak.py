"""A server that is killed again and again while it is taught, forgets, and translates.

    python -m benchmarks.soak [--seconds 3600] [--kill-every 60] [--writers 3] [--readers 3] [--compact-every 5]
                              [--model MODEL]

Every writer has a memory of its own and a few made-up words that the model does not know, and teaches translations of
them or takes them back, one request at a time; two writers each have the same words, and memories that know nothing of
each other, and the weights follow what is taught. So at any moment the words' translations follow from the requests so
far: a word that is not taught passes through, one that is taught has exactly one translation. Readers translate all
words of a writer in one request, as text or as a file. What they get must be the state after one of that writer's
requests, no earlier than the last that was acknowledged when the reader asked, no later than the last that was sent
when it had its answer: then nothing acknowledged was lost, nothing came back, and no answer mixed two states. A request
that a kill cut off may have happened or not; the first answer afterwards settles which, for good. Every so many kills
the model is compacted by another process meanwhile. The server gets SIGKILL, waits for nobody, and is started again on
the same directory.

At the end the server is killed once more, and both a new one and the library must know every word as it was left. Then
all is taken back, and weights, translations and scores must be those of the model before. Prints JSON; exits with 1 if
anything was not as it must be. MODEL is copied first.
"""

from __future__ import annotations

import argparse
import http.client
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measure import report
from benchmarks.soak_server import SoakServer, letters, make_soak_model, running
from dragoman.learn.lesson_query import LessonQuery
from dragoman.model.directory import ModelDirectory
from dragoman.translator import Translator
from examples.demo.phrasebook import phrases
from tests.unit.serve.client import Answer

WORDS_OF_A_WRITER = 4
State = tuple[str, ...]
GONE = (OSError, http.client.HTTPException)


class History:
    """The states of one writer's words in the order they were asked for."""

    def __init__(self, words: list[str], memory: str = "default") -> None:
        self.words, self.memory = words, memory
        self._states: list[State] = [tuple(words)]
        self._acknowledged = 0
        self._lock = threading.Lock()

    def issue(self, changes: dict[int, str]) -> None:
        """About to be sent: words by number, and what they will be."""
        with self._lock:
            state = list(self._states[-1])
            for number, translation in changes.items():
                state[number] = translation
            self._states.append(tuple(state))

    def acknowledge(self) -> None:
        with self._lock:
            self._acknowledged = len(self._states) - 1

    def withdraw(self) -> None:
        """It was refused, or did not happen."""
        with self._lock:
            self._states.pop()

    def settle(self, seen: State) -> bool | None:
        """Whether the last request happened, by what is there now; None if what is there can be neither."""
        with self._lock:
            if seen == self._states[-1]:
                self._acknowledged = len(self._states) - 1
                return True
            if seen == self._states[-2]:
                self._states.pop()
                return False
            return None

    @property
    def last(self) -> State:
        with self._lock:
            return self._states[-1]

    def begin(self) -> int:
        """To be called before asking; `fits` wants it back."""
        with self._lock:
            return self._acknowledged

    def fits(self, seen: State, begin: int) -> bool:
        with self._lock:
            return seen in self._states[begin:]

    def around(self, begin: int) -> list[State]:
        """For the report of what did not fit."""
        with self._lock:
            return self._states[max(0, begin - 2) :]


@dataclass
class Findings:
    """What all threads count."""

    counts: Counter[str] = field(default_factory=Counter)
    violations: list[dict[str, Any]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str, amount: int = 1) -> None:
        with self.lock:
            self.counts[what] += amount

    def violate(self, what: str, **details: Any) -> None:
        with self.lock:
            self.counts["violations"] += 1
            if len(self.violations) < 10:
                self.violations.append({"what": what, **details})


class Soak:
    """The threads and what they share."""

    def __init__(self, server: SoakServer, languages: tuple[str, str], writers: int, seed: int = 1) -> None:
        self._server = server
        self._pair = {"source": languages[0], "target": languages[1]}
        self._seed = seed
        self.found = Findings()
        self.ended = threading.Event()
        self.histories = [
            History(
                [f"zq{letters(writer // 2 * WORDS_OF_A_WRITER + number)}w" for number in range(WORDS_OF_A_WRITER)],
                f"client-{writer}",
            )
            for writer in range(writers)
        ]
        for history in self.histories:
            # So that there is the memory, whatever is forgotten.
            answer = self._server.post("/suggest", q="Bonjour.", s="Hello.", memory=history.memory, **self._pair)
            assert answer.status == 200, answer.json

    def translation(self, history: History, as_file: bool) -> tuple[int, State]:
        """Status and translations of a writer's words, each on a line of its own."""
        text = "\n".join(history.words)
        choice = {**self._pair, "memories": history.memory}
        if as_file:
            reply = self._server.upload("/translate_file", "words.txt", text.encode(), **choice)
            if reply.status != 200:
                return reply.status, ()
            reply = self._server.download(reply)
            return reply.status, tuple(reply.body.decode().lower().split("\n"))
        reply = self._server.post("/translate", q=text, **choice)
        if reply.status != 200:
            return reply.status, ()
        return 200, tuple(str(reply.json["translatedText"]).lower().split("\n"))

    def read(self, number: int) -> None:
        """A reader, until the end."""
        chance = random.Random(self._seed * 1000 + number)
        while not self.ended.is_set():
            if not self._server.wait_up(1):
                continue
            history = chance.choice(self.histories)
            begin = history.begin()
            try:
                status, seen = self.translation(history, as_file=chance.random() < 0.1)
            except GONE:
                self.found.count("requests cut off")
                continue
            if status == 200:
                self.found.count("answers checked")
                if not history.fits(seen, begin):
                    self.found.violate("an answer is no state", seen=seen, states=history.around(begin))
            else:
                self.refused(status)

    def refused(self, status: int) -> None:
        self.found.count(f"status {status}")
        if status != 429:
            self.found.violate("a good request was refused", status=status)

    def write(self, number: int) -> None:
        """A writer, until the end."""
        chance = random.Random(self._seed * 1000 + 500 + number)
        history = self.histories[number]
        where = {**self._pair, "memory": history.memory}
        # Of several sentences those are taught that would be translated otherwise: by this memory alone.
        seen = {"memories": history.memory}
        ids: dict[int, str] = {}
        version = 0
        while not self.ended.is_set():
            if not self._server.wait_up(1):
                continue
            taught = [word for word in range(len(history.words)) if history.last[word] != history.words[word]]
            forget = bool(taught) and chance.random() < 0.35
            if forget:
                chosen = [chance.choice(taught)]
                changes = {word: history.words[word] for word in chosen}
            else:
                version += 1
                chosen = sorted(chance.sample(range(len(history.words)), 1 if chance.random() < 0.8 else 2))
                changes = {word: f"xk{letters(version)}v{letters(word)}" for word in chosen}
            history.issue(changes)
            try:
                if forget:
                    reply = self._server.post("/forget", ids=[ids[chosen[0]]], **where)
                else:
                    texts = {
                        "q": "\n".join(history.words[word] for word in chosen),
                        "s": "\n".join(changes[word] for word in chosen),
                    }
                    reply = self._server.post("/suggest", **texts, **where, **seen)
            except GONE:
                self._settle(history)
                if not forget and history.last[chosen[0]] == changes[chosen[0]]:
                    ids.update(self._ids(history, chosen))
                continue
            self._answered(history, reply, forget)
            if reply.status == 200 and not forget:
                ids.update(zip(chosen, reply.json["ids"], strict=True))

    def _ids(self, history: History, chosen: list[int]) -> dict[int, str]:
        """Names of lessons whose answer was lost: teaching the same again changes nothing and tells."""
        for _ in range(100):
            try:
                made = {}
                for word in chosen:
                    texts = {"q": history.words[word], "s": history.last[word], "memory": history.memory}
                    reply = self._server.post("/suggest", **texts, **self._pair)
                    made[word] = str(reply.json["ids"][0])
                return made
            except GONE:
                self._server.wait_up(10)
        raise RuntimeError("the server does not answer")

    def _answered(self, history: History, reply: Answer, forget: bool) -> None:
        if reply.status != 200:
            history.withdraw()
            self.refused(reply.status)
            return
        history.acknowledge()
        self.found.count("removals acknowledged" if forget else "lessons acknowledged")
        if forget and reply.json["removed"] != 1:
            self.found.violate("a lesson was not there to be removed", answer=reply.json)

    def _settle(self, history: History) -> None:
        """After a kill: did the last request happen?"""
        self.found.count("writes cut off")
        for _ in range(100):
            self._server.wait_up(10)
            try:
                status, seen = self.translation(history, as_file=False)
            except GONE:
                continue
            if status == 200:
                break
        else:
            raise RuntimeError("the server does not answer")
        happened = history.settle(seen)
        if happened is None:
            self.found.violate("an acknowledged change is lost", seen=seen, states=history.around(0)[-4:])
            history.withdraw()
        else:
            self.found.count("cut off and done" if happened else "cut off and not done")

    def verify(self, seen_by: str, translate: Any) -> None:
        """Every word as it was left."""
        for history in self.histories:
            seen = translate(history)
            self.found.count("words verified at the end", len(history.words))
            if seen != history.last:
                self.found.violate(f"the end is not as it was left, says the {seen_by}", seen=seen, left=history.last)


def known(translator: Translator) -> tuple[list[tuple[str, float]], list[Any]]:
    """Weights, and what the model makes of sentences, with scores."""
    return list(translator.weights.items()), translator.translate([source for source, _ in phrases()[:50]], nbest=3)


def compaction(model: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "dragoman.cli.main", "compact", str(model)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def soak(
    model: Path, log: Path, seconds: float, kill_every: float, writers: int, readers: int, compact_every: int
) -> dict[str, Any]:
    """Runs it all; see the top of this file."""
    manifest = ModelDirectory.open(model).manifest
    fresh = known(Translator.load(model))
    with running(model, log, "--queue", "256") as server:
        made = Soak(server, (manifest.source_lang, manifest.target_lang), writers)
        found = made.found
        threads = [threading.Thread(target=made.read, args=(number,)) for number in range(readers)]
        threads += [threading.Thread(target=made.write, args=(number,)) for number in range(writers)]
        for thread in threads:
            thread.start()
        chance = random.Random(7)
        deadline = time.monotonic() + seconds
        kills = 0
        try:
            while (left := deadline - time.monotonic()) > 0:
                compacting = compaction(model) if compact_every and kills % compact_every == compact_every - 1 else None
                # Not always at the same moment of what the threads do.
                time.sleep(min(left, kill_every * chance.uniform(0.9, 1.1)))
                if server.died():
                    found.violate("the server died of itself", log=log.read_text()[-2000:])
                server.kill()
                kills += 1
                if compacting is not None:
                    errors = compacting.communicate(timeout=120)[1]
                    found.count("compactions")
                    if compacting.returncode:
                        found.violate("compaction failed", says=errors[-500:])
                server.start()
        finally:
            made.ended.set()
            for thread in threads:
                thread.join(120)
        for thread in threads:
            if thread.is_alive():
                found.violate("a thread did not end")
        server.kill()
        server.start()
        made.verify("server", lambda history: made.translation(history, as_file=False)[1])
        if code := server.stop():
            found.violate("the server did not stop well", code=code)
        library = Translator.load(model)

        def ask_library(history: History) -> State:
            return tuple(str(each).lower() for each in library.translate(history.words, memories=history.memory))

        made.verify("library", ask_library)
        found.count("weights that moved", sum(a != b for a, b in zip(library.weights.items(), fresh[0], strict=True)))
        for history in made.histories:
            library.remove_lessons(LessonQuery(memory=history.memory))
        if known(library) != fresh or known(Translator.load(model)) != fresh:
            found.violate("the model is not as it was before, with all taken back")
        return {
            "seconds": round(seconds),
            "kills": kills,
            **dict(sorted(found.counts.items())),
            "violations": found.counts["violations"],
            "examples": found.violations,
            "log_bytes": (model / "overlay" / "log").stat().st_size if (model / "overlay" / "log").exists() else 0,
            "slowest_start_seconds": round(max(server.start_seconds), 2),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--kill-every", type=float, default=60)
    parser.add_argument("--writers", type=int, default=3)
    parser.add_argument("--readers", type=int, default=3)
    parser.add_argument("--compact-every", type=int, default=5, help="kills from one compaction to the next; 0: never")
    parser.add_argument("--model", type=Path, help="instead of one made of the phrasebook")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        model = Path(directory) / "soak.model"
        make_soak_model(model, given.model)
        made = soak(
            model,
            Path(directory) / "log",
            given.seconds,
            given.kill_every,
            given.writers,
            given.readers,
            given.compact_every,
        )
    report(made)
    sys.exit(1 if made["violations"] else 0)


if __name__ == "__main__":
    main()
