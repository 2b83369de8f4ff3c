"""Engines that only count up to some depth, or from some depth on: this is a limit reported once, not a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import COUNTING, written_engine
from helpers.program import Done, Run, wrong

UCI = """
import time

class Mine(UciEngine):
    def answer(self, depth):
        board = self.board
        if FAILS:
            FAILURE
        else:
            super().answer(depth)

Mine().serve()
"""
FUNCTION = f"""{COUNTING}
def count(fen, depth):
    if depth > 3:
        FAILURE
    return perft(chess.Board(fen), depth)
"""
SUITE = """\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
8/8/8/8/8/5k1p/7P/7K w - - 0 1 ;D1 1 ;D2 5 ;D3 12 ;D4 80 ;D5 224 ;D6 1483
7k/6p1/6P1/8/8/8/8/K7 w - - 0 1 ;D3 18 ;D5 210
k7/p7/P7/8/8/8/7P/7K w - - 0 1 ;D5 471
"""


def uci(folder: Path, fails: str, failure: str) -> str:
    """Return an engine that fails in a given way if a condition holds."""
    return written_engine(folder / "limited.py", UCI.replace("FAILS", fails).replace("FAILURE", failure))


def ran(run: Run, folder: Path, suite: str, fails: str, failure: str, seconds: str = "5") -> Done:
    (folder / "few.epd").write_text(suite)
    return run("run", "-e", uci(folder, fails, failure), "-s", "few.epd", "--timeout", seconds)


@pytest.mark.parametrize(
    ("fails", "failure", "limit", "agree"),
    [
        ("depth > 4", "pass", "to depth 4 only: at depth 5 it has not answered within", 3),
        ("depth > 3", "sys.exit(1)", "to depth 3 only: at depth 4 it exited with status 1", 3),
        ("depth > 2", "print('\\nNodes searched: 0')", "to depth 2 only: at depth 3 it counts no nodes", 2),
        ("depth > 4", "print('bestmove (none)')", "to depth 4 only: at depth 5 it searches instead of counting", 3),
        ("depth > 3", "print('illegal position')", "to depth 3 only: at depth 4 it refuses the position", 3),
        ("depth < 2", "raise RuntimeError", "from depth 2 on: it does not count at depth 1", 4),
    ],
)
@pytest.mark.slow
def test_a_depth_without_any_answer_is_a_limit(
    run: Run, tmp_path: Path, fails: str, failure: str, limit: str, agree: int
) -> None:
    done = ran(run, tmp_path, SUITE, fails, failure, "3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count(f"counts {limit}") == 1
    assert f"{agree} of 4 positions agree" in done.stdout or (agree == 4 and "all 4 positions agree" in done.stdout)


@pytest.mark.slow
def test_a_hanging_intermediate_depth_is_tried_three_times(run: Run, tmp_path: Path) -> None:
    ranks = ("K7", "1K6", "2K5", "3K4", "4K3", "5K2")
    suite = "".join(f"7k/6p1/6P1/8/8/8/{rank}/8 w - - 0 1 ;D3 1\n" for rank in ranks)
    done = ran(run, tmp_path, suite, "depth == 3", "time.sleep(1000)", "1")
    assert done.returncode == 3
    assert "does not answer at depth 3 (3 attempts), and is not asked for it again" in done.stderr
    assert "3 not compared, 3 timeouts" in done.stdout


@pytest.mark.parametrize(
    ("failure", "limit"),
    [
        ("raise ValueError('too deep')", "to depth 3 only: at depth 4 it fails: ValueError"),
        ("return 0", "to depth 3 only: at depth 4 it counts no nodes"),
    ],
)
@pytest.mark.slow
def test_a_python_function_may_have_a_limit(run: Run, tmp_path: Path, failure: str, limit: str) -> None:
    module = f"limited_{failure.split()[0]}"
    (tmp_path / f"{module}.py").write_text(FUNCTION.replace("FAILURE", failure))
    (tmp_path / "few.epd").write_text(SUITE)
    engine = f"python:{module}:count"
    done = run("run", "-e", engine, "-s", "few.epd")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"counts {limit}" in done.stderr
    assert f"counts {limit}" in wrong(run, "perft", "startpos", "4", "-e", engine)


@pytest.mark.parametrize(
    ("command", "failure", "why"),
    [("perft", "pass", "it has not answered within"), ("divide", "sys.exit(1)", "it exited with status 1")],
)
@pytest.mark.slow
def test_a_question_beyond_the_limit_is_refused_in_one_line(
    run: Run, tmp_path: Path, command: str, failure: str, why: str
) -> None:
    engine = uci(tmp_path, "depth > 3", failure)
    said = wrong(run, command, "startpos", "4", "-e", engine)
    assert f"counts to depth 3 only: at depth 4 {why}" in said
    assert "; choose another depth" in said


@pytest.mark.slow
def test_fuzz_respects_the_depth_limit(run: Run, tmp_path: Path) -> None:
    engine = uci(tmp_path, "depth > 2", "sys.exit(1)")
    done = run("fuzz", "-e", engine, "--standard", "-n", "60", "-j", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "counts to depth 2 only: at depth 3 it exited with status 1; it is not asked for other depths" in done.stderr


USELESS, LATE, LONG = (
    "board.ep_square and not board.has_legal_en_passant()",
    "board.halfmove_clock > 99",
    "board.fullmove_number > 999",
)
SQUARES = """\
4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1 ;D1 5
4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1 ;D1 5
4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1 ;D1 7
"""
COUNTERS = """\
7k/8/8/8/8/8/6K1/8 w - - 99 100 ;D1 8
7k/8/8/8/8/8/6K1/8 w - - 100 1005 ;D1 8
7k/8/8/8/8/8/6K1/8 w - - 149 1005 ;D1 8
"""
ENDED = """\
k7/1Q6/2K5/8/8/8/8/8 b - - 0 1 ;D1 0
7k/8/8/8/8/8/5q2/7K w - - 0 1 ;D1 0
R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1 ;D1 0
8/8/8/8/8/1qk5/8/K7 w - - 0 1 ;D1 0
8/8/8/8/8/2k5/1q6/K7 w - - 0 1 ;D1 0
7k/8/8/8/8/6q1/8/7K w - - 0 1 ;D1 0
"""
DEAD = """\
8/8/8/3k4/8/8/8/K7 w - - 0 1 ;D1 3
8/8/8/3k4/8/8/8/KB6 w - - 0 1 ;D1 9
8/8/8/3k4/8/8/6n1/K7 b - - 0 1 ;D1 12
7k/8/8/8/8/8/K5n1/7B w - - 0 1 ;D1 6 ;moves "h1g2 h8g8 a2a1"
7k/8/8/8/8/8/8/KR6 w - - 0 1 ;D1 15
"""
PLAYED = '4k3/8/8/8/8/8/8/R3K3 w - - {} 80 ;D1 15 ;moves "e1d1"\n'
DIES, ILLEGAL = "sys.exit(1)", "print('illegal position')"


@pytest.mark.parametrize(
    ("refused", "failure", "suite", "what", "last"),
    [
        (USELESS, DIES, SQUARES, "an en passant square where no pawn may capture", "1 of 3"),
        (LATE, "sys.exit('invalid FEN')", COUNTERS, "a halfmove clock of three digits", "1 of 3"),
        (LONG, "sys.exit('invalid FEN')", COUNTERS, "a move number of four digits", "1 of 3"),
        *[(LATE, DIES, PLAYED.format(clock), "a halfmove clock of three digits", "") for clock in (99, 100)],
        *[
            (f"board.is_{what}()", failure, ENDED, f"a position of {what}", "3 of 6")
            for what in ("checkmate", "stalemate")
            for failure in (DIES, "raise ValueError('game over')", "print('info string no moves')")
        ],
        *[
            ("board.is_insufficient_material()", failure, DEAD, "a position with too few pieces to mate", "1 of 5")
            for failure in (DIES, "print('info string draw')")
        ],
    ],
)
@pytest.mark.slow
def test_positions_that_an_engine_refuses_are_skipped(
    run: Run, tmp_path: Path, refused: str, failure: str, suite: str, what: str, last: str
) -> None:
    done = ran(run, tmp_path, suite, refused, failure)
    assert done.returncode == (0 if last else 4), done.stdout + done.stderr
    assert done.stderr.count(f"does not take {what}: such positions are skipped") == 1
    assert done.stderr.count("does not take") == 1
    assert not last or f"{last} positions agree" in done.stdout


@pytest.mark.parametrize(
    ("fails", "failure", "suite", "status", "last"),
    [
        ("depth > 4 and board.king(chess.WHITE) == chess.A1", DIES, SUITE, 3, "1 crash"),
        ("board.is_checkmate() and board.king(board.turn) == chess.G8", DIES, ENDED.splitlines()[2], 3, "1 crash"),
        ("board.ep_square == chess.E6", DIES, SQUARES.splitlines()[1], 3, "1 crash"),
        (LATE, "print('Nodes searched: 0')", "7k/8/8/8/8/8/6K1/8 w - - 100 80 ;D1 8", 1, "1 mismatch"),
    ],
)
@pytest.mark.slow
def test_a_single_failure_is_neither_a_limit_nor_a_refusal(
    run: Run, tmp_path: Path, fails: str, failure: str, suite: str, status: int, last: str
) -> None:
    done = ran(run, tmp_path, suite, fails, failure)
    assert (done.returncode, last in done.stdout) == (status, True), done.stdout
    assert "counts to" not in done.stderr
    assert "skipped" not in done.stderr


@pytest.mark.parametrize(
    ("condition", "failure", "field", "fen"),
    [
        (USELESS, DIES, "an en passant square where no pawn may capture", "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1"),
        (LATE, ILLEGAL, "a halfmove clock of three digits", "4k3/8/8/8/8/8/8/R3K3 w - - 100 80"),
        (LONG, DIES, "a move number of four digits", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1000"),
    ],
)
@pytest.mark.slow
def test_fuzz_skips_positions_with_a_field_that_an_engine_refuses(
    run: Run, tmp_path: Path, condition: str, failure: str, field: str, fen: str
) -> None:
    engine = uci(tmp_path, condition, failure)
    sentence = f"does not take {field}"
    done = run("fuzz", "-e", engine, "--standard", "-n", "340", "-j", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count(f"{sentence}: such positions are skipped") == 1
    assert "is asked one question at a time: not all positions are asked about" in done.stderr
    again = run("fuzz", "-e", engine, "--standard", "--replay", fen)
    assert (again.returncode, again.stdout.startswith("not checked: ")) == (4, True), again.stdout
    assert sentence in again.stdout
