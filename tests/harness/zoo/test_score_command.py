"""`perft-check zoo score` stores outcomes, resumes, and reports the stored outcomes."""

from __future__ import annotations

import json
import multiprocessing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from helpers.made_outcomes import OUTCOMES, detected, missed
from helpers.program import Run, check_mistakes
from perft_check.errors import UsageError
from perft_check.harness.shutdown import Interrupt
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.hunt import OutcomeFile, hunts, run_hunts
from perft_check.harness.zoo.score import Hunt, Outcome

OUTCOME = detected("pins-forgotten", 0.5)
DOUBLE_CHECK = detected("one-of-two-checkers", 0.5)
"""The only fault of its class."""


@pytest.fixture
def score(run: Run) -> Run:
    """Run `perft-check zoo score`."""
    return partial(run, "zoo", "score")


def kept(path: Path, *outcomes: Outcome, jobs: int = 2) -> None:
    results = OutcomeFile(path)
    for outcome in outcomes:
        results.keep(outcome, jobs)


def test_hunts_go_seed_by_seed_and_suites_are_counted_once() -> None:
    faults = [ZOO["pins-forgotten"], ZOO["king-beside-king"]]
    assert [(task.seed, task.strategy, task.fault) for task in hunts(faults, ["fuzz", "smoke"], 2, 1.0)] == [
        (1, "fuzz", "pins-forgotten"),
        (1, "fuzz", "king-beside-king"),
        (1, "smoke", "pins-forgotten"),
        (1, "smoke", "king-beside-king"),
        (2, "fuzz", "pins-forgotten"),
        (2, "fuzz", "king-beside-king"),
    ]


def test_finished_hunts_are_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "score.jsonl"
    todo = hunts([ZOO["pins-forgotten"], ZOO["king-beside-king"]], ["smoke"], 1, 60.0)
    events = list(run_hunts(todo, OutcomeFile(path), 2, Interrupt()))
    assert [event for event in events if isinstance(event, Hunt)] == todo
    assert len([event for event in events if isinstance(event, Outcome)]) == 2
    done = OutcomeFile(path)
    assert (set(done.by_hunt), done.jobs(todo)) == (set(todo), (2,))
    assert list(run_hunts(todo, done, 1, Interrupt())) == []


@pytest.mark.slow
def test_an_interrupt_discards_unfinished_hunts(tmp_path: Path) -> None:
    done, interrupt = OutcomeFile(tmp_path / "score.jsonl"), Interrupt()
    quick, endless = Hunt("king-beside-king", "smoke", 1, 60.0), Hunt("control-ep-only-if-legal", "fuzz", 1, 3600.0)
    for event in run_hunts([endless, quick], done, 2, interrupt):
        interrupt.requested = isinstance(event, Outcome)
    assert list(done.by_hunt) == [quick]
    assert not multiprocessing.active_children()


def test_a_hunt_with_an_incomplete_line_is_repeated(tmp_path: Path) -> None:
    path = tmp_path / "score.jsonl"
    kept(path, OUTCOME)
    whole = path.read_text()
    path.write_text(whole + whole[:30])
    again = OutcomeFile(path)
    assert again.by_hunt == {OUTCOME.hunt: OUTCOME}
    other = replace(OUTCOME, hunt=replace(OUTCOME.hunt, seed=2))
    again.keep(other, 1)
    assert list(OutcomeFile(path).by_hunt.values()) == [OUTCOME, other]


@pytest.mark.parametrize("line", ['{"hunt": {}}', "[]", "7", "score"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "score.jsonl"
    path.write_text(f"{line}\n")
    with pytest.raises(UsageError) as caught_error:
        OutcomeFile(path)
    assert str(caught_error.value) == f"{path}, line 1: not an outcome of a hunt; give another file"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("detected", "yes"),
        ("positions", 1.5),
        ("seconds", float("nan")),
        ("explained", 1),
        ("seed", "1"),
        ("jobs", "two"),
        ("jobs", 0),
        ("jobs", True),
    ],
)
def test_an_outcome_of_wrong_types_is_refused(tmp_path: Path, field: str, value: object) -> None:
    path = tmp_path / "score.jsonl"
    kept(path, OUTCOME)
    line = json.loads(path.read_text())
    (line["hunt"] if field in line["hunt"] else line)[field] = value
    path.write_text(json.dumps(line).replace("Infinity", "1e999") + "\n")
    with pytest.raises(UsageError, match=r"line 1: not an outcome of a hunt; give another file"):
        OutcomeFile(path)


def test_hunting_and_reporting(run: Run, tmp_path: Path) -> None:
    arguments = ["double check", "--method", "smoke", "--results", "score.jsonl"]
    done = run("zoo", "score", *arguments, "--report", "score.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "missed by smoke (number of seeds): none"
    assert len((tmp_path / "score.jsonl").read_text().splitlines()) == 1
    page = (tmp_path / "score.md").read_bytes()
    # The same report is written without hunting.
    again = run("zoo", "score", *arguments, "--report", "score.md", "--no-hunt")
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert (tmp_path / "score.md").read_bytes() == page


def test_missing_hunts_are_reported(tmp_path: Path, score: Run) -> None:
    kept(tmp_path / "score.jsonl", DOUBLE_CHECK)
    arguments = ["double check", "--results", "score.jsonl", "--no-hunt"]
    done = score(*arguments, "--seeds", "2", "--budget", "10s", "-j", "2", "--report", "json=-")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert (document["planned"], document["done"], document["jobs"], document["seconds"]) == (2, 1, [2], 10.0)
    assert document["outcomes"][0]["hunt"] == {"fault": "one-of-two-checkers", "strategy": "fuzz", "seed": 1} | {
        "seconds": 10.0
    }
    command = "perft-check zoo score 'double check' --method fuzz --budget 10s --seeds 2 -j 2 --results score.jsonl"
    assert done.stderr == f"1 of 2 hunts done; to continue: {command} --report json=-\n"


def test_only_hunts_of_the_same_budget_are_compared(tmp_path: Path, score: Run) -> None:
    longer = replace(DOUBLE_CHECK, hunt=replace(DOUBLE_CHECK.hunt, seconds=90.0, seed=3))
    kept(tmp_path / "score.jsonl", DOUBLE_CHECK, longer)
    arguments = ["double check", "--results", "score.jsonl", "--no-hunt"]
    for budget, planned in (("10s", 1), ("1.5m", 3), ("90", 3)):
        done = score(*arguments, "--seeds", str(planned), "--budget", budget, "--report", "json=-")
        document = json.loads(done.stdout)
        assert (document["planned"], document["done"]) == (planned, 1)


def test_a_score_without_outcomes(score: Run) -> None:
    done = score("double check", "--no-hunt")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == "0 of 1 hunt done; to be able to continue, save them with --results FILE\n"


def test_the_report_of_all_stored_outcomes(tmp_path: Path, score: Run) -> None:
    kept(tmp_path / "score.jsonl", *OUTCOMES, missed("list-of-192"))
    done = score("--results", "score.jsonl", "--no-hunt", "--method", "smoke", "--budget", "10s")
    assert done.returncode == 0
    assert "missed by smoke (number of seeds): " in done.stdout


MISTAKES = {
    "--method luck": "--method 'luck': choose from fuzz, games, walks, served, cpw, known, smoke",
    "--method special-960": "--method 'special-960': did you mean 'special'?",
    "ghosts": "no class 'ghosts': choose from ",
    "castlings": "no class 'castlings': did you mean 'castling'?",
    "control": "class 'control' has only controls, which are not hunted: name another class",
    "--report x.pdf": "--report 'x.pdf': give a file name that ends in .md, .json, or a kind",
    "--report x": "--report 'x': give a file name that ends in .md, .json, or a kind",
    "--results none/x.jsonl": "--results none/x.jsonl: there is no folder 'none'",
    "--results .": "cannot read .: Is a directory",
    "--budget soon": "Invalid value for '--budget': 'soon' is not a time of 0.1 s or more: write seconds, ",
    "--budget 0": "Invalid value for '--budget': '0' is not a time of 0.1 s or more: ",
    "--seeds 0": "Invalid value for '--seeds': ",
}
"""Arguments of `zoo score` with mistakes, and what is said about them."""


def test_mistakes(tmp_path: Path, run: Run) -> None:
    check_mistakes(run, MISTAKES, "zoo", "score")
    assert not list(tmp_path.iterdir())
