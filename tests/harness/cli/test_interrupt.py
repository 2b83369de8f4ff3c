"""Ctrl-C at any moment: status 130, soon, with the results so far; and nothing left running."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.program import Run, is_running
from perft_check.suites import loader, making

PROMPTLY = 10.0
"""Far more than the second that is promised, for machines that are busy: it must not wait for the count."""


def heed_signals() -> None:
    """Whoever runs the tests in the background ignores some signals, and children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def interrupted(
    arguments: list[str],
    moment: Callable[[subprocess.Popen[str]], None],
    signals: tuple[int, ...] = (signal.SIGINT,),
    **variables: str,
) -> tuple[int, str, str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "perft_check", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | variables,
        preexec_fn=heed_signals,
    )
    moment(process)
    for number in signals:
        process.send_signal(number)
        time.sleep(0.02)
    stdout, stderr = process.communicate(timeout=PROMPTLY)
    return process.returncode, stdout, stderr


def after(seconds: float) -> Callable[[subprocess.Popen[str]], None]:
    return lambda _process: time.sleep(seconds)


def after_working(seconds: float) -> Callable[[subprocess.Popen[str]], None]:
    """Wait until a process has used so much time of a processor, however busy the machine is."""

    def seconds_of(process: subprocess.Popen[str]) -> float:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    return lambda process: until(lambda: seconds_of(process) > seconds)


@pytest.mark.parametrize("engine", ["own", "own:turbo", "python-chess"])
def test_a_run_prints_what_it_has(engine: str) -> None:
    suite = str(making.KNOWN)  # 108 G nodes: a minute and more for the fastest
    status, stdout, stderr = interrupted(["-e", engine, "-s", suite], after(4))
    assert status == 130
    assert stdout.splitlines()[-1].startswith("interrupted: ")
    assert f"of {len(loader.load_suite(making.KNOWN))} positions agree" in stdout.splitlines()[-1]
    assert "Traceback" not in stderr


def test_a_report_file_is_written_all_the_same(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    arguments = ["-s", str(making.KNOWN), "-e", "own:turbo", "--report", f"json={report}"]
    status, _, _ = interrupted(arguments, after(4))
    assert status == 130
    document = json.loads(report.read_text())
    assert (document["interrupted"], document["exit_code"]) == (True, 130)


@pytest.mark.parametrize(("depth", "options"), [("9", []), ("8", ["--stats"])])
def test_a_count_says_that_there_is_none(run: Run, depth: str, options: list[str]) -> None:
    assert run("perft", "startpos", "3", *options).returncode == 0  # so that nothing is left to compile
    status, stdout, stderr = interrupted(["perft", "startpos", depth, *options], after(3))
    assert status == 130
    assert ("197,281" in stdout) == ("--stats" in options)  # the depths that are complete
    assert stderr.splitlines()[-1] == "interrupted: no count"


def test_a_divide_prints_the_root_moves_that_are_complete(run: Run) -> None:
    assert run("divide", "kiwipete", "2").returncode == 0  # so that nothing is left to compile
    status, stdout, stderr = interrupted(["divide", "kiwipete", "6"], after_working(4.5))
    assert status == 130
    assert "a2a3: 197413067" in stdout.splitlines()
    assert stderr.splitlines()[-1] == f"interrupted: {len(stdout.splitlines())} of 48 root moves"
    status, stdout, stderr = interrupted(["divide", "startpos", "12"], after(3))
    assert (status, stdout, stderr.splitlines()[-1]) == (130, "", "interrupted: 0 of 20 root moves")


@pytest.mark.parametrize("seconds", [0.05, 0.15, 0.3, 0.6, 1.2])
def test_while_it_starts_and_compiles(tmp_path: Path, seconds: float) -> None:
    status, _, stderr = interrupted([], after(seconds), NUMBA_CACHE_DIR=str(tmp_path))
    # Before the first line of ours runs, Python itself dies of the signal, in its own way.
    assert status == 130 or (status in (1, -signal.SIGINT) and "harness" not in stderr)
    assert "Traceback" not in stderr or status != 130


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
        (["doctor", "--engine"], CLOSED),
        (["run", "-e"], CLOSED),
        (["run", "-e"], TWICE),
        (["fuzz", "-n", "10", "-j", "1", "-a", "own", "-e"], (signal.SIGINT,)),
        (["fuzz", "-n", "10", "-j", "1", "-a", "own", "-e"], CLOSED),
        (["fuzz", "-n", "10", "-j", "1", "-a", "own", "-e"], TWICE),
    ],
    ids=str,
)
def test_an_engine_that_hangs_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], signals: tuple[int, ...]
) -> None:
    """Whether the user asks once or twice, or closes the terminal."""
    (tmp_path / "hanging.py").write_text(HANGING)
    monkeypatch.chdir(tmp_path)
    pid = tmp_path / "pid"

    def asked(_process: subprocess.Popen[str]) -> None:
        until(lambda: pid.exists() and pid.read_text().endswith("\n"))

    status, _, stderr = interrupted([*command, "python:hanging:divide"], asked, signals, PYTHONPATH=str(tmp_path))
    assert status == 130
    assert "Traceback" not in stderr
    until(lambda: not is_running(int(pid.read_text())))


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
        heed_signals()

    process = subprocess.Popen(
        [sys.executable, "-m", "perft_check", *command, "python:hanging:divide"],
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
    assert process.wait(PROMPTLY) == 130
    until(lambda: not is_running(int(pid.read_text())))
    if command[0] == "run":
        assert json.loads((tmp_path / "r.json").read_text())["interrupted"]


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 3 * PROMPTLY
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_first_run_says_what_it_waits_for(tmp_path: Path) -> None:
    def said(process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        assert process.stderr.readline() == "compiling the generator for this machine, once: a few seconds\n"

    status, stdout, _ = interrupted([], said, NUMBA_CACHE_DIR=str(tmp_path))
    assert status == 130
    assert stdout.splitlines()[-1].startswith("interrupted: 0 of 47 positions agree")
