"""Runs the examples of the tutorial and the README: `python -m tools.check_examples [PAGE]...`.

A page is run from top to bottom in a folder that holds nothing but the project's `examples`. In a `console` block lines
that begin with `$ ` are commands, those after them what the reader sees; a `python` block is a program. What is
compared is the exit code: output differs in times and sizes. Output that is shown must be no traceback. Commands that
build or install (make, pip, git) are not run. A server stays up until the page ends, at a port that is free here.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "docs/tutorial.md", "docs/how-to/python.md", "docs/how-to/memories.md")
# What the reader's own machine is asked to do before there is a Dragoman to try.
NOT_RUN = ("make", "pip", "git", "python3", "cd")
PORT = "5000"
SECONDS = 120
# A block of these is looked at by no one, and must say so by having none of the two languages above.
LANGUAGES = ("console", "python", "toml", "text")


class ExampleError(Exception):
    """An example that does not work, in a sentence."""


@dataclass(frozen=True, slots=True)
class Example:
    """A command or a program, and the line of the page it begins at."""

    line: int
    language: str
    text: str

    @property
    def is_run(self) -> bool:
        return self.language == "python" or self.text.split()[0] not in NOT_RUN

    @property
    def is_server(self) -> bool:
        return self.language == "console" and self.text.startswith("dragoman serve ")


def examples_of(page: Path) -> list[Example]:
    """All examples of a page, in order; ExampleError for a block that nobody could run."""
    found: list[Example] = []
    language, begun = "", 0
    block: list[str] = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = re.fullmatch(r"```(\w*)", line)
        if not language and fence:
            language, block, begun = fence[1], [], number
            if language not in LANGUAGES:
                raise ExampleError(f"{page.name}:{number}: say what this block is: one of {', '.join(LANGUAGES)}")
        elif language and line == "```":
            found += examples_in(page, language, block, begun)
            language = ""
        elif language:
            block.append(line)
    return found


def examples_in(page: Path, language: str, block: Sequence[str], begun: int) -> list[Example]:
    if any("Traceback" in line for line in block):
        raise ExampleError(f"{page.name}:{begun}: the output shown here is a traceback")
    if language == "python":
        return [Example(begun + 1, language, "\n".join(block))]
    if language != "console":
        return []
    found: list[Example] = []
    for number, line in enumerate(block, start=begun + 1):
        if line.startswith("$ "):
            found.append(Example(number, language, line[2:]))
        elif found and found[-1].text.endswith("\\"):
            found[-1] = Example(found[-1].line, language, f"{found[-1].text}\n{line}")
    if not found:
        raise ExampleError(f"{page.name}:{begun}: no line of this block begins with `$ `, so there is nothing to run")
    return found


def free_port() -> str:
    with contextlib.closing(socket.socket()) as place:
        place.bind(("127.0.0.1", 0))
        return str(place.getsockname()[1])


def check_page(page: Path) -> int:
    """Runs a page; returns how many of its examples were run."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as servers:
        folder = Path(name)
        (folder / "examples").symlink_to(ROOT / "examples")
        port, count = free_port(), 0
        for example in examples_of(page):
            if not example.is_run:
                continue
            try:
                if example.is_server:
                    servers.enter_context(serving(example, folder, port))
                else:
                    run(example, folder, port)
            except ExampleError as error:
                raise ExampleError(f"{page.name}:{example.line}: {error}") from None
            count += 1
    return count


def run(example: Example, folder: Path, port: str) -> None:
    text = example.text.replace(f":{PORT}", f":{port}")
    command = ["bash", "-o", "pipefail", "-c", text] if example.language == "console" else [sys.executable, "-c", text]
    try:
        done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise ExampleError(f"this took longer than {SECONDS} s:\n{example.text}") from None
    if done.returncode != 0 or "Traceback (most recent call last)" in done.stderr:
        raise ExampleError(f"exit code {done.returncode} from:\n{example.text}\n{done.stdout}{done.stderr}")


@contextlib.contextmanager
def serving(example: Example, folder: Path, port: str) -> Iterator[None]:
    """A server that listens while the rest of the page is run, and must end in order."""
    command = [*shlex.split(example.text, comments=True), "--port", port]
    with subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            wait_for(server, int(port))
            yield
        finally:
            server.terminate()
            said = server.communicate()[1]
    if server.returncode != 0:
        raise ExampleError(f"the server ended with {server.returncode}:\n{said}")


def wait_for(server: subprocess.Popen[str], port: int) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise ExampleError("the server does not answer")


def environment() -> dict[str, str]:
    """This interpreter's commands come first, and nothing depends on the language of the machine."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    return {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "120"}


def main(arguments: Sequence[str] | None = None) -> int:
    names = list(sys.argv[1:] if arguments is None else arguments) or [str(ROOT / page) for page in PAGES]
    for name in names:
        try:
            count = check_page(Path(name))
        except ExampleError as error:
            print(error, file=sys.stderr)
            return 1
        print(f"{Path(name).name}: {count} examples work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
