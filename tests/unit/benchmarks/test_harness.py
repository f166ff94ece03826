"""The tables of benchmarks: results that survive a kill, staleness, and a report; no corpora are needed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks import __main__ as main_module
from benchmarks.__main__ import absent_rows
from benchmarks.harness import digests, runner
from benchmarks.harness import report as report_module
from benchmarks.harness.figures import Figures
from benchmarks.harness.markdown import markdown
from benchmarks.harness.provenance import processor, provenance
from benchmarks.harness.registry import all_tables
from benchmarks.harness.results import Results
from benchmarks.harness.table import Chart, Column, Finding, Row, Rows, Setting, Size, Table, Values, Verdict
from benchmarks.measure import run_command
from dragoman.errors import FormatError

ROOT = Path(__file__).resolve().parents[3]
RUN = {
    "commit": "abc",
    "digests": {"code": "1", "table": "2", "corpora": "3"},
    "versions": {"dragoman": "9.9", "python": "3", "rival": "7"},
    "processor": "Abacus",
    "cores": 2,
    "device": "cpu",
    "threads": 1,
    "seeds": [1],
    "command": "python -m benchmarks toy --quick",
    "date": "2030-01-01",
}


def finding(rows: Rows) -> Finding:
    good = float(rows["ours"]["bleu"] or 0) > float(rows["rival"]["bleu"] or 0)
    return Finding(Verdict.CONFIRMED if good else Verdict.REFUTED, "As it says.")


def table_of(*rows: Row) -> Table:
    return Table(
        name="toy",
        title="A toy",
        claim="Ours is better.",
        claimed_by="Thesis, table 0",
        columns=[Column("bleu", "BLEU", 2, "high"), Column("mb", "MB", 0, "low"), Column("note", "note")],
        rows=lambda setting: list(rows),
        finding=finding,
        caveat="One toy.",
        chart=Chart("mb", "bleu", {"both": ""}),
    )


def no_values() -> Values:
    return {}


OURS = Row("ours", "Ours", no_values, thesis={"bleu": 31.5})
RIVAL = Row("rival", "Theirs", no_values, of="rival")


def filled(folder: Path) -> Results:
    results = Results.of("toy", "quick", folder)
    results.add("ours", RUN, {"bleu": 33.333, "mb": 10, "note": "<b>"}, {"cpu_seconds": 1.0, "peak_mb": 20.0})
    results.add("rival", RUN, {"bleu": 30.0, "mb": 100, "note": None}, {"cpu_seconds": 2.0, "peak_mb": 30.0})
    return results


class ResultsIn:
    """Stands where the class does, with another folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, table: str, size: Size) -> Results:
        return Results.of(table, size, self.folder)


# A table file of its own in a package of its own, so that rows really are processes, and can be killed.
TOY = """
from pathlib import Path
from functools import partial
from benchmarks.harness.table import Column, NotHereError, Row, Table

class Need:
    def __init__(self, folder): self.path = folder / "need"
    name = "need"
    def is_there(self): return self.path.exists()
    def make(self): self.path.write_text("7")

class Absent:
    name = "absent need"
    def is_there(self): return False
    def make(self): raise NotHereError("no packages")

def one(folder, name):
    with (folder / "ran").open("a") as log: log.write(name + "\\n")
    if name == "slow" and not (folder / "quick-now").exists():
        import time
        (folder / "waiting").touch()
        time.sleep(600)
    if name == "absent": raise NotHereError("pip install rival")
    if name == "broken": raise ValueError("no")
    if name == "needy": return {"n": int((folder / "need").read_text())}
    return {"n": 1.5}

def rows(setting):
    needs = {"needy": [Need(setting.folder)], "far": [Absent()]}
    return [Row(name, name, partial(one, setting.folder, name), needs.get(name, ()))
            for name in ("first", "needy", "far", "absent", "broken", "slow", "last")]

TABLE = Table(name="toy", title="Toy", claim="", claimed_by="", columns=[Column("n", "n")], rows=rows, code=[])
"""
DRIVER = """
import sys
from pathlib import Path
import benchmarks.tables
benchmarks.tables.__path__ = [sys.argv[1]]
from benchmarks.harness import runner
from benchmarks.harness.registry import table_named
from benchmarks.harness.table import Setting
place = Path(sys.argv[1]).parents[1]
if len(sys.argv) > 2:
    runner.main(sys.argv[2:])
else:
    runner.CHILD = [sys.executable, __file__, sys.argv[1]]
    print(runner.run_tables([table_named("toy")], Setting("quick", place), folder=place / "results"))
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    tables = tmp_path / "benchmarks" / "tables"
    tables.mkdir(parents=True)
    (tables / "toy.py").write_text(TOY)
    (tmp_path / "driver.py").write_text(DRIVER)
    return tmp_path


def start(toy: Path) -> subprocess.Popen[str]:
    command = [sys.executable, str(toy / "driver.py"), str(toy / "benchmarks" / "tables")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def test_a_killed_run_goes_on(toy: Path) -> None:
    process = start(toy)
    deadline = time.monotonic() + 60
    while not (toy / "waiting").exists():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    rows = Results.of("toy", "quick", toy / "results").rows
    assert list(rows) == ["first", "needy", "far", "absent", "broken"]
    assert rows["first"].values == {"n": 1.5} and rows["needy"].values == {"n": 7}
    assert rows["far"].missing == "no packages"
    assert rows["absent"].missing == "pip install rival" and rows["broken"].missing == "failed"
    assert rows["first"].cost["cpu_seconds"] > 0 and rows["first"].cost["peak_mb"] > 1

    (toy / "quick-now").touch()
    output, errors = start(toy).communicate(timeout=120)
    # The broken row fails again, and says why; what was there is not run again, what was missing is tried again.
    assert output == "False\n" and "ValueError: no" in errors
    assert (toy / "ran").read_text().split() == [
        "first",
        "needy",
        "absent",
        "broken",
        "slow",
        "absent",
        "broken",
        "slow",
        "last",
    ]
    assert set(Results.of("toy", "quick", toy / "results").values) == {"first", "needy", "slow", "last"}


def test_rows_are_run_again_when_their_table_changes(toy: Path) -> None:
    (toy / "quick-now").touch()
    start(toy).communicate(timeout=120)
    path = toy / "benchmarks" / "tables" / "toy.py"
    path.write_text(TOY.replace('"n": 1.5', '"n": 2.5').replace('"needy", "far", "absent", "broken", ', ""))
    (toy / "ran").unlink()
    start(toy).communicate(timeout=120)
    assert (toy / "ran").read_text().split() == ["first", "slow", "last"]
    # Rows that the table no longer has go.
    values = Results.of("toy", "quick", toy / "results").values
    assert values == {name: {"n": 2.5} for name in ("first", "slow", "last")}


def test_further_seeds_come_after_all_other_rows(toy: Path) -> None:
    (toy / "quick-now").touch()
    named = TOY.replace("needs.get(name, ())", 'needs.get(name, ()), again=name == "first"')
    (toy / "benchmarks" / "tables" / "toy.py").write_text(named)
    start(toy).communicate(timeout=120)
    assert (toy / "ran").read_text().split() == ["needy", "absent", "broken", "slow", "last", "first"]


def test_what_makes_a_result_stale() -> None:
    stored = {"code": "1", "table": "2", "corpora": "3"}
    today = dict(stored)
    assert digests.staleness(stored, today) == []
    assert digests.staleness(stored, {**today, "code": "x"}) == ["the code it measures"]
    assert digests.staleness(stored, {**today, "table": "x"}) == ["the table's own code"]
    # Corpora that are not on this machine cannot be compared.
    assert digests.staleness(stored, {**today, "corpora": ""}) == []
    assert digests.staleness(stored, {**today, "corpora": "x"}) == ["the corpora"]
    # Of several, those that are here and were there.
    assert digests.staleness({**stored, "corpora": "1 - 3"}, {**today, "corpora": "1 2 -"}) == []
    assert digests.staleness({**stored, "corpora": "1 - 3"}, {**today, "corpora": "4 2 -"}) == ["the corpora"]
    assert digests.staleness({**stored, "corpora": "1 2"}, {**today, "corpora": "1 2 3"}) == ["the corpora"]


def test_digests_follow_the_files(tmp_path: Path) -> None:
    (tmp_path / "core" / "lm").mkdir(parents=True)
    source = tmp_path / "core" / "lm" / "a.cpp"
    source.write_text("1")
    first = digests.code_digest(["core"], tmp_path)
    (tmp_path / "core" / "notes.md").write_text("prose")
    assert digests.code_digest(["core"], tmp_path) == first
    source.write_text("2")
    assert digests.code_digest(["core"], tmp_path) != first
    assert digests.corpora_digest(["nowhere"], tmp_path) == ""


def test_a_table_depends_on_what_it_imports(tmp_path: Path) -> None:
    place = tmp_path / "benchmarks"
    (place / "tables").mkdir(parents=True)
    (place / "harness").mkdir()
    texts = {
        "tables/t.py": "import benchmarks.harness.table\nfrom benchmarks import a\nfrom benchmarks.b import c\n",
        "a.py": "import benchmarks.d\n",
        "b.py": "import json\n",
        "d.py": "from benchmarks import a\n",
        "unused.py": "",
        "harness/table.py": "",
    }
    for name, text in texts.items():
        (place / name).write_text(text)
    names = {str(path.relative_to(place)) for path in digests.imported(place / "tables" / "t.py", tmp_path)}
    assert names == {"tables/t.py", "a.py", "b.py", "d.py"}


def test_a_damaged_file_of_results_is_named(tmp_path: Path) -> None:
    path = filled(tmp_path).path
    path.write_text(path.read_text()[:-30])
    with pytest.raises(FormatError, match=r"toy\.json: not a file of results"):
        Results.of("toy", "quick", tmp_path)


def test_runs_that_no_row_is_of_are_forgotten(tmp_path: Path) -> None:
    results = filled(tmp_path)
    assert len(results.runs) == 1
    results.add("ours", {**RUN, "commit": "def"}, {"bleu": 1.0}, {})
    assert len(results.runs) == 2
    results.add("rival", {**RUN, "commit": "def"}, {"bleu": 1.0}, {})
    assert [run["commit"] for run in json.loads(results.path.read_text())["runs"].values()] == ["def"]


def test_markdown_has_the_thesis_beside_ours(tmp_path: Path) -> None:
    text = markdown(table_of(OURS, RIVAL), filled(tmp_path), "quick")
    assert "|  | BLEU | thesis: BLEU | MB | note |" in text
    assert "| Ours | 33.33 | 31.50 | 10 | <b> |" in text
    assert "**Confirmed.** As it says." in text and "commit abc" in text and "rival 7" in text


def test_rows_that_failed_or_were_never_run_are_missing(tmp_path: Path) -> None:
    results = Results.of("toy", "quick", tmp_path)
    rows = [Row(name, name, no_values) for name in ("there", "failed", "rival", "never")]
    results.add("there", RUN, {"bleu": 1.0}, {})
    results.add("failed", RUN, {}, {}, "failed")
    results.add("rival", RUN, {}, {}, "pip install rival")
    assert absent_rows(table_of(*rows), results, "quick") == ["failed", "never"]


def test_what_cannot_be_had_again_is_kept_and_is_not_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = filled(tmp_path)
    today = {**RUN["digests"], "code": "new"}  # type: ignore[dict-item]
    results.add("ours", {**RUN, "digests": today}, {"bleu": 40.0}, {})
    monkeypatch.setattr(main_module, "all_tables", lambda: {"toy": table_of(OURS, RIVAL)})
    monkeypatch.setattr(main_module, "digests_of", lambda table: today)
    monkeypatch.setattr(main_module, "Results", ResultsIn(tmp_path))
    assert main_module.show("quick") == 1
    assert "stale: the code it measures" in capsys.readouterr().out
    # A failure says nothing about the rival.
    results.add("rival", {**RUN, "digests": today}, {}, {}, "failed")
    assert main_module.show("quick") == 1
    capsys.readouterr()
    results.add("rival", {**RUN, "digests": today}, {}, {}, "pip install rival")
    assert Results.of("toy", "quick", tmp_path).values["rival"] == {"bleu": 30.0, "mb": 100, "note": None}
    assert main_module.show("quick") == 0
    assert "could not be had again: rival (pip install rival)" in capsys.readouterr().out
    # Measured again, it is as good as the others.
    results.add("rival", {**RUN, "digests": today}, {"bleu": 31.0}, {})
    assert not Results.of("toy", "quick", tmp_path).rows["rival"].kept


def test_results_of_another_machine_take_nothing_away(tmp_path: Path) -> None:
    ours, theirs = filled(tmp_path / "ours"), Results.of("toy", "quick", tmp_path / "theirs")
    theirs.add("ours", {**RUN, "commit": "", "cores": 16}, {"bleu": 35.0}, {})
    theirs.add("rival", {**RUN, "cores": 16}, {}, {}, "pip install rival")
    theirs.add("old", {**RUN, "digests": {"code": "old"}}, {"bleu": 1.0}, {})
    assert ours.take(theirs, {"code": "1", "table": "2", "corpora": "3"}, "def") == ["ours", "rival"]
    assert ours.values["ours"] == {"bleu": 35.0} and ours.values["rival"]["bleu"] == 30.0
    assert not ours.rows["rival"].kept and ours.runs[ours.rows["ours"].run]["commit"] == "def"


def test_a_table_is_whole_without_its_further_seeds(tmp_path: Path) -> None:
    more = Row("ours-2", "Ours, seed 2", no_values, again=True)
    figures = Figures(tmp_path, {"toy": table_of(OURS, RIVAL, more)})
    filled(tmp_path)
    large = Results.of("toy", "full", tmp_path)
    large.add("ours", RUN, {"bleu": 20.0}, {})
    assert figures.find("toy", "ours", "bleu").value == 33.333
    large.add("rival", RUN, {"bleu": 19.0}, {})
    assert figures.find("toy", "ours", "bleu").value == 20.0


def test_memory_is_a_program_s_own() -> None:
    large = bytearray(200_000_000)
    assert run_command([sys.executable, "-S", "-c", "pass"]).peak_mb < 100 < len(large) / 1e6
    with pytest.raises(subprocess.CalledProcessError, match="status 3"):
        run_command([sys.executable, "-c", "import sys; sys.exit(3)"])


def test_rows_of_different_code_are_told_apart(tmp_path: Path) -> None:
    results = filled(tmp_path)
    # Another commit with the same code is no difference.
    results.add("ours", {**RUN, "commit": "def", "date": "2030-01-02"}, {"bleu": 40.0}, {})
    assert "| Ours | 40.00" in markdown(table_of(OURS, RIVAL), results, "quick")
    results.add("ours", {**RUN, "digests": {"code": "new"}, "date": "2030-01-02"}, {"bleu": 40.0}, {})
    text = markdown(table_of(OURS, RIVAL), results, "quick")
    assert "| Ours ² | 40.00" in text and "| Theirs ¹ |" in text
    assert "¹ `python -m benchmarks toy --quick`; 2030-01-01" in text
    assert "² `python -m benchmarks toy --quick`; 2030-01-02" in text


def test_missing_rows_leave_the_claim_open(tmp_path: Path) -> None:
    results = Results.of("toy", "quick", tmp_path)
    results.add("ours", RUN, {"bleu": 33.0}, {})
    results.add("rival", RUN, {}, {}, "pip install rival")
    text = markdown(table_of(OURS, RIVAL), results, "quick")
    assert "**Not run.**" in text and "(pip install rival)" in text


def test_the_report_needs_nothing_else_and_escapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path)
    monkeypatch.setattr(report_module, "digests_of", lambda table: {"code": "x"})
    page = report_module.report({"toy": table_of(OURS, RIVAL)}, Figures(tmp_path))
    assert "&lt;b&gt;" in page and "<b>" not in page
    assert "<svg" in page and "polyline" in page and "31.50" in page
    assert "stale: " in page
    assert not any(outer in page for outer in ("<script", "<link", "src=", "http://", "https://"))


def test_every_table_can_say_its_rows_without_corpora(tmp_path: Path) -> None:
    for name, table in all_tables().items():
        assert table.claim and table.claimed_by and table.columns, name
        columns = {column.name for column in table.columns}
        assert len(columns) == len(table.columns), name
        for size in table.sizes:
            rows = table.rows(Setting(size, tmp_path))
            names = [row.name for row in rows]
            assert len(set(names)) == len(names) > 0, name
            assert all(part.replace("-", "").replace("_", "").isalnum() for part in names), (name, names)
            assert all(set(row.thesis) <= columns for row in rows), name
            if table.chart is not None:
                assert {table.chart.x, table.chart.y} <= columns, name
                assert all(any(row.startswith(line) for row in names) for line in table.chart.lines.values()), name
    assert not list(tmp_path.iterdir())


def test_provenance_names_no_machine_and_no_folder() -> None:
    table = all_tables()["tokenizer"]
    told = json.dumps(provenance(table, Setting("quick", Path("/somewhere/else"))))
    assert "/somewhere" not in told and str(ROOT) not in told and os.uname().nodename not in told.split('"')
    assert processor()


def test_the_child_is_this_module() -> None:
    assert runner.CHILD[-1] == "benchmarks.harness.runner"
