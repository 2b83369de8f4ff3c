"""CPU time of engines: exact for simulated processes, and compared with their own reports for real ones."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace

import psutil
import pytest
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.stdio import child
from perft_check.harness.engines.stdio.process import Process, ProcessLimits
from perft_check.platforms.processes import ProcessFamily

ROUNDED = 0.03
"""The system reports the CPU time of a running process in hundredths of a second, rounded down."""
WORKS = """\
import sys, time
while time.process_time() < 0.3:
    pass
print(time.process_time(), flush=True)
"""
WORK, WORK_ON = ([sys.executable, "-c", WORKS + end] for end in ("sys.stdin.readline()", "time.sleep(600)"))
FORKS = f"""\
import os, sys
from perft_check.harness.engines.stdio import child
from perft_check.harness.engines.stdio.process import Process, ProcessLimits
from perft_check.harness.engines.call import EngineCall
process = Process("busy", {WORK!r}, ProcessLimits())
process.read(EngineCall())
if os.fork() == 0:
    print(child.used_by("busy"), child.used_by_all(), flush=True)
    os._exit(0)
os.wait()
process.kill()
"""


def begun(name: str, command: list[str]) -> tuple[Process, float]:
    """Return a process that has used CPU time, and the seconds that it reports."""
    process = Process(name, command, ProcessLimits())
    return process, float(process.read(EngineCall()) or 0)


@dataclass
class ProcessOfTest:
    """A simulated process."""

    used: tuple[float, float, float, float]
    below: Sequence[ProcessOfTest] = ()

    def cpu_times(self) -> SimpleNamespace:
        if not any(self.used):
            raise psutil.NoSuchProcess(0)
        names = ("user", "system", "children_user", "children_system")
        return SimpleNamespace(**dict(zip(names, self.used, strict=True)))

    def children(self, *, recursive: bool) -> list[ProcessOfTest]:
        assert recursive
        return [each for child in self.below for each in (child, *child.children(recursive=True))]


def test_the_cpu_time_of_a_family_is_its_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, below = ProcessOfTest((0, 0, 0, 0)), ProcessOfTest((5, 5, 0, 0))
    family = {
        7: ProcessOfTest((100, 20, 30, 4), [ProcessOfTest((1, 2, 3, 4), [below]), gone]),
        11: ProcessOfTest((99, 0, 0, 0)),
        13: gone,
    }
    monkeypatch.setattr(psutil, "Process", family.__getitem__)
    assert ProcessFamily(7).cpu_seconds() == 154 + 10 + 10
    assert ProcessFamily(13).cpu_seconds() == 0


def test_cpu_time_includes_running_and_ended_processes() -> None:
    assert child.used_by("a busy one") is None
    process, reported = begun("a busy one", WORK)
    running = child.used_by("a busy one")
    process.quit("")
    ended = child.used_by("a busy one")
    assert running is not None
    assert ended is not None
    assert reported - ROUNDED <= running <= ended + ROUNDED
    assert child.used_by("a busy one") == ended
    other, _ = begun("a busy one", WORK)
    other.kill()
    assert (child.used_by("a busy one") or 0) >= ended + 0.3 - ROUNDED
    assert child.used_by("nobody") is None


def test_cpu_time_includes_children_of_a_killed_process() -> None:
    shell = ["sh", "-c", '"$@" & wait', "sh", *WORK_ON]
    process, reported = begun("a shell", shell)
    process.kill()
    assert (child.used_by("a shell") or 0) >= reported - ROUNDED
    assert child.used_by_all() >= reported - ROUNDED


def test_a_fork_of_this_process_has_no_engines() -> None:
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, check=True)
    assert done.stdout == "None 0\n", done.stderr
