"""Nothing of the current folder is executed: not even modules that are named like those that we and Python import."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from helpers.clusters import cluster_in
from helpers.libraries import build_covered_library
from helpers.processes import PATIENCE
from helpers.program import IN_A_PIPE
from helpers.screens import Screen
from perft_check.harness.cli.app import program
from perft_check.harness.engines.child_environment import VARIABLES
from perft_check.harness.engines.child_processes import starting_children
from perft_check.harness.shutdown import Interrupt
from perft_check.harness.worker_processes import spread

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.slow  # each test starts a process

NAMES = sorted({name for name in sys.stdlib_module_names if not name.startswith("_")} | {*packages_distributions()})
"""What a folder may have that we, Python or a library may import: our own name among them."""
PLANTED = """\
import os

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "executed"), "a") as file:
    file.write(f"{__name__}\\n")
raise ImportError("a module of the current folder")
"""
SCRIPT = str(Path(sys.executable).with_name("perft-check"))
COMMANDS = {
    "run": "run -s one.epd -a python-chess -j 2",
    "perft": "perft startpos 4 --threads 2 --hash 16M",
    "divide": "divide startpos 2 -a python-chess",
    "diagnose": "diagnose startpos 1 -e python-chess",
    "moves": "moves startpos -e own:ray-cast",
    "count": "count startpos 3 --split 1 -e python-chess --threads 2 --ledger new.ledger --quiet",
    "bench": "bench -e own:turbo -p startpos --rounds 1",
    "fuzz": "fuzz -n 10 --seed 1 --strategy placements -j 2",
    "explain": "explain en-passant-uncovers-rank",
    "doctor": "doctor",
    "init": "init -e python-chess",
    "uci": "uci",
    "suites list": "suites list",
    "suites show": "suites show smoke",
    "zoo list": "zoo list",
    "zoo show": "zoo show ep-pinned-along",
    "zoo serve": "zoo serve ep-pinned-along",
    "zoo score": "zoo score promotion --budget 0.5s --method cpw -j 2",
    "zoo score --method served": "zoo score pins --budget 5s --method served -j 2",
    "help": "--help",
}
"""Commands that end by themselves, with status 0."""
OTHERS = ("cover", "explore", "worker", "suites make")
"""Those that have tests of their own."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a suite and modules that note that they are executed."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(PLANTED)
    (tmp_path / "perft_check.py").unlink()
    (tmp_path / "perft_check").mkdir()
    for name in ("__init__", "__main__"):
        (tmp_path / f"perft_check/{name}.py").write_text(PLANTED.replace("os.path.dirname(", "os.getcwd() or ("))
    (tmp_path / "one.epd").write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n")
    return tmp_path


def executed(folder: Path) -> list[str]:
    """Return the modules of a folder that were executed."""
    noted = folder / "executed"
    return noted.read_text().split() if noted.exists() else []


def test_the_modules_would_be_executed(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", "import pickle"], cwd=folder, check=False, capture_output=True)
    assert executed(folder) == ["pickle"]


def test_every_command_is_among_them() -> None:
    def words(command: Any, before: tuple[str, ...] = ()) -> Iterator[str]:
        children = getattr(command, "commands", {})
        for name, child in children.items():
            yield from words(child, (*before, name))
        if before and not children:
            yield " ".join(before)

    assert {*words(program)} <= {*COMMANDS, *OTHERS}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_executes_them(folder: Path, command: str) -> None:
    done = subprocess.run(
        [SCRIPT, *COMMANDS[command].split()],
        cwd=folder,
        env=os.environ | IN_A_PIPE,
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, executed(folder)) == (0, []), done.stderr


@pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed")
@pytest.mark.parametrize("command", ["cover -s one.epd", "fuzz --coverage -n 10 --seed 1 -j 1"])
def test_coverage_executes_none_of_them(folder: Path, command: str) -> None:
    """Its library is loaded by a process of ours, and programs of others say the lines of its code."""
    build_covered_library(folder)
    words = [SCRIPT, *command.split(), "-e", "lib:./libmine.so"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, executed(folder)) == (0, []), done.stderr


@pytest.mark.parametrize("command", ["run", "fuzz", "divide"])
def test_python_is_reported_of_the_module_without_executing_others(folder: Path, command: str) -> None:
    words = [sys.executable, "-P", "-m", "perft_check", *COMMANDS[command].split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, executed(folder)) == (0, []), done.stderr


def test_the_explorer_executes_none_of_them(folder: Path) -> None:
    with Screen(
        ["explore", "startpos", "-e", "zoo:ep-pinned-along", "--depth", "2"], folder, program=[SCRIPT]
    ) as screen:
        assert screen.shows("[1 Rule]")
        screen.press("q")
        assert screen.status() == 0
    assert executed(folder) == []


def test_a_worker_executes_none_of_them(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with cluster_in(tmp_path_factory.mktemp("cluster")) as cluster:
        cluster.worker("one", program=[SCRIPT], folder=folder)
        count = f"count startpos 3 --split 1 -e python-chess --scheduler {cluster.address} --quiet"
        words = [SCRIPT, *count.split()]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, executed(folder)) == (0, []), done.stderr


def test_engines_start_with_the_environment_of_the_user() -> None:
    """What keeps the folder out of the path of our processes, and numpy from starting threads, is not inherited."""
    before = dict(os.environ)
    question = f"[name in __import__('os').environ for name in {[*VARIABLES]}]"
    ((_, _), (_, told)) = spread(eval, [question], 1, Interrupt(), str)
    assert told == [name in before for name in VARIABLES]
    assert os.environ == before


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_numpy_starts_no_threads_in_child_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    question = "__import__('numpy') and len(__import__('os').listdir('/proc/self/task'))"
    ((_, _), (_, threads)) = spread(eval, [question], 1, Interrupt(), str)
    assert threads == 3  # with the guard of `become_child`, and what takes orders


@pytest.mark.parametrize("name", VARIABLES)
def test_the_choice_of_the_user_is_kept(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "mine")
    with starting_children():
        assert os.environ[name] == "mine"
    assert os.environ[name] == "mine"
