"""Text may hold any string: names of marks, separators and escapes of our own files are words like any other."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from dragoman.align.aligner import AlignmentModel
from dragoman.config import AlignOptions, DecodeOptions
from dragoman.evaluate.kbest import KBestEntry, kbest_line, read_kbest
from dragoman.lm import LanguageModel
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest
from dragoman.model.weights import DEFAULT_WEIGHTS, write_weights
from dragoman.neural.language_model import NeuralLanguageModel
from dragoman.translator import Translator
from tests.reference.neural_lm import random_model

MARKS = ["<s>", "</s>", "<unk>", "<UNK>"]
# Everything that means something in one of our files or between two stages, pieces of it, and what undoes it.
WORDS = r"""
\<s> \\</s> \<unk> \ \data\ \end\ \1-grams: ngram NULL <null> <pad> <eps> <blank> C0 _ # ||| || | [X] [X,1] [X,2] [X,3]
0-0 -99 -inf nan LanguageModel=1 {d0} {d {dd0} {_1} {{d0}} ${d0} %s {0} &amp; &#124; &#91; &lt; & ; ￭ ▁ ￮ ￮20; ￮2581; ￮￮
▁a￭ <t to= <keep> </keep> <zone> <wall/>
"""
RESERVED = [*MARKS, *WORDS.split(), "\ue000", "\uf8ff", "\ufffd", "\ufeff", "\u200b"]
PLAIN = ["a", "la", "maison", "B", "."]
SPACES = [" ", " ", " ", "", "\t", "\u00a0", "\u3000", "\u0085", "\u2028", "\x1c", "\x1f", "\x0b"]
pieces = st.sampled_from([*RESERVED, *PLAIN])
texts = st.lists(st.tuples(pieces, st.sampled_from(SPACES)).map("".join), min_size=1, max_size=8).map("".join)
words = st.one_of(
    pieces, st.lists(st.sampled_from([*MARKS, "\\", "<", "s>", "|", "&"]), min_size=1, max_size=4).map("".join)
)
sentences = st.lists(words, min_size=1, max_size=8)
corpora = st.lists(sentences, min_size=1, max_size=12)


def lines_of(corpus: list[list[str]]) -> bytes:
    return "".join(" ".join(sentence) + "\n" for sentence in corpus).encode()


def renamed(corpus: list[list[str]]) -> list[list[str]]:
    """The same corpus with an ordinary word for each word of it, in the same order of the alphabet."""
    order = {
        word: f"w{number:03}" for number, word in enumerate(sorted({w for row in corpus for w in row}, key=str.encode))
    }
    return [[order[word] for word in sentence] for sentence in corpus]


def estimated(corpus: list[list[str]], classes: bytes = b"") -> _core.NgramModel:
    text = _core.LmText()
    if classes:
        text.use_classes(classes)
    text.add(lines_of(corpus))
    return _core.lm_estimate(text, 3, [1], [0.5, 1, 1.5])


def arpa_of(model: _core.NgramModel) -> bytes:
    written: list[bytes] = []
    model.write_arpa(written.append)
    return b"".join(written)


def read_arpa(arpa: bytes) -> _core.NgramModel:
    reader = _core.ArpaReader()
    reader.add(arpa)
    return reader.finish()


def scores(model: _core.NgramModel, folder: Path, lines: bytes) -> object:
    path = folder / "lm.bin"
    model.write(str(path), 0, 0)
    return _core.LanguageModel(str(path)).score_text(lines, True)


@given(corpora)
def test_ngram_models_take_every_word_as_a_word(corpus: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model, plain = estimated(corpus), estimated(renamed(corpus))
        assert model.counts == plain.counts
        said = scores(model, folder, lines_of(corpus))
        assert said == scores(plain, folder, lines_of(renamed(corpus)))
        assert not any(unknown for _, _, unknown in said[1])  # type: ignore[index]
        again = read_arpa(arpa_of(model))
        assert scores(again, folder, lines_of(corpus)) == said
        assert sorted(arpa_of(again).split(b"\n")) == sorted(arpa_of(model).split(b"\n"))


@given(corpora)
def test_models_over_classes(corpus: list[list[str]]) -> None:
    """Classes may be called like marks too, and words of the text beside marks in one list."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain = renamed(corpus)
        found = sorted({word for row in corpus for word in row}, key=str.encode)
        number = dict(zip(found, sorted({word for row in plain for word in row}), strict=True))
        classes, plain_classes = "<unk> <s>\n</s> C9\n", ""
        for at, word in enumerate(found):
            classes += f"{_core.written_word(word)} {MARKS[at % len(MARKS)]}\n"
            plain_classes += f"{number[word]} C{at % len(MARKS)}\n"
        said = scores(estimated(corpus, classes.encode()), folder, lines_of(corpus))
        # The order of class names in the alphabet decides nothing but ids.
        want = scores(estimated(plain, plain_classes.encode()), folder, lines_of(plain))
        for got, expected in zip(said[0], want[0], strict=True):  # type: ignore[index]
            assert got == pytest.approx(expected, abs=1e-5)


@settings(max_examples=30)
@given(st.lists(words, min_size=1, max_size=12, unique=True), corpora)
def test_neural_models_find_every_word(known: list[str], corpus: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        random = random_model(3, words=len(known))
        plain = [f"w{number}" for number in range(len(known))]
        number = dict(zip(known, plain, strict=True))
        made = []
        for at, names in enumerate((known, plain)):
            path = folder / f"{at}.bin"
            _core.write_neural_model(str(path), {**random.meta, "words": names}, random.buffers())
            made.append(NeuralLanguageModel(path))
        assert [_core.NeuralModel(str(folder / "0.bin")).find(word) for word in known] == [*range(4, 4 + len(known))]
        ours = [" ".join(row) for row in corpus]
        theirs = [" ".join(number.get(word, "unheard") for word in row) for row in corpus]
        said = [
            [[token.log10_prob for token in row] for row in model.tokens(lines)]
            for model, lines in zip(made, (ours, theirs), strict=True)
        ]
        assert said[0] == said[1]


@settings(max_examples=60)
@given(corpora)
def test_training_text_of_networks(corpus: list[list[str]]) -> None:
    builder = _core.IdTextBuilder()
    builder.add(lines_of(corpus))
    text = _core.LmText()
    text.add(builder.finish())
    read = _core.TrainingText(text)
    names = dict(enumerate(read.words, 4)) | {2: "<s>", 3: "</s>"}
    # All but the sentence that is held out, where there are several.
    ids = [part[0].cast("I").tolist() for part in (read.train, read.heldout)]
    held = "".join(f"{names[number]} " for number in ids[1])
    kept = "".join(f"{names[number]} " for number in ids[0])
    marked = [f"<s> {''.join(f'{word} ' for word in row)}</s> " for row in corpus]
    assert held in marked
    if len(marked) > 1:
        marked.remove(held)
    assert sorted(kept.split("</s> ")) == sorted("".join(marked).split("</s> "))
    assert read.counts.cast("Q").tolist()[:4] == [0, 0, 0, len(corpus)]


@settings(max_examples=25)
@given(
    st.lists(st.tuples(texts, texts), min_size=1, max_size=6),
    st.sampled_from([("fr", "en"), ("none", "none")]),
    st.sampled_from(["hierarchical", "phrase-based"]),
)
def test_from_text_to_translation(pairs: list[tuple[str, str]], languages: tuple[str, str], decoder: str) -> None:
    """Tokens reach the index as they are, and what was trained on is translated without an error."""
    sides = [[row[side] for row in pairs] for side in range(2)]
    tokens = []
    for language, side in zip(languages, sides, strict=True):
        tokenizer = _core.Tokenizer(language)
        surface = tokenizer.tokenize(side)
        if language != "none":
            again = tokenizer.tokenize(tokenizer.detokenize(surface))
            assert tokenizer.detokenize(again) == tokenizer.detokenize(surface)
        tokens.append(tokenizer.tokenize(side, model=language != "none"))
    kept = [row for row in zip(*tokens, strict=True) if all(line.strip() for line in row)] or [("a", "a")]
    source, target = ("".join(f"{row[side]}\n" for row in kept).encode() for side in range(2))
    links = AlignmentModel.train(source, target, AlignOptions(threads=1), keep_model=False).links
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "model"
        with building_model(path, Manifest("fr", "en")) as directory:
            _core.build_index(str(directory), source, target, links, {})
            (directory / "text.json").write_text(
                json.dumps({"tokenizer": "none" if languages[0] == "none" else "language", "spacing": "apart"})
            )
            text = _core.LmText()
            text.add(target)
            _core.lm_estimate(text, 3, [1], [0.5, 1.0, 1.5]).write(str(directory / "lm.bin"))
            write_weights(directory / "weights.txt", DEFAULT_WEIGHTS)
        index = _core.LiveIndex.open(str(path))
        for number, row in enumerate(kept):
            found = index.pair(number)
            assert found is not None and tuple(" ".join(side) for side in found[:2]) == tuple(
                " ".join(side.split(" ")) for side in row
            )
        lm = LanguageModel(path / "lm.bin")
        assert not any(token.unknown for row in lm.tokens(target.decode().split("\n")[:-1]) for token in row)
        translator = Translator.load(path)
        results = translator.translate(sides[0], DecodeOptions(decoder=decoder, pop_limit=10), nbest=3)
        for result in results:
            for number, each in enumerate(result.alternatives):
                line = kbest_line(number, each.text, each.features, each.score)
                if "\n" in each.text:
                    continue
                (read,) = read_kbest([line + "\n"])
                assert read.text == each.text


@given(st.lists(words, min_size=1, max_size=6, unique=True))
def test_grammar_text(found: list[str]) -> None:
    """Words of rules come out of a grammar as they went in."""
    lines = "".join(
        f"[X] ||| {_core.testing.escape_word(word)} ||| {_core.testing.escape_word(word)} ||| F=1 ||| 0-0\n"
        for word in found
    )
    decoder = _core.testing.Decoder.from_grammar(lines.encode(), [("F", 1.0)])
    for word in found:
        (result,) = decoder.decode([[word]], {})
        assert result["candidates"][0]["words"] == [word]
        assert result["candidates"][0]["features"].get("PassThrough", 0) == 0


@given(
    st.text(max_size=30).filter(lambda text: "\n" not in text), st.sampled_from([*RESERVED, ""]), st.text(max_size=5)
)
def test_kbest_lines(before: str, reserved: str, after: str) -> None:
    text = (before + reserved + after).replace("\n", " ")
    (read,) = read_kbest([kbest_line(7, text, {"F": 1.0, "G": -0.5}, -2.25) + "\n"])
    assert read == KBestEntry("7", text, {"F": 1.0, "G": -0.5}, -2.25)
