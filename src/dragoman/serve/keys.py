"""Who may do what, and how often.

A key file is TOML:

    [[key]]
    name = "weblate"
    key = "a long random string"          # or sha256 = "..." of it
    rights = ["translate", "teach"]       # also: sources, metrics
    rate = 600                            # requests a minute; 0 or absent: the server's own limit does not apply
"""

from __future__ import annotations

import hashlib
import hmac
import math
import time
import tomllib
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.errors import ConfigError
from dragoman.serve.answers import Problem, Refusal, slow_down

RIGHTS = ("translate", "teach", "sources", "metrics")
NO_KEY = "Please contact the server operator to get an API key"
BAD_KEY = "Invalid API key"
# Addresses whose rate is remembered; the longest silent are forgotten first.
REMEMBERED = 20_000
# Keys that one address may try in vain each minute, whatever the rates are.
WRONG_KEYS = 10


@dataclass(frozen=True, slots=True)
class Caller:
    """A key's owner, or whoever came without one."""

    name: str
    rights: frozenset[str]
    rate: int = 0
    # What its rate is counted under: a key may be called like an address.
    identity: str = ""
    what: str = "requests"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def read_keys(path: str | Path) -> dict[str, Caller]:
    """Callers by the SHA-256 of their key."""

    def refuse(what: str) -> ConfigError:
        return ConfigError(f"{path}: {what}", "keys")

    try:
        data = tomllib.loads(Path(path).read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise refuse(f"is not a TOML file of keys ({error})") from None
    entries = data.pop("key", None)
    if not isinstance(entries, list) or not entries or data:
        raise refuse("must hold [[key]] tables and nothing else")
    callers: dict[str, Caller] = {}
    for number, entry in enumerate(entries, start=1):
        digest, caller = read_key(entry, number, refuse)
        if digest in callers:
            raise refuse(f"keys {number} and '{callers[digest].name}' are the same")
        callers[digest] = caller
    return callers


def read_key(entry: Any, number: int, refuse: Any) -> tuple[str, Caller]:
    unknown = set(entry) - {"name", "key", "sha256", "rights", "rate"}
    if unknown:
        raise refuse(f"key {number} has an unknown entry '{sorted(unknown)[0]}'")
    name, rights, rate = entry.get("name", f"key {number}"), entry.get("rights", ["translate"]), entry.get("rate", 0)
    if not isinstance(name, str) or not isinstance(rights, list) or type(rate) is not int or rate < 0:
        raise refuse(f"key {number}: name is a string, rights a list, rate a number of requests a minute")
    if bad := [right for right in rights if right not in RIGHTS]:
        raise refuse(f"key {number} has an unknown right {bad[0]!r}; there are {', '.join(RIGHTS)}")
    key, digest = entry.get("key"), entry.get("sha256")
    if isinstance(key, str) and digest is None and len(key) >= 8:
        digest = sha256(key)
    elif key is not None or not isinstance(digest, str) or len(digest) != 64:
        raise refuse(f"key {number} needs either key, of 8 characters or more, or sha256")
    return digest.lower(), Caller(name, frozenset(rights), rate, f"key {digest.lower()}")


class Bucket:
    """Lets `rate` requests a minute through, a few at once."""

    __slots__ = ("filled", "level", "per_second")

    def __init__(self, rate: int) -> None:
        self.per_second = rate / 60
        self.level = self.capacity(rate)
        self.filled = time.monotonic()

    @staticmethod
    def capacity(rate: int) -> float:
        return float(max(1, min(rate, 10 + rate // 6)))

    def take(self, rate: int, spend: bool = True) -> float:
        """0 if a request may pass now, else the seconds until one may."""
        now = time.monotonic()
        self.level = min(self.capacity(rate), self.level + (now - self.filled) * self.per_second)
        self.filled = now
        if self.level >= 1:
            self.level -= spend
            return 0
        return (1 - self.level) / self.per_second


class Gate:
    """Names a caller by key or address and holds it to its rights and rate.

    Keys cannot be guessed at speed: an address that sent several wrong ones is refused before its next is looked at,
    but for keys that have been used from there before. So others behind the same address go on.
    """

    def __init__(self, keys: dict[str, Caller], anonymous: frozenset[str], rate: int) -> None:
        self._keys = keys
        self._anonymous = anonymous
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._proven: OrderedDict[tuple[str, str], None] = OrderedDict()  # addresses and digests of keys

    @property
    def has_keys(self) -> bool:
        return bool(self._keys)

    def allows_anyone(self, right: str) -> bool:
        return right in self._anonymous

    def caller(self, key: str | None, address: str) -> Caller:
        nobody = Caller("", self._anonymous, self._rate, f"address {address}")
        # A key where none is asked for, as old configurations send it, does no harm.
        if not key or not self._keys:
            return nobody
        digest = sha256(key)
        proven = (address, digest) in self._proven
        tries = Caller("", frozenset(), WRONG_KEYS, f"wrong keys of {address}", "wrong keys")
        if not proven:
            self.count(tries, spend=False)
        for known, caller in self._keys.items():
            if hmac.compare_digest(known, digest):
                self._proven[address, digest] = None
                self._proven.move_to_end((address, digest))
                while len(self._proven) > REMEMBERED:
                    self._proven.popitem(last=False)
                return caller
        self.count(tries)
        self.count(nobody)
        raise Refusal(BAD_KEY, Problem.NO_RIGHT)

    def admit(self, key: str | None, address: str, right: str) -> Caller:
        """The caller, if it has the right and has not come too often; else a refusal."""
        caller = self.caller(key, address)
        if right not in caller.rights:
            if not key:
                raise Refusal(NO_KEY, Problem.NO_RIGHT)
            raise Refusal(f"{BAD_KEY}: it does not give the right to {right}", Problem.NO_RIGHT)
        self.count(caller)
        return caller

    def count(self, caller: Caller, *, spend: bool = True) -> None:
        """A refusal if the caller has come too often; else this time counts too, if it is to be spent."""
        if not caller.rate:
            return
        bucket = self._buckets.get(caller.identity)
        if bucket is None:
            if not spend:
                return
            bucket = self._buckets[caller.identity] = Bucket(caller.rate)
            while len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(caller.identity)
        if wait := bucket.take(caller.rate, spend):
            raise slow_down(f"no more than {caller.rate} {caller.what} a minute", math.ceil(wait))
