"""An engine of Chess960 may refuse castling rights of a king on the a or h file, which no game has: that is a limit."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from helpers.processes import PATIENCE
from helpers.program import Run

pytestmark = pytest.mark.slow  # each test starts several processes

ENGINE = """
import sys, chess

def perft(board, depth):
    if depth == 0:
        return 1
    return sum((board.push(move), perft(board, depth - 1), board.pop())[1] for move in list(board.legal_moves))

def is_in_corner(board):
    return any(
        board.castling_rights & rank and chess.square_file(board.king(color)) in (0, 7)
        for color, rank in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8))
    )

how, board, chess960 = sys.argv[1], None, False
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("id name x\\noption name UCI_Chess960 type check default false\\nuciok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:3] == ["setoption", "name", "UCI_Chess960"]:
        chess960 = words[-1] == "true"
    elif words[:1] == ["position"]:
        fen, _, moves = line.partition(" fen ")[2].partition(" moves ")
        board = chess.Board(fen.strip() or chess.STARTING_FEN, chess960=chess960)
        if is_in_corner(board) and how != "takes":
            if how == "exits":
                sys.exit("illegal castling rights")
            board = None
            print("info string illegal castling rights", flush=True)
            continue
        for move in moves.split():
            board.push_uci(move)
    elif words[:1] == ["go"]:
        if board is None:
            print("info string error: no position", flush=True)
            continue
        total = 0
        for move in list(board.legal_moves):
            if how == "takes" and is_in_corner(board) and board.is_castling(move):
                continue
            board.push(move)
            nodes = perft(board, int(words[2]) - 1)
            board.pop()
            total += nodes
            print(f"{move.uci()}: {nodes}")
        print(f"\\nNodes searched: {total}", flush=True)
    elif words == ["quit"]:
        break
"""
SUITE = (
    "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1 ;D1 16\n"
    "4k3/8/8/8/8/8/8/1R5K w B - 0 1 ;D1 17\n"
    "k5r1/8/8/8/8/8/8/4K3 b g - 0 1 ;D1 17\n"
)
LIMIT = "engine.py does not take castling rights of a king on the a or h file ("


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "engine.py").write_text(ENGINE)
    (tmp_path / "corner.epd").write_text(SUITE)
    return tmp_path


def spec(folder: Path, how: str) -> str:
    return f"uci:{sys.executable} {folder / 'engine.py'} {how}"


def limit(how: str) -> tuple[str, ...]:
    """Return the time limit of a question: an engine that only prints its refusal gives no answer to wait for."""
    return ("--timeout", "5" if how == "says" else f"{PATIENCE:.0f}")


@pytest.mark.parametrize("how", ["exits", "says"])
def test_a_refusal_is_a_limit_that_is_told_once(run: Run, folder: Path, how: str) -> None:
    done = run("run", "-s", str(folder / "corner.epd"), "-e", spec(folder, how), *limit(how))
    told = [line for line in done.stderr.splitlines() if LIMIT in line]
    assert (done.returncode, len(told)) == (0, 1), done.stdout + done.stderr
    assert told[0].endswith("): no game has them, so such positions are skipped if it refuses them")
    assert "1 of 3 positions agree, 2 not compared" in done.stdout


def test_an_engine_that_takes_them_is_asked(run: Run, folder: Path) -> None:
    done = run("run", "-s", str(folder / "corner.epd"), "-e", spec(folder, "takes"), *limit("takes"))
    assert (done.returncode, LIMIT in done.stderr) == (1, False), done.stdout + done.stderr
    assert "1 of 3 positions agree, 2 mismatches" in done.stdout
