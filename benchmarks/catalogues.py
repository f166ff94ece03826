"""Real catalogues in nine languages: trained, translated, scored with the tokenizer of the language, and spaced right?

    python -m benchmarks.catalogues [--messages 4000] [--languages ar,cs,...] [--threads N]

Text is what the programs installed here say (catalogues of gettext in /usr/share/locale). A model is trained of English
and each language with an n-gram model and default weights; 300 messages are held out. Prints JSON: pairs, BLEU with its
signature, chrF, spacing errors for each thousand places where two neighbours stand in output and reference alike, and
how many of the placeholders of the held-out messages are in the output as often as in the source.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.as_typed import spacing_errors
from benchmarks.measure import report
from benchmarks.recognizer import LOCALES, messages
from dragoman import Translator, train
from dragoman.evaluate import evaluate_texts
from dragoman.evaluate.bleu_tokenizer import tokenizer_of

LANGUAGES = ("ar", "cs", "de", "es", "fr", "he", "ja", "ru", "zh_CN")
HELD_OUT = 300
PLACEHOLDER = re.compile(r"%[-+ #0]?\d*(?:\.\d+)?(?:l|ll|h|z|j)?[sdiufgcx]|%\d\$s|\{\w*\}|--[a-z][\w-]+")


def sentences(code: str, most: int) -> list[tuple[str, str]]:
    """Messages on one line, of more than one word."""
    pairs = [(ours.strip(), theirs.strip()) for ours, theirs in messages(code, 10 * most)]
    lines = [pair for pair in pairs if not re.search(r"[\t\r\n]", "".join(pair))]
    return [(ours, theirs) for ours, theirs in lines if " " in ours and theirs][:most]


def placeholders(sources: list[str], outputs: list[str]) -> dict[str, int]:
    wanted = kept = 0
    for source, output in zip(sources, outputs, strict=True):
        there, here = Counter(PLACEHOLDER.findall(source)), Counter(PLACEHOLDER.findall(output))
        wanted += there.total()
        kept += (there & here).total()
    return {"wanted": wanted, "kept": kept}


def tried(code: str, most: int, threads: int) -> dict[str, Any]:
    pairs = sentences(code, most)
    target = code.replace("_", "-")
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "train.tsv"
        text.write_text("".join(f"{ours}\t{theirs}\n" for ours, theirs in pairs[HELD_OUT:]).replace("\r", " "))
        model = Path(folder) / "model"
        train(
            text, source_lang="en", target_lang=target, out=model, language_models="ngram", tune=False, threads=threads
        )
        sources, references = [ours for ours, _ in pairs[:HELD_OUT]], [theirs for _, theirs in pairs[:HELD_OUT]]
        outputs = [str(each) for each in Translator.load(model).translate(sources, threads=threads)]
    scores = {score.name: score for score in evaluate_texts(outputs, references, tokenize=tokenizer_of(target)).scores}
    return {
        "pairs": len(pairs) - HELD_OUT,
        "bleu": round(scores["BLEU"].score, 1),
        "signature": scores["BLEU"].signature,
        "chrf": round(scores["chrF"].score, 1),
        "spacing": spacing_errors(outputs, references, target),
        "placeholders": placeholders(sources, outputs),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=4000)
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    made: dict[str, Any] = {}
    for code in arguments.languages.split(","):
        if not (LOCALES / code).is_dir():
            raise SystemExit(f"no catalogues of {code} in {LOCALES}; install language packs, or name other --languages")
        made[code] = tried(code, arguments.messages, arguments.threads)
    report(made)


if __name__ == "__main__":
    main()
