"""Translates a test set in a process of its own, so that time and memory are the translator's and nothing else's.

Reads one JSON object from standard input and writes one for each line, then one with the totals.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from dragoman.config import DecodeOptions
from dragoman.errors import DragomanError
from dragoman.process_memory import mapped_bytes
from dragoman.translator import Translator


def main() -> None:
    request = json.load(sys.stdin)
    options = DecodeOptions(**request["decode"])
    translator = Translator.load(request["model"], weights=request["weights"])

    def one(line: str) -> dict[str, Any]:
        begin = time.perf_counter()
        made = translator.translate(line, options)
        milliseconds = 1000 * (time.perf_counter() - begin)
        return {
            "text": made.text,
            "milliseconds": milliseconds,
            "source_words": sum(len(each.source_tokens) for each in made.sentences),
            "unknown_words": sum(len(each.oov) for each in made.sentences),
            "narrowed": sum(each.narrowed for each in made.sentences),
        }

    wall, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(request["threads"]) as pool:
        for made in pool.map(one, request["lines"]):
            print(json.dumps(made), flush=True)
    totals = {
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": time.process_time() - cpu,
        "mapped_bytes": mapped_bytes(request["model"]),
    }
    print(json.dumps({"totals": totals}), flush=True)


if __name__ == "__main__":
    try:
        main()
    except DragomanError as error:
        print(json.dumps({"error": str(error), "kind": type(error).__name__}), flush=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
