"""The documents say what the code says: generated pages are up to date, links lead somewhere, examples are found."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import check_links, check_names
from tools.check_examples import ExampleError, check_page, examples_of
from tools.reference.markdown import plain

ROOT = Path(__file__).parents[3]


def test_reference_pages_are_up_to_date() -> None:
    pytest.importorskip("starlette", reason="the server's packages are not installed: pip install '.[serve]'")
    from tools.make_reference import outdated

    assert outdated() == [], "run python -m tools.make_reference"


def test_links_lead_somewhere() -> None:
    wrong = [*check_links.broken_links(), *check_links.missing_pages(), *check_links.missing_files()]
    assert wrong == []


def test_commands_and_flags_that_pages_name_exist() -> None:
    assert list(check_names.unknown()) == []


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("```console\n$ echo a | dragoman translate -m M --nbest 3\n```\n", [""]),
        ("```console\n$ dragoman add M \\\n    --sources 3\n```\n", ["there is no --sources"]),
        ("```\ndragoman trian x.tmx\n```\n", ["there is no command dragoman trian"]),
        ("    dragoman lm perplexity lm.bin T --jsn\n", ["there is no --jsn"]),
        ("say `dragoman lm\nbild` or `dragoman lm`", ["there is no command dragoman lm bild", ""]),
        ("dragoman trian is no code, and `run dragoman trian` no call", []),
        ("`dragoman explain -m M '--nothing' --why-not \"a --b\"`", [""]),
    ],
)
def test_a_command_that_does_not_exist_is_found(text: str, complaints: list[str]) -> None:
    assert [check_names.trouble(call) for call in check_names.calls(text)] == complaints


def test_a_name_that_does_not_exist_is_found() -> None:
    program = "```python\nfrom dragoman.text import Tokenizer, Nil\n```\n"
    text = f"`dragoman.tune.tune_model(model)` and `x = dragoman.nothing.more`\n{program}"
    assert [(name, check_names.is_there(name)) for name in check_names.dotted_names(text)] == [
        ("dragoman.tune.tune_model", True),
        ("dragoman.nothing.more", False),
        ("dragoman.text.Tokenizer", True),
        ("dragoman.text.Nil", False),
    ]


def test_every_page_is_in_the_site() -> None:
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if page not in listed] == []


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed: pip install '.[dev]'")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr


@pytest.mark.parametrize("sign", [r"(?<![\w.:/])/(root|home|Users)/", r"^<{7} ", r"^>{7} "])
def test_a_page_has_no_path_of_a_machine_and_no_mark_of_a_merge(sign: str) -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    assert [page.name for page in pages if re.search(sign, page.read_text(encoding="utf-8"), re.MULTILINE)] == []


def write(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    return page


def test_commands_are_told_from_what_they_print(tmp_path: Path) -> None:
    page = write(tmp_path, "# T\n\n```console\n$ echo a \\\n    b\na b\n$ make demo\n```\n\n```text\n$ no\n```\n")
    found = examples_of(page)
    assert [(each.line, each.text, each.is_run) for each in found] == [
        (4, "echo a \\\n    b", True),
        (7, "make demo", False),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```console\n$ test -d examples\n$ exit 3\n```\n", "page.md:3: exit code 3"),
        ("```console\n$ false | true\n```\n", "exit code 1"),
        ("```python\nraise SystemExit(2)\n```\n", "exit code 2"),
        ("```console\n$ true\nTraceback (most recent call last)\n```\n", "traceback"),
        ("```console\ntrue\n```\n", "nothing to run"),
        ("```\ntrue\n```\n", "say what this block is"),
        ("```sh\ntrue\n```\n", "say what this block is"),
        ("```console\n$ dragoman serve -m nowhere\n```\n", "does not answer"),
    ],
)
def test_an_example_that_does_not_work_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ExampleError, match=said):
        check_page(write(tmp_path, text))


def test_a_page_is_run_from_top_to_bottom_in_one_folder(tmp_path: Path) -> None:
    page = write(
        tmp_path,
        "```console\n$ echo 7 > made\n```\n\n```python\nassert open('made').read() == '7\\n'\n```\n",
    )
    assert check_page(page) == 2


def test_text_of_the_code_is_no_markup() -> None:
    assert plain("a <t> | *b* `<c> |`") == "a &lt;t> \\| \\*b\\* `<c> \\|`"
