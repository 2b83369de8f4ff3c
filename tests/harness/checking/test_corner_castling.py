"""A Chess960 engine may refuse castling rights of a king on the a- or h-file, which occur in no game: a limit."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import written_engine
from helpers.processes import PATIENCE
from helpers.program import Run

pytestmark = pytest.mark.slow  # each test starts several processes

ENGINE = """
how = sys.argv[1]

def is_in_corner(board):
    return any(
        board.castling_rights & rank and chess.square_file(board.king(color)) in (0, 7)
        for color, rank in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8))
    )

class Mine(UciEngine):
    greeting = "option name UCI_Chess960 type check default false"
    def set_up(self, board, moves):
        if not is_in_corner(board) or how == "takes":
            super().set_up(board, moves)
        elif how == "exits":
            sys.exit("illegal castling rights")
        else:
            self.board = None
            print("info string illegal castling rights")
    def answer(self, depth):
        if self.board is None:
            print("info string error: no position")
        else:
            super().answer(depth)
    def moves(self, board):
        lacks = how == "takes" and is_in_corner(board)
        return [move for move in board.legal_moves if not (lacks and board.is_castling(move))]

Mine().serve()
"""
SUITE = (
    "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1 ;D1 16\n"
    "4k3/8/8/8/8/8/8/1R5K w B - 0 1 ;D1 17\n"
    "k5r1/8/8/8/8/8/8/4K3 b g - 0 1 ;D1 17\n"
)
LIMIT = "engine.py does not take castling rights of a king on the a or h file ("


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corner.epd").write_text(SUITE)
    return tmp_path


def spec(folder: Path, how: str) -> str:
    return written_engine(folder / "engine.py", ENGINE, how)


def limit(how: str) -> tuple[str, ...]:
    """Return the time limit of a question; an engine that only prints a refusal never answers."""
    return ("--timeout", "5" if how == "says" else f"{PATIENCE:.0f}")


@pytest.mark.parametrize("how", ["exits", "says"])
def test_a_refusal_is_a_limit_reported_once(run: Run, folder: Path, how: str) -> None:
    done = run("run", "-s", str(folder / "corner.epd"), "-e", spec(folder, how), *limit(how))
    told = [line for line in done.stderr.splitlines() if LIMIT in line]
    assert (done.returncode, len(told)) == (0, 1), done.stdout + done.stderr
    assert told[0].endswith("): they occur in no game, so such positions are skipped if it refuses them")
    assert "1 of 3 positions agree, 2 not compared" in done.stdout


def test_an_engine_that_accepts_corner_castling_is_asked(run: Run, folder: Path) -> None:
    done = run("run", "-s", str(folder / "corner.epd"), "-e", spec(folder, "takes"), *limit("takes"))
    assert (done.returncode, LIMIT in done.stderr) == (1, False), done.stdout + done.stderr
    assert "1 of 3 positions agree, 2 mismatches" in done.stdout
