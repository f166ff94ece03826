"""Who does the pieces of a work: this process, or workers elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from dragoman.errors import ConfigError

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """Where a worker finds a model: in a folder that it sees too, or under a name in its own.

    The name is another for every connection.
    """

    name: str
    path: str | None


class Workers(Protocol):
    """Functions that are called must stand at the top of a module."""

    # Whether they are elsewhere, where threads of this process are of no use.
    away: bool

    def hold(self, value: bytes) -> Any:
        """Something large that many calls take: what to give them in its place."""

    def map(
        self,
        function: Callable[..., Result],
        items: Iterable[Item],
        *more: Any,
        argument: Callable[[Item], Any] | None = None,
    ) -> Iterator[tuple[Item, Result]]:
        """Each item with function(item, *more), in order; not all are taken at once.

        `argument` gives what the function gets instead of the item.
        """

    def place(self, model: Path) -> ModelPlace:
        """Sees to it that workers can open a model."""


class Here:
    """This process."""

    away = False

    def hold(self, value: bytes) -> Any:
        return value

    def map(
        self,
        function: Callable[..., Result],
        items: Iterable[Item],
        *more: Any,
        argument: Callable[[Item], Any] | None = None,
    ) -> Iterator[tuple[Item, Result]]:
        for item in items:
            yield item, function(item if argument is None else argument(item), *more)

    def place(self, model: Path) -> ModelPlace:
        return ModelPlace(model.name, str(model.absolute()))


# What a client has of TLS: files of certificates and keys, or their text.
CLIENT_SECURITY = ("require_encryption", "tls_ca_file", "tls_ciphers", "tls_client_cert", "tls_client_key")


@dataclass(frozen=True, slots=True)
class ClusterPlace:
    """Where a Dask scheduler listens, and whether its workers see the same folders as this process."""

    address: str
    shared: bool = False
    # What a client had of CLIENT_SECURITY; without, Dask's configuration counts. Plain values reach other processes.
    security: dict[str, Any] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, cluster: Any, shared: bool = False) -> ClusterPlace | None:
        """What somebody gave: an address, or a Dask client."""
        if cluster is None or cluster == "":
            if shared:
                raise ConfigError(
                    "--cluster-shared says what the workers of a cluster see; name its scheduler with --cluster, too",
                    "cluster_shared",
                )
            return None
        scheduler = getattr(cluster, "scheduler", None)
        address = cluster if isinstance(cluster, str) else getattr(scheduler, "address", None)
        if not isinstance(address, str) or "://" not in address:
            raise ConfigError(
                "cluster must be the address of a Dask scheduler, such as tcp://scheduler:8786, or a Dask client",
                "cluster",
            )
        if address.startswith("inproc:"):
            raise ConfigError(
                "this Dask client has its workers inside this process; start some with processes=True, or none",
                "cluster",
            )
        security = getattr(cluster, "security", None)
        kept = {name: value for name in CLIENT_SECURITY if (value := getattr(security, name, None))}
        return cls(address, shared, kept or None)


def ranges(items: int, size: int) -> list[tuple[int, int]]:
    """[0, size), [size, 2 size), ... of so many items."""
    return [(first, min(first + size, items)) for first in range(0, items, size)]
