"""Where the changes of a model are kept: in its directory, or in a database that replicas share.

A directory whose changes are elsewhere says so in MODEL/overlay/shared, so that nobody teaches it what replicas would
never know, and nobody translates without them.
"""

from __future__ import annotations

import errno
from pathlib import Path

from dragoman.errors import ConfigError
from dragoman.learn.change_log import ChangeLog
from dragoman.learn.log import SHARED, OverlayLog, require_own_log, write_mark
from dragoman.model.lock import model_lock
from dragoman.model.manifest import LOG, OVERLAY

# What systems say of a directory that cannot be written to, or of a file that its readers cannot lock, as on NFS; then
# nobody here can add to it, either.
READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM, errno.EBADF, errno.ENOLCK}


def open_log(directory: Path, index: int, corrections: str | None = None, until: int | None = None) -> ChangeLog:
    """The log of a model, of the database that `corrections` is the address of if there is one; up to `until`."""
    if corrections is None:
        require_own_log(directory)
        return OverlayLog(directory, index)
    from dragoman.learn.series import Series
    from dragoman.learn.shared_log import SharedLog

    log = SharedLog(Series(corrections, index), until)
    close_own_log(directory, log.place)
    return log


def close_own_log(directory: Path, place: str) -> None:
    """From now on nothing is added to the log of a directory; ConfigError where something was."""
    mark = directory / OVERLAY / SHARED
    if mark.exists():
        # Nobody adds to it any more, so there is nothing to wait for.
        require_no_own(directory, place)
        return
    try:
        with model_lock(directory):
            require_no_own(directory, place)
            write_mark(mark, place)
    except OSError as error:
        if error.errno not in READ_ONLY:
            raise
        require_no_own(directory, place)


def require_no_own(directory: Path, place: str) -> None:
    if (directory / OVERLAY / LOG).exists():
        raise ConfigError(
            f"{directory} has corrections of its own, which {place} does not; merge them with"
            f" `dragoman compact -m {directory}` and give all replicas the result",
            "corrections",
        )
