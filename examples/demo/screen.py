"""How the demo looks: colours and tables on a terminal, plain lines that a program or a log can keep on a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from examples.demo.journal import Entry

# On a pipe nothing is folded: a line there is as long as it needs to be.
PIPE_WIDTH = 100_000
SAMPLE_CHARACTERS = 300


class Screen:
    """Writes to standard output; `console` is for tests."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False, emoji=False, markup=False)
        self.is_terminal = self._console.is_terminal
        if not self.is_terminal:
            self._console.width = PIPE_WIDTH

    def title(self, text: str) -> None:
        self._console.print(Text(text, style="bold"))

    def heading(self, text: str) -> None:
        self._console.print()
        self._console.print(Text(text, style="bold cyan"))

    def text(self, text: str) -> None:
        self._console.print(Text(text))

    def notice(self, text: str) -> None:
        """Something the reader should not miss."""
        self._console.print(Text(text, style="yellow"))

    def command(self, text: str) -> None:
        """A line to type. Not folded, so that it can be copied from the screen."""
        self._console.print(Text(f"    {text}", style="bold green"), soft_wrap=True)

    def step(self, entry: Entry) -> None:
        line = Text()
        line.append("✓ " if self.is_terminal else "", style="green")
        line.append(entry.name, style="bold")
        line.append(f": {entry.result}" if entry.result else "")
        line.append(f" ({entry.seconds:.1f} s)", style="dim")
        self._console.print(line)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Columns of text go to the left and columns of numbers to the right."""
        table = Table(box=box.SIMPLE_HEAD if self.is_terminal else None, pad_edge=False, show_edge=False)
        for at, name in enumerate(columns):
            is_number = all(row[at][:1].isdigit() or not row[at] for row in rows)
            table.add_column(name, justify="right" if is_number else "left", header_style="dim")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        self._console.print(Padding(table, (0, 0, 0, 2)) if self.is_terminal else table)

    def pair(self, number: int, source: str, target: str, origin: str) -> None:
        """A sample; overlong text is cut, and what does not fit on a line goes on below its beginning."""
        indent = (0, 0, 0, 3)
        first = Table.grid()
        first.add_row(Text(f"{number}. ", style="dim"), Text(shortened(source)))
        self._console.print(first)
        self._console.print(Padding(Text(shortened(target), style="green"), indent, expand=False))
        self._console.print(Padding(Text(origin, style="dim"), indent, expand=False))

    def detail(self, text: str) -> None:
        """More about a sample."""
        self._console.print(Padding(Text(shortened(text), style="dim"), (0, 0, 0, 3), expand=False))


def shortened(text: str) -> str:
    return text if len(text) <= SAMPLE_CHARACTERS else f"{text[: SAMPLE_CHARACTERS - 1]}…"
