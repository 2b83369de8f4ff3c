"""Several engines in one fuzzing run: the events of all, one report for each, and one exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.fakes import fake
from helpers.fuzz_report import titles
from helpers.processes import PATIENCE
from helpers.program import Run
from perft_check.errors import UsageError, UserError
from perft_check.harness.cli.output.report_files import file_names_of
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.fuzzing.campaign import RunFailed, side_by_side
from perft_check.harness.fuzzing.model import FuzzEvent
from perft_check.harness.fuzzing.plan import make_plans
from perft_check.harness.model.results.events import Notice
from perft_check.harness.model.results.verdict import ExitCode, worst

PROMOTIONS = "zoo:promotion-no-bishop"
CASTLING = "zoo:castling-through-attack"


def saying(*texts: str, failure: UserError | None = None, closed: list[str] | None = None) -> Iterator[FuzzEvent]:
    """Yield notices, then raise `failure`, if given; append the first text to `closed` when the run is closed."""
    try:
        for text in texts:
            yield Notice(text)
        if failure is not None:
            raise failure
    finally:
        if closed is not None:
            closed.append(texts[0])


def heard(runs: dict[str, Iterator[FuzzEvent]]) -> list[tuple[str, str]]:
    """Return the texts of all notices and failures with the names of the runs."""
    events = side_by_side(runs)
    return [(name, str(one.failure) if isinstance(one, RunFailed) else one.text) for name, one in events]  # type: ignore[union-attr]


def test_runs_take_turns_until_all_have_ended() -> None:
    assert heard({"a": saying("1", "2", "3"), "b": saying("4")}) == [("a", "1"), ("b", "4"), ("a", "2"), ("a", "3")]


def test_all_runs_are_started_before_the_first_event() -> None:
    begun: list[str] = []

    def begin(name: str) -> Iterator[FuzzEvent]:
        begun.append(name)
        yield Notice(name)

    next(side_by_side({"a": begin("a"), "b": begin("b")}))
    assert begun == ["a", "b"]


def test_a_run_that_fails_does_not_end_the_others() -> None:
    runs = {"a": saying("1", failure=EngineCrash("gone")), "b": saying("2", "3", "4")}
    assert heard(runs) == [("a", "1"), ("b", "2"), ("a", "gone"), ("b", "3"), ("b", "4")]


def test_a_single_run_that_fails_raises() -> None:
    with pytest.raises(EngineCrash, match="gone"):
        heard({"": saying("1", failure=EngineCrash("gone"))})


def test_a_run_that_cannot_start_closes_the_others() -> None:
    closed: list[str] = []
    with pytest.raises(UsageError, match="no such engine"):
        heard({"a": saying("1", closed=closed), "b": saying(failure=UsageError("no such engine"))})
    assert closed == ["1"]


def test_the_worst_exit_status_wins() -> None:
    assert worst([ExitCode.AGREE, ExitCode.NOTHING_TO_RUN]) is ExitCode.NOTHING_TO_RUN
    assert worst([ExitCode.ENGINE_FAILED, ExitCode.MISMATCH, ExitCode.AGREE]) is ExitCode.MISMATCH
    assert worst([ExitCode.USAGE, ExitCode.ENGINE_FAILED]) is ExitCode.ENGINE_FAILED
    assert worst([ExitCode.MISMATCH, ExitCode.INTERRUPTED]) is ExitCode.INTERRUPTED


NAMES = {
    ("uci:stockfish", "own:turbo"): ["stockfish", "own-turbo"],
    ("uci:./build/mine --fast", "lib:../mine.so"): ["mine", "mine.so"],
    ("uci:./a/mine", "uci:./b/mine", "./c/mine", "./mine-2"): ["mine", "mine-3", "mine-4", "mine-2"],
    ("python:my.module:moves", "cmd:./count {fen} {depth}"): ["python-my.module-moves", "count"],
    ("/", "uci:  "): ["engine", "uci"],
}


@pytest.mark.parametrize("engines", NAMES)
def test_engines_have_different_names(engines: tuple[str, ...]) -> None:
    assert file_names_of(engines) == NAMES[engines]


def test_engines_share_the_processes_and_the_seed() -> None:
    engines = (PROMOTIONS, CASTLING, "python-chess")
    plans = make_plans(engines, jobs=5)
    assert [(plan.engine, plan.jobs) for plan in plans] == list(zip(engines, (2, 2, 1), strict=True))
    assert len({plan.seed for plan in plans}) == 1
    assert [plan.jobs for plan in make_plans(engines, jobs=1)] == [1, 1, 1]


POOLS = f"""
from perft_check.harness.engines.child_environment import load_numpy
load_numpy()  # without threads, which would prevent forks
from helpers.planted import make_plan
from perft_check.platforms.processes import can_fork
from perft_check.harness.fuzzing.processes.pool import processes_here
first, second = processes_here(make_plan()), processes_here(make_plan())
[one], [other] = first._processes, second._processes
one.pipe.close()
one._process.join({PATIENCE})
print(can_fork(), one._process.exitcode, other._process.is_alive())
second.close()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked here")
def test_a_run_that_ends_does_not_wait_for_the_processes_of_another() -> None:
    """A process ends when its pipe is closed, so forks of another run must not keep an end of it."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", POOLS], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout == "True 0 True\n"


ENGINES = ("-e", "own:turbo", "-e", PROMOTIONS, "-e", CASTLING)
DRAWN = ("templates", "placements", "mutations", "walks", "games", "locked", "sequences")
LIMITS = (
    *(word for name in DRAWN for word in ("--strategy", name)),
    *("-n", "300", "--seed", "3", "--depth", "1", "--standard", "-a", "python-chess"),
)


@pytest.mark.slow
def test_each_engine_has_a_report_and_a_summary_line(fuzz: Run, tmp_path: Path) -> None:
    reports = ("--report", "json=found.json", "--report", "md=found.md")
    done = fuzz(*ENGINES, *LIMITS, *reports, "--corpus", "all.epd")
    assert done.returncode == 1
    first, second, third = done.stdout.splitlines()[-3:]
    assert first == "own-turbo: no fault of own:turbo in 300 positions"
    assert second.startswith("zoo-promotion-no-bishop: 1 kind of fault of zoo:promotion-no-bishop in 300 positions")
    assert third.startswith("zoo-castling-through-attack: ")
    assert [title.split(":")[0] for title in titles(done.stdout)] == ["missing move", "extra move"]
    assert "zoo-promotion-no-bishop: found: missing move" in done.stderr
    for name, engine, findings in (("own-turbo", "own:turbo", 0), ("zoo-promotion-no-bishop", PROMOTIONS, 1)):
        document = json.loads((tmp_path / f"found-{name}.json").read_text())
        assert (document["engine"], document["seed"], len(document["findings"])) == (engine, 3, findings)
    assert len(list(tmp_path.glob("found-*.md"))) == 3
    assert len([line for line in (tmp_path / "all.epd").read_text().splitlines() if line[0] != "#"]) == 2


@pytest.mark.slow
def test_an_engine_that_cannot_start_does_not_end_the_others(fuzz: Run) -> None:
    done = fuzz("-e", fake("silent"), "-e", "own:turbo", *LIMITS, "--timeout", "1")
    assert done.returncode == 3
    right, wrong = done.stdout.splitlines()[-2:]
    assert right == "own-turbo: no fault of own:turbo in 300 positions"
    assert wrong == "engine.py: engine.py does not answer 'uci' with 'uciok' within 1 second"
