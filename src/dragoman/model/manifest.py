"""model.json, the manifest of a model: languages, options of every stage, scores, and bytes and hashes of each file."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

from dragoman.errors import FormatError
from dragoman.version import __version__

# 2: words without marks of spacing (text.json says `"spacing": "apart"`).
FORMAT_VERSION = 2
MANIFEST = "model.json"
# Pairs added to the model and removed from it since it was built: a folder that the manifest does not describe, because
# it changes while the model is in use; see dragoman.learn.
OVERLAY = "overlay"
# In the overlay, pairs added and removed.
LOG = "log"

# Every file a model may hold, in the order `inspect` lists them.
COMPONENTS = {
    "weights.txt": "feature weights",
    "glossary.tsv": "terms and their translations",
    "text.json": "tokenizer and spacing",
    "vocab.bin": "words of both languages",
    "bitext.bin": "bilingual text, links, suffix array",
    "lexicon.bin": "word translation counts",
    "align.bin": "alignment model for new pairs",
    "sources.bin": "where each pair came from",
    "names.tsv": "ids of pairs added later",
    "steps.jsonl": "how pairs added later moved the weights",
    "lm.bin": "n-gram language model",
    "nlm.bin": "neural language model",
    "source_nlm.bin": "neural language model that reads the source",
    "judge.bin": "judge of finished translations",
    "confidence.json": "confidence calibration",
}
# Files of earlier versions, which a model may still have: nothing reads them, and `dragoman upgrade` drops them.
OBSOLETE = {"frequent.bin": "samples of frequent patterns, made by an earlier version"}
KNOWN = {**COMPONENTS, **OBSOLETE}
# What translating does without: explanations show the texts of sources.bin, and learning needs the others.
NOT_TO_TRANSLATE = frozenset({"align.bin", "sources.bin", "names.tsv", *OBSOLETE})
# Users edit these by hand, so a changed hash is no damage.
EDITABLE = frozenset({"weights.txt", "glossary.tsv"})


@dataclass(frozen=True, slots=True)
class FileEntry:
    """Size and hashes of one file; `payload` is the content hash in the header of a .bin file."""

    bytes: int
    sha256: str
    payload: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What model.json says. No timings: the same input gives the same manifest."""

    source_lang: str
    target_lang: str
    options: dict[str, Any] = field(default_factory=dict)
    scores: dict[str, Any] = field(default_factory=dict)
    files: dict[str, FileEntry] = field(default_factory=dict)
    tool: str = f"dragoman {__version__}"
    format: int = FORMAT_VERSION

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes, path: str) -> Manifest:
        """Reads a manifest; anything that is not one gives a FormatError naming `path`."""

        def require(condition: bool, what: str) -> None:
            if not condition:
                raise FormatError(f"{path}: {what}; copy the model again from a good source", path)

        try:
            data = json.loads(text)
            # Half a surrogate pair could be read and never be written.
            json.dumps(data, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{path}: is not valid JSON ({error}); copy the model again", path) from error
        require(isinstance(data, dict) and isinstance(data.get("format"), int), "is not a Dragoman manifest")
        if data["format"] > FORMAT_VERSION:
            message = f"has format {data['format']}, newer than this program reads ({FORMAT_VERSION}); update Dragoman"
            raise FormatError(f"{path}: {message}", path)
        require(data["format"] >= 1, "is not a Dragoman manifest")
        for key in ("source_lang", "target_lang", "tool"):
            require(isinstance(data.get(key), str), f"lacks '{key}'")
            require(data[key].isprintable(), f"misspells '{key}'")
        for key in ("options", "scores", "files"):
            require(isinstance(data.get(key), dict), f"lacks '{key}'")
        files = {}
        for name, entry in data["files"].items():
            require(name in KNOWN, f"names an unknown file '{name}'")
            require(isinstance(entry, dict) and set(entry) == {"bytes", "sha256", "payload"}, f"misdescribes '{name}'")
            size, sha256, payload = entry["bytes"], entry["sha256"], entry["payload"]
            require(type(size) is int and size >= 0 and is_hex(sha256, 64), f"misdescribes '{name}'")
            require(payload is None or is_hex(payload, 16), f"misdescribes '{name}'")
            files[name] = FileEntry(size, sha256, payload)
        texts = (data["source_lang"], data["target_lang"])
        return cls(*texts, data["options"], data["scores"], files, data["tool"], data["format"])


def is_model_file(name: str) -> bool:
    return name in KNOWN or name in (MANIFEST, OVERLAY)


def is_left_over(name: str) -> bool:
    """Whether a killed writer of a model may have left a file of this name: one of the model, or on its way to be."""
    return name.lstrip(".").startswith((MANIFEST, OVERLAY, *KNOWN))


def is_hex(value: object, digits: int) -> bool:
    return isinstance(value, str) and len(value) == digits and all(c in "0123456789abcdef" for c in value)
