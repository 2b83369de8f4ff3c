"""The CPU time of engines: exact on a made `/proc`, and of real processes as they tell it themselves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from perft_check.harness.engines import cpu_time
from perft_check.harness.engines.stdio.process import Process, ProcessLimits
from perft_check.harness.engines.task import Task

pytestmark = pytest.mark.skipif(not cpu_time.IS_KNOWN, reason="this system has no /proc")
ROUNDED = 0.03
"""The system gives the times of a process that runs in hundredths of a second, rounded down."""
WORKS = """\
import sys, time
while time.process_time() < 0.3:
    pass
print(time.process_time(), flush=True)
"""
WORK, WORK_ON = ([sys.executable, "-c", WORKS + end] for end in ("sys.stdin.readline()", "time.sleep(600)"))
FORKS = f"""\
import os, sys
from perft_check.harness.engines import cpu_time
from perft_check.harness.engines.stdio.process import Process, ProcessLimits
from perft_check.harness.engines.task import Task
process = Process("busy", {WORK!r}, ProcessLimits())
process.read(Task())
if os.fork() == 0:
    print(cpu_time.used_by("busy"), cpu_time.used_by_all(), flush=True)
    os._exit(0)
os.wait()
process.kill()
"""


def begun(name: str, command: list[str]) -> tuple[Process, float]:
    """Return a process that has worked, and the seconds that it tells."""
    process = Process(name, command, ProcessLimits())
    return process, float(process.read(Task()) or 0)


def test_a_family_is_added_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = os.sysconf("SC_CLK_TCK")
    family = ((7, "100 20 30 4", "8 9"), (8, "1 2 3 4", "10"), (10, "5 5 0 0", ""), (11, "99 0 0 0", ""))
    for pid, used, children in family:
        folder = tmp_path / str(pid) / "task" / str(pid)
        folder.mkdir(parents=True)
        (folder / "children").write_text(children)
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (a) 1 2) S {' '.join(['0'] * 10)} {used} 20 0 1")
    monkeypatch.setattr(cpu_time, "PROCESSES", tmp_path)
    assert cpu_time._of_family(7) * ticks == pytest.approx(154 + 10 + 10)
    assert cpu_time._of_family(9) == 0


def test_a_process_counts_while_it_runs_and_once_it_has_ended() -> None:
    assert cpu_time.used_by("a busy one") is None
    process, told = begun("a busy one", WORK)
    running = cpu_time.used_by("a busy one")
    process.quit("")
    ended = cpu_time.used_by("a busy one")
    assert running is not None
    assert ended is not None
    assert told - ROUNDED <= running <= ended + ROUNDED
    assert cpu_time.used_by("a busy one") == ended
    other, _ = begun("a busy one", WORK)
    other.kill()
    assert (cpu_time.used_by("a busy one") or 0) >= ended + 0.3 - ROUNDED
    assert cpu_time.used_by("nobody") is None


def test_what_works_below_a_process_that_is_killed_counts() -> None:
    shell = ["sh", "-c", '"$@" & wait', "sh", *WORK_ON]
    process, told = begun("a shell", shell)
    process.kill()
    assert (cpu_time.used_by("a shell") or 0) >= told - ROUNDED
    assert cpu_time.used_by_all() >= told - ROUNDED


def test_a_copy_of_this_process_has_no_engines() -> None:
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, check=True)
    assert done.stdout == "None 0\n", done.stderr
