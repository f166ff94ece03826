"""The Python face of language models and the command line: what goes in, what comes out, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.config import LmOptions
from dragoman.errors import ConfigError, FormatError, InputError
from dragoman.lm import LanguageModel, build_model

TEXT = "the cat sleeps\nthe dog sleeps\na cat eats\nthe cat eats fish\n" * 5


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    path.write_text(TEXT)
    return path


def test_build_and_score(text: Path, tmp_path: Path) -> None:
    report = build_model(tmp_path / "lm.bin", [text], options=LmOptions(order=3))
    model = LanguageModel(tmp_path / "lm.bin")
    assert model.order == 3 and model.counts == report.stored and model.file_bytes == report.bytes
    (tokens,) = model.tokens(["the cat flies"])
    assert [token.word for token in tokens] == ["the", "cat", "flies", "</s>"]
    assert [token.unknown for token in tokens] == [False, False, True, False]
    assert tokens[1].ngram_length == 3
    result = model.perplexity(["the cat flies"])
    assert result.tokens == 4 and result.unknown == 1
    assert result.log10_prob == pytest.approx(sum(token.log10_prob for token in tokens), abs=1e-6)
    assert result.perplexity > result.perplexity_known > 1


def test_names_of_marks_are_words_like_others(text: Path, tmp_path: Path) -> None:
    """Unknown where the text has none, known where it has."""
    build_model(tmp_path / "lm.bin", [text])
    (tokens,) = LanguageModel(tmp_path / "lm.bin").tokens(["<s> the </s> <unk>"])
    assert [token.unknown for token in tokens] == [True, False, True, True, False]
    (tmp_path / "html").write_text("use <s> and </s>\n<unk> is a word\n")
    build_model(tmp_path / "lm.bin", [text, tmp_path / "html"])
    model = LanguageModel(tmp_path / "lm.bin")
    (tokens,) = model.tokens(["<s> the </s> <unk>"])
    assert not any(token.unknown for token in tokens)
    (tmp_path / "html").write_text("use zz1 and zz2\nzz3 is a word\n")
    build_model(tmp_path / "plain.bin", [text, tmp_path / "html"])
    plain = LanguageModel(tmp_path / "plain.bin")
    assert model.score(["use <s> and </s>", "<unk> </s> is"]) == plain.score(["use zz1 and zz2", "zz3 zz2 is"])


def test_arpa_out_and_in(text: Path, tmp_path: Path) -> None:
    for name in ("model.arpa", "model.arpa.gz"):
        build_model(tmp_path / "a.bin", [text], arpa=tmp_path / name)
        build_model(tmp_path / "b.bin", from_arpa=tmp_path / name)
        a, b = LanguageModel(tmp_path / "a.bin"), LanguageModel(tmp_path / "b.bin")
        assert a.counts == b.counts
        assert a.score(["the dog eats a fish"]) == b.score(["the dog eats a fish"])


def test_memory_budget(text: Path, tmp_path: Path) -> None:
    whole = build_model(tmp_path / "whole.bin", [text])
    budget = whole.bytes - 300
    pruned = build_model(tmp_path / "pruned.bin", [text], options=LmOptions(memory=f"{budget}B"))
    assert pruned.bytes <= budget and sum(pruned.stored) < sum(whole.stored) == sum(pruned.estimated)
    with pytest.raises(ConfigError, match="words alone"):
        build_model(tmp_path / "none.bin", [text], options=LmOptions(memory="10"))


def test_working_memory_does_not_change_the_model(text: Path, tmp_path: Path) -> None:
    for name, options in (("free", LmOptions(order=3)), ("bounded", LmOptions(order=3, work_memory="1MB"))):
        build_model(tmp_path / name, [text], options=options)
    assert (tmp_path / "free").read_bytes() == (tmp_path / "bounded").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bounded", "free", "text"]


def test_vocabulary_and_classes(text: Path, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("the cat\nsleeps")
    build_model(tmp_path / "lm.bin", [text], vocabulary=tmp_path / "words")
    (tokens,) = LanguageModel(tmp_path / "lm.bin").tokens(["the dog sleeps"])
    assert [token.unknown for token in tokens] == [False, True, False, False]
    assert tokens[1].ngram_length > 1  # <unk> has n-grams of its own

    (tmp_path / "classes").write_text("cat N\ndog N\nthe D\na D\nsleeps V\neats V\nfish N\n")
    build_model(tmp_path / "class.bin", [text], classes=tmp_path / "classes")
    model = LanguageModel(tmp_path / "class.bin")
    assert model.over_classes and model.counts[0] == 6  # N D V <unk> <s> </s>
    (tokens,) = model.tokens(["a dog eats"])
    assert [token.ngram_length for token in tokens] == [2, 3, 4, 5]


def test_sampling_is_reproducible(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("".join(f"w{i % 17} w{i % 5} w{i % 3}\n" for i in range(500)))
    sizes = set()
    for seed in (1, 1, 2):
        report = build_model(tmp_path / "lm.bin", [tmp_path / "text"], options=LmOptions(sample=0.2, seed=seed))
        sizes.add(tuple(report.stored))
    assert len(sizes) <= 2
    assert LmOptions().seed == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (LmOptions(order=0), "order"),
        (LmOptions(order=11), "order"),
        (LmOptions(min_counts="2 1"), "min-counts"),
        (LmOptions(min_counts="x"), "min-counts"),
        (LmOptions(discount_fallback="1 2"), "discount-fallback"),
        (LmOptions(sample=0.0), "sample"),
        (LmOptions(prob_bits=1), "prob-bits"),
        (LmOptions(backoff_bits=17), "backoff-bits"),
        (LmOptions(memory="much"), "size"),
    ],
)
def test_bad_options(text: Path, tmp_path: Path, options: LmOptions, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build_model(tmp_path / "lm.bin", [text], options=options)
    assert not (tmp_path / "lm.bin").exists()


def test_discounts_without_fallback_are_refused(text: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="discount-fallback"):
        build_model(tmp_path / "lm.bin", [text], options=LmOptions(discount_fallback=""))


def test_errors_name_file_and_line(text: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"fine\nnot \xff fine\n")
    with pytest.raises(InputError, match=r"bad: line 2: "):
        build_model(tmp_path / "lm.bin", [text, bad])
    bad.write_text("\\data\\\nngram 1=1\n\n\\1-grams:\nx y\n")
    with pytest.raises(InputError, match="bad: line 5"):
        build_model(tmp_path / "lm.bin", from_arpa=bad)
    with pytest.raises(FormatError, match="text"):
        LanguageModel(text)
    with pytest.raises(InputError, match="no sentence"):
        (tmp_path / "empty").write_text("")
        build_model(tmp_path / "lm.bin", [tmp_path / "empty"])
    with pytest.raises(ConfigError):
        build_model(tmp_path / "lm.bin")
    with pytest.raises(ConfigError, match="no such folder"):
        build_model(tmp_path / "absent" / "lm.bin", [text])


def test_command_line(text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = tmp_path / "text.gz"
    packed.write_bytes(gzip.compress(text.read_bytes()))
    model = str(tmp_path / "lm.bin")
    assert run(["lm", "build", str(packed), "--out", model, "--order", "3", "--json"]) == 0
    built = json.loads(capsys.readouterr().out)
    assert built["order"] == 3 and built["bytes"] == Path(model).stat().st_size
    assert run(["lm", "perplexity", model, str(text), "--json", "--sentences"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["sentences"] == 20 == len(result["by_sentence"]) and result["unknown"] == 0
    assert run(["lm", "perplexity", model, str(text), "--sentences"]) == 0
    assert "perplexity" in capsys.readouterr().out
    assert run(["lm", "query", model, str(text), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(row["log10_prob"] for row in rows) == pytest.approx(result["log10_prob"], abs=1e-3)
    assert run(["lm", "query", model, str(text)]) == 0
    assert capsys.readouterr().out.startswith("the 2 ")
    assert run(["lm", "build", "--out", model]) == 2
    assert run(["lm", "build", str(tmp_path / "absent"), "--out", model]) == 1
    assert run(["lm", "perplexity", str(text), str(text)]) == 1
