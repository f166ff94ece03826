"""All results as one HTML file that needs nothing else: build/benchmarks.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from benchmarks.harness.chart import svg
from benchmarks.harness.digests import ROOT, digests_of, staleness
from benchmarks.harness.figures import Figures
from benchmarks.harness.markdown import (
    cell,
    finding_of,
    is_earlier,
    is_text,
    marked_title,
    shown_rows,
    superscript,
    with_thesis,
)
from benchmarks.harness.pages import in_order
from benchmarks.harness.registry import all_tables
from benchmarks.harness.results import RESULTS, Results
from benchmarks.harness.table import Column, Row, Rows, Size, Table
from dragoman.files import writing

STYLE = Path(__file__).with_name("report.css")


def bar(value: Any, column: Column, values: Rows) -> str:
    """A line below a number, as long as it is large among its column's; none where all are about as large."""
    if not column.better or not isinstance(value, int | float):
        return ""
    every = [abs(row[column.name] or 0) for row in values.values() if isinstance(row.get(column.name), int | float)]  # type: ignore[arg-type]
    if min(every) > 0.8 * max(every):
        return ""
    share = abs(value) / max(every) if max(every) else 0
    return f'<i style="width:{100 * share:.0f}%"></i>'


def heading(title: str) -> str:
    """Broken between words alone."""
    return escape(title).replace("CPU s", "CPU&nbsp;s").replace("n-gram", "n&#8209;gram")


def figures_table(table: Table, rows: Sequence[Row], results: Results) -> str:
    columns = with_thesis(table, rows)
    titles = []
    for column, thesis in columns:
        shape = "thesis" if thesis else "text" if is_text(column, results) else ""
        titles.append(f'<th class="{shape}">{"thesis: " if thesis else ""}{heading(column.title)}</th>')
    lines = [f"<tr><th></th>{''.join(titles)}<th>row: CPU&nbsp;s</th><th>row: MB</th></tr>"]
    for row in rows:
        stored = results.rows.get(row.name)
        cells = [f"<td>{escape(marked_title(row, results))}</td>"]
        if stored is None or stored.missing:
            told = stored.missing if stored else "not run"
            cells.append(f'<td class="text soft" colspan="{len(columns) + 2}">{escape(told)}</td>')
        else:
            for column, thesis in columns:
                value = (row.thesis if thesis else stored.values).get(column.name)
                shape = "thesis" if thesis else "text" if isinstance(value, str) else ""
                drawn = "" if thesis else bar(value, column, results.values)
                cells.append(f'<td class="{shape}">{escape(cell(value, column))}{drawn}</td>')
            cells += [f'<td class="soft">{stored.cost.get(name, 0):,.0f}</td>' for name in ("cpu_seconds", "peak_mb")]
        lines.append(f'<tr class="{row.of}">{"".join(cells)}</tr>')
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def conditions(run: Mapping[str, Any]) -> str:
    told = {
        "command": run["command"],
        "date": run["date"],
        "commit": run["commit"],
        "versions": ", ".join(f"{name} {number}" for name, number in run["versions"].items()),
        "processor": f"{run['processor']}, {run['cores']} cores, {run['threads']} used, {run['device']}",
        "seeds": ", ".join(map(str, run["seeds"])),
        "digests": ", ".join(f"{name} {value or 'absent'}" for name, value in run["digests"].items()),
    }
    return f"<dl>{''.join(f'<dt>{name}</dt><dd>{escape(str(value))}</dd>' for name, value in told.items())}</dl>"


def section(table: Table, size: Size, results: Results) -> str:
    finding = finding_of(table, results)
    both = f", {'small' if size == 'quick' else 'large'} sizes" if table.both else ""
    parts = [f'<section id="{table.name}-{size}"><h2>{escape(table.title)}{both}</h2>']
    parts.append(f"<p>{escape(table.claim)} <span class=soft>{escape(table.claimed_by)}</span></p>")
    if finding is not None:
        kind = str(finding.verdict).replace(" ", "-")
        parts.append(f'<p><span class="verdict {kind}">{finding.verdict}</span> {escape(finding.sentence)}</p>')
    parts.append(figures_table(table, shown_rows(table, results, size), results))
    parts.append(svg(table, results.values))
    if told := table.told(size):
        parts.append(f'<p class="soft">{escape(told)}</p>')
    today = digests_of(table)
    groups = results.groups()
    for number, run in enumerate(groups, start=1):
        mark = f"{superscript(number)} " if len(groups) > 1 else ""
        changed = staleness(run["digests"], today)
        old = f' <span class="stale">stale: {escape(", ".join(changed))} changed</span>' if changed else ""
        parts.append(
            f"<details><summary>{mark}{size}, {run['date']}, {run['commit']}{old}</summary>{conditions(run)}</details>"
        )
    return "".join([*parts, "</section>"])


def contents(tables: Mapping[str, Table], figures: Figures) -> str:
    lines = ['<tr><th></th><th class="text by">claimed by</th><th class="text">found</th></tr>']
    for table in in_order(tables.values()):
        name = table.name
        taken = figures.results(name)
        finding = finding_of(table, taken[1]) if taken else None
        verdict = str(finding.verdict) if finding else ("measured" if taken else "not run")
        link = f'<a href="#{name}-{taken[0]}">{escape(table.title)}</a>' if taken else escape(table.title)
        kind = verdict.replace(" ", "-")
        old = ' <span class="stale">stale</span>' if taken and is_earlier(taken[1], digests_of(table)) else ""
        lines.append(
            f'<tr><td class="text">{link}</td><td class="text by">{escape(table.claimed_by)}</td>'
            f'<td class="text verdict {kind}">{verdict}{old}</td></tr>'
        )
    return f'<nav class="wide"><table>{"".join(lines)}</table></nav>'


def report(tables: Mapping[str, Table], figures: Figures) -> str:
    sections = [section(table, *taken) for table in in_order(tables.values()) for taken in figures.shown(table)]
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            "<title>Dragoman: what was measured</title>",
            f"<style>{STYLE.read_text(encoding='utf-8')}</style></head><body>",
            "<h1>Dragoman: what was measured</h1>",
            "<p>Every claim beside its rival, and the thesis' figures beside ours. The thesis has two million pairs of"
            " debates: its figures are not to be compared with ours, their differences may be. One seed where no others"
            " are said. CPU seconds and megabytes at the end of a row are those of the whole process that measured it,"
            " rivals in it included.</p>",
            contents(tables, figures),
            *sections,
            "</body></html>",
        ]
    )


def write_report(folder: Path = RESULTS, path: Path = ROOT / "build" / "benchmarks.html") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing(path) as out:
        out.write(report(all_tables(), Figures(folder, all_tables())).encode())
    return path
