"""Processes of an engine do not survive when perft-check is killed."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.processes import is_running, until
from helpers.program import PROGRAM

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")]

ENGINE = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"], start_new_session={own_session})
with open("pids", "a") as pids: pids.write(f"{{child.pid}}\\n")
for line in sys.stdin:
    if line.startswith("uci"): print("uciok", flush=True)
    elif line.startswith("isready"): print("readyok", flush=True)
    elif line.startswith("go"): time.sleep(300)
"""


@pytest.mark.parametrize(
    ("command", "own_session"),
    [("run -s smoke", True), ("fuzz -n 100 -j 2 --careful", False), ("perft startpos 3", True)],
)
def test_sigkill_leaves_no_process_behind(command: str, own_session: bool, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(ENGINE.format(own_session=own_session))
    engine = f"uci:{shlex.join([sys.executable, 'engine.py'])}"
    program = subprocess.Popen(
        [*PROGRAM, *command.split(), "-e", engine, "--timeout", "200"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    pids = tmp_path / "pids"
    until(lambda: pids.exists() and pids.read_text().endswith("\n"), "the engine has started its child")
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    until(lambda: not any(is_running(int(pid)) for pid in pids.read_text().split()), "the children have ended")
