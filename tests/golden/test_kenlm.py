"""What lmplz and KenLM say: estimates to the last digit, hard ARPA files, and scores of real sentences."""

from __future__ import annotations

import lzma
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.reference.arpa import arpa_entries

from dragoman import _core
from dragoman.config import LmOptions
from dragoman.lm import LanguageModel, build_model

Shared = Callable[[str], Path]


@pytest.mark.parametrize("name", ["toy0", "toy1"])
def test_estimates_equal_lmplz(shared: Shared, name: str) -> None:
    text = _core.LmText()
    text.add(shared(f"golden/kenlm/{name}.txt").read_bytes())
    model = _core.lm_estimate(text, 3, [1], [0.5, 1, 1.5])
    pieces: list[bytes] = []
    model.write_arpa(pieces.append)
    got = arpa_entries(b"".join(pieces).decode())
    want = arpa_entries(shared(f"golden/kenlm/{name}.arpa").read_text())
    assert set(got) == set(want)
    for ngram, (prob, backoff) in want.items():
        assert got[ngram][0] == pytest.approx(prob, abs=5e-8)
        assert got[ngram][1] == pytest.approx(backoff, abs=5e-8)


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


@pytest.mark.parametrize("name", ["test.arpa", "test_nounk.arpa"])
def test_hard_arpa_files(shared: Shared, tmp_path: Path, name: str) -> None:
    path = shared(f"golden/kenlm/{name}")
    lines = re.sub(r"^(\S+)\t(.*?)(?:\t(\S+))?$", r"\1\t\2\t\3", path.read_text(), flags=re.M)
    entries = {
        tuple(f[1].split(" ")): (float(f[0]), float(f[2] or 0))
        for f in (line.split("\t") for line in lines.splitlines())
        if len(f) == 3 and re.fullmatch(r"-?[\d.]+", f[0])
    }
    out = tmp_path / "lm.bin"
    build_model(out, from_arpa=path, options=LmOptions(prob_bits=0, backoff_bits=0))
    sentences = [
        "looking on a little more loin",
        "looking on a little more loin also would consider higher looking good",
        "to look a little",
        "screening a little more .",
        "however unknown however",
        "nothing known here",
        "foo bar baz",
        "",
    ]
    for sentence, scored in zip(sentences, LanguageModel(out).score(sentences), strict=True):
        assert scored.log10_prob == pytest.approx(slow_score(entries, 5, sentence.split()), abs=1e-4), sentence


def test_kenlm_reads_words_that_are_called_like_marks(tmp_path: Path) -> None:
    """Marks and words of the text are different words to KenLM too, the latter with a backslash."""
    kenlm = pytest.importorskip("kenlm", reason="kenlm from PyPI is not installed")
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


def test_kenlm_reads_our_arpa_and_agrees(shared: Shared, tmp_path: Path) -> None:
    kenlm = pytest.importorskip("kenlm", reason="kenlm from PyPI is not installed")
    with lzma.open(shared("corpora/multi30k/train.en.xz"), "rt", encoding="utf-8") as stream:
        train = [" ".join(re.findall(r"\w+|[^\w\s]", line.lower())) for line in stream]
    lines = []
    for name in ("fr-en/newstest2012.en", "fr-en/newstest2013.en", "en-de/newstest2013.en", "en-cs/newstest2013.en"):
        path = shared(f"corpora/newstest/{name}.xz")
        with lzma.open(path, "rt", encoding="utf-8") as stream:
            lines += [" ".join(re.findall(r"\w+|[^\w\s]", line.lower())) for line in stream]
    lines = lines[:10000]
    text = tmp_path / "text"
    text.write_text("\n".join(train) + "\n", encoding="utf-8")
    arpa = tmp_path / "model.arpa"
    build_model(tmp_path / "exact.bin", [text], options=LmOptions(prob_bits=0, backoff_bits=0), arpa=arpa)
    build_model(tmp_path / "small.bin", [text])
    config = kenlm.Config()
    config.show_progress = False
    oracle = kenlm.Model(str(arpa), config)
    exact = LanguageModel(tmp_path / "exact.bin").score(lines)
    small = LanguageModel(tmp_path / "small.bin").score(lines)
    for line, of_exact, of_small in zip(lines, exact, small, strict=True):
        want = math.fsum(prob for prob, _, _ in oracle.full_scores(line))
        assert of_exact.log10_prob == pytest.approx(want, abs=1e-4)
        # Eight bits: a few hundredths a word at worst.
        assert of_small.log10_prob == pytest.approx(want, abs=0.02 * of_small.tokens)
        assert of_exact.unknown == sum(oov for _, _, oov in oracle.full_scores(line))
