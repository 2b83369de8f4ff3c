"""Locks between processes: never held by two at once, left by a killed process to the next one, and removed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import Timeout
from helpers.processes import PATIENCE
from perft_check.atomic import locked

HOLDER = """
import sys, time
from pathlib import Path
from perft_check.atomic import locked
with locked(Path(sys.argv[1]), 60):
    print("held", flush=True)
    time.sleep(600)
"""

COUNTER = """
import sys
from pathlib import Path
from perft_check.atomic import locked
lock, count = Path(sys.argv[1]), Path(sys.argv[2])
for _ in range(int(sys.argv[3])):
    with locked(lock, 600):
        alone = count.with_name("alone")
        alone.touch(exist_ok=False)
        count.write_text(str(int(count.read_text()) + 1))
        alone.unlink()
"""


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    lock = tmp_path / ".file.lock"
    with start(HOLDER, lock) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Timeout), locked(lock, 0):
            pass
        assert lock.exists(), "it is the holder's"
        holder.kill()
        assert holder.wait() == -signal.SIGKILL
    assert lock.exists(), "nobody removes it"
    with locked(lock, PATIENCE):
        assert lock.exists()
    assert not lock.exists()


def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), locked(tmp_path / "absent" / ".file.lock", 0):
        pass
    assert not (tmp_path / "absent").exists()


def test_no_two_processes_hold_it(tmp_path: Path) -> None:
    """Each holder removes the file while others wait for it: these must not go on with the removed file."""
    lock, count = tmp_path / ".file.lock", tmp_path / "count"
    count.write_text("0")
    counters = [start(COUNTER, lock, count, 25) for _ in range(4)]
    for counter in counters:
        _, said = counter.communicate(timeout=600)
        assert counter.returncode == 0, said
    assert count.read_text() == "100"
    assert not lock.exists()
