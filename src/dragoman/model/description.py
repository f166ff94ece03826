"""What a model directory holds, for people and programs that look at it: `dragoman inspect`."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from dragoman.learn.overlay import open_overlay
from dragoman.model.directory import ModelDirectory
from dragoman.model.manifest import KNOWN, LOG, MANIFEST, OVERLAY


@dataclass(frozen=True, slots=True)
class ComponentDescription:
    """One file of a model, and of a .bin file the bytes of its sections."""

    bytes: int
    holds: str
    sections: dict[str, int] | None = None


@dataclass(frozen=True, slots=True)
class OverlayDescription:
    """What was added to a model and removed from it since it was built; `memory` is what that takes in a process."""

    added: int
    removed: int
    bytes: int
    memory: int


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """All of a model directory; `bytes` are those of its files without the overlay."""

    model: str
    format: int
    tool: str
    source_lang: str
    target_lang: str
    bytes: int
    components: dict[str, ComponentDescription]
    overlay: OverlayDescription | None
    options: dict[str, Any]
    scores: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """What there is, without what there is not."""
        values = {key: value for key, value in dataclasses.asdict(self).items() if key != "overlay" or value}
        for component in values["components"].values():
            if component["sections"] is None:
                del component["sections"]
        return values


def describe(model: ModelDirectory) -> ModelDescription:
    components = {
        name: ComponentDescription(
            (model.path / name).stat().st_size, KNOWN[name], model.sections(name) if name.endswith(".bin") else None
        )
        for name in KNOWN
        if model.has(name)
    }
    manifest = model.manifest
    return ModelDescription(
        model=str(model.path),
        format=manifest.format,
        tool=manifest.tool,
        source_lang=manifest.source_lang,
        target_lang=manifest.target_lang,
        bytes=sum(entry.bytes for entry in components.values()) + (model.path / MANIFEST).stat().st_size,
        components=components,
        overlay=describe_overlay(model),
        options=manifest.options,
        scores=manifest.scores,
    )


def describe_overlay(model: ModelDirectory) -> OverlayDescription | None:
    if not (model.path / OVERLAY / LOG).exists():
        return None
    overlay = open_overlay(model.path)
    index = overlay.index
    return OverlayDescription(len(overlay.added()), index.removed, overlay.log.size(), index.bytes)
