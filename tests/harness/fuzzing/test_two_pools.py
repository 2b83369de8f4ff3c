"""Two fuzzing runs in one process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.processes import PATIENCE

POOLS = f"""
from perft_check.harness.engines.child_environment import load_numpy
load_numpy()  # without threads, which would prevent forks
from helpers.planted import make_plan
from perft_check.platforms.processes import can_fork
from perft_check.harness.fuzzing.campaign import JobPool
first, second = JobPool(make_plan()), JobPool(make_plan())
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
