"""Reads damaged text files one after another in a process of its own, so that the end of it is a finding too.

    python -m tests.fuzz.text_files KIND FOLDER < CONTENTS

Each line of CONTENTS is a file in base64. For each, one line of JSON comes back when it was read: null where all went
well or the file was refused in one sentence, else what went wrong.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import io
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from dragoman import _core
from dragoman.cli.main import run
from dragoman.errors import DragomanError
from dragoman.evaluate.kbest import read_kbest
from dragoman.lm import build_model
from dragoman.lm.build import read_arpa
from dragoman.model.directory import describe_file
from dragoman.model.manifest import Manifest

MOST_CHARACTERS = 1000


def command(*arguments: str | Path) -> None:
    """A command must work, or say in one line why not."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = run(list(map(str, arguments)))
    said = errors.getvalue()
    if code not in (0, 1, 2):
        raise AssertionError(f"exit code {code}: {said}")
    if code and (not said.startswith("dragoman: ") or said.count("\n") != 1 or len(said) > MOST_CHARACTERS):
        raise AssertionError(f"no sentence: {said}")


def translate(folder: Path, *more: str | Path) -> None:
    for decoder in ("hierarchical", "phrase-based"):
        command(
            "translate",
            "-m",
            folder / "model",
            folder / "text",
            "--decoder",
            decoder,
            "--threads",
            "1",
            "--json",
            *more,
        )


def of_model(name: str) -> Callable[[Path, bytes], None]:
    """A file of a model directory, as the manifest describes it."""

    def read(folder: Path, content: bytes) -> None:
        model = folder / "model"
        (model / name).write_bytes(content)
        path = model / "model.json"
        manifest = Manifest.from_json(path.read_bytes(), str(path))
        files = {**manifest.files, name: describe_file(model / name)}
        path.write_text(dataclasses.replace(manifest, files=files).to_json())
        translate(folder)

    return read


def manifest(folder: Path, content: bytes) -> None:
    (folder / "model" / "model.json").write_bytes(content)
    translate(folder)
    command("inspect", folder / "model")


def option(name: str) -> Callable[[Path, bytes], None]:
    def read(folder: Path, content: bytes) -> None:
        (folder / "given").write_bytes(content)
        translate(folder, name, folder / "given")

    return read


def settings(folder: Path, content: bytes) -> None:
    (folder / "train.toml").write_bytes(content)
    command("estimate", "--config", folder / "train.toml", "--source", folder / "absent", "--target", folder / "absent")


def arpa(folder: Path, content: bytes) -> None:
    (folder / "model.arpa").write_bytes(content)
    read_arpa(folder / "model.arpa").write(str(folder / "model" / "lm.bin"))
    path = folder / "model" / "model.json"
    manifest = Manifest.from_json(path.read_bytes(), str(path))
    files = {**manifest.files, "lm.bin": describe_file(folder / "model" / "lm.bin")}
    path.write_text(dataclasses.replace(manifest, files=files).to_json())
    translate(folder)


def classes(folder: Path, content: bytes) -> None:
    (folder / "classes").write_bytes(content)
    build_model(folder / "class.bin", [folder / "text"], classes=folder / "classes")


def grammar(folder: Path, content: bytes) -> None:
    decoder = _core.testing.Decoder.from_grammar(content, [("PassThrough", -1.0)])
    for decoder_name in ("hierarchical", "phrase-based"):
        decoder.decode([["la", "maison", "bleue"]], {"decoder": decoder_name})


def kbest(folder: Path, content: bytes) -> None:
    list(read_kbest(content.decode(errors="replace").split("\n")))


KINDS: dict[str, Callable[[Path, bytes], None]] = {
    "weights.txt": of_model("weights.txt"),
    "glossary.tsv": of_model("glossary.tsv"),
    "text.json": of_model("text.json"),
    "confidence.json": of_model("confidence.json"),
    "model.json": manifest,
    "--weights": option("--weights"),
    "--glossary": option("--glossary"),
    "train.toml": settings,
    "model.arpa": arpa,
    "classes": classes,
    "grammar": grammar,
    "kbest": kbest,
}


def main() -> None:
    read, folder = KINDS[sys.argv[1]], Path(sys.argv[2])
    for line in sys.stdin:
        finding = None
        try:
            read(folder, base64.b64decode(line))
        except DragomanError as error:
            if not str(error) or "\n" in str(error) or len(str(error)) > MOST_CHARACTERS:
                finding = f"no sentence: {error}"
        except Exception:
            finding = traceback.format_exc()
        print(json.dumps(finding), flush=True)


if __name__ == "__main__":
    main()
