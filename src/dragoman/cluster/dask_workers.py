"""Workers of a Dask cluster.

Everything reaches them by content, through the scheduler, which therefore can give the work of a worker that died to
another: texts and tables as results of tasks that return them, models as files of a plugin that every worker gets, also
one that comes later.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from types import TracebackType
from typing import Any

try:
    from distributed import Client, KilledWorker, Security, WorkerPlugin
except ImportError as error:
    from dragoman.errors import ConfigError
    from dragoman.extras import install_command

    raise ConfigError(
        f"work on a cluster needs Dask, which is not installed; get it with `{install_command('cluster')}`", "cluster"
    ) from error

from dragoman.cluster.workers import ClusterPlace, Item, ModelPlace, Result
from dragoman.errors import ConfigError, DragomanError
from dragoman.version import __version__

CONNECT_SECONDS = 30.0
# So long a cluster may be without workers: those that are started again need a while.
WORKERS_SECONDS = 60.0
# After so long somebody who waits looks whether there are any.
LOOK_SECONDS = 5.0
# Pieces that are under way for each thread of the workers: one that is done and one that waits.
PIECES_PER_THREAD = 2


class DaskWorkers:
    """A connection to a cluster, for the length of one work."""

    away = True

    def __init__(self, place: ClusterPlace, work: str) -> None:
        self._place = place
        self._work = work
        self._token = secrets.token_hex(4)
        self._count = 0
        self._plugins: list[str] = []
        try:
            security = None if place.security is None else Security(**place.security)
            self._client = Client(place.address, set_as_default=False, timeout=CONNECT_SECONDS, security=security)
        except TypeError as error:
            # Dask says so of certificates that it has not got.
            raise ConfigError(no_certificates(place, error), "cluster") from error
        except (OSError, ValueError) as error:
            raise ConfigError(no_scheduler(place, error), "cluster") from error
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            self._require_same_version()
        except OSError as error:
            self._client.close()
            raise ConfigError(no_workers(place, CONNECT_SECONDS), "cluster") from error
        except BaseException:
            self._client.close()
            raise
        self._workers_seen = time.monotonic()

    def _require_same_version(self) -> None:
        """Of all machines; the scheduler, too, reads what it passes on."""
        try:
            versions = {"the scheduler": self._client.run_on_scheduler(version_here)}
        except ImportError as error:
            raise ConfigError(not_installed("the scheduler", error), "cluster") from error
        versions |= self._client.run(version_here, on_error="return")
        for machine, version in versions.items():
            # One that has just ended is none to worry about.
            if isinstance(version, Exception) and not isinstance(version, OSError):
                raise ConfigError(not_installed(f"worker {machine}", version), "cluster")
            if isinstance(version, str) and version != __version__:
                raise ConfigError(another_version(machine, version, __version__), "cluster")

    def __enter__(self) -> DaskWorkers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for name in self._plugins if self._client.status == "running" else ():
                # ValueError: the scheduler has never heard of it.
                with contextlib.suppress(OSError, CancelledError, ValueError):
                    self._client.unregister_worker_plugin(name)
        finally:
            self._client.close()

    def hold(self, value: bytes) -> Any:
        return self._submit(itself, value)

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self._count += 1
        key = f"dragoman-{self._work}-{self._token}-{self._count}"
        with warnings.catch_warnings():
            # That the text goes through the scheduler is meant: it outlives every worker there.
            warnings.filterwarnings("ignore", message="Sending large graph")
            return self._client.submit(called, __version__, function, *arguments, key=key, pure=False)

    def map(
        self,
        function: Callable[..., Result],
        items: Iterable[Item],
        *more: Any,
        argument: Callable[[Item], Any] | None = None,
    ) -> Iterator[tuple[Item, Result]]:
        most = PIECES_PER_THREAD * max(1, self._threads()) + 1
        waiting: deque[tuple[Item, Any]] = deque()
        try:
            for item in items:
                waiting.append((item, self._submit(function, item if argument is None else argument(item), *more)))
                if len(waiting) >= most:
                    yield self._next(waiting)
            while waiting:
                yield self._next(waiting)
        finally:
            for _, future in waiting:
                future.cancel()

    def _next(self, waiting: deque[tuple[Item, Any]]) -> tuple[Item, Any]:
        item, future = waiting.popleft()
        seconds = LOOK_SECONDS
        while True:
            try:
                result = future.result(timeout=seconds)
                self._workers_seen = time.monotonic()
                return item, result
            except KilledWorker as error:
                raise DragomanError(
                    f"{self._work}: several workers died of the same piece of the work, most likely because memory ran"
                    " out, or Dragoman is not installed there; see to it and run the same command again"
                ) from error
            except CancelledError as error:
                raise self._ended() from error
            except OSError:
                # One of the work itself, or none came in time.
                if future.status == "error":
                    raise
                self._require_workers()
                # A large result needs its time to come here.
                seconds *= 2

    def _require_workers(self) -> None:
        """For somebody who has waited a while."""
        now = time.monotonic()
        if self._threads():
            self._workers_seen = now
        elif now - self._workers_seen > WORKERS_SECONDS:
            raise DragomanError(f"{self._work}: {no_workers(self._place, WORKERS_SECONDS)}; what was done is kept")

    def _threads(self) -> int:
        with self._scheduler():
            return sum(self._client.nthreads().values())

    @contextlib.contextmanager
    def _scheduler(self) -> Iterator[None]:
        """For what goes wrong when it has ended."""
        try:
            yield
        except (OSError, CancelledError) as error:
            raise self._ended() from error

    def _ended(self) -> DragomanError:
        return DragomanError(
            f"{self._work}: the Dask scheduler at {self._place.address} has ended; start it again and run the same"
            " command, which goes on where this one was"
        )

    def place(self, model: Path) -> ModelPlace:
        if self._place.shared:
            return ModelPlace(f"{self._token}-{model.name}", str(model.absolute()))
        files = model_files(model)
        name = f"dragoman-model-{self._token}-{len(self._plugins)}"
        # Some workers may have it even where this fails.
        self._plugins.append(name)
        with self._scheduler():
            self._client.register_plugin(ModelFiles(name, files), name=name)
        return ModelPlace(name, None)


def itself(value: bytes) -> bytes:
    return value


def called(version: str, function: Callable[..., Result], *arguments: Any) -> Result:
    """A piece of work on a worker, which may have come after all others were asked for their version."""
    if version != __version__:
        raise ConfigError(another_version("a worker", __version__, version), "cluster")
    return function(*arguments)


def version_here() -> str:
    return __version__


def another_version(machine: str, theirs: str, ours: str) -> str:
    return f"{machine} has Dragoman {theirs} and this is {ours}; install the same on all machines"


def not_installed(machine: str, error: Exception) -> str:
    return f"{machine} cannot load Dragoman ({error}); install version {__version__} with the extra `cluster` on all"


def no_scheduler(place: ClusterPlace, error: Exception) -> str:
    return (
        f"no Dask scheduler answers at {place.address} ({error}); start one with `dask scheduler`, and workers with"
        f" `dask worker {place.address}`"
    )


def no_certificates(place: ClusterPlace, error: Exception) -> str:
    return (
        f"no connection to the Dask scheduler at {place.address} without certificates ({error}); name them in"
        " distributed.comm.tls of Dask's configuration, or pass a Dask client that has them"
    )


def no_workers(place: ClusterPlace, seconds: float) -> str:
    return (
        f"the Dask scheduler at {place.address} has had no workers for {seconds:.0f} seconds; start some with"
        f" `dask worker {place.address}` and run the same command again"
    )


def model_files(path: Path) -> dict[str, bytes]:
    """All files of a model directory, by their names in it."""
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


class ModelFiles(WorkerPlugin):  # type: ignore[misc]
    """Puts a model into the folder of every worker."""

    def __init__(self, name: str, files: dict[str, bytes]) -> None:
        self.name = name
        self.files = files

    def setup(self, worker: Any) -> None:
        target = Path(worker.local_directory) / self.name
        if target.exists():
            return
        temporary = target.with_name(f".{self.name}.{os.getpid()}")
        try:
            for name, data in self.files.items():
                file = temporary / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            with contextlib.suppress(OSError):  # another has been faster
                temporary.rename(target)
        except OSError as error:
            raise DragomanError(
                f"worker {worker.address} cannot keep the model in {worker.local_directory} ({error}); make room"
                " there, or stop this worker, and run the same command again"
            ) from error
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        # The worker keeps this object; the files are on its disk now.
        self.files = {}

    def teardown(self, worker: Any) -> None:
        shutil.rmtree(Path(worker.local_directory) / self.name, ignore_errors=True)
