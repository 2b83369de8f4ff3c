"""Counters in Python callables: lines that ran, distances of comparisons, and unchanged behavior."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.libraries import questions
from helpers.processes import PATIENCE
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.coverage.counters import MOST_BRANCHES, VARIABLE, PythonCoverage
from perft_check.harness.coverage.model import EQUAL, SOMEWHERE
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.stdio import python_coverage
from perft_check.harness.engines.types.python_callable import PythonCallableEngine

START = Position.start()
QUEENS = [Position.from_fen(f"k7/8/8/8/8/8/8/K{'Q' * number}{7 - number} b - - 0 1") for number in (1, 2, 4, 5, 6)]
MODULE = '''"""A generator."""
import chess

from helping import half


class Counter:
    """Counts."""

    def __init__(self, board):
        self.__board = board

    def moves(self):
        """List."""
        found = [move.uci() for move in self.__board.legal_moves if move]
        queens = chess.popcount(self.__board.queens)
        if queens == 6 and half(queens) > 1:
            found.append(found[0])
        return found


def moves(fen):
    return Counter(chess.Board(fen)).moves()
'''
HELPING = "def half(n):\n    return n // 2\n"
EVERYTHING = '''
from __future__ import annotations
import asyncio
def several(n: int = 1 if 2 > 1 else 3) -> list:
    """Doc."""
    global seen
    seen = [one for one in range(n) if one % 2 == 0 and one < 100 or one == 99]
    try:
        for one in seen:
            if one == 4: continue
            elif one > 6: break
            else: pass
        else:
            seen.append(f"{'all' if n == 5 else 'some'}")
        while n > 3: n -= 1
        with open("/dev/null"): 1 / (n - 3)
    except ZeroDivisionError as error: seen.append(str(error))
    finally: seen.append(0 <= n <= 3)
    def inner(x): nonlocal n; n = x; return (yield n) == 1
    return [*seen, *inner(7), {one: one == 2 for one in (1, 2)}, (lambda x: x != 1 and x)(3), [] == [], "a" < "b"]
async def later(): return 1 == 1.0 or 2
def pairs(n):
    """Doc."""
    for one in range(n):
        if one == 7: return
        for other in "ab":
            try: yield one, other
            finally: n -= 1
def own_names(n):
    for one in range(n): two = one
    return sorted(locals()), pairs.__doc__, several.__doc__, own_names.__doc__
def only_documented(): "Doc."
def in_loops():
    for size in (2, 3):
        class Sized:
            for one in range(size): last = one
            def sizes(self):
                while self.last: self.last -= 1
                return self.last, sorted(vars(Sized).keys() - vars(Odd).keys())
        yield Sized().sizes()
    yield sum(1 for pair in pairs(9)), next(pairs(3)), [half for half in range(9) if half > 5]
result = several(), several(5), several(9), asyncio.run(later()), own_names(2), only_documented()
class Odd:
    def __eq__(self, other): return "neither"
    __hash__ = None
result += (*in_loops(), only_documented.__doc__)
result += (Odd() == 3, 3 != Odd(), 1 == True, (1, 2) < (1, 3))
'''


@contextmanager
def opened(folder: Path, monkeypatch: pytest.MonkeyPatch, module: str = MODULE) -> Iterator[PythonCallableEngine]:
    (folder / "made.py").write_text(module, encoding="utf-8")
    (folder / "helping.py").write_text(HELPING, encoding="utf-8")
    monkeypatch.chdir(folder)
    with closing(PythonCallableEngine("made", sys.executable, "made:moves")) as engine:
        yield engine


def test_lines_of_the_users_modules_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path, monkeypatch) as engine:
        source = engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        source.reset()
        assert engine.divide(Game(START), 1, EngineCall(PATIENCE)).total == 20
        counters, places = source.read(), source.locations()
        assert {place.path for place in places if place} == {str(tmp_path / "made.py"), str(tmp_path / "helping.py")}
        ran = [place for place, number in zip(places, counters, strict=True) if number and place]
        assert {(place.function, place.line) for place in ran} == {
            ("moves", 23),
            ("Counter.__init__", 11),
            ("Counter.moves", 15),
        }
        assert not source.read().any()


def test_the_first_position_that_reaches_a_line_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path, monkeypatch) as engine:
        engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        ahead = engine.open_pipeline(EngineCall(PATIENCE))
        with closing(ahead.stream) as stream:
            stream.start(EngineCall(PATIENCE))
            asked = questions([START, *QUEENS], [1] * 6)
            for _ in range(2):
                stream.submit(replace(asked, counts=np.ones_like(asked.counts)))
            first, again = stream.collect(), stream.collect()
        assert first.doubtful.tolist() == [5]
        assert first.coverage is not None
        assert again.coverage is not None
        assert again.coverage.features == ()
        branches = 8 * first.coverage.branches
        assert {position for feature, position in first.coverage.features if feature < branches} >= {5}
        near = {(feature % 16, position) for feature, position in first.coverage.features if feature >= branches}
        assert {(EQUAL - 4, 0), (EQUAL - 5, 1), (EQUAL - 2, 3), (EQUAL - 1, 4), (EQUAL, 5)} <= near


def test_features_reached_by_a_tree_are_new_at_depth_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = """
import chess

def count(board, depth):
    if depth == 0:
        return 1
    if len(board.piece_map()) == 3 and board.is_check():
        board.checkers()
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total

def moves(fen, depth):
    return count(chess.Board(fen), depth)
"""
    fens = [f"k7/7R/8/8/8/8/8/K7 w - - 0 {number}" for number in (1, 2, 3)]
    fens[2:2] = [f"k6R/8/8/8/8/8/8/K7 b - - 0 {number}" for number in (1, 2)]
    with opened(tmp_path, monkeypatch, module) as engine:
        engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        ahead = engine.open_pipeline(EngineCall(PATIENCE))
        with closing(ahead.stream) as stream:
            stream.start(EngineCall(PATIENCE))
            stream.submit(questions([Position.from_fen(fen) for fen in fens], [1, 2, 1, 1, 2]))
            found = stream.collect()
        assert found.coverage is not None
        assert found.doubtful.tolist() == []
        reached = [{one // 8 for one, at in found.coverage.features if at == position} for position in range(5)]
        assert (reached[1] & reached[2]) - reached[0]
        assert reached[3:] == [set(), set()]


def test_a_loop_counts_its_iterations_however_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = """
import chess

def doubled(n):
    return 2 * n

def squares(board, kinds):
    for kind in kinds:
        for square in board.pieces(kind, chess.WHITE):
            if square == chess.H1:
                return
            yield doubled(square)

def moves(fen):
    board = chess.Board(fen)
    found = list(squares(board, (chess.PAWN, chess.ROOK, chess.KING)))
    try:
        while board.legal_moves:
            found.pop()
    except IndexError:
        return [move.uci() for move in board.legal_moves]
"""
    with opened(tmp_path, monkeypatch, module) as engine:
        source = engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        source.reset()
        assert engine.divide(Game(START), 1, EngineCall(PATIENCE)).total == 20
        counts = {place.line: number for place, number in zip(source.locations(), source.read(), strict=True) if place}
        assert counts == {5: 1, 8: 1, 9: 2, 10: 10, 11: 1, 15: 1, 18: 1, 19: 10, 21: 1}


def test_coverage_is_measured_only_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path, monkeypatch, MODULE + "\nassert '_perft_check_counts' not in globals()\n") as engine:
        engine.start(EngineCall(PATIENCE))
        assert engine.divide(Game(START), 1, EngineCall(PATIENCE)).total == 20


def test_a_module_with_a_syntax_error_fails_as_without_counters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, monkeypatch, "def moves(fen:\n") as engine:
        engine.measure_coverage()
        with pytest.raises(Exception, match="cannot import made: SyntaxError"):
            engine.start(EngineCall(PATIENCE))


def test_counters_do_not_change_what_code_does(tmp_path: Path) -> None:
    (tmp_path / "everything.py").write_text(EVERYTHING, encoding="utf-8")
    folder = str(Path(python_coverage.__file__).parent)
    script = (
        f"import sys; sys.path[:0] = [{folder!r}, {str(tmp_path)!r}]\nimport python_coverage\n"
        f"found = python_coverage.begin_counting([{str(tmp_path)!r}])\n"
        "import everything; print(everything.result); print(bool(found))"
    )
    outputs = []
    for variables in ({}, {python_coverage.VARIABLE: str(tmp_path / "file")}):
        (tmp_path / "file").touch()
        done = subprocess.run(
            [sys.executable, "-c", script], env=os.environ | variables, capture_output=True, text=True, check=True
        )
        outputs.append(done.stdout.splitlines())
    assert outputs[0][0] == outputs[1][0]
    assert (outputs[0][1], outputs[1][1]) == ("False", "True")


def test_the_counters_module_is_valid_python_3_8() -> None:
    ast.parse(Path(python_coverage.__file__).read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize(
    "lines",
    [
        b'P\nP 1\nP x 1 a b\nP -1 1 "a" "b"\nP 1 1 "a\nP 1 1 1 2\n',
        b'P 99999999999 1 "a" "b"\nC 1\nC a:b\nC 99999999999:1\nC 1:-3\n',
        b"Q\nQ x\nQ 1 -5 99999999999999\nQ 1 1 1 1\n\xff\xfe\0\nZ\n\n",
        b'P 1 1 "a" "b" and more',
    ],
)
def test_the_file_may_contain_arbitrary_lines(lines: bytes) -> None:
    with closing(PythonCoverage()) as source:
        source._file.write(lines, 0)
        assert set(source.locations()) <= {None}
        assert not source.read().any()
        source._file.write(lines, 0)
        assert all(0 <= feature < 1 << 24 for feature, _ in source.collect(questions([START], [1])).features)


def test_features_reported_again_by_a_new_process_are_not_new() -> None:
    block = questions([START, QUEENS[0]], [1, 1])
    reported = f"Q {zlib.crc32(START.fen().encode())} 8 24\n".encode()
    with closing(PythonCoverage()) as source:
        source._file.write(reported, 0)
        assert source.collect(block).features == ((8, 0), (24, 0))
        source._file.write(reported + reported.replace(b"24", b"25"), len(reported))
        assert source.collect(block).features == ((25, 0),)


def test_branches_reached_by_a_trial_count_as_reached() -> None:
    with closing(PythonCoverage()) as source:
        source._file.write(b"Q 1 8 24\nQ 2 9\n", 0)
        source.begin()
        assert source.collect(questions([START], [1])).features == ((8, SOMEWHERE), (9, SOMEWHERE), (24, SOMEWHERE))
        assert source.collect(questions([START], [1])).features == ()


def test_both_processes_use_the_same_file_format() -> None:
    """The process of a callable does not import this package, so constants are defined twice."""
    assert (python_coverage.VARIABLE, python_coverage.MOST_BRANCHES) == (VARIABLE, MOST_BRANCHES)
