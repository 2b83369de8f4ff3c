"""A fault of ours: status 70, one line with the file that tells more, and the report of what was done until then."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.program import WIDE, Run
from perft_check.harness.checking.benching import Bench
from perft_check.harness.checking.running.counter import CaseCounter
from perft_check.harness.cli import failures
from perft_check.harness.fuzzing import campaign
from perft_check.harness.zoo import hunt
from perft_check.reports.live import Live
from perft_check.suites import positions
from perft_check.suites.positions import resolve_game


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which errors are kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "perft-check"


def told(stderr: str, state: Path, what: str) -> str:
    """Return what the file says, after a check of the line that names it."""
    start = f"perft-check: sorry, this is a bug in perft-check ({what}): please report it with the file {state}/"
    (line,) = [line for line in stderr.splitlines() if line.startswith(start)]
    file = state / line.removeprefix(start)
    assert re.fullmatch(r"perft-check-error-\d{8}-\d{6}-\d+\.txt", file.name)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(state.iterdir()) == [file]
    assert "Traceback" not in stderr
    return file.read_text()


def failing_after(calls: int, function: Callable[..., Any], error: BaseException) -> Callable[..., Any]:
    """Return the function, which raises an error after so many calls."""
    left = [calls]

    def failing(*arguments: Any) -> Any:
        if left[0] == 0:
            raise error
        left[0] -= 1
        return function(*arguments)

    return failing


def test_one_line_and_a_file(run: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "resolve_game", failing_after(0, resolve_game, KeyError("a\n fault")))
    done = run("perft", "startpos", "2", **WIDE)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (70, "", 1)
    document = told(done.stderr, state, r"KeyError: 'a\n fault'")
    assert document.splitlines()[0] == "perft-check: 0.1.0"
    assert "\ncommand: perft-check perft startpos 2\n" in document
    assert "\nTraceback (most recent call last):\n" in document


def test_the_file_cannot_be_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "state").write_text("")
    monkeypatch.setattr(failures, "user_state_path", lambda name: tmp_path / "state" / name)
    monkeypatch.setattr(failures, "gettempdir", lambda: str(tmp_path / "state"))
    monkeypatch.setattr(positions, "resolve_game", failing_after(0, resolve_game, KeyError("fault")))
    done = run("perft", "startpos", "2", **WIDE)
    assert (done.returncode, done.stderr) == (
        70,
        "perft-check: sorry, this is a bug in perft-check (KeyError: 'fault'): "
        "please report it; the traceback could not be written (Not a directory)\n",
    )


@pytest.mark.parametrize("jobs", ["1", "3"])
@pytest.mark.parametrize("error", [ZeroDivisionError("fault"), SystemExit("fault"), OSError("fault")], ids=type)
def test_a_run_reports_what_was_done(
    run: Run, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str, error: BaseException
) -> None:
    monkeypatch.setattr(CaseCounter, "count", failing_after(4, CaseCounter.count, error))
    done = run("run", "-j", jobs, "--max-nodes", "9999", "--report", "json=report.json", **WIDE)
    assert done.returncode == 70
    assert "in failing" in told(done.stderr, state, f"{type(error).__name__}: fault")
    document = json.loads((tmp_path / "report.json").read_text())
    number = document["verdicts"].get("agree", 0)
    assert number == 4 or (jobs == "3" and number < 4), "other lanes are stopped where they are"
    assert document["exit_code"] == 70
    assert done.stdout.splitlines()[-1].startswith(f"interrupted: {number} of ")


def test_a_display_that_fails_does_not_hide_the_report(run: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Live, "handle", failing_after(3, Live.handle, ValueError("fault")))
    done = run("run", "-s", "smoke", **WIDE)
    assert done.returncode == 70
    assert done.stdout.splitlines()[-1].startswith("interrupted: ")
    told(done.stderr, state, "ValueError: fault")


def test_a_bench_reports_the_rounds_that_are_complete(run: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bench, "time_round", failing_after(1, Bench.time_round, ValueError("fault")))
    done = run("bench", "-e", "own:turbo", "--rounds", "2", "-p", "startpos", "-p", "kiwipete", **WIDE)
    assert done.returncode == 70
    assert "startpos 5" in done.stdout
    assert "kiwipete 4" in done.stdout
    assert "interrupted after 1 complete round\n" in done.stderr
    told(done.stderr, state, "ValueError: fault")


def test_a_score_reports_the_hunts_that_are_done(run: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def two_hunts(work: Callable[[Any], Any], tasks: list[Any], *_: object) -> Iterator[tuple[Any, Any]]:
        for task in tasks[:2]:
            yield task, work(task)
        raise ValueError("fault")

    monkeypatch.setattr(hunt, "spread", two_hunts)
    done = run("zoo", "score", "promotion", "--budget", "0.1s", "--method", "cpw", **WIDE)
    assert done.returncode == 70
    assert "2 of 6 hunts done" in done.stderr
    assert "promotion" in done.stdout
    told(done.stderr, state, "ValueError: fault")


def test_a_fuzzing_run_reports_what_it_has(run: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        campaign._Campaign, "_events_of", failing_after(3, campaign._Campaign._events_of, ValueError("fault"))
    )
    done = run("fuzz", "-n", "200", "-j", "1", "--seed", "1", **WIDE)
    assert done.returncode == 70
    assert done.stdout.splitlines()[-1].startswith("interrupted: no fault of own found in ")
    told(done.stderr, state, "ValueError: fault")
