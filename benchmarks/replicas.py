"""Replicas that share corrections, as processes that are killed while clients teach them over HTTP.

    python -m benchmarks.replicas [--corrections 10000] [--replicas 3] [--clients 4] [--pause 4] [--model MODEL]

Every client teaches sentences with made-up words, one after another, each to a replica chosen at random, and goes on
with the same one until it is acknowledged; one in five is a sentence of its own that it teaches otherwise. Meanwhile
replicas and the PostgreSQL server, one or several of them at once, get SIGKILL and are started again. After every tenth
acknowledgement a client asks another replica until that translates as taught: the delay. Delays are told apart: those
that touch no time from a kill until a second after all were back, those that touch one in which the replica that is
asked was killed itself, and those around kills of others. So are the times that acknowledged requests took.

At the end every acknowledged correction must be among the records of the database, without a gap between these, and
the replicas, and one that is started then, must give equal translations: of every taught sentence as it was last
acknowledged, and of the phrasebook with alternatives. Prints JSON; exits with 1 if anything is not so. MODEL is copied
first; without it, one is made of the phrasebook.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import random
import re
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measure import report
from benchmarks.shared_corrections import quantiles
from benchmarks.soak_server import SoakServer, letters, make_soak_model, running
from examples.demo.phrasebook import phrases
from tests.unit.learn.postgres import PostgresServer, postgres_server

FR_EN = {"source": "fr", "target": "en"}
FRAMES = [
    ("Le {} dort.", "The {} sleeps."),
    ("Où est le {} ?", "Where is the {}?"),
    ("Nous cherchons un {} pour demain.", "We are looking for a {} for tomorrow."),
    ("Il faut fermer le {} avant de partir.", "The {} must be closed before leaving."),
]
GONE = (OSError, http.client.HTTPException)
PATIENCE_SECONDS = 120.0
BATCH = 100


@dataclass(frozen=True)
class Wait:
    """Of a client for a replica."""

    server: SoakServer
    begun: float
    ended: float


@dataclass(frozen=True)
class Outage:
    """From the kill until all were back."""

    victims: list[SoakServer | PostgresServer]
    begun: float
    ended: float


@dataclass
class Ledger:
    """What the clients were told, in the order of each sentence's corrections."""

    acknowledged: list[tuple[str, str]] = field(default_factory=list)
    last: dict[str, str] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    teaching: list[Wait] = field(default_factory=list)
    delays: list[Wait] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def acknowledge(self, source: str, target: str) -> None:
        with self.lock:
            self.acknowledged.append((source, target))
            self.last[source] = target

    def refuse(self, why: str) -> None:
        with self.lock:
            self.refused[why] += 1


class Replicas:
    def __init__(self, servers: list[SoakServer], database: PostgresServer) -> None:
        self.servers, self.database = servers, database
        self.kills: Counter[str] = Counter()
        self.outages: list[Outage] = []

    def kill_some(self, chance: random.Random) -> None:
        """Mostly one of them, now and then several at once."""
        everybody: list[SoakServer | PostgresServer] = [*self.servers, self.database]
        victims = chance.sample(everybody, chance.choice([1, 1, 1, 2, 3]))
        begun = time.monotonic()
        for victim in victims:
            victim.kill()
            self.kills["database" if victim is self.database else "server"] += 1
        # A server cannot start without the database.
        for victim in sorted(victims, key=lambda victim: victim is not self.database):
            victim.start()
        self.outages.append(Outage(victims, begun, time.monotonic()))

    def ask(self, server: SoakServer, path: str, **values: Any) -> Any:
        """The answer's JSON; an error that says why where it is none."""
        if not server.wait_up(0.01):
            raise ConnectionError("down")
        reply = server.post(path, **values, **FR_EN)
        if reply.status != 200:
            raise ConnectionError(f"{reply.status}: {reply.error}")
        return reply.json

    def wait_for(self, server: SoakServer, source: str, target: str) -> float:
        """When that replica gave this translation."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(*GONE):
                if self.ask(server, "/translate", q=source)["translatedText"] == target:
                    return time.monotonic()
            time.sleep(0.002)
        raise TimeoutError(f"never came: {source}")

    def kind(self, wait: Wait) -> str:
        near = [outage for outage in self.outages if outage.begun < wait.ended and wait.begun < outage.ended + 1]
        if not near:
            return "quiet"
        return "killed" if any(wait.server in outage.victims for outage in near) else "others_killed"

    def quantiles(self, waits: list[Wait]) -> dict[str, dict[str, float]]:
        seconds = {"all": [wait.ended - wait.begun for wait in waits], "quiet": [], "others_killed": [], "killed": []}
        for wait in waits:
            seconds[self.kind(wait)].append(wait.ended - wait.begun)
        return {
            kind: {"count": len(some), **(quantiles("time", some) if len(some) > 1 else {})}
            for kind, some in seconds.items()
        }


def teach(replicas: Replicas, ledger: Ledger, numbers: range) -> None:
    """A client, until all of its corrections are acknowledged."""
    chance = random.Random(numbers.start)
    own: list[int] = []
    for count, number in enumerate(numbers):
        sentence = chance.choice(own) if own and chance.random() < 0.2 else number
        own.append(sentence)
        frame = FRAMES[sentence % len(FRAMES)]
        source, target = frame[0].format(f"zq{letters(sentence)}w"), frame[1].format(f"xk{letters(number)}v")
        while True:
            server = chance.choice(replicas.servers)
            begun = time.monotonic()
            try:
                replicas.ask(server, "/suggest", q=source, s=target)
                break
            except ConnectionRefusedError:
                ledger.refuse("down")
            except http.client.HTTPException:
                ledger.refuse("cut off")
            except OSError as error:
                ledger.refuse("cut off" if error.errno else str(error))
            time.sleep(0.02)
        acknowledged = time.monotonic()
        ledger.acknowledge(source, target)
        ledger.teaching.append(Wait(server, begun, acknowledged))
        if count % 10 == 9:
            other = chance.choice([other for other in replicas.servers if other is not server])
            try:
                ledger.delays.append(Wait(other, acknowledged, replicas.wait_for(other, source, target)))
            except TimeoutError as error:
                ledger.failures.append(str(error))


def recorded(url: str) -> tuple[set[tuple[str, str]], int, bool]:
    """The made-up words that stand together in a change of the database, how many changes, and whether none lacks."""
    import psycopg

    words: set[tuple[bytes, bytes]] = set()
    with psycopg.connect(url) as connection:
        sizes = connection.execute("SELECT size FROM dragoman_series").fetchall()
        rows = connection.execute("SELECT start, records FROM dragoman_change ORDER BY start").fetchall()
    for _, records in rows:
        sources, targets = (re.findall(kind, bytes(records)) for kind in (rb"zq\w+w", rb"xk\w+v"))
        words.update(itertools.product(sources, targets))
    ends = [start + len(records) for start, records in rows]
    whole = [row[0] for row in rows] == [0, *ends[:-1]] and sizes == [(ends[-1],)]
    return {(source.decode(), target.decode()) for source, target in words}, len(rows), whole


def word_of(text: str) -> str:
    return next(word for word in re.split(r"\W", text) if word.startswith(("zq", "xk")))


def translations(replicas: Replicas, server: SoakServer, sources: list[str]) -> list[Any]:
    known: list[Any] = []
    for begin in range(0, len(sources), BATCH):
        known += replicas.ask(server, "/translate", q=sources[begin : begin + BATCH])["translatedText"]
    others = [source for source, _ in phrases()[:BATCH]]
    return [*known, replicas.ask(server, "/translate", q=others, alternatives=2)]


def killed_and_taught(
    model: Path, folder: Path, corrections: int, servers: int, clients: int, pause: float
) -> dict[str, Any]:
    """Runs it all; see the top of this file."""
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(postgres_server())

        def start(name: str) -> SoakServer:
            path = Path(shutil.copytree(model, folder / f"{name}.model"))
            arguments = ("--corrections", database.url, "--threads", "1", "--queue", "256")
            return stack.enter_context(running(path, folder / f"{name}.log", *arguments))

        replicas, ledger = Replicas([start(f"{number}") for number in range(servers)], database), Ledger()
        threads = [
            threading.Thread(target=teach, args=(replicas, ledger, range(client, corrections, clients)), daemon=True)
            for client in range(clients)
        ]
        begun, chance = time.monotonic(), random.Random(7)
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            threads[0].join(pause * chance.uniform(0.5, 1.5))
            if any(thread.is_alive() for thread in threads):
                replicas.kill_some(chance)
        seconds = time.monotonic() - begun
        # Who knows the last correction knows all before it.
        marker = ("Le zqmarkerw dort.", "The xkmarkerv sleeps.")
        replicas.ask(replicas.servers[0], "/suggest", q=marker[0], s=marker[1])
        ledger.acknowledge(*marker)
        replicas.servers.append(start("afterwards"))
        for server in replicas.servers:
            replicas.wait_for(server, *marker)
        sources = list(ledger.last)
        first, *others = [translations(replicas, server, sources) for server in replicas.servers]
        words, changes, whole = recorded(database.url)
        lost = [pair for pair in ledger.acknowledged if (word_of(pair[0]), word_of(pair[1])) not in words]
        wrong = [source for source, said in zip(sources, first, strict=False) if said != ledger.last[source]]
        return {
            "asked_for": corrections + 1,
            "acknowledged": len(ledger.acknowledged),
            "sentences": len(sources),
            "refused": dict(ledger.refused),
            "kills": dict(replicas.kills),
            "moments_of_kills": len(replicas.outages),
            "lost": len(lost),
            "changes_in_the_database": changes,
            "no_gap_in_the_database": whole,
            "not_as_taught": len(wrong),
            "unequal_to_the_first_replica": [
                sum(a != b for a, b in zip(first, other, strict=True)) for other in others
            ],
            "examples": [*lost[:5], *wrong[:5], *ledger.failures[:5]],
            "seconds": round(seconds, 1),
            "slowest_start_seconds": round(max(max(server.start_seconds) for server in replicas.servers), 2),
            "acknowledging": replicas.quantiles(ledger.teaching),
            "delay": replicas.quantiles(ledger.delays),
        }


def faults(figures: dict[str, Any]) -> list[Any]:
    """What is not as it must be."""
    return [
        *figures["examples"],
        *(["a client gave up"] if figures["acknowledged"] < figures["asked_for"] else []),
        *(["a gap in the database"] if not figures["no_gap_in_the_database"] else []),
        *(["replicas are unequal"] if any(figures["unequal_to_the_first_replica"]) else []),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corrections", type=int, default=10_000)
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--pause", type=float, default=4, help="seconds from one kill to the next, on average")
    parser.add_argument("--model", type=Path, help="instead of one made of the phrasebook")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_soak_model(folder / "model", given.model)
        figures = killed_and_taught(
            folder / "model", folder, given.corrections, given.replicas, given.clients, given.pause
        )
    report(figures)
    sys.exit(1 if faults(figures) else 0)


if __name__ == "__main__":
    main()
