"""New words that are taught by one sentence each: whether they are used, alone and in another sentence.

    python -m benchmarks.lessons MODEL SOURCE TARGET [--lessons 200]

SOURCE and TARGET are text of the model's kind that it was not trained on, enough of it to align by itself: lessons are
pairs with one word that the model lacks and that an aligner of all this text links to neighbouring words, which is then
what the word should become. Each is added, tried and removed again. Prints JSON: how often the word became just that,
at least that, or passed through, alone and in a frame.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import report
from dragoman import Translator, _core
from dragoman.align import AlignmentModel, parse_links

# Of a word that an aligner can say something about, in the whole text.
LEAST_COUNT = 4
LEAST_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Lesson:
    source: str
    target: str
    word: str
    wanted: list[str]


def lessons_of(model: Path, texts: list[list[str]], languages: list[str]) -> list[Lesson]:
    words = [_core.Tokenizer(lang).tokenize(text, model=True) for lang, text in zip(languages, texts, strict=True)]
    encoded = ["".join(f"{line}\n" for line in side).encode() for side in words]
    links = AlignmentModel.train(encoded[0], encoded[1], keep_model=False).links.decode().split("\n")
    known = set(_core.vocabulary_words(str(model / "vocab.bin"), "source", 1 << 30))
    counts = Counter(word for line in words[0] for word in line.split())
    made = []
    for number, (source, target) in enumerate(zip(*words, strict=True)):
        ours, theirs = source.split(), target.split()
        new = [i for i, word in enumerate(ours) if word not in known and word.isalpha() and len(word) >= LEAST_LETTERS]
        if len(new) != 1 or counts[ours[new[0]]] < LEAST_COUNT:
            continue
        partners = sorted(j for i, j in parse_links(links[number]) if i == new[0])
        if partners and partners[-1] - partners[0] == len(partners) - 1:
            wanted = [theirs[j] for j in partners]
            made.append(Lesson(texts[0][number], texts[1][number], ours[new[0]], wanted))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--lessons", type=int, default=200)
    parser.add_argument("--frame", default="{}, {}.", help="a sentence with {} where the word goes")
    arguments = parser.parse_args()
    texts = [path.read_text(encoding="utf-8").splitlines() for path in (arguments.source, arguments.target)]
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copytree(arguments.model, Path(folder) / "model")
        translator = Translator.load(path)
        languages = [translator.model.manifest.source_lang, translator.model.manifest.target_lang]
        lessons = lessons_of(path, texts, languages)
        random.Random(1).shuffle(lessons)
        tokenizer = _core.Tokenizer(languages[1])
        counts: Counter[str] = Counter()
        for number, lesson in enumerate(lessons[: arguments.lessons]):
            translator.add(lesson.source, lesson.target, id=f"lesson-{number}", force=True)
            for place, text in (("alone", lesson.word), ("framed", arguments.frame.replace("{}", lesson.word))):
                made = tokenizer.tokenize([str(translator.translate(text))], model=True)[0].split()
                size = len(lesson.wanted)
                whole = any(made[at : at + size] == lesson.wanted for at in range(len(made)))
                counts["lessons"] += place == "alone"
                counts[f"{place}: just that"] += made == lesson.wanted
                counts[f"{place}: all of it"] += whole
                counts[f"{place}: passed through"] += lesson.word in made
            translator.remove(f"lesson-{number}")
    report(dict(counts))


if __name__ == "__main__":
    main()
