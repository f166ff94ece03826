"""BLEU counts words of the target language: which tokenizer is chosen, and what the signature says."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.evaluate import evaluate
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.errors import ConfigError
from dragoman.evaluate import bleu_tokenizer, evaluate_model, evaluate_texts
from dragoman.evaluate.bleu_tokenizer import TOKENIZERS, has_mecab, tokenizer_of, tokenizer_of_text
from dragoman.evaluate.scores import statistics
from dragoman.pipeline.stage import Request
from dragoman.pipeline.stages.evaluate import EvaluateOptions
from dragoman.pipeline.stages.evaluate import run as run_stage
from dragoman.tune import tune_model
from tests.unit.translate.support import make_model
from tests.unit.translate.test_sentence_gaps import CHINESE, reversed_pairs

sacrebleu = pytest.importorskip("sacrebleu")

ZH = ["我们今天去北京。", "他说：“你好！”", "这个软件有3.5个版本。"]
ZH_MADE = ["我们今天到北京去。", "他说：“您好！”", "这软件有3.5版。"]
JA = ["私たちは今日東京に行きます。", "カタカナのテストです。"]


@pytest.mark.parametrize("mecab", [True, False])
def test_by_language(monkeypatch: pytest.MonkeyPatch, mecab: bool) -> None:
    monkeypatch.setattr(bleu_tokenizer, "has_mecab", lambda: mecab)
    expected = {
        "zh": "zh zh-TW zh_CN ZH yue lzh",
        "ja-mecab" if mecab else "char": "ja ja-JP",
        "char": "th lo km my bo dz",
        "13a": "en fr ko vi ar hi none xx",
    }
    for name, codes in expected.items():
        assert {tokenizer_of(code) for code in codes.split()} == {name}, codes


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (ZH, "zh"),
        (["GNOME 桌面环境的 Shell 扩展", "无法打开文件。"], "zh"),
        (JA, "char"),
        (["สวัสดีครับ"], "char"),
        (["བཀྲ་ཤིས།"], "char"),
        (["The word 你好 means hello."], "13a"),
        (["안녕하세요 세계"], "13a"),
        (["12 + 3"], "13a"),
        ([], "13a"),
    ],
)
def test_by_script_where_nobody_named_the_language(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], expected: str
) -> None:
    monkeypatch.setattr(bleu_tokenizer, "has_mecab", lambda: False)
    assert tokenizer_of_text(lines) == expected


@pytest.mark.parametrize("tokenize", [None, "13a", "char", "none", "intl"])
def test_scores_and_signature_are_sacrebleus(tokenize: str | None) -> None:
    result = evaluate_texts(ZH_MADE, ZH, against=ZH, samples=50, tokenize=tokenize)
    expected = sacrebleu.corpus_bleu(ZH_MADE, [ZH], tokenize=tokenize or "zh")
    assert result.score("BLEU") == pytest.approx(expected.score)
    assert result.length_ratio == pytest.approx(expected.sys_len / expected.ref_len)
    for each in result.scores[:2]:
        assert f"|tok:{tokenize or 'zh'}|" in each.signature
    assert result.against is not None
    low = result.against.differences[0].low
    if tokenize in (None, "char"):
        assert low is not None and low < 0
        # A line is more than one word to TER too.
        assert 0 < result.score("TER") < 100


@pytest.mark.skipif(not has_mecab(), reason="needs mecab-python3 and ipadic")
@pytest.mark.parametrize("lowercase", [False, True])
def test_japanese_words_come_from_mecab(lowercase: bool) -> None:
    made = ["私は今日 Tokyo に行きます。", "カタカナの試験です。"]
    metric = sacrebleu.metrics.BLEU(tokenize="ja-mecab", lowercase=lowercase)
    expected = metric.corpus_score(made, [JA])
    rows = statistics(made, JA, tokenizer_of_text(JA), lowercase)
    counts = [sum(column) for column in zip(*rows, strict=True)]
    assert counts == [expected.sys_len, expected.ref_len, *expected.counts, *expected.totals]
    assert "tok:ja-mecab" in evaluate_texts(made, JA, samples=50).scores[0].signature


def test_the_model_says_which_language_it_is(tmp_path: Path) -> None:
    model = make_model(tmp_path / "en-zh.model", languages=("en", "zh-CN"), pairs=reversed_pairs(CHINESE))
    # Latin letters alone: the text would not tell.
    result = evaluate_model(model, ["Hello."], ["OK"], samples=50)
    assert "|tok:zh|" in result.scores[0].signature
    assert "|tok:char|" in evaluate_model(model, ["Hello."], ["OK"], samples=50, tokenize="char").scores[0].signature


def test_the_command(tmp_path: Path) -> None:
    for name, lines in (("made", ZH_MADE), ("right", ZH)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / "made"), str(tmp_path / "right")]
    for arguments, expected in (([], "zh"), (["--tokenize", "char"], "char")):
        answer = CliRunner().invoke(evaluate, [*files, "--samples", "50", *arguments])
        assert answer.exit_code == 0, answer.output
        assert f"|tok:{expected}|" in answer.output
    wrong = CliRunner().invoke(evaluate, [*files, "--tokenize", "13b"])
    assert wrong.exit_code == 2 and all(name in wrong.output for name in TOKENIZERS)


def test_a_tokenizer_that_is_not_installed_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(**_: object) -> None:
        raise RuntimeError("\nneeds extra dependencies\n\n    pip install sacrebleu[ko]\n")

    monkeypatch.setattr(sacrebleu.metrics, "BLEU", missing)
    with pytest.raises(ConfigError, match=r"'ko-mecab' cannot be used here \(needs extra .*sacrebleu\[ko\]\)"):
        evaluate_texts(ZH, ZH, tokenize="ko-mecab")
    with pytest.raises(ConfigError, match="must be one of"):
        evaluate_texts(ZH, ZH, tokenize="13b")


@pytest.mark.parametrize("with_sacrebleu", [True, False])
def test_scores_of_training_and_tuning_count_the_same_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_sacrebleu: bool
) -> None:
    if not with_sacrebleu:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    model = make_model(tmp_path / "en-zh.model", languages=("en", "zh"), pairs=reversed_pairs(CHINESE))
    source, target = ["Hello. We drink tea.", "Thanks! Goodbye."], ["你好。我们喝茶。", "谢谢！再见！"]
    inputs = {"model": model, "source": tmp_path / "source", "target": tmp_path / "target"}
    inputs["source"].write_text("\n".join(source) + "\n")
    inputs["target"].write_text("\n".join(target) + "\n")
    options = EvaluateOptions(DecodeOptions())
    evaluated = run_stage(Request(inputs, options, tmp_path, tmp_path / "keep", 1, lambda done, total: None))
    made = (tmp_path / "translations").read_text().splitlines()
    assert evaluated.scores["BLEU"] == round(sacrebleu.corpus_bleu(made, [target], tokenize="zh").score, 2)
    assert evaluated.scores["BLEU"] > 50  # 13a sees two words, of which none is right
    assert all("|tok:zh|" in evaluated.test.signatures[name] for name in ("BLEU", "BLEU-lc"))
    tuned = tune_model(model, source, target, TuneOptions(rounds=1))
    assert tuned.tokenize == tuned.as_json()["tokenize"] == "zh"
    assert tuned.bleu == pytest.approx(sacrebleu.corpus_bleu(made, [target], tokenize="zh", lowercase=True).score)
