"""Hunts end as they must, and their outcomes are kept, resumed and summed up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from perft_check.harness.errors import UsageError
from perft_check.harness.interrupt import Interrupt
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.hunting import Hunt, Outcome, hunt
from perft_check.harness.zoo.score import Results, carry_out, hunts, summed
from perft_check.reports.score import survivors
from program import run_in


@pytest.mark.parametrize(
    ("fault", "strategy"),
    [
        ("pins-forgotten", "fuzz"),
        ("pins-forgotten", "walks"),
        ("king-beside-king", "smoke"),
        ("chess960-uncovers-king", "fuzz"),
        ("pins-forgotten", "cpw"),
    ],
)
def test_a_fault_is_caught(fault: str, strategy: str) -> None:
    outcome = hunt(Hunt(fault, strategy, 1, 60.0))
    assert (outcome.reached, outcome.triggered, outcome.detected) == (True, True, True)
    assert outcome.explained is True
    assert outcome.pieces is not None
    assert outcome.positions > 0


def test_a_fault_inside_the_api_is_caught_from_inside_only() -> None:
    inside = next(fault for fault in ZOO.values() if fault.theme == "staging" and not fault.is_served)
    assert hunt(Hunt(inside.name, "fuzz", 1, 60.0)).detected
    assert not hunt(Hunt(inside.name, "smoke", 1, 60.0)).detected


def test_a_control_is_left_alone() -> None:
    outcome = hunt(Hunt("control-ep-only-if-legal", "fuzz", 1, 2.0))
    assert (outcome.triggered, outcome.detected, outcome.explained) == (False, False, None)
    assert outcome.positions > 20


OUTCOME = Outcome(Hunt("pins-forgotten", "fuzz", 1, 5.0), True, True, True, 40, 0, 0.5, True, 4)


def test_what_is_done_is_not_hunted_again(tmp_path: Path) -> None:
    path = tmp_path / "score.jsonl"
    todo = hunts([ZOO["pins-forgotten"], ZOO["king-beside-king"]], ["smoke"], 1, 60.0)
    done = Results(path)
    assert len(list(carry_out(todo, done, 2, Interrupt()))) == 2
    assert set(Results(path).by_hunt) == set(todo)
    assert list(carry_out(todo, Results(path), 1, Interrupt())) == []


def test_a_line_that_was_cut_off_is_hunted_again(tmp_path: Path) -> None:
    path = tmp_path / "score.jsonl"
    Results(path).keep(OUTCOME)
    whole = path.read_text()
    path.write_text(whole + whole[:30])
    again = Results(path)
    assert again.by_hunt == {OUTCOME.hunt: OUTCOME}
    other = replace(OUTCOME, hunt=replace(OUTCOME.hunt, seed=2))
    again.keep(other)
    assert list(Results(path).by_hunt.values()) == [OUTCOME, other]


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "score.jsonl"
    path.write_text(json.dumps({"hunt": {}}) + "\n")
    with pytest.raises(UsageError) as caught:
        Results(path)
    assert str(caught.value) == f"{path}, line 1: no outcome of a hunt; give another file"


def test_the_sum_over_seeds() -> None:
    missed = replace(OUTCOME, hunt=replace(OUTCOME.hunt, seed=2), detected=False, explained=None, pieces=None)
    other = replace(OUTCOME, hunt=replace(OUTCOME.hunt, fault="king-beside-king"), explained=False, positions=60)
    row = summed([OUTCOME, missed, other])
    assert (row.faults, row.detected, row.triggered, row.families, row.families_detected) == (2, 1.5, 2.0, 2, 2)
    assert (row.explained, row.positions, row.pieces, row.seconds) == (0.5, 50, 4, 0.5)
    assert survivors([OUTCOME, missed, other]) == ["fuzz missed (with so many seeds): pins-forgotten (1)"]


def test_the_command(tmp_path: Path) -> None:
    done = run_in(tmp_path, "zoo", "score", "double check", "--strategy", "smoke", "--results", "score.jsonl")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "smoke missed (with so many seeds): none"
    assert len((tmp_path / "score.jsonl").read_text().splitlines()) == 1
    for arguments, said in (
        (["--strategy", "luck"], "--strategy 'luck': there are fuzz, games, walks, cpw, known, smoke"),
        (["doubles"], "no class 'doubles': there are "),
    ):
        failed = run_in(tmp_path, "zoo", "score", *arguments)
        assert (failed.returncode, failed.stdout) == (2, "")
        assert failed.stderr.startswith(f"perft-check: {said}")
