"""The case of translations: what a model's output scores, cased, when its words are written in several ways.

The model translates once; its lowercased output is then written with the usual form of each word and sentence starts
alone, with a case model of the target text alone, with one of source and links as well (what training makes), and with
the case of the reference wherever it has the same word, which is the most that casing can reach. Bytes are those of the
weights; learning is CPU time; `wrong` counts words that the reference has too but writes otherwise.

    python -m benchmarks.casing_output MODEL TRAIN TEST [--lines N]

TRAIN and TEST are the beginnings of file names, such as folder/train for folder/train.fr and folder/train.en; TRAIN is
the text in the order the model was trained on it (`text` of its prepare stage).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import sacrebleu

from benchmarks.measure import report
from dragoman._core import Tokenizer, testing
from dragoman.translation import SentenceTranslation
from dragoman.translator import Translator

MARKS = "￭▁"
Write = Callable[[SentenceTranslation, list[str]], list[str]]


@dataclass(frozen=True)
class Learned:
    target: testing.Casing
    source: testing.Casing
    cpu_seconds: float
    weight_bytes: int

    def write(self, sentence: SentenceTranslation, _: list[str]) -> list[str]:
        lowered = testing.lowercase([" ".join(sentence.target_tokens)])
        source = [" ".join(sentence.source_tokens)]
        written = self.target.restore(lowered, [sentence.alignment], source, self.source)[0].split(" ")
        for at in sentence.oov:
            written[at] = sentence.target_tokens[at]
        return written


def bare(token: str) -> str:
    return token.strip(MARKS) or token


def common(tokens: list[str], reference: list[str]) -> list[tuple[int, int]]:
    """Positions of the same words, whatever their case."""
    ours, theirs = ([bare(token).lower() for token in side] for side in (tokens, reference))
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return [(block.a + i, block.b + i) for block in blocks for i in range(block.size)]


def like_reference(sentence: SentenceTranslation, reference: list[str]) -> list[str]:
    written = list(sentence.target_tokens)
    for ours, theirs in common(written, reference):
        written[ours] = written[ours].replace(bare(written[ours]), bare(reference[theirs]))
    return written


def learn(written: bytes, language: str, source: bytes, links: bytes, source_casing: testing.Casing) -> Learned:
    begin = time.process_time()
    casing = testing.Casing.learn(written, language, threads=1, source=source, links=links, source_casing=source_casing)
    seconds = time.process_time() - begin
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "casing.bin"
        casing.save(str(path))
        size = len(testing.read_container(path.read_bytes(), "casing")["case.weights"])
    return Learned(casing, source_casing, round(seconds, 2), size)


def without_weights(casing: testing.Casing) -> testing.Casing:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "casing.bin"
        casing.save(str(path))
        sections = testing.read_container(path.read_bytes(), "casing")
        del sections["case.weights"]
        testing.write_container(str(path), "casing", sections)
        return testing.Casing.open(str(path))


def links_of(translator: Translator, lines: int) -> bytes:
    pairs = (translator.pair(line) for line in range(lines))
    return "".join(" ".join(f"{s}-{t}" for s, t in pair.links) + "\n" for pair in pairs if pair).encode()


def measure(model: str, train: str, test: str, most: int) -> dict[str, Any]:
    translator = Translator.load(model, trust=True)
    languages = translator.model.manifest.source_lang, translator.model.manifest.target_lang
    tokenizers = [Tokenizer(language) for language in languages]
    texts = [
        tokenizer.tokenize(Path(f"{train}.{language}").read_bytes())
        for tokenizer, language in zip(tokenizers, languages, strict=True)
    ]
    source_casing = testing.Casing.learn(texts[0], languages[0], threads=1)
    both = learn(texts[1], languages[1], texts[0], links_of(translator, texts[1].count(b"\n")), source_casing)
    alone = learn(texts[1], languages[1], b"", b"", source_casing)
    usual = Learned(without_weights(both.target), source_casing, 0, 0)

    lines, references = ([*Path(f"{test}.{lang}").read_text("utf-8").split("\n")[:-1]][:most] for lang in languages)
    translated = translator.translate(lines, threads=1)
    reference_tokens = [line.split(" ") for line in tokenizers[1].tokenize(references)]

    def scored(write: Write) -> dict[str, float]:
        texts, words, wrong = [], 0, 0
        for translation, reference in zip(translated, reference_tokens, strict=True):
            written = [write(sentence, reference) for sentence in translation.sentences]
            texts.append(" ".join(tokenizers[1].detokenize([" ".join(tokens) for tokens in written])))
            for tokens in written:
                pairs = [(bare(tokens[i]), bare(reference[j])) for i, j in common(tokens, reference)]
                words += sum(ours.lower() != ours.upper() for ours, _ in pairs)
                wrong += sum(ours != theirs for ours, theirs in pairs)
        bleu = [sacrebleu.corpus_bleu(texts, [references], lowercase=lower).score for lower in (False, True)]
        return {"BLEU": round(bleu[0], 2), "BLEU-lc": round(bleu[1], 2), "words": words, "wrong": wrong}

    def cost(learned: Learned) -> dict[str, float]:
        return {"learning_cpu_seconds": learned.cpu_seconds, "bytes": learned.weight_bytes}

    return {
        "usual forms": scored(usual.write),
        "target text": scored(alone.write) | cost(alone),
        "source and target text": scored(both.write) | cost(both),
        "the reference's case": scored(like_reference),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--lines", type=int, default=100_000, help="lines of TEST to translate")
    arguments = parser.parse_args()
    report(measure(arguments.model, arguments.train, arguments.test, arguments.lines))


if __name__ == "__main__":
    main()
