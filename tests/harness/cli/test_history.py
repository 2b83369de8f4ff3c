"""`run --history` and `perft-check history`, as users call them."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import fields
from pathlib import Path
from unittest.mock import patch

import pytest
from helpers.program import Run
from perft_check.harness.cli.output.kept_runs import measured_settings
from perft_check.harness.cli.settings.run import NOT_MEASURED, RunSettings
from perft_check.harness.history.store import cases_of, runs_of
from perft_check.harness.model.results.verdict import Verdict

PINNED = "k7/8/8/7r/8/8/3N4/3K4 w - - 0 1"
SUITE = f'k7/8/8/3r4/8/8/3N4/3K4 w - - 0 1 ;D1 4 ;id "pinned"\n{PINNED} ;D1 10 ;id "free"\n'


@pytest.fixture
def kept(run: Run, tmp_path: Path) -> Path:
    """Return a history with two runs of our own generator and one of a wrong one, in the folder of `run`."""
    (tmp_path / "made.epd").write_text(SUITE)
    statuses = [
        run("-s", "made.epd", "--history", "runs.db", *more).returncode
        for more in ([], ["--jobs", "2"], ["-e", "zoo:pins-forgotten"])
    ]
    assert statuses == [0, 0, 1]
    return tmp_path / "runs.db"


def test_runs_are_listed_the_newest_last(run: Run, kept: Path) -> None:
    done = run("history", "list", "runs.db")
    assert done.returncode == 0
    head, *rows = [line.split() for line in done.stdout.splitlines()]
    without_commits = ["run", "began", "engine", "digest", "positions", "agree", "fail", "nodes", "time", "speed"]
    assert head == without_commits, "and all have come to their ends"
    assert [(row[0], row[3], *row[5:8]) for row in rows] == [
        ("1", "own", "2", "2", "0"),
        ("2", "own", "2", "2", "0"),
        ("3", "zoo:pins-forgotten", "2", "1", "1"),
    ]
    last = run("history", "list", "runs.db", "--last", "1", "-e", "own").stdout.splitlines()
    assert (last[1].split()[0], last[2]) == ("2", "1 earlier run: --last 2 lists all")
    assert run("history", "list", "runs.db", "-e", "./none").stdout == "no run\n"


def test_a_run_is_shown_with_its_positions(run: Run, kept: Path) -> None:
    lines = run("history", "show", "runs.db", "3").stdout.splitlines()
    assert "engine     zoo:pins-forgotten" in lines
    assert "positions  2, of which 1 agree and 1 fail; exit 1" in lines
    (row,) = [line.split() for line in lines if line.startswith("made:pinned")]
    assert (row[0], row[1], " ".join(row[-7:])) == (
        "made:pinned",
        "1",
        "mismatch extra move: Pinned piece leaves its line".removeprefix("mismatch "),
    )
    assert "jobs       2" in run("history", "show", "runs.db", "2").stdout.splitlines()


def test_two_runs_are_compared(run: Run, kept: Path) -> None:
    done = run("history", "compare", "runs.db", "1", "3")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "the engines have different names" in lines
    assert "newly broken: 1" in lines
    again = "  again: perft-check divide 'k7/8/8/3r4/8/8/3N4/3K4 w - - 0 1' 1 -e zoo:pins-forgotten -a own:turbo"
    assert again in lines
    assert lines[-1] == "1 newly broken, 1 unchanged"
    done = run("history", "compare", "runs.db", "3", "1")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 newly right, 1 unchanged")
    done = run("history", "compare", "runs.db", "1")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "2 unchanged")
    assert "the settings differ: jobs by default before, 2 after" in done.stdout.splitlines()
    done = run("history", "compare", "runs.db")
    said = "perft-check: runs.db: run 3 is the first one of zoo:pins-forgotten: name the run to compare it with\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    done = run("history", "compare", "runs.db", "1", "9")
    assert (done.returncode, done.stderr) == (2, "perft-check: no run 9 in this history: there are 1 to 3\n")


def test_reports_of_histories(run: Run, kept: Path) -> None:
    done = run("history", "compare", "runs.db", "1", "3", "--report", "json=-", "--report", "compared.md")
    document = json.loads(done.stdout)
    assert (done.returncode, document["exit_code"], document["same"]) == (1, 1, 1)
    (change,) = document["changes"]
    assert (change["kind"], change["before"]["verdict"], change["after"]["verdict"]) == (
        "newly broken",
        "agree",
        "mismatch",
    )
    page = (kept.parent / "compared.md").read_text()
    assert "**1 newly broken, 1 unchanged**" in page
    assert re.search(r"\| made:pinned \| agree to depth 1, \d+\.\d\d s \| mismatch at depth 1 \| - \|", page)
    assert [one["number"] for one in json.loads(run("history", "list", "runs.db", "--report", "json=-").stdout)["runs"]]
    shown = json.loads(run("history", "show", "runs.db", "1", "--report", "json=-").stdout)
    assert [one["name"] for one in shown["results"]] == ["pinned", "free"]
    done = run("history", "list", "runs.db", "--report", "json=runs.db")
    assert (done.returncode, len(runs_of(kept))) == (2, 3)


def test_speeds_are_plotted(run: Run, kept: Path) -> None:
    pytest.importorskip("plotext")
    for file in (kept, Path("other.db")):
        done = run("-s", "standard", "--max-nodes", "100k", "--history", str(file))
        assert done.returncode == 0
    lines = run("history", "plot", "runs.db", "-e", "own").stdout.splitlines()
    assert lines[0] == "own: million leaf nodes a second"
    assert any("┤" in line for line in lines)
    assert any(line.startswith("runs 4 to 4, ") for line in lines)
    assert lines[-1].startswith("2 runs left out: another machine or other settings than the newest run")
    plain = run("history", "plot", "other.db", PYTHONIOENCODING="ascii").stdout
    assert plain.splitlines()[0] == "own: million leaf nodes a second"
    done = run("history", "plot", "runs.db", "-e", "./none")
    assert (done.returncode, done.stderr) == (2, "perft-check: runs.db: no run of ./none has a speed to plot\n")


def test_plotting_without_plotext_says_what_to_install(run: Run, kept: Path) -> None:
    with patch.dict(sys.modules, {"plotext": None}):
        done = run("history", "plot", "runs.db")
    said = "perft-check: history plot draws with plotext, which is not here: pip install plotext, or give --report\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_history_is_checked_before_the_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database\n" * 100)
    for path, why in {
        "text": "it is no SQLite database: name another file, or a new one",
        "no/runs.db": "there is no folder 'no'",
        ".": "it is a folder: name a file in it",
        "x" * 300: "it cannot be opened: ",
    }.items():
        done = run("-e", "uci:true", "--history", path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"perft-check: history {path!r}: {why}")
        assert done.stderr.count("\n") == 1
    assert (tmp_path / "text").read_text() == "no database\n" * 100
    done = run("--history", "runs.db", "--report", "json=runs.db")
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [tmp_path / "text"])


def test_a_history_that_vanishes_does_not_hide_the_run(run: Run, tmp_path: Path) -> None:
    """The engine removes the file and puts a folder in its place."""
    (tmp_path / "engine.py").write_text(
        "import pathlib\n"
        "def count(fen, depth):\n"
        "    pathlib.Path('runs.db').unlink(missing_ok=True); pathlib.Path('runs.db').mkdir(exist_ok=True)\n"
        "    return 10\n"
    )
    (tmp_path / "made.epd").write_text(f"{PINNED} ;D1 10\n")
    done = run("-s", "made.epd", "-e", "python:engine:count", "--history", "runs.db")
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1].startswith("the one position agrees")
    assert done.stderr == "perft-check: history 'runs.db': it is a folder: name a file in it\n"


def test_an_interrupted_run_is_kept(run: Run, tmp_path: Path) -> None:
    done = run("-s", "standard", "-e", "python-chess", "--time", "0.5", "--history", "runs.db")
    (kept,) = runs_of(tmp_path / "runs.db")
    assert kept.exit_code == done.returncode
    assert len(cases_of(tmp_path / "runs.db", kept)) <= kept.planned
    assert all(one.verdict in (Verdict.AGREE, Verdict.UNFINISHED) for one in cases_of(tmp_path / "runs.db", kept))


def test_the_engine_is_known_by_its_digest(run: Run, tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    (tmp_path / "made.epd").write_text(f"{PINNED} ;D1 10\n")
    for comment in ("one", "two", "two"):
        engine.write_text(f"#!/bin/sh\n# {comment}\necho d2b1 10\necho\necho 10\n")
        engine.chmod(0o755)
        assert run("-s", "made.epd", "-e", "script:./engine", "--history", "runs.db").returncode == 0
    one, two, three = [one.origin.digest for one in runs_of(tmp_path / "runs.db")]
    assert two == three != one
    assert len(one or "") == 64


def test_what_changes_a_run_is_kept_with_it() -> None:
    assert measured_settings(RunSettings()) == {}
    settings = RunSettings(engine="./a", suites=("x",), max_nodes=5, quiet=True, reports=("a.json",), history="h")
    assert measured_settings(settings) == {"suites": ["x"], "max_nodes": 5}


MEASURED = {
    *("against", "suites", "max_depth", "max_nodes", "last_failed", "pattern", "chess960", "careful", "explain"),
    *("fail_fast", "seconds", "timeout", "min_speed", "jobs", "scheduler", "memory", "hash", "exact", "watch"),
}


def test_each_setting_of_a_run_is_measured_or_not() -> None:
    """A comparison of two runs names the settings in which they differ, so none may be forgotten."""
    assert {one.name for one in fields(RunSettings)} - NOT_MEASURED == MEASURED
    assert {one.name for one in fields(RunSettings)} >= NOT_MEASURED
