"""Whole runs: the seed decides, limits hold, broken engines are reported, and no process is left running."""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from helpers.fuzz_runs import TESTS, WIDE, all_gone, fake, processes_with, told
from helpers.program import PROGRAM, STOCKFISH, Run, needs_stockfish
from perft_check.generator import Position
from perft_check.generator.line import Line
from perft_check.harness.fuzzing.batch import LONGEST, PART, parts

PROMPTLY = 20.0
"""Much longer than promised, for busy machines."""
SMALL = ("-n", "600", "--strategy", "placements", "--strategy", "walks", "--standard")


def moody(mood: str) -> str:
    return "uci:" + shlex.join([sys.executable, str(TESTS / "fakes" / "moody.py"), mood])


@contextlib.contextmanager
def running(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the program in a process group of its own; yield it, and a mark that all its processes carry."""
    mark = f"FUZZ_TEST_MARK={secrets.token_hex(8)}"
    name, _, value = mark.partition("=")
    process = subprocess.Popen(
        [*PROGRAM, "fuzz", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | WIDE | {name: value},
        start_new_session=True,
        # Tests in the background run with SIGINT ignored, and children would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield process, mark
    finally:
        process.kill()
        process.communicate()
        for pid in processes_with(mark):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def wait_for_workers(mark: str, number: int) -> None:
    """Wait until the program has this many workers."""
    deadline = time.monotonic() + PROMPTLY
    while len(workers(mark)) < number:
        assert time.monotonic() < deadline, "no workers"
        time.sleep(0.05)


def workers(mark: str) -> list[int]:
    found = []
    for pid in processes_with(mark):
        with contextlib.suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


@pytest.mark.parametrize("engine", ["own", "zoo:pins-forgotten"])
def test_one_seed_gives_one_report(fuzz: Run, engine: str) -> None:
    """The number of processes must not change a byte."""
    one, two, other = (
        fuzz(*SMALL, "-e", engine, "--seed", seed, "-j", jobs) for seed, jobs in (("7", "1"), ("7", "2"), ("8", "2"))
    )
    assert one.stdout == two.stdout
    assert one.returncode == two.returncode == (engine != "own")
    assert one.stdout.replace("seed 7", "") != other.stdout.replace("seed 8", "")
    assert one.stdout.splitlines()[-1].endswith(" in 600 positions")


def test_fail_fast_depends_on_the_seed_alone(fuzz: Run) -> None:
    arguments = [*SMALL, "-n", "2000", "-e", "zoo:pins-forgotten", "--seed", "7", "--fail-fast"]
    one, two = (fuzz(*arguments, "-j", jobs) for jobs in ("1", "2"))
    assert one.returncode == 1
    assert one.stdout == two.stdout
    assert int(one.stdout.split()[-2].replace(",", "")) < 2000
    assert told(one.stdout)[0].title == "extra move: Pinned piece leaves its line"


def test_the_run_ends_with_its_time(fuzz: Run) -> None:
    engines = ("-j", "1", "-e", "python-chess", "-a", "own:turbo")
    assert fuzz("-n", "1", *engines).returncode == 0  # so that nothing is left to compile, which is not counted
    began = time.monotonic()
    done = fuzz("--time", "2", "--seed", "3", *engines)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < PROMPTLY
    assert done.stdout.splitlines()[-1].startswith("no fault of python-chess in ")


@needs_stockfish
def test_stockfish_has_no_fault(fuzz: Run) -> None:
    done = fuzz(*SMALL, "-e", f"uci:{STOCKFISH}", "--seed", "1", "-j", "1")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "no fault of the engine in 600 positions")


BROKEN = {"crash": "was killed by SIGSEGV", "garbage": "", "hang": "has not answered within 0.5 seconds"}
TITLES = {"crash": "crash", "garbage": "unparseable output", "hang": "timeout"}


@pytest.mark.parametrize("mood", BROKEN)
def test_a_broken_engine_is_a_find(mood: str) -> None:
    arguments = ["-n", "12", "--strategy", "placements", "--seed", "1", "-j", "1", "--timeout", "0.5"]
    if mood == "hang":
        arguments[1] = "6"
    with running("-e", moody(mood), *arguments) as (process, mark):
        stdout, stderr = process.communicate(timeout=90)
        assert process.returncode == 3, stderr
        assert "Traceback" not in stderr
        finds = told(stdout)
        assert finds
        assert {find.title for find in finds} <= {"crash", "timeout", "unparseable output"}
        assert finds[0].title in TITLES[mood] or mood == "garbage"
        assert finds[0].pieces <= 5
        assert BROKEN[mood] in stdout
        assert all_gone(mark, 3)


@pytest.mark.parametrize("mode", ["crashes", "hangs"])
def test_an_engine_that_never_answers_ends_the_run(mode: str) -> None:
    with running("-e", fake(mode), "-n", "50", "-j", "2", "--timeout", "1") as (process, mark):
        stdout, stderr = process.communicate(timeout=60)
        assert (process.returncode, stdout) == (3, "")
        assert "Traceback" not in stderr, stderr
        assert stderr.splitlines()[-1].startswith("perft-check: ")
        assert all_gone(mark, 3)


@pytest.mark.parametrize("engine", ["own", "zoo:pins-forgotten"])
def test_control_c_ends_the_run_with_the_whole_report(engine: str) -> None:
    with running("-e", engine, "--time", "60", "--seed", "1", "-j", "2") as (process, mark):
        wait_for_workers(mark, 2)
        time.sleep(6)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        stdout, stderr = process.communicate(timeout=PROMPTLY)
        assert process.returncode == 130, stderr
        assert stdout.splitlines()[-1].startswith("interrupted: ")
        assert " rare events met" in stdout
        if engine != "own":
            assert "extra move: Pinned piece leaves its line" in stdout
            assert told(stdout)[0].pieces <= 6
        assert "Traceback" not in stderr
        assert all_gone(mark, 3)


@pytest.mark.parametrize("seconds", [0.0, 0.8])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_group_while_workers_start_ends_the_run(seconds: float, number: signal.Signals) -> None:
    """Ctrl-C in a terminal and the command `timeout` send such signals."""
    with running("-e", "own", "--time", "60", "--seed", "1", "-j", "2") as (process, mark):
        wait_for_workers(mark, 2)
        time.sleep(seconds)
        os.killpg(process.pid, number)
        stdout, stderr = process.communicate(timeout=PROMPTLY)
        assert process.returncode == 130, stderr
        assert stdout.splitlines()[-1].startswith("interrupted: ")
        assert "Traceback" not in stderr
        assert all_gone(mark, 3)


@pytest.mark.parametrize("engine", ["own", fake("slow")])
def test_nothing_outlives_the_program(engine: str) -> None:
    with running("-e", engine, "--time", "60", "-j", "2") as (process, mark):
        wait_for_workers(mark, 2)
        time.sleep(3)
        process.kill()
        process.wait()
        assert all_gone(mark, 8), processes_with(mark)


@pytest.mark.parametrize("seconds", [0.0, 4.0])
def test_a_worker_that_dies_is_reported_in_one_line(seconds: float) -> None:
    """It may die before it has read its first job, or in the middle of a job."""
    with running("-e", "own", "--time", "60", "-j", "2") as (process, mark):
        wait_for_workers(mark, 2)
        time.sleep(seconds)
        os.kill(workers(mark)[0], signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=PROMPTLY)
        assert (process.returncode, stdout) == (3, ""), stderr
        last = stderr.splitlines()[-1]
        assert last.startswith("perft-check: a fuzzing process died")
        assert "Traceback" not in stderr
        assert all_gone(mark, 3)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_finds_are_reported_when_a_worker_dies(jobs: str) -> None:
    """It may be the only worker, or the one that has found them."""
    with running("-e", "zoo:pins-forgotten", "--time", "60", "--seed", "1", "-j", jobs) as (process, mark):
        assert process.stderr is not None
        assert any(line.startswith("found extra move: Pinned piece leaves its line") for line in process.stderr)
        os.kill(workers(mark)[0], signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=3 * PROMPTLY)
        assert process.returncode == 1, stderr
        assert "extra move: Pinned piece leaves its line" in [find.title for find in told(stdout)]
        last = stdout.splitlines()[-1]
        assert last.startswith("a fuzzing process died")
        assert " of zoo:pins-forgotten in " in last.partition("; until then ")[2]
        assert "Traceback" not in stderr
        assert all_gone(mark, 3)


@pytest.mark.parametrize("length", [0, 1, LONGEST, LONGEST + 1, 60])
def test_the_parts_of_a_long_line_make_up_the_line(length: int) -> None:
    line = Line(Position.start())
    for _ in range(length):
        line = line.after(min(line.position.legal_moves))
    found = list(parts(line))[::-1]
    assert [move for part in found for move in part.moves] == list(line.moves)
    assert found[-1].position == line.position
    assert all(before.position == after.base for before, after in pairwise(found))
    assert all(len(part.moves) == PART for part in found[1:])
    assert len(found[0].moves) <= LONGEST
