"""What `dragoman translate` says of text in another language than the model's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dragoman.cli.language_watch import LanguageWatch
from dragoman.cli.main import run
from dragoman.corpus.recognizer import MOST_CHARACTERS, Doubt
from dragoman.translator import Translator
from tests.unit.translate.support import TEXTS, make_model, pairs_of


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of two languages that no table of words has."""
    path = tmp_path_factory.mktemp("model") / "eu-cy.model"
    return make_model(path, languages=("eu", "cy"), pairs=pairs_of("eu", "cy"))


@pytest.mark.parametrize(
    ("code", "name"), [("cy", "Welsh"), ("fr", "French"), ("el", "Greek"), ("he", "Hebrew script")]
)
def test_text_in_another_language_gets_one_word_on_standard_error(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str, name: str
) -> None:
    """The target's, one of the table, one in another script; and every line is translated all the same."""
    text = tmp_path / "text"
    text.write_text("".join(f"{line}\n" for line in TEXTS[code] * 100))
    assert run(["translate", "-m", str(model), str(text)]) == 0
    said = capsys.readouterr()
    assert said.err.count("looks like") == 1
    assert f"the text looks like {name}, not Basque" in said.err
    assert len(said.out.splitlines()) == 400


@pytest.fixture(scope="module")
def next_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "cy-en.model"
    return make_model(path, languages=("cy", "en"), pairs=pairs_of("cy", "en"))


@pytest.mark.parametrize("code", ["fr", "eu"])
@pytest.mark.parametrize("command", ["translate", "explain", "translate --then", "explain --then", "translate-batch"])
def test_so_do_all_commands_that_take_text(
    model: Path, next_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, code: str
) -> None:
    """Through two models it is the first that is asked: what the second reads was written by the first."""
    text = tmp_path / "text"
    lines = TEXTS[code] * 12
    text.write_text("".join(f"{line}\n" for line in lines))
    name, *then = command.split()
    arguments = [name, "-m", str(model), *(option for option in (*then, str(next_model)) if then)]
    if name == "explain":
        arguments += [" ".join(lines)]
    else:
        arguments += [str(text), *(["-o", str(tmp_path / "out")] if name == "translate-batch" else [])]
    assert run(arguments) == 0
    said = capsys.readouterr().err
    assert said.count("looks like") == (code != "eu")
    assert code == "eu" or f"the text looks like French, not Basque, which {model} translates from" in said


@pytest.mark.parametrize(
    "lines", [TEXTS["eu"] * 50, [*TEXTS["eu"] * 5, TEXTS["fr"][0]], ["zuzu zozo"] * 100, ["12"], []]
)
def test_text_in_the_language_of_the_model_or_in_none_gets_none(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str]
) -> None:
    text = tmp_path / "text"
    text.write_text("".join(f"{line}\n" for line in lines))
    assert run(["translate", "-m", str(model), str(text)]) == 0
    assert "looks like" not in capsys.readouterr().err


def test_lines_that_come_one_by_one_are_looked_at_together(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """None of them is enough to go by; and it costs no more than looking at all of them a few times."""
    translator = Counting(Translator.load(model))
    watch = LanguageWatch(translator)  # type: ignore[arg-type]
    for word in " ".join(TEXTS["fr"] * 2000).split():
        watch.see([word])
    assert capsys.readouterr().err.count("looks like French") == 1
    assert translator.looked_at < 4 * MOST_CHARACTERS


class Counting:
    """A translator that knows how much it was asked to look at."""

    def __init__(self, translator: Translator) -> None:
        self.model = translator.model
        self.looked_at = 0
        self._translator = translator

    def doubt(self, texts: Sequence[str]) -> Doubt | None:
        self.looked_at += sum(map(len, texts))
        return self._translator.doubt(texts)
