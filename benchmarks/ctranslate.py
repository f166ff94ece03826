"""Translates with CTranslate2 and tells the time, in a process that loads nothing else, so that its memory is that.

    python benchmarks/ctranslate.py CONVERTED-MODEL SPM-MODEL SOURCE OUT.json

One thread, one sentence at a time, beam 5.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import ctranslate2
import sentencepiece

# Of transformer.py: padding, the end of a sentence, what is not known, the beginning.
SPECIAL = ("<pad>", "</s>", "<unk>", "<s>")
BEAM = 5
MOST_PIECES = 200


def main(model: str, pieces_model: str, source: str, out: str) -> None:
    pieces = sentencepiece.SentencePieceProcessor(model_file=pieces_model)
    translator = ctranslate2.Translator(model, device="cpu", compute_type="int8", inter_threads=1, intra_threads=1)

    def translate(line: str) -> str:
        numbers = [*pieces.encode(line)[:MOST_PIECES], 1]
        names = [SPECIAL[number] if number < len(SPECIAL) else str(number) for number in numbers]
        longest = min(MOST_PIECES, 2 * len(names) + 10)
        found = translator.translate_batch([names], beam_size=BEAM, max_decoding_length=longest)[0].hypotheses[0]
        text: str = pieces.decode([int(piece) for piece in found if piece not in SPECIAL])
        return text

    lines = Path(source).read_text(encoding="utf-8").split("\n")[:-1]
    for line in lines[:5]:
        translate(line)
    begin = time.process_time()
    outputs = [translate(line) for line in lines]
    milliseconds = 1000 * (time.process_time() - begin) / len(lines)
    Path(out).write_text(json.dumps({"ms": milliseconds, "lines": outputs}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
