"""What the operating system refuses is told by its name, and not as a failure of the output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.headlines import without_moves
from helpers.program import IN_A_PIPE, PROGRAM
from perft_check.suites.loader import load_suite

pytestmark = pytest.mark.slow  # each test starts a process
GONE = (
    "perft-check: the working folder no longer exists; perhaps an engine deleted it: "
    "start perft-check in another folder\n"
)


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps a folder in which somebody works")
@pytest.mark.parametrize("command", ["run -s smoke", "fuzz -n 20 -e own"])
def test_a_folder_that_is_gone_is_reported(command: str, tmp_path: Path) -> None:
    script = f'mkdir gone && cd gone && rmdir ../gone && exec "$@" {command}'
    words = ["sh", "-c", script, "sh", str(Path(sys.executable).with_name("perft-check"))]
    done = subprocess.run(words, cwd=tmp_path, env=os.environ | IN_A_PIPE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.splitlines(keepends=True)[-1]) == (2, "", GONE)


def test_a_compiler_that_cannot_be_loaded_is_reported(tmp_path: Path) -> None:
    (tmp_path / "llvmlite").mkdir()
    (tmp_path / "llvmlite/__init__.py").write_text(
        "raise OSError(\"Could not find/load shared object file 'libllvmlite.so' from resource location: "
        "'llvmlite.binding'\")\n"
    )
    environment = os.environ | IN_A_PIPE | {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    words = [*PROGRAM, "perft", "startpos", "4", "-e", "own:turbo"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "197281\n")
    told = (
        "perft-check: kernels are plain Python, some thousand times slower, because of OSError: Could not find/load "
        "shared object file 'libllvmlite.so' from resource location: 'llvmlite.binding'; "
        "pip install --force-reinstall numba llvmlite (numba "
    )
    assert [line[: len(told)] for line in done.stderr.splitlines() if "because of" in line] == [told]


_DELETES = """
import os, shutil, sys, chess

def perft(board, depth):
    if depth == 0:
        return 1
    moves = list(board.legal_moves)
    if depth == 1:
        return len(moves)
    return sum((board.push(move), perft(board, depth - 1), board.pop())[1] for move in moves)

times = 0
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("id name x\\nuciok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        board = chess.Board(" ".join(words[2:8])) if words[1] == "fen" else chess.Board()
    elif words[:1] == ["go"]:
        times += 1
        if times in map(int, sys.argv[2:]):
            shutil.rmtree(sys.argv[1], ignore_errors=True)
        total = 0
        for move in list(board.legal_moves)[board.fen() != chess.STARTING_FEN:]:
            board.push(move)
            nodes = perft(board, int(words[2]) - 1)
            board.pop()
            total += nodes
            print(f"{move.uci()}: {nodes}")
        print(f"\\nNodes searched: {total}", flush=True)
    elif words == ["quit"]:
        break
"""


AGAIN = "perft-check: the working folder was deleted, perhaps by an engine: files are written to {}"
CORPUS_AGAIN = "perft-check: {} was deleted during the run, and is written again"
FUZZ = "fuzz --seed 1 -j 1 -n 40"
on_posix = pytest.mark.skipif(os.name != "posix", reason="Windows keeps a folder in which somebody works")


def with_deleting(tmp_path: Path, command: str, where: Path, times: str = "1") -> subprocess.CompletedProcess[str]:
    """Return what a command says in `where` while its engine deletes `work` at some of its questions."""
    (tmp_path / "engine.py").write_text(_DELETES)
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "mine.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 6\n")
    words = [*PROGRAM, *command.split(), "-e", f"uci:{sys.executable} {tmp_path / 'engine.py'} {folder} {times}"]
    return subprocess.run(words, cwd=where, env=os.environ | IN_A_PIPE, capture_output=True, text=True, check=False)


def said(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stderr.splitlines() if line.startswith("perft-check: ")]


@on_posix
def test_a_report_is_written_though_the_engine_deletes_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    done = with_deleting(tmp_path, "run -s mine.epd --report json=out.json", folder)
    assert (done.returncode, said(done)) == (1, [AGAIN.format(folder)])
    assert "missing move: King steps onto a safe square" in without_moves(done.stdout)
    assert "king-step" in (folder / "out.json").read_text()


@on_posix
def test_finds_are_kept_though_the_engine_deletes_the_working_folder(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    done = with_deleting(tmp_path, f"{FUZZ} --corpus found.epd", folder)
    assert done.returncode == 1, done.stderr
    assert AGAIN.format(folder) in said(done)
    assert "saved in found.epd" in done.stdout
    check_found(folder / "found.epd", done.stdout)


@on_posix
def test_finds_are_kept_though_the_engine_deletes_the_folder_of_the_corpus(tmp_path: Path) -> None:
    done = with_deleting(tmp_path, f"{FUZZ} --corpus work/found.epd", tmp_path, "1 10 20 30 40")
    assert (done.returncode, said(done)) == (1, [CORPUS_AGAIN.format("work/found.epd")])
    assert "saved in work/found.epd" in done.stdout
    check_found(tmp_path / "work" / "found.epd", done.stdout)


def check_found(corpus: Path, report: str) -> None:
    """Check that every find of a report is in the corpus."""
    kept = [str(case.position.fen()) for case in load_suite(corpus)]
    told = [line.removeprefix("in ") for line in report.splitlines() if line.startswith("in ")]
    assert told
    assert set(told) <= set(kept)
