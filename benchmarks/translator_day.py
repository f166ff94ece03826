"""A translator's day: sentences are translated one after the other, and each is corrected by its reference at once.

    python -m benchmarks.translator_day [--work FOLDER] [--sentences 500] [--streams help,programs,everyday]
    python -m benchmarks.translator_day --odd 1 --odd 20 [--work FOLDER] ...

Streams, each through a small tuned model of other text (n-gram, trained in FOLDER unless it is there already):
pages of LibreOffice's help through a model of GNOME's, GNOME's through one of LibreOffice's, both from English into
Czech, and everyday sentences from French into English through a model of captions. No sentence comes twice, so that
nothing is gained by remembering whole sentences. Prints JSON: BLEU of the first hundred, of the last hundred and of
all, for a model that does not learn, for one that learns, and for one whose weights follow too; and whether all that is
gone when everything has been removed again. With `--odd` so many odd corrections instead, and BLEU of the rest.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.live import bleu
from benchmarks.measure import corpus_lines, report
from dragoman import Translator, train

TextPair = tuple[str, str]
# Of GNOME's help the beginning is the stream, and a model is trained on the rest.
STREAM_LINES = 3000
# Of a sentence.
FEWEST_WORDS, MOST_WORDS = 4, 40


@dataclass(frozen=True, slots=True)
class Stream:
    """Text to translate, and the text that a model for it is trained on."""

    source_lang: str
    target_lang: str
    text: str
    trained_on: str
    shuffled: bool = False


STREAMS = {
    "help": Stream("en", "cs", "libreoffice-help.en-cs/test", "gnome-app-help.en-cs/train"),
    "programs": Stream("en", "cs", "gnome-app-help.en-cs/train", "libreoffice-help.en-cs/train"),
    # The corpus is sorted by length.
    "everyday": Stream("fr", "en", "tatoeba.fr-en/test", "multi30k/train", shuffled=True),
    # Of the text that the model was trained and tuned for, where there is little to follow.
    "captions": Stream("fr", "en", "multi30k/test", "multi30k/train"),
}
# What odd corrections are instead of a sentence's reference.
ODD: dict[str, Callable[[str, str], str]] = {
    "another sentence's": lambda target, other: other,
    "cut in half": lambda target, other: " ".join(target.split()[: len(target.split()) // 2]),
    "backwards": lambda target, other: " ".join(reversed(target.split())),
}


def sides(name: str, stream: Stream) -> list[TextPair]:
    files = (corpus_lines(f"{name}.{language}") for language in (stream.source_lang, stream.target_lang))
    return list(zip(*files, strict=True))


def sentences(stream: Stream, count: int) -> list[TextPair]:
    pairs = sides(stream.text, stream)
    if stream.shuffled:
        random.Random(1).shuffle(pairs)
    found: dict[str, str] = {}
    for source, target in pairs:
        if target and FEWEST_WORDS <= len(source.split()) <= MOST_WORDS:
            found.setdefault(source, target)
        if len(found) == count:
            break
    return list(found.items())


def model_of(stream: Stream, work: Path) -> Path:
    path = work / f"{stream.trained_on.partition('/')[0]}.{stream.source_lang}-{stream.target_lang}.model"
    if path.exists():
        return path
    pairs = sides(stream.trained_on, stream)
    if stream.trained_on in {each.text for each in STREAMS.values()}:
        pairs = pairs[STREAM_LINES:]
    texts = []
    for side, language in enumerate((stream.source_lang, stream.target_lang)):
        texts.append(work / f"{path.stem}.{language}")
        texts[-1].write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8")
    train(
        source=texts[0],
        target=texts[1],
        source_lang=stream.source_lang,
        target_lang=stream.target_lang,
        out=path,
        language_models="ngram",
        tune_words=3000,
        stages={"tune": {"rounds": 5}},
        threads=1,
    )
    return path


def day(model: Path, pairs: list[TextPair], *, learns: bool, follows: bool) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copytree(model, Path(folder) / "model")
        translator = Translator.load(path, follow_weights=follows)
        tuned, tried = dict(translator.weights), [source for source, _ in pairs[:20]]
        before = translator.translate(tried, explain=True)
        begin, outputs = time.process_time(), []
        for number, (source, target) in enumerate(pairs):
            outputs.append(translator.translate(source).text)
            if learns:
                translator.add(source, target, f"sentence-{number}", force=True)
        seconds = time.process_time() - begin
        moved = {name: round(weight - tuned[name], 3) for name, weight in translator.weights.items()}
        for number in range(len(pairs)):
            translator.remove(f"sentence-{number}")
        same = translator.translate(tried, explain=True) == before and dict(translator.weights) == tuned
    references = [target for _, target in pairs]
    return {
        "bleu_first_hundred": bleu(outputs[:100], references[:100]),
        "bleu_last_hundred": bleu(outputs[-100:], references[-100:]),
        "bleu": bleu(outputs, references),
        "cpu_ms_per_sentence": round(1000 * seconds / len(pairs), 1),
        "weights_moved_by": {name: value for name, value in moved.items() if abs(value) >= 0.01},
        "as_before_once_all_is_removed": same,
    }


def odd(model: Path, pairs: list[TextPair], count: int, kind: str) -> dict[str, Any]:
    """BLEU of the stream, but for its beginning, after so many odd corrections of that."""
    taught, tested = pairs[:count], pairs[count:]
    results: dict[str, Any] = {}
    for name, follows in (("learns", False), ("learns, weights follow", True)):
        with tempfile.TemporaryDirectory() as folder:
            translator = Translator.load(shutil.copytree(model, Path(folder) / "model"), follow_weights=follows)
            for (source, target), (_, other) in zip(taught, [*taught[1:], tested[0]], strict=True):
                translator.add(source, ODD[kind](target, other), force=True)
            outputs = [translation.text for translation in translator.translate([source for source, _ in tested])]
        results[name] = bleu(outputs, [target for _, target in tested])
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--sentences", type=int, default=500)
    parser.add_argument("--streams", default="help,programs,everyday")
    parser.add_argument("--odd", type=int, action="append", help="so many odd corrections")
    arguments = parser.parse_args()
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.work or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        for name in arguments.streams.split(","):
            stream = STREAMS[name]
            model, pairs = model_of(stream, work), sentences(stream, arguments.sentences)
            if arguments.odd:
                results[name] = {
                    f"{count}, {kind}": odd(model, pairs, count, kind) for count in arguments.odd for kind in ODD
                }
                continue
            results[name] = {
                "sentences": len(pairs),
                "does not learn": day(model, pairs, learns=False, follows=False),
                "learns": day(model, pairs, learns=True, follows=False),
                "learns, weights follow": day(model, pairs, learns=True, follows=True),
            }
    report(results)


if __name__ == "__main__":
    main()
