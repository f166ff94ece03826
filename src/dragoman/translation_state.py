"""What translations depend on besides their text, as a name: what was made under another name is not gone on with."""

from __future__ import annotations

import dataclasses
import json
from hashlib import sha256

from dragoman.config import DecodeOptions
from dragoman.glossary import Glossary
from dragoman.translator import Translator


def state_name(translator: Translator, options: DecodeOptions, glossary: Glossary | None) -> str:
    """Of a snapshot: its model, what that has learned, its weights, how it is searched, and terms; 64 hex digits.

    Two copies of a model have the same name on any machine.
    """
    opened = translator.opened
    learned = sha256()
    if opened.overlay is not None and opened.log_end:
        learned.update(opened.overlay.log.bytes_from(0, opened.log_end))
    parts = [
        translator.model.manifest.to_json(),
        learned.hexdigest(),
        dict(translator.weights),
        dataclasses.asdict(options),
        glossary.text if glossary is not None else None,
        # What was made before there were memories goes on.
        *([translator.memories] if translator.memories is not None else []),
    ]
    return sha256(json.dumps(parts).encode()).hexdigest()
