"""A table with its results as Markdown: its claim, figures with the thesis' beside them, and where they are from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.harness.digests import staleness
from benchmarks.harness.results import Results
from benchmarks.harness.table import Column, Finding, Row, Setting, Size, Table, Value, Verdict

# What is said of results that were taken with other code, or of other corpora, than today's.
EARLIER = " (of an earlier state)"


def cell(value: Value | None, column: Column) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    # Whole numbers are the thesis' own, and no fraction of thousands was measured.
    return f"{value:,.{0 if isinstance(value, int) or abs(value) >= 1000 else column.digits}f}"


def finding_of(table: Table, results: Results) -> Finding | None:
    if table.finding is None:
        return None
    if not results.values:
        return Finding(Verdict.NOT_RUN, "No results yet.")
    try:
        return table.finding(results.values)
    except KeyError as missing:
        return Finding(Verdict.NOT_RUN, f"Rows are missing ({missing.args[0]}).")


def with_thesis(table: Table, rows: Sequence[Row]) -> list[tuple[Column, bool]]:
    """The columns, and after each that the thesis has figures for, once more for those."""
    shown = []
    for column in table.columns:
        shown.append((column, False))
        if any(column.name in row.thesis for row in rows):
            shown.append((column, True))
    return shown


def table_rows(table: Table, rows: Sequence[Row], results: Results) -> tuple[list[str], list[list[str]]]:
    """Headings and cells, the title of the row first."""
    columns = with_thesis(table, rows)
    headings = ["", *(f"thesis: {column.title}" if thesis else column.title for column, thesis in columns)]
    body = []
    for row in rows:
        stored = results.rows.get(row.name)
        values = stored.values if stored else {}
        cells = [cell((row.thesis if thesis else values).get(column.name), column) for column, thesis in columns]
        if stored is None or stored.missing:
            told = stored.missing if stored else "not run"
            cells[0] = cells[0] or f"({told})"
        body.append([marked_title(row, results), *cells])
    return headings, body


def superscript(number: int) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(number))


def marked_title(row: Row, results: Results) -> str:
    """Rows of one table that were run under different conditions are told apart."""
    mixed = row.name in results.rows and len(results.groups()) > 1
    return row.title + (f" {superscript(results.group_of(row.name))}" if mixed else "")


def shown_rows(table: Table, results: Results, size: Size) -> list[Row]:
    """Rows as they are declared; nothing is run, so the folder does not matter."""
    return list(table.rows(Setting(size, results.path.parent)))


def origin(run: dict[str, Any], size: Size) -> str:
    """Where figures are from, in one line."""
    rivals = [f"{name} {number}" for name, number in run["versions"].items() if name not in ("dragoman", "python")]
    parts = [
        f"`{run['command']}`",
        run["date"],
        f"commit {run['commit']}" if run["commit"] else "",
        f"version {run['versions']['dragoman']}",
        ", ".join(rivals),
        f"{run['processor']}, {run['threads']} of {run['cores']} cores"
        + (f", {run['jobs']} rows at a time" if run.get("jobs", 1) > 1 else "")
        + (", GPU" if run["device"] == "cuda" else ""),
        "small sizes" if size == "quick" else "",
    ]
    return "; ".join(part for part in parts if part)


def is_earlier(results: Results, today: Mapping[str, str]) -> bool:
    return any(staleness(results.digests(row), today) for row in results.values)


def markdown(
    table: Table, results: Results, size: Size, *, heading: str = "", picture: str = "", today: Mapping[str, str] = {}
) -> str:
    """`today` are the digests by which results are of an earlier state."""
    rows = shown_rows(table, results, size)
    headings, body = table_rows(table, rows, results)
    aligned = ["---", *("---" if is_text(column, results) else "---:" for column, _ in with_thesis(table, rows))]
    lines = [heading, ""] if heading else []
    lines += [f"*{table.claimed_by}:* {table.claim}", ""]
    finding = finding_of(table, results)
    if finding is not None:
        lines += [f"**{finding.verdict.capitalize()}.** {finding.sentence}", ""]
    lines += [f"| {' | '.join(cells)} |" for cells in (headings, aligned, *body)]
    lines.append("")
    lines += [picture, ""] if picture else []
    if told := table.told(size):
        lines += [told, ""]
    groups = results.groups()
    for number, run in enumerate(groups, start=1):
        old = EARLIER if staleness(run["digests"], today) else ""
        lines += [f"{superscript(number) + ' ' if len(groups) > 1 else ''}{origin(run, size)}{old}.", ""]
    return "\n".join(lines).rstrip()


def is_text(column: Column, results: Results) -> bool:
    return any(isinstance(values.get(column.name), str) for values in results.values.values())
