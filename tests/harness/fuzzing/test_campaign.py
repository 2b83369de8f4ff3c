"""Complete runs: the seed decides, limits hold, broken engines are reported, and no process is left running."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from helpers.fakes import fake, moody
from helpers.fuzz_report import reported_findings, titles
from helpers.headlines import without_moves
from helpers.processes import (
    PATIENCE,
    children_of,
    processes_called_with,
    processes_with,
    processor_seconds,
    restore_signals,
    until,
)
from helpers.program import PROGRAM, STOCKFISH, WIDE, Run, needs_stockfish

pytestmark = pytest.mark.slow  # most tests start processes

SMALL = ("-n", "40", "--strategy", "placements", "--strategy", "walks", "--standard")
ENDLESS = ("--time", "3600", "--seed", "1")


@dataclass(frozen=True)
class Running:
    """The program in a separate process group, with a mark in the environment of all its processes."""

    process: subprocess.Popen[str]
    mark: str

    @property
    def workers(self) -> list[int]:
        return [pid for pid in children_of(self.process.pid) if pid in processes_called_with("fuzz")]

    def until_there_are_workers(self, number: int) -> None:
        until(lambda: len(self.workers) >= number)

    def until_workers_have_worked(self, seconds: float) -> None:
        """Wait until each worker has used so many seconds of CPU time."""
        until(lambda: all(processor_seconds(pid) > seconds for pid in self.workers))

    def until_it_has_found(self, title: str) -> None:
        """Wait for a line on stderr, which is written as soon as a process reports the finding."""
        assert self.process.stderr is not None
        assert any(without_moves(line).startswith(f"suspect: {title}") for line in self.process.stderr)

    def until_all_are_gone(self) -> None:
        until(lambda: not processes_with(self.mark))

    def end(self) -> tuple[int, str, str]:
        """Return exit status, stdout and stderr; verify that there is no traceback and that no process is left."""
        stdout, stderr = self.process.communicate(timeout=PATIENCE)
        assert "Traceback" not in stderr, stderr
        self.until_all_are_gone()
        return self.process.returncode, stdout, stderr


@contextlib.contextmanager
def running(*arguments: str) -> Iterator[Running]:
    """Run `perft-check fuzz`."""
    mark = secrets.token_hex(8)
    process = subprocess.Popen(
        [*PROGRAM, "fuzz", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | WIDE | {"FUZZ_TEST_MARK": mark},
        start_new_session=True,
        preexec_fn=restore_signals,
    )
    try:
        yield Running(process, f"FUZZ_TEST_MARK={mark}")
    finally:
        process.kill()
        process.communicate()
        for pid in processes_with(f"FUZZ_TEST_MARK={mark}"):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.slow
def test_fail_fast_depends_on_the_seed_alone(fuzz: Run) -> None:
    arguments = [*SMALL, "-n", "2000", "-e", "zoo:pins-forgotten", "--seed", "7", "--fail-fast"]
    one, two = (fuzz(*arguments, "-j", jobs) for jobs in ("1", "2"))
    assert one.returncode == 1
    assert one.stdout == two.stdout
    assert "1 kind of fault of zoo:pins-forgotten found in 20 positions\n" in one.stdout
    assert titles(one.stdout)[0] == "extra move: Pinned piece leaves its line"


def test_the_time_limit_ends_a_run() -> None:
    with running("--time", "3", "--seed", "3", "-j", "1", "-e", "python-chess", "-a", "own:turbo") as program:
        status, stdout, _ = program.end()
    assert status == 0
    assert stdout.splitlines()[-1].startswith("no fault of python-chess found in ")


@pytest.mark.slow
def test_the_time_limit_includes_reductions() -> None:
    """This reduction would need hundreds of questions of half a second each."""
    sampled = ("--time", "20", "--seed", "1", "-j", "1", "--standard", "--depth", "1", "--strategy", "walks")
    with running("-e", moody("slip"), "--careful", *sampled) as program:
        status, stdout, _ = program.end()
    assert status == 1
    assert reported_findings(stdout)


@needs_stockfish
def test_no_fault_is_found_in_stockfish(fuzz: Run) -> None:
    done = fuzz(*SMALL, "-e", f"uci:{STOCKFISH}", "--seed", "1", "-j", "1")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "no fault of stockfish found in 40 positions")


@pytest.mark.parametrize(
    ("mood", "title", "message"),
    [
        ("crash", "crash", "was killed by SIGSEGV"),
        pytest.param("hang", "timeout", "has not answered within 4 seconds", marks=pytest.mark.long),
    ],
)
def test_a_broken_engine_is_reported(mood: str, title: str, message: str) -> None:
    """The finding is reduced to few pieces; for an engine that hangs, the reduction waits for ten timeouts."""
    arguments = ["-n", "12", "--strategy", "placements", "--seed", "1", "-j", "1", "--timeout", "4"]
    with running("-e", moody(mood), *arguments) as program:
        status, stdout, _ = program.end()
    assert status == 3
    assert set(titles(stdout)) == {title}
    assert reported_findings(stdout)[0].pieces <= 5
    assert message in stdout


@pytest.mark.parametrize("mood", ["garbage", "hang"])
def test_an_engine_that_does_not_answer_is_reported_by_replay(fuzz: Run, mood: str) -> None:
    done = fuzz("--replay", "3qk3/8/8/8/8/8/8/4K3 w - - 0 1", "-e", moody(mood), "--timeout", "4")
    assert done.returncode == 3
    assert set(titles(done.stdout)) == {"timeout"}
    assert "has not answered within " in done.stdout


@pytest.mark.parametrize("mode", ["crashes", pytest.param("hangs", marks=pytest.mark.slow)])
def test_an_engine_that_never_answers_ends_the_run(mode: str) -> None:
    with running("-e", fake(mode), "-n", "50", "-j", "1", "--timeout", "1") as program:
        status, stdout, stderr = program.end()
    assert (status, stdout) == (3, "")
    assert stderr.splitlines()[-1].startswith("perft-check: ")


def test_ctrl_c_ends_a_run_with_its_report() -> None:
    """The report has the findings so far."""
    with running("-e", "zoo:pins-forgotten", *ENDLESS, "-j", "2") as program:
        program.until_it_has_found("extra move: Pinned piece leaves its line")
        os.killpg(program.process.pid, signal.SIGINT)  # as a terminal does
        status, stdout, _ = program.end()
    assert status == 130
    assert re.search(r"^interrupted: 1 kind of fault of zoo:pins-forgotten found in ", stdout, re.MULTILINE)
    assert "rare events covered: " in stdout
    assert "extra move: Pinned piece leaves its line" in without_moves(stdout)


@pytest.mark.parametrize(
    ("number", "seconds"), [pytest.param(signal.SIGINT, 0.5, marks=pytest.mark.long), (signal.SIGTERM, 0.0)]
)
def test_a_signal_to_the_group_while_workers_start(number: signal.Signals, seconds: float) -> None:
    """Ctrl-C in a terminal and `timeout` send a signal to the group, here when workers start or load modules."""
    with running("-e", "own", *ENDLESS, "-j", "2") as program:
        program.until_there_are_workers(2)
        program.until_workers_have_worked(seconds)
        os.killpg(program.process.pid, number)
        status, stdout, _ = program.end()
    assert status == 130
    assert stdout.splitlines()[-1].startswith("interrupted: ")


@pytest.mark.parametrize("has_engines", [False, True])
def test_nothing_outlives_the_program(has_engines: bool) -> None:
    """Each process inherits the pipes of earlier processes, and must not keep them open."""
    with running("-e", fake("slow") if has_engines else "own", *ENDLESS, "-j", "3") as program:
        program.until_there_are_workers(3)
        if has_engines:
            until(lambda: set(processes_called_with("engine.py")) & set(processes_with(program.mark)))
        program.process.kill()
        program.process.wait()
        program.until_all_are_gone()


@pytest.mark.parametrize("seconds", [0.0, pytest.param(1.0, marks=pytest.mark.slow)])
def test_the_death_of_a_worker_is_reported_in_one_line(seconds: float) -> None:
    """A worker may die before it has read its first job, or during a job."""
    with running("-e", "own", *ENDLESS, "-j", "2") as program:
        program.until_there_are_workers(2)
        program.until_workers_have_worked(seconds)
        os.kill(program.workers[0], signal.SIGKILL)
        status, stdout, stderr = program.end()
    assert (status, stdout) == (3, ""), stderr
    assert stderr.splitlines()[-1].startswith("perft-check: a fuzzing process died")


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_findings_are_reported_even_if_a_worker_dies(jobs: str) -> None:
    """The worker may be the only one, or the one with the findings."""
    with running("-e", "zoo:pins-forgotten", *ENDLESS, "-j", jobs) as program:
        program.until_it_has_found("extra move: Pinned piece leaves its line")
        os.kill(program.workers[0], signal.SIGKILL)
        status, stdout, _ = program.end()
    assert status == 1
    assert "extra move: Pinned piece leaves its line" in titles(stdout)
    [failure] = [line for line in stdout.splitlines() if line.startswith("a fuzzing process died")]
    assert " of zoo:pins-forgotten found in " in failure.partition("; until then ")[2]
