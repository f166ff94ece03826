"""New words that are taught by one sentence each: whether they are used, alone and elsewhere.

    python -m benchmarks.lessons MODEL SOURCE TARGET [--lessons 200] [--failed]
    python -m benchmarks.lessons MODEL --help-pages PAIRS.tsv [--lessons 200]

SOURCE and TARGET, or pairs of the demo's help pages, are text that the model was not trained on, enough of it to align
by itself: lessons are pairs with one word that the model lacks and that an aligner of all this text links to
neighbouring words, which is then what the word should become. It is not always right. Each is added, tried and removed
again: alone, with a capital letter, before punctuation, twice in a frame, in another sentence of the text, and with an
s, which nobody taught. Prints JSON: how often the word became just that, at least that, or passed through.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchmarks.help_pages import HelpPages
from benchmarks.measure import report
from dragoman import Translator, _core
from dragoman.align import AlignmentModel, parse_links

# Of a word that an aligner can say something about, in the whole text.
LEAST_COUNT = 4
LEAST_LETTERS = 4
# Of a sentence that the word is tried in.
MOST_WORDS = 30


@dataclass(frozen=True, slots=True)
class Lesson:
    source: str
    target: str
    word: str
    wanted: list[str]
    elsewhere: str | None

    def places(self) -> dict[str, str]:
        places = {
            "alone": self.word,
            "capitalised": self.word.capitalize(),
            "before a full stop": f"{self.word}.",
            "in brackets, before !": f"({self.word}) !",
            "in a frame": f"{self.word}, {self.word}.",
        }
        if self.elsewhere is not None:
            places["in another sentence"] = self.elsewhere
        if not self.word.endswith("s"):
            places["with an s"] = f"{self.word}s"
        return places


def lessons_of(model: Path, texts: list[list[str]], languages: list[str]) -> list[Lesson]:
    words = [_core.Tokenizer(lang).tokenize(text, model=True) for lang, text in zip(languages, texts, strict=True)]
    encoded = ["".join(f"{line}\n" for line in side).encode() for side in words]
    links = AlignmentModel.train(encoded[0], encoded[1], keep_model=False).links.decode().split("\n")
    known = set(_core.vocabulary_words(str(model / "vocab.bin"), "source", 1 << 30))
    lines_with: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(words[0]):
        for word in set(line.split()):
            lines_with[word].append(number)
    lessons = []
    for number, (source, target) in enumerate(zip(*words, strict=True)):
        ours, theirs = source.split(), target.split()
        new = [i for i, word in enumerate(ours) if word not in known and word.isalpha() and len(word) >= LEAST_LETTERS]
        if len(new) != 1 or len(lines_with[ours[new[0]]]) < LEAST_COUNT:
            continue
        partners = sorted(j for i, j in parse_links(links[number]) if i == new[0])
        if partners and partners[-1] - partners[0] == len(partners) - 1:
            wanted = [theirs[j] for j in partners]
            others = (
                texts[0][at]
                for at in lines_with[ours[new[0]]]
                if texts[0][at] != texts[0][number] and len(words[0][at].split()) <= MOST_WORDS
            )
            lessons.append(Lesson(texts[0][number], texts[1][number], ours[new[0]], wanted, next(others, None)))
    return lessons


def once_each(lessons: list[Lesson], count: int) -> list[Lesson]:
    """So many, in random order, none of a word that another one teaches."""
    random.Random(1).shuffle(lessons)
    return list({lesson.word: lesson for lesson in lessons}.values())[:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("texts", type=Path, nargs="*", metavar="SOURCE TARGET")
    parser.add_argument("--help-pages", type=Path, metavar="PAIRS.tsv")
    parser.add_argument("--lessons", type=int, default=200)
    parser.add_argument("--failed", action="store_true", help="print those that passed through alone")
    arguments = parser.parse_args()
    if arguments.help_pages:
        pages = HelpPages.read(arguments.help_pages)
        texts = [[pair[side] for pair in pages.taught + pages.tested] for side in (0, 1)]
    else:
        texts = [path.read_text(encoding="utf-8").splitlines() for path in arguments.texts]
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copytree(arguments.model, Path(folder) / "model")
        translator = Translator.load(path)
        languages = [translator.model.manifest.source_lang, translator.model.manifest.target_lang]
        lessons = once_each(lessons_of(path, texts, languages), arguments.lessons)
        tokenizer = _core.Tokenizer(languages[1])
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        failed: list[dict[str, object]] = []
        for number, lesson in enumerate(lessons):
            translator.add(lesson.source, lesson.target, id=f"lesson-{number}", force=True)
            for place, text in lesson.places().items():
                output = str(translator.translate(text))
                ours = tokenizer.tokenize([output], model=True)[0].split()
                size = len(lesson.wanted)
                whole = any(ours[at : at + size] == lesson.wanted for at in range(len(ours)))
                # Some are written alike in both languages.
                through = not whole and any(word in ours for word in (lesson.word, f"{lesson.word}s"))
                counts[place]["tried"] += 1
                counts[place]["just that"] += [word for word in ours if word not in "().,!"] == lesson.wanted
                counts[place]["all of it"] += whole
                counts[place]["passed through"] += through
                if arguments.failed and place == "alone" and not whole:
                    failed.append(
                        {
                            "word": lesson.word,
                            "wanted": lesson.wanted,
                            "output": output,
                            "source": lesson.source,
                            "target": lesson.target,
                        }
                    )
            translator.remove(f"lesson-{number}")
    report({"lessons": len(lessons), **counts, **({"failed": failed} if arguments.failed else {})})


if __name__ == "__main__":
    main()
