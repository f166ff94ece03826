"""How a database of corrections is reached, and what is said when it is not.

No sentence has a password in it, nor what a parser took for something else because a password was not written as
addresses want it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from typing import Any

try:
    import psycopg
except ImportError as error:
    from dragoman.errors import ConfigError
    from dragoman.extras import install_command

    raise ConfigError(
        "corrections in a database need psycopg, which is not installed; get it with"
        f" `{install_command('corrections')}`",
        "corrections",
    ) from error

from dragoman.errors import ConfigError, UnavailableError

DatabaseError = psycopg.Error
# Nobody waits longer for a database than this, or keeps others waiting.
MOST_SECONDS = 5
SESSION = {
    # An acknowledgement must outlive a crash, whatever the database does by default.
    "synchronous_commit": "on",
    "statement_timeout": f"{MOST_SECONDS}s",
    "lock_timeout": f"{MOST_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{MOST_SECONDS}s",
}
PORTS = re.compile(r"[0-9,]*", re.ASCII)


def connect(url: str) -> Any:
    """ConfigError for what is no address, DatabaseError where nobody answers."""
    address = parsed(url)
    # The last setting of a name holds, so ours come after those of the address.
    own = str(address.get("options") or os.environ.get("PGOPTIONS", ""))
    return psycopg.connect(
        url,
        application_name="dragoman",
        connect_timeout=MOST_SECONDS,
        tcp_user_timeout=1000 * MOST_SECONDS,
        options=" ".join([own, *(f"-c {name}={value}" for name, value in SESSION.items())]).strip(),
    )


def parsed(url: str) -> dict[str, Any]:
    try:
        address = psycopg.conninfo.conninfo_to_dict(url)
    except (DatabaseError, UnicodeError):
        address = None
    # An @, : or / of a password that stands there as it is makes the rest of it a host, a port or a database.
    if (
        address is None
        or "@" in f"{address.get('host', '')}{address.get('dbname', '')}"
        or not PORTS.fullmatch(str(address.get("port") or ""))
    ):
        raise ConfigError(
            "--corrections is no address of a database; write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, and in the"
            " password %40 for @, %3A for :, %2F for / and %25 for %",
            "corrections",
        )
    return address


@contextlib.contextmanager
def answering(url: str) -> Iterator[None]:
    """For a database that is away."""
    try:
        yield
    except DatabaseError as error:
        raise UnavailableError(
            f"the database of corrections, {place_of(url)}, does not answer ({first_line(error)}); try again when it"
            " does",
            "nothing was learned, because the database of corrections does not answer; try again when it does",
        ) from error


def first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]


def place_of(url: str) -> str:
    """Where a database is, without user and password."""
    address = parsed(url)
    return f"postgresql://{address.get('host') or 'localhost'}/{address.get('dbname') or ''}"
