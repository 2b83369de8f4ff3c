"""Memory limits: by default an engine and its children may use half of the machine's memory."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from helpers.program import Run
from perft_check.platforms import memory
from perft_check.platforms.memory import MemoryGuard, most_bytes
from perft_check.platforms.processes import ProcessFamily

EATS = "import time; hoard = [bytes([n % 251 + 1]) * (16 << 20) for n in range(40)]; time.sleep(300)"
ENGINE = f"""
import subprocess, sys, time
for line in sys.stdin:
    if line.startswith("uci"): print("uciok", flush=True)
    elif line.startswith("isready"): print("readyok", flush=True)
    elif line.startswith("go"):
        if sys.argv[1] == "itself": exec({EATS!r})
        if sys.argv[1] == "child": subprocess.run([sys.executable, "-c", {EATS!r}])
        if sys.argv[1] == "forks":
            import os
            hoard = bytes([1]) * (200 << 20)
            for _ in range(3):
                if os.fork() == 0:
                    time.sleep(300)
                    os._exit(0)
            time.sleep(3)
            sys.exit("it was not ended")
"""


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return an engine whose limit is 400 MiB."""
    monkeypatch.setattr(memory, "most_bytes", lambda: 400 << 20)
    (tmp_path / "engine.py").write_text(ENGINE)
    return f"uci:{shlex.join([sys.executable, 'engine.py'])}"


@pytest.mark.parametrize("who", ["itself", pytest.param("child", marks=pytest.mark.slow)])
def test_an_engine_that_uses_too_much_memory_is_ended_and_reported(who: str, engine: str, run: Run) -> None:
    done = run("perft", "startpos", "2", "-e", f"{engine} {who}", "--timeout", "100", COLUMNS="300")
    assert (done.returncode, done.stdout) == (3, "")
    assert (
        "was killed: it uses more memory than 0.4 GiB, half of the memory of this machine; run, divide and fuzz take "
        "--memory" in done.stderr
    )


@pytest.mark.slow
def test_shared_pages_are_counted_once(engine: str, run: Run) -> None:
    done = run("perft", "startpos", "2", "-e", f"{engine} forks", "--timeout", "100", COLUMNS="300")
    assert done.returncode == 3
    assert "it was not ended" in done.stderr


@pytest.mark.slow
def test_the_user_can_set_another_memory_limit(engine: str, run: Run) -> None:
    done = run("divide", "startpos", "2", "-e", f"{engine} itself", "--timeout", "3", "--memory", "5000")
    assert done.returncode == 3
    assert "has not answered within 3 seconds" in done.stderr


def test_the_default_limit_is_half_of_the_memory() -> None:
    most = most_bytes()
    assert 2**28 < most < 2**44
    assert MemoryGuard(ProcessFamily(1)).excess() is None, "the first check is not due yet"
