"""Memories: what a model was taught belongs to one of them, that of a client, of a project, or the default one.

All share the model. Who translates may say which apply, and how much each counts; those that do not apply are as if
they had never been taught (core/index/memory_view.h).

A lesson's full name is that of its memory, a separator, and its own; in the default memory it is its own. So the same
name may be used in several memories, and whatever keeps names keeps memories: logs, sources.bin, names.tsv.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dragoman.errors import ConfigError

DEFAULT = "default"
# The same in core/index/memories.h.
SEPARATOR = "\x1f"
MOST_CHARACTERS = 100
MOST_WEIGHT = 100

# Memories that apply, each with how often its lessons count where those of others count once.
MemoryChoice = tuple[tuple[str, int], ...]
# The same as people give it: `acme,legal=2`, names, or names with weights.
MemoriesLike = str | Iterable[str] | Mapping[str, int]


def full_name(name: str, memory: str = DEFAULT) -> str:
    """What a lesson is called among those of all memories."""
    return name if memory == DEFAULT else f"{memory}{SEPARATOR}{name}"


def memory_of(name: str) -> str:
    """The memory that a full name belongs to."""
    memory, separator, _ = name.partition(SEPARATOR)
    return memory if separator and memory else DEFAULT


def own_name(name: str) -> str:
    """A full name without its memory."""
    return name.rpartition(SEPARATOR)[2]


def require_memory(name: Any, option: str = "memory") -> str:
    """The name of a memory; ConfigError for what cannot be one."""
    if (
        not isinstance(name, str)
        or not 0 < len(name) <= MOST_CHARACTERS
        or not name.isprintable()
        or name != name.strip()
        or set(",=") & set(name)
    ):
        raise ConfigError(
            f"{str(name)[:MOST_CHARACTERS]!r} is no name for a memory; use up to {MOST_CHARACTERS} characters without"
            " commas, equals signs and spaces around it",
            option,
        )
    return name


def required_choice(given: Any, option: str = "memories") -> MemoryChoice | None:
    """What somebody chose, None for all memories; ConfigError for what is no choice."""
    if given is None:
        return None
    parts: list[tuple[Any, Any]]
    if isinstance(given, Mapping):
        parts = list(given.items())
    elif isinstance(given, str):
        parts = [weighted(part, option) for part in given.split(",")]
    elif isinstance(given, Iterable):
        parts = [weighted(part, option) if isinstance(part, str) else (part, 1) for part in given]
    else:
        parts = [(given, 1)]
    choice: dict[str, int] = {}
    for name, weight in parts:
        if require_memory(name, option) in choice:
            raise ConfigError(f"{name} is named twice", option)
        if isinstance(weight, bool) or not isinstance(weight, int) or not 1 <= weight <= MOST_WEIGHT:
            raise ConfigError(f"{name}: a memory counts once, or up to {MOST_WEIGHT} times; leave it out for 0", option)
        choice[name] = weight
    return tuple(choice.items())


def weighted(text: str, option: str) -> tuple[str, int]:
    """`acme`, or `acme=2`."""
    name, equals, weight = text.strip().partition("=")
    if equals and not (weight.isascii() and weight.isdigit() and len(weight) < 10):
        raise ConfigError(f"{text.strip()!r}: write NAME, or NAME=WEIGHT with a whole number", option)
    return name.strip(), int(weight) if equals else 1


def require_known(choice: MemoryChoice, known: Iterable[str], option: str = "memories") -> None:
    """ConfigError for memories that nobody has taught anything."""
    names = list(known)
    for name, _ in choice:
        if name not in names:
            raise ConfigError(f"there is no memory called {name}; there are: {', '.join(names)}", option)


def in_core(choice: MemoryChoice) -> list[tuple[str, int]]:
    """As the core has it, where the default memory has no name."""
    return [("" if name == DEFAULT else name, weight) for name, weight in choice]
