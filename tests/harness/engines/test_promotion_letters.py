"""Promotion letters in upper case and other notations of moves are read from engines of all types."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from helpers.libraries import EXAMPLES, built, needs_cc
from helpers.program import WIDE, Run

pytestmark = pytest.mark.slow  # each test starts processes

LIBRARY = """
#include <ctype.h>
#define perft_check_divide plain_divide
#include "library.c"
#undef perft_check_divide

int64_t perft_check_divide(const char *fen, int depth, perft_check_move *out, size_t room) {
    int64_t found = plain_divide(fen, depth, out, room);
    for (int64_t i = 0; i < found; i++) {
        char *move = out[i].move;
        if (!move[4]) continue;
#ifdef WITH_SIGN
        move[5] = toupper(move[4]), move[4] = '=', move[6] = 0;
#else
        move[4] = toupper(move[4]);
#endif
    }
    return found;
}
"""
PROMOTIONS = "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1"
ENGINE = """
import sys, chess
sys.path.insert(0, {tests!r})
from fakes.counting import perft

def divide(fen, depth):
    board, pairs = chess.Board(fen), []
    for move in list(board.legal_moves):
        board.push(move)
        pairs.append((move.uci()[:4] + move.uci()[4:].upper(), perft(board, depth - 1)))
        board.pop()
    return pairs

class Board:
    def __init__(self, fen): self._board = chess.Board(fen)
    def legal_moves(self): return [text for text, _ in divide(self._board.fen(), 1)]
    def push(self, text): self._board.push_uci(text.lower())
    def pop(self): self._board.pop()
    def fen(self): return self._board.fen()

def write(fen, depth):
    total = 0
    for text, count in divide(fen, depth):
        print(f"{{text}}: {{count}}")
        total += count
    print(f"Nodes searched: {{total}}", flush=True)

if __name__ == "__main__" and len(sys.argv) > 1:
    write(sys.argv[2], int(sys.argv[1]))
elif __name__ == "__main__":
    fen = ""
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"]: print("uciok", flush=True)
        elif words == ["isready"]: print("readyok", flush=True)
        elif words[:2] == ["position", "fen"]:
            board = chess.Board(" ".join(words[2:8]))
            for move in words[9:]: board.push_uci(move)
            fen = board.fen()
        elif words[:2] == ["go", "perft"]: write(fen, int(words[2]))
        elif words == ["quit"]: break
"""


def is_correct_in_run_and_fuzz(run: Run, folder: Path, spec: str) -> None:
    (folder / "mine.epd").write_text(f"{PROMOTIONS} ;D1 18 ;D2 290\n")
    done = run("run", "-e", spec, "-s", "mine.epd", **WIDE)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("fuzz", "--replay", PROMOTIONS, "--depth", "1", "-e", spec, **WIDE)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("fuzz", "-e", spec, "-n", "40", "--jobs", "1", "--seed", "1", **WIDE)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_cc
@pytest.mark.parametrize("flags", [(), ("-DWITH_SIGN",)])
def test_library_with_uppercase_promotions(run: Run, tmp_path: Path, flags: tuple[str, ...]) -> None:
    built(tmp_path, LIBRARY, "-I", str(EXAMPLES / "c"), *flags)
    is_correct_in_run_and_fuzz(run, tmp_path, "lib:libmade.so")


@pytest.mark.parametrize("engine_type", ["uci", "cmd", "python:mine:divide", "python:mine:Board"])
def test_program_or_function_with_uppercase_promotions(run: Run, tmp_path: Path, engine_type: str) -> None:
    (tmp_path / "mine.py").write_text(ENGINE.format(tests=str(Path(__file__).parents[2])))
    launch = shlex.join([sys.executable, "mine.py"])
    spec = {"uci": f"uci:{launch}", "cmd": f"cmd:{launch} {{depth}} {{fen}}"}.get(engine_type, engine_type)
    is_correct_in_run_and_fuzz(run, tmp_path, spec)
