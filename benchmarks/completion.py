"""Key strokes and words that completion saves a translator who types the reference of each sentence.

    python -m benchmarks.completion MODEL SOURCE TARGET [--sentences 200] [--decoder phrase-based]

SOURCE and TARGET are lines of text that the model was not trained on. Somebody types each line of TARGET as the
translation of SOURCE's. `keys`: after each key the completion is looked at, and Tab is pressed where its next word is
the one that is wanted, else the next letter is typed; strokes (letters and Tabs) as a share of the letters of the text.
`words`: all of a completion that is right is taken, up to the first wrong word, which is then typed; words typed, as a
share of all. Both beside typing everything, which is 1, and beside the translation without completion: the words of it
that are right from the beginning, and those of it that post-editing changes (word edit distance). Prints JSON, with
processor time per completion.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measure import report
from dragoman import Translator
from dragoman.config import DecodeOptions
from tests.reference.near_pairs import distance

# Gives what follows a prefix in the translation of a source.
Completer = Callable[[str, str], str]


class Timed:
    """A completer whose calls are timed."""

    def __init__(self, complete: Completer) -> None:
        self._complete = complete
        self.seconds: list[float] = []

    def __call__(self, source: str, prefix: str) -> str:
        begin = time.process_time()
        rest = self._complete(source, prefix)
        self.seconds.append(time.process_time() - begin)
        return rest

    def as_json(self) -> dict[str, float]:
        milliseconds = sorted(1000 * each for each in self.seconds)
        return {
            "calls": len(milliseconds),
            "cpu_ms_mean": round(statistics.mean(milliseconds), 2),
            "cpu_ms_median": round(statistics.median(milliseconds), 2),
            "cpu_ms_95": round(milliseconds[int(0.95 * len(milliseconds))], 2),
            "cpu_ms_most": round(milliseconds[-1], 2),
        }


def first_word(text: str) -> str:
    """With the spaces before it."""
    spaces = len(text) - len(text.lstrip())
    words = text.split(maxsplit=1)
    return text[: spaces + len(words[0])] if words else ""


def key_strokes(complete: Completer, source: str, wanted: str) -> int:
    typed, strokes = "", 0
    while typed != wanted:
        word = first_word(complete(source, typed))
        left = wanted[len(typed) :]
        right = word.strip() and left.startswith(word) and (len(left) == len(word) or left[len(word)].isspace())
        typed += word if right else left[0]
        strokes += 1
    return strokes


def word_strokes(complete: Completer, source: str, wanted: str) -> int:
    words, done, strokes = wanted.split(), 0, 0
    while done < len(words):
        prefix = "".join(f"{word} " for word in words[:done])
        for ours, theirs in zip(complete(source, prefix).split(), words[done:], strict=False):
            if ours != theirs:
                break
            done += 1
        if done < len(words):
            strokes += 1
            done += 1
    return strokes


def measured(
    complete: Completer, pairs: list[tuple[str, str]], learn: Callable[[str, str], object] | None = None
) -> dict[str, Any]:
    """With `learn`, it is told of each sentence when that has been typed."""
    timed = Timed(complete)
    keys = words = 0
    for source, target in pairs:
        keys += key_strokes(timed, source, target)
        words += word_strokes(timed, source, target)
        if learn is not None:
            learn(source, target)
    return {
        "key_stroke_ratio": round(keys / sum(len(target) for _, target in pairs), 4),
        "word_stroke_ratio": round(words / sum(len(target.split()) for _, target in pairs), 4),
        **timed.as_json(),
    }


def without(translator: Translator, pairs: list[tuple[str, str]]) -> dict[str, float]:
    """What a translation alone is worth."""
    right, edits, words = 0, 0, 0
    for source, target in pairs:
        ours, wanted = translator.translate(source).text.split(), target.split()
        words += len(wanted)
        edits += distance(ours, wanted)
        for one, other in zip(ours, wanted, strict=False):
            if one != other:
                break
            right += 1
    return {"word_stroke_ratio": round(1 - right / words, 4), "edits_per_word": round(edits / words, 4)}


def own_goes_on(translator: Translator, pairs: list[tuple[str, str]], options: DecodeOptions | None) -> float:
    """The share of its own translations, cut and in capitals so that it has to search, that go on as they did."""
    same, all_cuts = 0, 0
    for source, _ in pairs:
        text = translator.translate(source, options).text
        for cut in {len(text) // 4, len(text) // 2, 3 * len(text) // 4}:
            typed = text[:cut].upper()
            same += str(translator.complete(source, typed, 1, options)[0]).lower() == (typed + text[cut:]).lower()
            all_cuts += 1
    return round(same / all_cuts, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--decoder", choices=("phrase-based", "hierarchical"))
    arguments = parser.parse_args()
    sides = [path.read_text(encoding="utf-8").splitlines() for path in (arguments.source, arguments.target)]
    pairs = [(one, other) for one, other in zip(*sides, strict=True) if one.strip() and other.strip()]
    pairs = [(one.strip(), " ".join(other.split())) for one, other in pairs[: arguments.sentences]]
    translator = Translator.load(arguments.model)
    options = DecodeOptions(decoder=arguments.decoder) if arguments.decoder else None
    report(
        {
            "sentences": len(pairs),
            "words": sum(len(target.split()) for _, target in pairs),
            "dragoman": measured(lambda source, prefix: translator.complete(source, prefix, 1, options)[0].rest, pairs),
            "typing_everything": {"key_stroke_ratio": 1.0, "word_stroke_ratio": 1.0},
            "translation_alone": without(translator, pairs),
            "own_translation_goes_on": own_goes_on(translator, pairs[:100], options),
        }
    )


if __name__ == "__main__":
    main()
