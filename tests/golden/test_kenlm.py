"""What lmplz and KenLM say: estimates to the last digit, hard ARPA files, and scores of real sentences."""

from __future__ import annotations

import lzma
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman import _core
from dragoman.config import LmOptions
from dragoman.lm import LanguageModel, build_model
from tests.reference.arpa import arpa_entries

Golden = Callable[[str], str]
Shared = Callable[[str], Path]


@pytest.mark.parametrize(
    ("text", "arpa", "order", "min_counts", "step"),
    [
        # lmplz reckons in 32-bit floats, which are this far apart between 4 and 8.
        ("phrasebook/train.en", "phrasebook/lm/o3.arpa.xz", 3, [1], 5e-7),
        ("phrasebook/train.en", "phrasebook/lm/o3.pruned.arpa.xz", 3, [1, 2, 3], 5e-7),
        ("phrasebook/train.en", "phrasebook/lm/o5.arpa.xz", 5, [1], 5e-7),
        ("phrasebook/train.en", "phrasebook/lm/o5.pruned.arpa.xz", 5, [1, 2, 3], 5e-7),
        # Too little text for discounts of its own.
        ("phrasebook/lm/few.en", "phrasebook/lm/few.o3.arpa.xz", 3, [1], 5e-7),
        pytest.param("shared/kenlm/toy0.txt", "shared/kenlm/toy0.arpa", 3, [1], 5e-8, marks=pytest.mark.shared),
        pytest.param("shared/kenlm/toy1.txt", "shared/kenlm/toy1.arpa", 3, [1], 5e-8, marks=pytest.mark.shared),
    ],
)
def test_estimates_equal_lmplz(
    golden: Golden, text: str, arpa: str, order: int, min_counts: list[int], step: float
) -> None:
    lines = _core.LmText()
    lines.add(golden(text).encode())
    model = _core.lm_estimate(lines, order, min_counts, [0.5, 1, 1.5])
    pieces: list[bytes] = []
    model.write_arpa(pieces.append)
    got = arpa_entries(b"".join(pieces).decode())
    want = arpa_entries(golden(arpa))
    assert set(got) == set(want)
    for ngram, (prob, backoff) in want.items():
        assert got[ngram][0] == pytest.approx(prob, abs=step)
        assert got[ngram][1] == pytest.approx(backoff, abs=step)


def slow_score(entries: dict[tuple[str, ...], tuple[float, float]], order: int, words: list[str]) -> float:
    """The score of a sentence by the definition of backing off."""
    total = 0.0
    history: tuple[str, ...] = ("<s>",)
    for word in [*(w if (w,) in entries else "<unk>" for w in words), "</s>"]:
        context = history[-(order - 1) :]
        while (*context, word) not in entries:
            if not context:
                total += -100.0  # no <unk> in the file
                break
            total += entries.get(context, (0.0, 0.0))[1]
            context = context[1:]
        else:
            total += entries[(*context, word)][0]
        history = (*history, word)
    return total


SENTENCES = [
    "looking on a little more loin",
    "looking on a little more loin also would consider higher looking good",
    "to look a little",
    "screening a little more .",
    "however unknown however",
    "nothing known here",
    "foo bar baz",
    "hello , how are you today ?",
    "see you on monday .",
    "",
]


@pytest.mark.parametrize(
    "name",
    [
        "phrasebook/lm/hard.arpa.xz",
        pytest.param("shared/kenlm/test.arpa", marks=pytest.mark.shared),
        pytest.param("shared/kenlm/test_nounk.arpa", marks=pytest.mark.shared),
    ],
)
def test_hard_arpa_files(golden: Golden, tmp_path: Path, name: str) -> None:
    """No <unk>, positive back-off weights and missing ones, blank lines; the judge is the definition."""
    text = golden(name)
    lines = re.sub(r"^(\S+)\t(.*?)(?:\t(\S+))?$", r"\1\t\2\t\3", text, flags=re.M)
    entries = {
        tuple(f[1].split(" ")): (float(f[0]), float(f[2] or 0))
        for f in (line.split("\t") for line in lines.splitlines())
        if len(f) == 3 and re.fullmatch(r"-?[\d.]+", f[0])
    }
    model = model_of(text, tmp_path)
    for sentence, scored in zip(SENTENCES, model.score(SENTENCES), strict=True):
        assert scored.log10_prob == pytest.approx(slow_score(entries, 5, sentence.split()), abs=1e-4), sentence


def model_of(arpa: str, folder: Path) -> LanguageModel:
    (folder / "model.arpa").write_text(arpa, encoding="utf-8")
    options = LmOptions(prob_bits=0, backoff_bits=0)
    build_model(folder / "lm.bin", from_arpa=folder / "model.arpa", options=options)
    return LanguageModel(folder / "lm.bin")


@pytest.mark.parametrize("name", ["o3", "o3.pruned", "o5", "o5.pruned", "hard"])
def test_words_score_as_kenlm_says(golden: Golden, tmp_path: Path, name: str) -> None:
    """Each word of text that the model has not seen: its probability, and the length of the n-gram that gave it."""
    model = model_of(golden(f"phrasebook/lm/{name}.arpa.xz"), tmp_path)
    sentences = golden("phrasebook/dev.en").splitlines()
    wanted = golden(f"phrasebook/lm/{name}.scores.xz").splitlines()
    for tokens, line in zip(model.tokens(sentences), wanted, strict=True):
        for token, scored in zip(tokens, line.split("\t"), strict=True):
            word, length, log10_prob = scored.split(" ")
            assert token.word in (word, "<unk>")
            assert token.ngram_length == int(length)
            assert token.log10_prob == pytest.approx(float(log10_prob), abs=2e-6, rel=1e-6)


def test_kenlm_reads_our_arpa_of_the_phrasebook(golden: Golden, tmp_path: Path) -> None:
    agrees_with_kenlm(golden("phrasebook/train.en").splitlines(), golden("phrasebook/dev.en").splitlines(), tmp_path)


@pytest.mark.shared
def test_kenlm_reads_our_arpa_of_captions(shared: Shared, tmp_path: Path) -> None:
    def words(name: str) -> list[str]:
        with lzma.open(shared(f"corpora/{name}.xz"), "rt", encoding="utf-8") as stream:
            return [" ".join(re.findall(r"\w+|[^\w\s]", line.lower())) for line in stream]

    news = ("fr-en/newstest2012.en", "fr-en/newstest2013.en", "en-de/newstest2013.en", "en-cs/newstest2013.en")
    lines = [line for name in news for line in words(f"newstest/{name}")]
    agrees_with_kenlm(words("multi30k/train.en"), lines[:10000], tmp_path)


def test_kenlm_reads_words_that_are_called_like_marks(tmp_path: Path) -> None:
    """Marks and words of the text are different words to KenLM too, the latter with a backslash."""
    kenlm = rival()
    text, arpa = tmp_path / "text", tmp_path / "model.arpa"
    sentences = [r"the tag <s> is closed by </s>", r"<unk> <UNK> \<s> is a tag", "<s> <s>", "the tag is closed"]
    text.write_text("\n".join(sentences) + "\n")
    build_model(tmp_path / "lm.bin", [text], options=LmOptions(order=3, prob_bits=0, backoff_bits=0), arpa=arpa)
    config = kenlm.Config()
    config.show_progress = False
    oracle = kenlm.Model(str(arpa), config)
    queries = [*sentences, "</s> </s> <unk>", "unheard <s>"]
    for line, scored in zip(queries, LanguageModel(tmp_path / "lm.bin").score(queries), strict=True):
        escaped = " ".join(map(_core.written_word, line.split(" ")))
        want = list(oracle.full_scores(escaped))
        assert scored.log10_prob == pytest.approx(math.fsum(prob for prob, _, _ in want), abs=1e-4)
        assert scored.unknown == sum(oov for _, _, oov in want) == line.count("unheard")


def rival() -> Any:
    reason = "kenlm, which exists only as source, is not installed or was built wrongly"
    return pytest.importorskip("kenlm", reason=reason, exc_type=ImportError)


def agrees_with_kenlm(train: list[str], lines: list[str], folder: Path) -> None:
    """What KenLM makes of the ARPA file that we write beside a model, and what that model says."""
    kenlm = rival()
    text = folder / "text"
    text.write_text("\n".join(train) + "\n", encoding="utf-8")
    arpa = folder / "model.arpa"
    build_model(folder / "exact.bin", [text], options=LmOptions(prob_bits=0, backoff_bits=0), arpa=arpa)
    build_model(folder / "small.bin", [text])
    config = kenlm.Config()
    config.show_progress = False
    oracle = kenlm.Model(str(arpa), config)
    exact = LanguageModel(folder / "exact.bin").score(lines)
    small = LanguageModel(folder / "small.bin").score(lines)
    for line, of_exact, of_small in zip(lines, exact, small, strict=True):
        want = math.fsum(prob for prob, _, _ in oracle.full_scores(line))
        assert of_exact.log10_prob == pytest.approx(want, abs=1e-4)
        # Eight bits: a few hundredths a word at worst.
        assert of_small.log10_prob == pytest.approx(want, abs=0.02 * of_small.tokens)
        assert of_exact.unknown == sum(oov for _, _, oov in oracle.full_scores(line))
