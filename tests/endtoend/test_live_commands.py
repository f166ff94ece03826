"""dragoman add, remove, compact and glossary as people call them, and a writer that is killed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from dragoman.cli import learn
from dragoman.cli.learn import BATCH
from dragoman.cli.main import run
from dragoman.learn.new_pairs import NewPair
from dragoman.progress import Progress
from dragoman.translator import Translator
from tests.unit.learn.support import make_model

ADDER = """
import sys
from dragoman.translator import Translator
translator = Translator.load(sys.argv[1])
for number in range(int(sys.argv[2]), 10_000):
    translator.add(f"mot{number} bleu", f"blue word{number}", id=f"id {number}")
    print(number, flush=True)
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model")


def translate(model: Path, text: str) -> str:
    return str(Translator.load(model).translate(text))


def test_add_remove_compact(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["add", str(model), "--source", "un bidule", "--target", "a gizmo", "--id", "x", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"added": 1, "refused": 0, "pairs": 9, "corrections": 1, "id": "x"}
    assert translate(model, "un bidule") == "a gizmo"
    pairs = tmp_path / "new.tsv"
    pairs.write_text("le truc\tthe thing\nle machin\tthe gear\n")
    assert run(["add", str(model), str(pairs)]) == 0
    assert "learned 2 pairs" in capsys.readouterr().err
    assert translate(model, "un truc et le machin") == "a thing and the gear"
    assert run(["inspect", str(model), "--json"]) == 0
    overlay = json.loads(capsys.readouterr().out)["overlay"]
    assert overlay.pop("memory") > 0
    assert overlay == {"added": 3, "removed": 0, "bytes": log_bytes(model)}
    assert run(["pack", str(model)]) == 2
    assert "compact" in capsys.readouterr().err
    assert run(["remove", str(model), "--id", "x"]) == 0
    assert "dragoman compact" in capsys.readouterr().err
    assert run(["remove", str(model), "--id", "x"]) == 1
    assert "no pair called x" in capsys.readouterr().err
    assert run(["compact", str(model)]) == 0
    told = capsys.readouterr().err
    assert "10 pairs in one index; 2 were added" in told
    assert translate(model, "un bidule et le truc") == "a bidule and the thing"
    assert run(["remove", str(model), "--id", f"{pairs}:1"]) == run(["remove", str(model), "--id", "line:8"]) == 0
    capsys.readouterr()
    assert run(["compact", str(model)]) == 0
    told = capsys.readouterr().err
    assert "lm.bin still holds" in told
    assert f"dragoman extract text -m {model} --side target | dragoman lm build - --out {model}" in told
    assert run(["pack", str(model), "--out", str(tmp_path / "packed.dragoman")]) == 0


def test_pairs_that_cannot_be_learned_are_counted_and_the_others_learned(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "new.tsv"
    rows = [
        "le truc\tthe thing",
        "mot " * 1500 + "\tword",
        "\tnothing",
        "le machin\tthe gear",
        "mot\t" + "word " * 1001,
    ]
    pairs.write_text("\n".join(rows) + "\n")
    assert run(["add", str(model), str(pairs), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["added"] == 2
    assert told["refused"] >= 2
    assert translate(model, "un truc et le machin") == "a thing and the gear"
    assert run(["add", str(model), "--source", "mot " * 1500, "--target", "word"]) == 1
    assert "split it" in capsys.readouterr().err
    pairs.write_text("le bidule\tthe gadget\n\tnothing\n")
    assert run(["add", str(model), str(pairs)]) == 0
    assert "learned 1 pair; 1 pair was refused: " in capsys.readouterr().err


def test_blank_sides_do_not_keep_pairs_from_being_learned_together(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    batches: list[int] = []
    add_pairs = Translator.add_pairs

    def counted(self: Translator, pairs: Sequence[NewPair], **how: Any) -> list[str]:
        batches.append(len(pairs))
        return add_pairs(self, pairs, **how)

    monkeypatch.setattr(Translator, "add_pairs", counted)
    good = [(f"mot{number} bleu", f"blue word{number}") for number in range(40)]
    blank = [("", "nothing"), ("rien", "\u3000"), (" ", "\t")] * 20
    pairs = tmp_path / "new.jsonl"
    # All kinds in turn, and at the end a whole batch of which nothing is left.
    rows = [*(row for both in zip(good, blank, strict=False) for row in both), *blank * (BATCH // 10)]
    pairs.write_text("".join(json.dumps({"source": source, "target": target}) + "\n" for source, target in rows))
    assert run(["add", str(model), str(pairs), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["added"], told["refused"]) == (40, len(rows) - 40)
    assert batches == [40]


def test_lessons_are_shown_and_taken_back_in_bulk(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first.tsv", tmp_path / "second.tsv"
    first.write_text("".join(f"mot{n:04} bleu\tblue word{n:04}\n" for n in range(BATCH + 5)))
    second.write_text("le truc\tthe thing\nmot0007 bleu\tblue word0007\n")
    assert run(["add", str(model), str(first)]) == run(["add", str(model), str(second)]) == 0
    assert run(["add", str(model), "--source", "un bidule", "--target", "a gizmo", "--id", "memo"]) == 0
    capsys.readouterr()

    def shown(*options: str) -> list[dict[str, object]]:
        assert run(["lessons", str(model), "--json", *options]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    everything = shown()
    assert len(everything) == BATCH + 7
    assert everything[-1]["ids"] == ["memo"]
    # All that one command brought is one import, whatever it took.
    assert len({name for lesson in everything for name in lesson["imports"]}) == 3  # type: ignore[attr-defined]
    (seventh,) = shown("--search", "word0007 bleu")
    assert seventh["ids"] == [f"{first}:8", f"{second}:2"]
    assert [lesson["ids"] for lesson in shown("--id", "memo")] == [["memo"]]
    assert len(shown("--file", "second.tsv")) == 2
    assert len(shown("--since", "2026-01-01")) == BATCH + 7
    assert run(["lessons", str(model), "--file", str(second)]) == 0
    told = capsys.readouterr()
    assert "le truc\n    the thing\n" in told.out
    assert "2 lessons" in told.err
    assert run(["remove", str(model), "--file", "second.tsv"]) == 0
    assert "removed 2" in capsys.readouterr().err
    assert [lesson["ids"] for lesson in shown("--search", "word0007 bleu")] == [[f"{first}:8"]]
    assert run(["remove", str(model), "--file", "second.tsv"]) == 1
    assert "dragoman lessons" in capsys.readouterr().err
    assert run(["remove", str(model), "--last"]) == 0
    assert "took back the 1 that were taught last" in capsys.readouterr().err
    first.write_text("mot0000 bleu\tdark word0000\n")
    assert run(["add", str(model), str(first)]) == 0
    assert translate(model, "mot0000 bleu") == "Dark word0000"
    assert run(["remove", str(model), "--last"]) == 0
    assert "are again what they were before" in capsys.readouterr().err
    assert translate(model, "mot0000 bleu") == "Blue word0000"
    assert run(["remove", str(model), "--since", "2026-01-01", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"removed": BATCH + 5}
    assert shown() == []
    assert run(["remove", str(model), "--last"]) == 1
    assert run(["remove", str(model)]) == run(["remove", str(model), "--last", "--id", "x"]) == 2
    assert run(["lessons", str(model), "--since", "last week"]) == 2
    assert "is no time" in capsys.readouterr().err


def test_a_file_in_other_languages_is_refused_unless_forced(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, mixed = tmp_path / "czech.tsv", tmp_path / "mixed.tsv"
    rows = [
        f"To je dům, který jsme hledali {number}, ale není to on.\tDas ist das Haus, nach dem wir suchten {number}."
        for number in range(2 * BATCH + 10)
    ]
    pairs.write_text("\n".join(rows) + "\n")
    assert run(["add", str(model), str(pairs)]) == 1
    told = capsys.readouterr().err
    assert "learned nothing; 2,010 pairs were refused: 2,010 in other languages" in told
    assert "looks like Czech, not French, and the target text looks like German, not English" in told
    assert "--force" in told
    assert not (model / "overlay").exists()
    mixed.write_text(f"le truc\tthe thing\n{rows[0]}\nle machin\tthe gear\n")
    assert run(["add", str(model), str(mixed), "--json"]) == 0
    told_json = json.loads(capsys.readouterr().out)
    assert (told_json["added"], told_json["refused"], told_json["reasons"]) == (2, 1, {"languages": 1})
    assert run(["add", str(model), str(mixed), "--force"]) == 0
    assert "learned 3 pairs" in capsys.readouterr().err
    source, target = rows[0].split("\t")
    assert run(["add", str(model), "--source", target, "--target", source]) == 1
    assert "force it (--force)" in capsys.readouterr().err
    assert run(["add", str(model), "--source", target, "--target", source, "--force"]) == 0


def log_bytes(model: Path) -> int:
    return (model / "overlay" / "log").stat().st_size


def test_text_for_language_models(model: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Translator.load(model).add("un bidule", "a gizmo", id="x")
    Translator.load(model).remove("line:1")
    assert run(["extract", "text", str(model)]) == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert len(lines) == 8
    assert "a gizmo" in lines
    assert "the blue house ." not in lines


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--source", "x"], "--source and --target go together"),
        ([], "give either"),
        (["a.tsv", "--source", "x", "--target", "y"], "give either"),
        (["a.tsv", "--id", "x"], "--id names one pair"),
        (["missing.tsv"], "no such file"),
    ],
)
def test_wrong_calls(model: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["add", str(model), *arguments]) in (1, 2)
    assert said in capsys.readouterr().err


def test_glossary_commands(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text("maison\thome\nmaison\tvilla\n")
    assert run(["glossary", "use", str(model), str(terms)]) == 0
    assert "another translation" in capsys.readouterr().err
    assert translate(model, "la maison") == "the home"
    assert run(["glossary", "check", str(model), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["term"] == "maison"
    terms.write_text("")
    assert run(["glossary", "use", str(model), str(terms)]) == 0
    assert translate(model, "la maison") == "the house"
    terms.write_text("\tx\n")
    assert run(["glossary", "use", str(model), str(terms)]) == 1
    assert "line 1" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_killed_while_adding(model: Path) -> None:
    """Whatever was acknowledged is there, each time, and adding goes on."""
    chance = random.Random(5)
    acknowledged: set[int] = set()
    for _ in range(4):
        first = max(acknowledged, default=-1) + 2
        with subprocess.Popen(
            [sys.executable, "-c", ADDER, str(model), str(first)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for _ in range(chance.randint(1, 60)):
                acknowledged.add(int(process.stdout.readline()))
            os.kill(process.pid, signal.SIGKILL)
            acknowledged |= {int(line) for line in process.stdout.read().split() if line.isdigit()}
        translator = Translator.load(model)
        names = set(translator.overlay.names())
        assert {f"id {number}" for number in acknowledged} <= names
        for number in chance.sample(sorted(acknowledged), 1):
            assert str(translator.translate(f"mot{number} bleu")) == f"Blue word{number}"


def test_adding_files_shows_how_far_it_is(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []

    @contextlib.contextmanager
    def noted(label: str, total: int | None = None) -> Iterator[Progress]:
        yield lambda done, total: told.append((done, total))

    monkeypatch.setattr(learn, "progress", noted)
    monkeypatch.setattr(learn, "stderr", Console(file=io.StringIO(), force_terminal=True))
    pairs = tmp_path / "new.tsv"
    pairs.write_text("".join(f"mot{number} bleu\tblue word{number}\n" for number in range(BATCH + 5)))
    assert run(["add", str(model), "--force", str(pairs)]) == 0
    assert told == [(BATCH, BATCH + 5), (BATCH + 5, BATCH + 5)]
    # A pipe can be read once.
    told.clear()
    pipe = tmp_path / "pipe.tsv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("un truc\ta thing\n",))
    writer.start()
    assert run(["add", str(model), "--force", str(pipe)]) == 0
    writer.join()
    assert told == [(1, 0)]


def test_memories(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command knows them: taught, listed, applied, exported alone, and taken out whole."""
    pairs = tmp_path / "acme.tsv"
    pairs.write_text("un bidule\ta gizmo\nle truc\tthe thing\n")
    assert run(["add", str(model), "--in", "acme", str(pairs)]) == 0
    assert run(["add", str(model), "--in", "other", "--source", "un bidule", "--target", "a widget", "--id", "x"]) == 0
    assert "learned 'x' in other" in capsys.readouterr().err
    assert run(["memories", str(model), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"default": 0, "acme": 2, "other": 1}
    assert run(["memories", str(model)]) == 0
    assert capsys.readouterr().out == "0  default\n2  acme\n1  other\n"

    def translated(*use: str) -> str:
        assert run(["translate", "-m", str(model), "--text", "un bidule", *use]) == 0
        return capsys.readouterr().out.strip()

    assert translated("--use", "acme") == "a gizmo"
    assert translated("--use", "other,default") == "a widget"
    assert translated("--use", "acme,other=9") == "a widget"
    assert run(["explain", "-m", str(model), "--use", "other", "--json", "un bidule"]) == 0
    assert "gizmo" not in capsys.readouterr().out
    text, out = tmp_path / "text.txt", tmp_path / "out"
    text.write_text("un bidule\n")
    assert run(["translate-file", "-m", str(model), "--use", "acme", str(text), "-o", str(tmp_path / "acme.txt")]) == 0
    assert (tmp_path / "acme.txt").read_text() == "a gizmo\n"
    assert run(["translate-batch", "-m", str(model), "--use", "other", str(text), "--out", str(out)]) == 0
    assert (out / "text.txt").read_text() == "a widget\n"
    for command in (["translate", "-m", str(model), "--use", "acne"], ["lessons", str(model), "--in", "acne"]):
        capsys.readouterr()
        assert run(command) == 2
        assert "no memory called acne; there are: default, acme, other" in capsys.readouterr().err
    assert run(["lessons", str(model), "--in", "other", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ids"] == ["x"]
    assert run(["remove", str(model), "--in", "acme", "--id", "x"]) == 1
    exported = tmp_path / "acme.tmx"
    assert run(["export", str(model), "--in", "acme", "-o", str(exported)]) == 0
    assert exported.read_text().count("<tu ") == 2 and '<prop type="memory">acme</prop>' in exported.read_text()
    assert run(["remove", str(model), "--in", "acme"]) == 0
    assert "removed 2" in capsys.readouterr().err
    assert translated() == "a widget"
    assert run(["add", str(model), "--in", "acme", str(exported)]) == 0
    assert translated("--use", "acme") == "a gizmo"
    assert run(["remove", str(model), "--in", "other", "--id", "x"]) == 0
    assert translated() == "a gizmo"
