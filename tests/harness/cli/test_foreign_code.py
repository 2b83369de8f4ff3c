"""Nothing of the current folder is executed: not even modules that are named like those that we and Python import."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.processes import PATIENCE, restore_signals
from helpers.program import IN_A_PIPE, PROGRAM, needs_stockfish
from perft_check.harness.engines.our_environment import OURS
from perft_check.harness.engines.our_processes import side_by_side, starting
from perft_check.harness.model.shutdown import Interrupt

pytestmark = pytest.mark.slow  # each test starts a process

NAMES = ("pickle", "socket", "multiprocessing", "random", "json", "chess", "numba", "numpy", "rich", "typer", "select")
PLANTED = """\
import os

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "executed"), "a") as file:
    file.write(f"{__name__}\\n")
raise ImportError("a module of the current folder")
"""
SCRIPT = Path(sys.executable).with_name("perft-check")
COMMANDS = {
    "run": "run -s one.epd -a python-chess -j 2",
    "fuzz": "fuzz -n 10 --seed 1 --strategy placements -j 2",
    "bench": "bench -e own:turbo -p startpos --rounds 1",
    "techniques": "moves startpos -e own:ray-cast --trace",
    "zoo score": "zoo score promotion --budget 0.5s --method cpw -j 2",
    "zoo list": "zoo list",
    "suites": "suites list",
    "doctor": "doctor",
    "divide": "divide startpos 2 -a python-chess",
    "help": "--help",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a suite and modules that note that they are executed."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(PLANTED)
    (tmp_path / "one.epd").write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n")
    return tmp_path


def executed(folder: Path) -> list[str]:
    """Return the modules of a folder that were executed."""
    noted = folder / "executed"
    return noted.read_text().split() if noted.exists() else []


def test_the_modules_would_be_executed(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", "import pickle"], cwd=folder, check=False, capture_output=True)
    assert executed(folder) == ["pickle"]


@pytest.mark.parametrize(
    ("way", "command"),
    [
        *((PROGRAM, one) for one in COMMANDS),
        ([str(SCRIPT)], "fuzz"),
    ],
    ids=lambda value: value if isinstance(value, str) else Path(value[0]).name,
)
def test_no_command_executes_them(folder: Path, way: Sequence[str], command: str) -> None:
    done = subprocess.run(
        [*way, *COMMANDS[command].split()],
        cwd=folder,
        env=os.environ | IN_A_PIPE,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, executed(folder)) == (0, []), done.stderr


@pytest.mark.long
@needs_stockfish
def test_making_suites_executes_none_of_them(folder: Path) -> None:
    """It is interrupted once its processes have done some work: all of it takes minutes."""
    process = subprocess.Popen(
        [*PROGRAM, "suites", "make", ".", "--from-zoo", "-j", "2"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=restore_signals,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "choosing and counting positions\n"
    assert " shows at " in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert (process.returncode, executed(folder)) == (130, []), stderr


def test_engines_start_with_the_environment_of_the_user() -> None:
    """What keeps the folder out of the path of our processes, and numpy from starting threads, is not inherited."""
    before = dict(os.environ)
    question = f"[name in __import__('os').environ for name in {[*OURS]}]"
    ((_, _), (_, told)) = side_by_side(eval, [question], Interrupt(), str, jobs=1)
    assert told == [name in before for name in OURS]
    assert os.environ == before


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_numpy_starts_no_threads_in_our_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    question = "__import__('numpy') and len(__import__('os').listdir('/proc/self/task'))"
    ((_, _), (_, threads)) = side_by_side(eval, [question], Interrupt(), str, jobs=1)
    assert threads == 2  # the guard of `become_ours` is one


@pytest.mark.parametrize("name", OURS)
def test_the_choice_of_the_user_is_kept(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "mine")
    with starting():
        assert os.environ[name] == "mine"
    assert os.environ[name] == "mine"
