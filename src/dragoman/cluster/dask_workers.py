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
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

try:
    from distributed import Client, KilledWorker, WorkerPlugin
except ImportError as error:
    from dragoman.errors import ConfigError
    from dragoman.extras import install_command

    raise ConfigError(
        f"work on a cluster needs Dask, which is not installed; get it with `{install_command('cluster')}`", "cluster"
    ) from error

from dragoman.cluster.workers import ClusterPlace, Item, ModelPlace, Result
from dragoman.errors import ConfigError, DragomanError
from dragoman.version import __version__

CONNECT_SECONDS = 30
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
            self._client = Client(place.address, set_as_default=False, timeout=CONNECT_SECONDS)
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError) as error:
            raise ConfigError(
                f"no Dask scheduler with workers answers at {place.address} ({error}); start one with `dask scheduler`"
                f" and workers with `dask worker {place.address}`",
                "cluster",
            ) from error
        self._require_same_version()

    def _require_same_version(self) -> None:
        for worker, version in self._client.run(version_here).items():
            if version != __version__:
                self._client.close()
                raise ConfigError(
                    f"worker {worker} has Dragoman {version} and this is {__version__}; install the same on all",
                    "cluster",
                )

    def __enter__(self) -> DaskWorkers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            for name in self._plugins:
                self._client.unregister_worker_plugin(name)
            self._client.close()

    def hold(self, value: bytes) -> Any:
        return self._submit(itself, value)

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self._count += 1
        key = f"dragoman-{self._work}-{self._token}-{self._count}"
        with warnings.catch_warnings():
            # That the text goes through the scheduler is meant: it outlives every worker there.
            warnings.filterwarnings("ignore", message="Sending large graph")
            return self._client.submit(function, *arguments, key=key, pure=False)

    def map(
        self,
        function: Callable[..., Result],
        items: Iterable[Item],
        *more: Any,
        argument: Callable[[Item], Any] | None = None,
    ) -> Iterator[tuple[Item, Result]]:
        most = PIECES_PER_THREAD * max(1, sum(self._client.nthreads().values())) + 1
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
        try:
            return item, future.result()
        except KilledWorker as error:
            raise DragomanError(
                f"{self._work}: several workers died of the same piece of the work, most likely because memory ran out;"
                " give them more, and run the same command again"
            ) from error

    def place(self, model: Path) -> ModelPlace:
        if self._place.shared:
            return ModelPlace(model.name, str(model.absolute()))
        files = model_files(model)
        name = f"dragoman-model-{self._token}-{len(self._plugins)}"
        self._client.register_plugin(ModelFiles(name, files), name=name)
        self._plugins.append(name)
        return ModelPlace(name, None)


def itself(value: bytes) -> bytes:
    return value


def version_here() -> str:
    return __version__


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
        for name, data in self.files.items():
            file = temporary / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        with contextlib.suppress(OSError):  # another has been faster
            temporary.rename(target)
        shutil.rmtree(temporary, ignore_errors=True)
        # The worker keeps this object; the files are on its disk now.
        self.files = {}

    def teardown(self, worker: Any) -> None:
        shutil.rmtree(Path(worker.local_directory) / self.name, ignore_errors=True)
