"""Whole runs: the seed decides, limits hold, broken engines are reported, and no process is left running."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

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
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.fuzzing.hypothesis_batch import LONGEST, PART, parts

pytestmark = pytest.mark.slow  # most tests start processes

SMALL = ("-n", "40", "--strategy", "placements", "--strategy", "walks", "--standard")
ENDLESS = ("--time", "3600", "--seed", "1")


@dataclass(frozen=True)
class Running:
    """The program in a process group of its own, whose processes all carry a mark."""

    process: subprocess.Popen[str]
    mark: str

    @property
    def workers(self) -> list[int]:
        return [pid for pid in children_of(self.process.pid) if pid in processes_called_with("fuzz")]

    def until_there_are_workers(self, number: int) -> None:
        until(lambda: len(self.workers) >= number)

    def until_workers_have_worked(self, seconds: float) -> None:
        """Wait until each worker has used so much time of a processor."""
        until(lambda: all(processor_seconds(pid) > seconds for pid in self.workers))

    def until_it_has_found(self, title: str) -> None:
        """Wait for a line on stderr, which is written as soon as a process tells of the find."""
        assert self.process.stderr is not None
        assert any(without_moves(line).startswith(f"suspect: {title}") for line in self.process.stderr)

    def until_all_are_gone(self) -> None:
        until(lambda: not processes_with(self.mark))

    def end(self) -> tuple[int, str, str]:
        """Return exit status, stdout, and stderr without a traceback, seeing that no process is left."""
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
    assert "1 kind of fault of zoo:pins-forgotten in 20 positions\n" in one.stdout
    assert titles(one.stdout)[0] == "extra move: Pinned piece leaves its line"


def test_time_is_a_limit() -> None:
    with running("--time", "3", "--seed", "3", "-j", "1", "-e", "python-chess", "-a", "own:turbo") as program:
        status, stdout, _ = program.end()
    assert status == 0
    assert stdout.splitlines()[-1].startswith("no fault of python-chess in ")


@pytest.mark.slow
def test_time_is_a_limit_of_reductions_too() -> None:
    """This one would take hundreds of questions of half a second each; the test would not wait that long."""
    sampled = ("--time", "20", "--seed", "1", "-j", "1", "--standard", "--depth", "1", "--strategy", "walks")
    with running("-e", moody("slip"), "--careful", *sampled) as program:
        status, stdout, _ = program.end()
    assert status == 1
    assert reported_findings(stdout)


@needs_stockfish
def test_stockfish_has_no_fault(fuzz: Run) -> None:
    done = fuzz(*SMALL, "-e", f"uci:{STOCKFISH}", "--seed", "1", "-j", "1")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "no fault of stockfish in 40 positions")


@pytest.mark.parametrize(
    ("mood", "title", "message"),
    [
        ("crash", "crash", "was killed by SIGSEGV"),
        pytest.param("garbage", "timeout", "has not answered within 10 seconds", marks=pytest.mark.long),
        pytest.param("hang", "timeout", "has not answered within 10 seconds", marks=pytest.mark.long),
    ],
)
def test_a_broken_engine_is_a_find(mood: str, title: str, message: str) -> None:
    """Reduced to few pieces; an engine that hangs makes the reduction wait for its time limit ten times."""
    arguments = ["-n", "12", "--strategy", "placements", "--seed", "1", "-j", "1", "--timeout", "10"]
    with running("-e", moody(mood), *arguments) as program:
        status, stdout, _ = program.end()
    assert status == 3
    assert set(titles(stdout)) == {title}
    assert reported_findings(stdout)[0].pieces <= 5
    assert message in stdout


@pytest.mark.parametrize("mood", ["garbage", "hang"])
def test_an_engine_that_does_not_answer_is_a_find_of_its_place(fuzz: Run, mood: str) -> None:
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


def test_control_c_ends_with_the_whole_report() -> None:
    """What has been found is in it."""
    with running("-e", "zoo:pins-forgotten", *ENDLESS, "-j", "2") as program:
        program.until_it_has_found("extra move: Pinned piece leaves its line")
        os.killpg(program.process.pid, signal.SIGINT)  # as a terminal does
        status, stdout, _ = program.end()
    assert status == 130
    assert re.search(r"^interrupted: 1 kind of fault of zoo:pins-forgotten in ", stdout, re.MULTILINE)
    assert " rare events of chess came up" in stdout
    assert "extra move: Pinned piece leaves its line" in without_moves(stdout)


@pytest.mark.parametrize(
    ("number", "seconds"), [pytest.param(signal.SIGINT, 0.5, marks=pytest.mark.long), (signal.SIGTERM, 0.0)]
)
def test_a_signal_to_the_group_while_workers_start(number: signal.Signals, seconds: float) -> None:
    """As Ctrl-C in a terminal, and `timeout`, send it: as soon as there are workers, and while they load modules."""
    with running("-e", "own", *ENDLESS, "-j", "2") as program:
        program.until_there_are_workers(2)
        program.until_workers_have_worked(seconds)
        os.killpg(program.process.pid, number)
        status, stdout, _ = program.end()
    assert status == 130
    assert stdout.splitlines()[-1].startswith("interrupted: ")


@pytest.mark.parametrize("has_engines", [False, True])
def test_nothing_outlives_the_program(has_engines: bool) -> None:
    """Each process has the pipes of those that started before it, and must not keep them open."""
    with running("-e", fake("slow") if has_engines else "own", *ENDLESS, "-j", "3") as program:
        program.until_there_are_workers(3)
        if has_engines:
            until(lambda: set(processes_called_with("engine.py")) & set(processes_with(program.mark)))
        program.process.kill()
        program.process.wait()
        program.until_all_are_gone()


@pytest.mark.parametrize("seconds", [0.0, pytest.param(1.0, marks=pytest.mark.slow)])
def test_a_worker_that_dies_is_told_in_one_line(seconds: float) -> None:
    """At any moment: before it has read its first job, and in the middle of one."""
    with running("-e", "own", *ENDLESS, "-j", "2") as program:
        program.until_there_are_workers(2)
        program.until_workers_have_worked(seconds)
        os.kill(program.workers[0], signal.SIGKILL)
        status, stdout, stderr = program.end()
    assert (status, stdout) == (3, ""), stderr
    assert stderr.splitlines()[-1].startswith("perft-check: a fuzzing process died")


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_finds_are_told_though_a_worker_dies(jobs: str) -> None:
    """Even if it was the only one, or the one that had found them."""
    with running("-e", "zoo:pins-forgotten", *ENDLESS, "-j", jobs) as program:
        program.until_it_has_found("extra move: Pinned piece leaves its line")
        os.kill(program.workers[0], signal.SIGKILL)
        status, stdout, _ = program.end()
    assert status == 1
    assert "extra move: Pinned piece leaves its line" in titles(stdout)
    [failure] = [line for line in stdout.splitlines() if line.startswith("a fuzzing process died")]
    assert " of zoo:pins-forgotten in " in failure.partition("; until then ")[2]


@pytest.mark.parametrize("length", [0, 1, LONGEST, LONGEST + 1, 60])
def test_the_parts_of_a_long_line_make_up_the_line(length: int) -> None:
    game = Game(Position.start())
    for _ in range(length):
        game = game.after(min(game.position.legal_moves))
    found = list(parts(game))[::-1]
    assert [move for part in found for move in part.moves] == list(game.moves)
    assert found[-1].position == game.position
    assert all(before.position == after.base for before, after in pairwise(found))
    assert all(len(part.moves) == PART for part in found[1:])
    assert len(found[0].moves) <= LONGEST
