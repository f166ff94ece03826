"""What stands between sentences, from and into languages that write no space there; and words printed together."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.cli.main import run
from dragoman.cli.translate_file import translate_file
from dragoman.explain.explanation import ExplainedPhrase, Explanation
from dragoman.translator import Translator
from tests.unit.translate.support import PAIRS, make_model

Pairs = Sequence[tuple[str, str, str]]

CHINESE = [
    ("你 好 。", "hello .", "0-0 1-0 2-1"),
    ("再 见 。", "goodbye .", "0-0 1-0 2-1"),
    ("谢 谢 ！", "thanks !", "0-0 1-0 2-1"),
    ("我 们 喝 茶 。", "we drink tea .", "0-0 1-0 2-1 3-2 4-3"),
]
JAPANESE = [
    ("こ ん に ち は 。", "hello .", "0-0 1-0 2-0 3-0 4-0 5-1"),
    ("さ よ う な ら 。", "goodbye .", "0-0 1-0 2-0 3-0 4-0 5-1"),
    ("本 当 ？", "really ?", "0-0 1-0 2-1"),
]
CHINESE_JAPANESE = [("你 好 。", "こ ん に ち は 。", "0-0 1-4 2-5"), ("再 见 。", "さ よ う な ら 。", "0-0 1-4 2-5")]
UNSPACED = ("zh", "ja")
SPACES = " \u00a0\u2009\u3000"


def reversed_pairs(pairs: Pairs) -> Pairs:
    return [
        (target, source, " ".join("-".join(reversed(link.split("-"))) for link in links.split()))
        for source, target, links in pairs
    ]


MODELS: dict[tuple[str, str], Pairs] = {
    ("zh", "en"): CHINESE,
    ("en", "zh"): reversed_pairs(CHINESE),
    ("ja", "en"): JAPANESE,
    ("en", "ja"): reversed_pairs(JAPANESE),
    ("zh", "ja"): CHINESE_JAPANESE,
    ("fr", "en"): PAIRS,
}
Open = Callable[[tuple[str, str]], Translator]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Open:
    folder: Path = tmp_path_factory.mktemp("gaps")

    @cache
    def make(languages: tuple[str, str]) -> Translator:
        path = folder / f"{'-'.join(languages)}.model"
        return Translator.load(make_model(path, languages=languages, pairs=MODELS[languages]))

    return make


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (("zh", "en"), "你好。再见。谢谢！", "Hello. Goodbye. Thanks!"),
        (("zh", "en"), "你好。　再见。", "Hello. Goodbye."),
        (("zh", "en"), "　　你好。\n再见。", "　　Hello.\nGoodbye."),
        (("en", "zh"), "Hello. Goodbye.  Thanks!", "你好。再见。谢谢！"),
        (("en", "zh"), "  Hello. Goodbye. ", "  你好。再见。 "),
        (("en", "zh"), "Hello.\tGoodbye.\nThanks!", "你好。\t再见。\n谢谢！"),
        # Words of another script stay apart from each other, but not from ideographs.
        (("en", "zh"), "Foo? Bar? Hello. Baz? Thanks! Foo?", "Foo? Bar?你好。Baz?谢谢！Foo?"),
        (("ja", "en"), "本当？　こんにちは。さようなら。", "Really? Hello. Goodbye."),
        (("en", "ja"), "Really? Hello.", "本当？こんにちは。"),
        (("zh", "ja"), "你好。 再见。", "こんにちは。さようなら。"),
        (("zh", "ja"), "你好。再见。", "こんにちは。さようなら。"),
        (("fr", "en"), "La maison.  La maison bleue.", "The house.  The blue house."),
        (("fr", "en"), "La maison.　La maison bleue.", "The house. The blue house."),
    ],
)
def test_between_sentences(opened: Open, languages: tuple[str, str], text: str, expected: str) -> None:
    assert opened(languages).translate(text).text == expected


@pytest.mark.parametrize(
    ("languages", "page", "expected"),
    [
        (("zh", "en"), "<p>你好。<b>再见。</b><i>谢谢！</i></p>", "<p>Hello. <b>Goodbye.</b> <i>Thanks!</i></p>"),
        (("en", "zh"), "<p>Hello. <b>Goodbye.</b> <i>Thanks!</i></p>", "<p>你好。<b>再见。</b><i>谢谢！</i></p>"),
        (("zh", "en"), "<p>你好。<br>再见。</p>", "<p>Hello.<br>Goodbye.</p>"),
    ],
)
def test_between_sentences_of_a_page(
    opened: Open, tmp_path: Path, languages: tuple[str, str], page: str, expected: str
) -> None:
    (tmp_path / "a.html").write_text(page)
    model = str(opened(languages).model.path)
    out = tmp_path / "b.html"
    answer = CliRunner().invoke(translate_file, ["-m", model, str(tmp_path / "a.html"), "--out", str(out)])
    assert answer.exit_code == 0, answer.output
    assert out.read_text() == expected


def written(pair: tuple[str, str, str], language: str) -> str:
    return (
        pair[0].replace(" ", "") if language in UNSPACED else pair[0].replace(" .", ".").replace(" !", "!").capitalize()
    )


def expected_gap(source: str, target: str, gap: str) -> str:
    """The rule once more, for sentences in their own script."""
    if gap.strip(SPACES) or len(gap) > 2:
        return gap
    if target in UNSPACED:
        return ""
    return " " if "\u3000" in gap or (not gap and source in UNSPACED) else gap


@settings(max_examples=150)
@given(st.sampled_from(sorted(MODELS)), st.data())
def test_spans_of_sentences_stay_right(opened: Open, languages: tuple[str, str], data: st.DataObject) -> None:
    source, target = languages
    own = [written(pair, source) for pair in MODELS[languages] if pair[0][-1] in ".。！"]
    sentences = data.draw(st.lists(st.sampled_from(own), min_size=1, max_size=5))
    gap = st.text(SPACES, max_size=3) | st.sampled_from(["\t", " \t ", "\n", "\n\n"])
    gaps = [data.draw(gap.filter(lambda gap: gap or source in UNSPACED)) for _ in sentences[1:]]
    text = sentences[0] + "".join(gap + sentence for gap, sentence in zip(gaps, sentences[1:], strict=True))
    result = opened(languages).translate(text, nbest=3)
    assert [each.source for each in result.sentences] == sentences
    for each in result.sentences:
        assert text[slice(*each.source_span)] == each.source
        assert result.text[slice(*each.target_span)] == each.text
        for token, span in zip(each.target_tokens, each.target_spans, strict=True):
            assert each.text[slice(*span)] == token.strip("\uffed\u2581")
    between = [
        result.text[left.target_span[1] : right.target_span[0]]
        for left, right in zip(result.sentences, result.sentences[1:], strict=False)
    ]
    assert between == [expected_gap(source, target, gap) for gap in gaps]


@pytest.mark.parametrize("languages", sorted(MODELS))
def test_words_of_pairs_without_a_text_are_written_together(opened: Open, languages: tuple[str, str]) -> None:
    translator = opened(languages)
    for number, (source, target, _) in enumerate(MODELS[languages]):
        pair = translator.pair(number)
        assert pair is not None and not pair.raw
        sides = zip(languages, (source, target), (pair.source_text, pair.target_text), strict=True)
        for language, words, text in sides:
            assert text == (words.replace(" ", "") if language in UNSPACED else text)
            assert " ." not in text
        assert [pair.source_text[slice(*span)] for span in pair.source_spans] == source.split()
        assert [pair.target_text[slice(*span)] for span in pair.target_spans] == target.split()


@pytest.mark.parametrize(
    ("languages", "text", "kept", "apart"),
    [(("zh", "en"), "我们喝茶。", "我们", "我 们"), (("ja", "en"), "こんにちは。", "こんにちは", "こ ん")],
)
def test_rules_are_written_as_the_languages_are(
    opened: Open, languages: tuple[str, str], text: str, kept: str, apart: str
) -> None:
    for ours in (languages, languages[::-1]):
        explained = opened(ours).explain(text if ours == languages else opened(languages).translate(text).text)
        order = 1 if ours == languages else -1
        sides = [(rule.phrase.source, rule.phrase.target)[::order] for rule in rules(explained)]
        assert kept in "".join(asian for asian, _ in sides)
        assert all(apart not in asian and " ." not in english for asian, english in sides)


def rules(explained: Explanation) -> list[ExplainedPhrase]:
    return [rule for sentence in explained.sentences for rule in sentence.phrases]


@pytest.mark.parametrize(
    ("languages", "source", "other", "apart"),
    [
        (("en", "zh"), "We drink tea.", "茶喝我们。你好。再见。", ("喝 茶", "我 们")),
        (("en", "ja"), "Hello. Really?", "本当？さようなら。本当？", ("本 当", "さ よ", "な ら")),
    ],
)
def test_what_stands_in_the_way_is_written_as_the_language_is(
    opened: Open, languages: tuple[str, str], source: str, other: str, apart: tuple[str, ...]
) -> None:
    why = opened(languages).why(source, other)
    assert not why.possible
    assert all(words not in why.reason for words in apart)


def test_what_the_command_explains_is_written_as_the_language_is(
    opened: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rules, the training sentences behind them and the derivation, as people see them."""
    for languages, text in ((("ja", "en"), "さようなら。"), (("en", "ja"), "Goodbye."), (("zh", "ja"), "再见。")):
        assert run(["explain", "-m", str(opened(languages).model.path), text]) == 0
        shown = capsys.readouterr().out
        assert "さようなら" in shown
        assert not re.search(r"[\u3040-\u30ff\u4e00-\u9fff] [\u3040-\u30ff\u4e00-\u9fff]", shown), shown
