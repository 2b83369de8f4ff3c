"""Ctrl-C at any moment: status 130, soon, with the results so far; and nothing left running.

No count of these tests ends by itself, so that the program ends is what shows that it has not waited for it.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.fakes import flooding
from helpers.processes import (
    PATIENCE,
    handles,
    has_loaded,
    is_pending,
    is_running,
    processes_called_with,
    processor_seconds,
    restore_signals,
    until,
)
from helpers.program import COMPILING, PROGRAM, Run
from helpers.screens import Screen
from perft_check.harness.engines.types.own import KernelOptions, OwnEngine
from perft_check.suites import loader
from perft_check.suites.bundled import KNOWN

pytestmark = pytest.mark.slow  # each test starts a process

Moment = Callable[[subprocess.Popen[str]], None]


def interrupted(
    arguments: list[str], moment: Moment, signals: tuple[signal.Signals, ...] = (signal.SIGINT,), **variables: str
) -> tuple[int, str, str]:
    """Start the program, send it the signals when the moment has come; return its status and outputs."""
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | variables,
        preexec_fn=restore_signals,
    )
    moment(process)
    for number in signals:
        process.send_signal(number)
        until(lambda number=number: not is_pending(process.pid, number))  # type: ignore[misc]
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in stderr
    return process.returncode, stdout, stderr


def working(seconds: float) -> Moment:
    """Wait until a command has begun, and has since used so much time of a processor.

    A command that has begun handles SIGTERM, which Python by itself does not.
    """

    def moment(process: subprocess.Popen[str]) -> None:
        until(lambda: handles(process.pid, signal.SIGTERM))
        began = processor_seconds(process.pid)
        until(lambda: processor_seconds(process.pid) > began + seconds)

    return moment


def loading(library: str) -> Moment:
    """Wait until a process has begun to load a library."""
    return lambda process: until(lambda: has_loaded(process.pid, library))


@pytest.mark.parametrize(
    "engine", ["own:turbo", *(pytest.param(one, marks=pytest.mark.slow) for one in ("own", "python-chess"))]
)
def test_a_run_prints_what_it_has(engine: str) -> None:
    suite = str(KNOWN)  # 108 G nodes
    status, stdout, _ = interrupted(["-e", engine, "-s", suite], working(1.0))
    assert status == 130
    assert stdout.splitlines()[-1].startswith("interrupted: ")
    assert f"of {len(loader.load_suite(KNOWN))} positions agree" in stdout.splitlines()[-1]


def test_a_report_file_is_written_all_the_same(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    arguments = ["-s", str(KNOWN), "-e", "own:turbo", "--report", f"json={report}"]
    status, _, _ = interrupted(arguments, working(1.0))
    assert status == 130
    document = json.loads(report.read_text())
    assert (document["interrupted"], document["exit_code"]) == (True, 130)


def test_a_count_says_that_there_is_none() -> None:
    status, stdout, stderr = interrupted(["perft", "startpos", "12"], working(0.5))
    assert (status, stdout) == (130, "")
    assert stderr.splitlines()[-1] == "interrupted before the count was complete"


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        ("perft startpos 13", "interrupted before the count was complete"),
        ("run -e own -s known.epd", "interrupted: "),
        ("fuzz -e own --careful -n 1000000 -j 1", "interrupted"),  # its workers use the processor
        ("count startpos 11 --ledger ledger", "ledger: "),
    ],
    ids=lambda text: text.split()[0],
)
def test_two_signals_at_once_are_one_request(
    arguments: str, last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GNU `timeout` signals the process and then its group."""
    (tmp_path / "known.epd").write_bytes(KNOWN.read_bytes())
    monkeypatch.chdir(tmp_path)
    status, stdout, stderr = interrupted(arguments.split(), working(0.2), (signal.SIGTERM, signal.SIGTERM))
    assert status == 130
    assert any(line.startswith(last) for line in (stdout + stderr).splitlines()), stdout + stderr


def test_statistics_are_printed_of_the_depths_that_are_complete(run: Run) -> None:
    assert run("perft", "startpos", "3", "--stats").returncode == 0  # so that nothing is left to compile
    status, stdout, stderr = interrupted(["perft", "startpos", "10", "--stats"], working(1.5))
    assert status == 130
    assert "197,281" in stdout
    assert stderr.splitlines()[-1] == "interrupted before the count was complete"


def test_a_bench_of_techniques_that_is_terminated_prints_its_complete_rounds() -> None:
    arguments = ["bench", "--techniques", "--seconds", "100"]
    status, stdout, stderr = interrupted(arguments, working(1.0), (signal.SIGTERM,))
    assert (status, stdout, stderr.splitlines()[-1]) == (130, "", "interrupted after 0 complete rounds")


def test_a_divide_prints_the_root_moves_that_are_complete() -> None:
    """Two promotions mate, so that there is nothing to count below them; below the other moves there is no end."""
    fen = "6k1/P4ppp/8/8/8/8/8/4KBNR w K - 0 1"
    for form in OwnEngine("own:two-plies", resources=KernelOptions(threads=2)).kernels():
        form.get_ready()  # so that nothing is left to compile
    status, stdout, stderr = interrupted(["divide", fen, "30"], working(1.5))
    assert (status, stdout.splitlines()) == (130, ["a7a8q: 0", "a7a8r: 0"])
    assert stderr.splitlines()[-1] == "interrupted: 2 of 24 root moves counted"


def test_a_divide_without_a_complete_root_move_prints_none() -> None:
    status, stdout, stderr = interrupted(["divide", "startpos", "14"], working(0.5))
    assert (status, stdout, stderr.splitlines()[-1]) == (130, "", "interrupted: 0 of 20 root moves counted")


LOSING = """\
import signal
import sys
import weakref


class Module:
    pass


class Finder:
    def find_spec(name, *_):
        if name == "perft_check.harness":
            module = Module()
            reference = weakref.ref(module, lambda _: signal.raise_signal(signal.SIGINT))
            del module


from perft_check.__main__ import main

sys.meta_path.insert(0, Finder)
sys.argv[1:] = ["perft", "startpos", "1"]
main()
"""
"""A program that gets SIGINT in a callback of its first import, where Python prints an exception and goes on."""


def test_in_a_callback_of_the_first_import() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", LOSING], capture_output=True, text=True, check=False, preexec_fn=restore_signals
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("library", ["numpy", "llvmlite"])
def test_while_it_loads_modules(library: str) -> None:
    status, _, _ = interrupted([], loading(library))
    assert status == 130


def test_while_it_compiles(tmp_path: Path) -> None:
    def compiling(process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        assert COMPILING.fullmatch(process.stderr.readline())

    status, stdout, _ = interrupted([], compiling, NUMBA_CACHE_DIR=str(tmp_path))
    assert status == 130
    assert stdout.splitlines()[-1].startswith("interrupted: 0 of ")


HANGING = """\
import os
import pathlib


def divide(fen, depth, moves):
    pathlib.Path("pid").write_text(f"{os.getpid()}\\n")
    while True:
        pass
"""
CLOSED, TWICE = (signal.SIGHUP,), (signal.SIGINT, signal.SIGINT)


@pytest.mark.parametrize(
    ("command", "signals"),
    [
        (["doctor", "--engine"], (signal.SIGINT,)),
        pytest.param(["doctor", "--engine"], CLOSED, marks=pytest.mark.slow),
        (["run", "-e"], CLOSED),
        pytest.param(["run", "-e"], TWICE, marks=pytest.mark.slow),
        pytest.param(["fuzz", "-n", "10", "-j", "1", "-a", "own", "-e"], (signal.SIGINT,), marks=pytest.mark.slow),
        (["fuzz", "-n", "10", "-j", "1", "-a", "own", "-e"], CLOSED),
        (["fuzz", "-n", "10", "-j", "1", "-a", "own", "-e"], TWICE),
    ],
    ids=str,
)
def test_an_engine_that_hangs_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], signals: tuple[signal.Signals, ...]
) -> None:
    """Whether the user asks once or twice, or closes the terminal."""
    (tmp_path / "hanging.py").write_text(HANGING)
    monkeypatch.chdir(tmp_path)
    pid = tmp_path / "pid"

    def asked(_process: subprocess.Popen[str]) -> None:
        until(lambda: pid.exists() and pid.read_text().endswith("\n"))

    status, _, _ = interrupted([*command, "python:hanging:divide"], asked, signals, PYTHONPATH=str(tmp_path))
    assert status == 130
    until(lambda: not is_running(int(pid.read_text())))


@pytest.mark.parametrize(("when", "what"), [("at-once", "errors"), ("when-it-counts", "slow-lines")])
def test_an_engine_that_floods_is_not_left_behind(tmp_path: Path, when: str, what: str) -> None:
    flood = tmp_path / "flood"
    arguments = ["perft", "startpos", "3", "-e", flooding(when, what, str(flood))]
    status, stdout, _ = interrupted(arguments, lambda _process: until(flood.exists))
    assert (status, stdout) == (130, "")
    until(lambda: not processes_called_with(str(flood)))


@pytest.mark.parametrize(
    "command",
    [["run", "-s", "smoke", "--report", "json=r.json", "-e"], ["divide", "kiwipete", "2", "-e"], ["doctor", "-e"]],
    ids=lambda command: command[0],
)
def test_a_terminal_that_is_closed(tmp_path: Path, command: list[str]) -> None:
    """Nothing can be written to it any more; the engine is ended, and the report is in its file, all the same."""
    (tmp_path / "hanging.py").write_text(HANGING)
    pid, (ours, theirs) = tmp_path / "pid", pty.openpty()

    def begin_session() -> None:
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        restore_signals()

    process = subprocess.Popen(
        [*PROGRAM, *command, "python:hanging:divide"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        preexec_fn=begin_session,
    )
    os.close(theirs)
    until(lambda: pid.exists() and pid.read_text().endswith("\n"))
    os.close(ours)
    assert process.wait(PATIENCE) == 130
    until(lambda: not is_running(int(pid.read_text())))
    if command[0] == "run":
        assert json.loads((tmp_path / "r.json").read_text())["interrupted"]


@pytest.mark.parametrize("command", ["fuzz -e own --careful -n 1000000", "run -e python-chess -s standard"])
def test_a_terminal_that_stays_open_has_its_cursor_again(command: str, tmp_path: Path) -> None:
    """Where only the signal of a closed terminal has come."""
    with Screen(command.split(), tmp_path) as screen:
        until(lambda: screen.reads() and screen.hides_cursor)
        screen.send(signal.SIGHUP)
        assert screen.status() == 130
        assert not screen.hides_cursor
