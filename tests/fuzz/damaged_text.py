"""Text files of a model or a command with random damage, each read in a process that may end by it (text_files.py)."""

from __future__ import annotations

import base64
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from dragoman.confidence.features import SENTENCE_FEATURES, WORD_FEATURES
from dragoman.model.weights import DEFAULT_WEIGHTS
from tests.unit.translate.support import make_model

ROOT = Path(__file__).resolve().parent.parent.parent
NUMBERS = [
    "1e29",
    "-1e29",
    "1e30",
    "-1e30",
    "1e300",
    "-1e300",
    "1e308",
    "1e999",
    "-1e999",
    "5e-324",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "Infinity",
    "NaN",
    "0",
    "-0",
    "1000000",
    "-1000000",
    "1000001",
    "0x10",
    "1_0",
    "1,5",
    "+-1",
    "99999999999999999999",
    "-9223372036854775809",
    "2147483648",
    "4294967296",
    "null",
    "true",
    "[]",
    "{}",
    '""',
]
PIECES = [
    *(number.encode() for number in NUMBERS),
    b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\n", b"\n\n\n", b"\t", b" ", b"#",
    b"\xc2\x85", b"\xe2\x80\xa8", b"\x1c", b"\x1b[31m", b"\\ud800", b"\\u0000", b"[" * 5000, b"9" * 5000,
    b"{\"a\":" * 3000, b"x" * 3000, b'"', b"'", b"|||", b"[X,1]", b"[X,9]", b"=", b"-", b"\\data\\", b"\\end\\", b"<s>",
    b"\\<s>", b"<unk>",
]  # fmt: skip


def confidence() -> bytes:
    def calibrated(names: tuple[str, ...]) -> dict[str, object]:
        ones = [1.0] * len(names)
        return {
            "names": list(names),
            "regression": {"bias": 0.0, "weights": ones, "means": ones, "scales": ones},
            "curve": [[-1.0, 0.1], [1.0, 0.9]],
        }

    return json.dumps(
        {
            "format": 1,
            "nbest": 5,
            "weights": {**DEFAULT_WEIGHTS, "SentenceMemory": 20.0},
            "word": calibrated(WORD_FEATURES),
            "sentence": calibrated(SENTENCE_FEATURES),
            "measured": {},
        }
    ).encode()


ARPA = (
    b"\\data\\\nngram 1=6\nngram 2=3\n\n\\1-grams:\n-1 <s> -0.5\n-1 </s>\n-2 <unk>\n-1 the -0.5\n-1.5 house -0.2\n"
    b"-2 .\n\n\\2-grams:\n-0.5 <s> the\n-0.25 the house\n-0.125 house .\n\n\\end\\\n"
)
WEIGHTS = "".join(f"{name} {value}\n" for name, value in DEFAULT_WEIGHTS.items()).encode()
GLOSSARY = b"maison\thut\tcabin\n# a comment\nla maison bleue\tThe Blue House\nchat noir\n"
GOOD: dict[str, bytes] = {
    "weights.txt": WEIGHTS,
    "--weights": WEIGHTS,
    "glossary.tsv": GLOSSARY,
    "--glossary": GLOSSARY,
    "text.json": b'{"tokenizer": "language", "spacing": "apart"}',
    "confidence.json": confidence(),
    "train.toml": b'source_lang = "fr"\ntarget_lang = "en"\nmemory = "1G"\n[lm]\norder = 3\n[decode]\npop_limit = 20\n',
    "model.arpa": ARPA,
    "classes": b"la A\nmaison B\n<unk> C\n</s> D\n\\<s> B\nbleue 7\n",
    "grammar": b"[X] ||| la ||| the ||| F=1 G=-2 ||| 0-0\n[X] ||| maison [X,1] ||| [X,1] house ||| F=0.5 ||| 0-1\n",
    "kbest": b"0 ||| the house ||| F=1 G=2 ||| -3.5\n0 ||| a &#124;&#124;&#124; ||| F=1 ||| -4\n",
}


def mutated(content: bytes, rng: random.Random) -> bytes:
    """A few changes: bytes, pieces that mean something, lines twice or gone, numbers that are too much."""
    if rng.random() < 0.02:
        return b""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at, end = sorted(rng.randrange(len(content) + 1) for _ in range(2))
        lines = content.split(b"\n")
        line = rng.randrange(len(lines))
        kind = rng.randrange(7)
        if kind == 0:
            content = content[:at] + rng.randbytes(rng.randrange(1, 5)) + content[at:]
        elif kind == 1:
            content = content[:at] + content[min(end, at + 20) :]
        elif kind == 2:
            content = content[:at] + rng.choice(PIECES) + content[at:]
        elif kind == 3:
            lines.insert(rng.randrange(len(lines)), lines[line])
            content = b"\n".join(lines)
        elif kind == 4:
            del lines[line]
            content = b"\n".join(lines)
        else:
            # In the place of a word or a number of the file.
            words = lines[line].split(b" ")
            words[rng.randrange(len(words))] = rng.choice(PIECES)
            lines[line] = b" ".join(words)
            content = b"\n".join(lines)
    return content


def with_another_leaf(content: bytes, rng: random.Random) -> bytes:
    """JSON with something else in the place of one of its values."""
    data = json.loads(content)
    at, key = None, None
    here = data
    while isinstance(here, dict | list) and here:
        at, key = here, rng.choice(list(here)) if isinstance(here, dict) else rng.randrange(len(here))
        here = here[key]
        if rng.random() < 0.15:
            break
    bad = [
        0,
        -1,
        1 << 40,
        1 << 80,
        1e30,
        -1e300,
        float("nan"),
        float("inf"),
        None,
        True,
        "",
        "x",
        "\ud800",
        "\0",
        [],
        {},
    ]
    bad += [[[1, 2]], {"a": []}, "en\n", "fr" * 500]
    if at is not None:
        at[key] = rng.choice(bad)
    return json.dumps(data).encode()


def damaged_reads(kind: str, folder: Path, tries: int, rng: random.Random) -> Iterator[str | None]:
    """What was found when a whole file of a kind and so many damaged ones were read."""
    model = make_model(folder / "model")
    (folder / "text").write_text("La maison bleue <s> dort.\n\nLe chat | noir xyzzy\n", encoding="utf-8")
    good = GOOD.get(kind) or (model / kind).read_bytes()
    left = [good]
    for number in range(tries):
        as_json = kind.endswith(".json") and number % 2
        left.append(with_another_leaf(good, rng) if as_json else mutated(good, rng))
    while left:
        lines = "".join(base64.b64encode(content).decode() + "\n" for content in left)
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.text_files", kind, str(folder)],
            cwd=ROOT,
            input=lines.encode(),
            capture_output=True,
            timeout=600,
        )
        results = [json.loads(line) for line in done.stdout.split(b"\n") if line.startswith((b"null", b'"'))]
        for content, what in zip(left, results, strict=False):
            yield f"{content!r:.300}\n{what}" if what else None
        left = left[len(results) :]
        if left:
            yield f"{left[0]!r:.300}\nended the process: {done.returncode}\n{done.stderr.decode()[-500:]}"
            left = left[1:]
