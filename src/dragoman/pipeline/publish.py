"""Giving a finished model its place: linked files, tuned weights, scores; and never over what is not ours."""

from __future__ import annotations

import dataclasses
import errno
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dragoman.errors import ConfigError, DragomanError
from dragoman.files import link_file, require_replaceable, writing
from dragoman.model.directory import ModelDirectory, building_model, sha256_of
from dragoman.model.manifest import EDITABLE, MANIFEST, is_model_file

RECORD = "published.json"


def require_place(out: Path, work: Path, overwrite: bool) -> None:
    """ConfigError unless `out` is free, or is the very model that an earlier run of this training put there."""
    if not out.exists():
        return
    if overwrite:
        # Now, and not after hours: what else lies there stops it.
        require_replaceable(out, True, is_model_file)
        return
    if not out.is_dir():
        raise ConfigError(f"{out} is a file; choose another name for the model directory", "out")
    hint = "choose another name or pass --overwrite"
    if not (out / MANIFEST).is_file():
        raise ConfigError(f"{out} exists already and is no model; {hint}", "out")
    if published(work).get(str(out.absolute())) != sha256_of(out / MANIFEST):
        raise ConfigError(f"{out} exists already and was not made here as it is; {hint}", "out")
    if (out / "overlay").exists():
        raise ConfigError(f"{out} has pairs that were added later, which training again would lose; {hint}", "out")
    weights = ModelDirectory.open(out).manifest.files.get("weights.txt")
    if weights is None or sha256_of(out / "weights.txt") != weights.sha256:
        raise ConfigError(f"{out}: its weights.txt was edited, which training again would undo; {hint}", "out")


def publish(model: Path, out: Path, work: Path, files: Mapping[str, Path], scores: Mapping[str, Any]) -> bool:
    """Makes `out` of the model in the work folder and of `files`, which go over its own; says whether there was
    anything to do. Whatever a kill leaves lies in the work folder, which the next run sweeps."""
    finished = ModelDirectory.open(model)
    manifest = dataclasses.replace(finished.manifest, scores=dict(scores))
    staged = work / f".{out.name}.staged.tmp"
    with building_model(staged, manifest) as directory:
        for name in sorted({*finished.manifest.files, *files}):
            link_or_copy(files.get(name, model / name), directory / name)
    sha256 = sha256_of(staged / MANIFEST)
    changed = not (out.is_dir() and intact(out) and sha256_of(out / MANIFEST) == sha256)
    if changed:
        take_place(staged, out, work / f".{out.name}.replaced.tmp")
    else:
        shutil.rmtree(staged)
    record = {**published(work), str(out.absolute()): sha256}
    with writing(work / RECORD) as stream:
        stream.write((json.dumps(record, indent=2) + "\n").encode())
    return changed


def take_place(staged: Path, out: Path, replaced: Path) -> None:
    """Renames; on another file system it copies."""
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        if out.exists():
            out.rename(replaced)
        staged.rename(out)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        manifest = ModelDirectory.open(staged).manifest
        with building_model(out, manifest, overwrite=True) as directory:
            for name in manifest.files:
                shutil.copyfile(staged / name, directory / name)
        shutil.rmtree(staged)
    shutil.rmtree(replaced, ignore_errors=True)


def intact(out: Path) -> bool:
    try:
        ModelDirectory.open(out)
        return True
    except DragomanError:
        return False


def link_or_copy(source: Path, target: Path) -> None:
    """What people edit by hand they get for themselves."""
    if target.name in EDITABLE:
        shutil.copyfile(source, target)
    else:
        link_file(source, target)


def published(work: Path) -> dict[str, str]:
    try:
        return dict(json.loads((work / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}
