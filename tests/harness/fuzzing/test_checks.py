"""The checks: each finds planted faults, names them correctly, and finds nothing in correct engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from helpers.asking import asking
from helpers.budget import properties
from helpers.games import board_of, game_from
from helpers.libraries import EXAMPLES, built, needs_cc
from helpers.planted import make_plan
from helpers.processes import PATIENCE
from hypothesis import given
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.base import Divide, EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.engine import InProcessEngine
from perft_check.harness.engines.types.library import LibraryEngine
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.fuzzing.checks.base import Check, Probe
from perft_check.harness.fuzzing.checks.children import ChildFens
from perft_check.harness.fuzzing.checks.divides import Consistency, Divides, Totals, affordable_depth
from perft_check.harness.fuzzing.examining import Examiner, build_examiner
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.reducing import reduce
from perft_check.harness.model.results.verdict import Verdict
from perft_check.strategies import positions

CASTLE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

Seen = tuple[str, str, str]
"""The check, the kind, and the rule of a discrepancy."""


def seen(discrepancies: Iterable[Discrepancy]) -> list[Seen]:
    found = []
    for discrepancy in discrepancies:
        assert discrepancy.finding is not None
        wrong = discrepancy.finding.state or discrepancy.finding.wrong
        found += sorted({(discrepancy.check, move.kind, move.rule) for move in wrong}) or [(discrepancy.check, "", "")]
    return sorted(set(found))


def looked(check: Check, game: Game, depth: int = 2) -> list[Seen]:
    return seen(check(Probe(game, depth)))


class Stub(InProcessEngine):
    """An engine that asks python-chess, with the faults that a test gives it."""

    name = "stub"

    def __init__(
        self,
        wrong: Callable[[chess.Board, list[str]], list[str]] = lambda _board, moves: moves,
        fen: Callable[[Game], str | None] = lambda game: game.position.fen(),
    ) -> None:
        self._wrong, self._fen = wrong, fen

    def start(self, call: EngineCall) -> None:
        pass

    def fen(self, game: Game, call: EngineCall) -> str | None:
        return self._fen(game)

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        return self._count(board_of(game), depth)

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        board = board_of(game)
        return Divide.of((move, self._below(board, move, depth)) for move in self._moves(board))

    def _moves(self, board: chess.Board) -> list[str]:
        king_takes_rook = chess.Board(board.fen(), chess960=True)
        return self._wrong(board, [king_takes_rook.uci(move) for move in king_takes_rook.legal_moves])

    def _count(self, board: chess.Board, depth: int) -> int:
        return 1 if depth == 0 else sum(self._below(board, move, depth) for move in self._moves(board))

    def _below(self, board: chess.Board, move: str, depth: int) -> int:
        child = chess.Board(board.fen(), chess960=True)
        child.push(chess.Move.from_uci(move))
        child.chess960 = board.chess960
        return self._count(child, depth - 1)


def no_castling(board: chess.Board, moves: list[str]) -> list[str]:
    return [move for move in moves if not (move.startswith("e1") and move[2] in "ah" and board.piece_at(chess.E1))]


def divides(engine: Stub, reference: Stub | None = None) -> Divides:
    arbiter = asking(PythonChessEngine(), is_reference=True) if reference else None
    return Divides(asking(engine), asking(reference or PythonChessEngine(), is_reference=True), arbiter)


def test_a_missing_move_is_found() -> None:
    assert looked(divides(Stub()), game_from(CASTLE)) == []
    assert looked(divides(Stub(no_castling)), game_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) == [
        ("moves", "missing", "castling")
    ]


def test_a_wrong_move_one_ply_down_is_reported_there() -> None:
    (discrepancy,) = divides(Stub(no_castling))(Probe(game_from("4k3/7p/8/8/8/8/8/4K2R b K - 0 1"), 2))
    assert discrepancy.game.base.fen().split()[1] == "w"
    assert looked(divides(Stub(no_castling)), discrepancy.game, 1) == [("moves", "missing", "castling")]


def test_python_chess_contradicts_a_wrong_reference() -> None:
    (discrepancy,) = divides(Stub(), Stub(no_castling))(Probe(game_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), 1))
    assert discrepancy.verdict is Verdict.SPLIT
    assert discrepancy.message == "python-chess contradicts the reference stub here"


def dies(_board: chess.Board, _moves: list[str]) -> list[str]:
    raise EngineCrash("it has died")


def test_failures_of_engine_and_reference_are_distinguished() -> None:
    with pytest.raises(EngineCrash):
        looked(divides(Stub(dies)), game_from(CASTLE))
    with pytest.raises(EngineCrash, match="the reference stub failed: it has died") as caught:
        looked(divides(Stub(), Stub(dies)), game_from(CASTLE))
    assert caught.value.of_reference
    (discrepancy,) = Examiner([divides(Stub(dies))], [], CallRunner()).examine(game_from(CASTLE), 2)
    assert (discrepancy.check, discrepancy.verdict, discrepancy.finding) == ("moves", Verdict.CRASH, None)
    assert discrepancy.message == "it has died"


def test_a_wrong_state_is_found() -> None:
    game = game_from("4k2r/6K1/8/8/8/8/8/8 w k - 0 1")
    assert looked(ChildFens(asking(Stub())), game) == []
    assert looked(ChildFens(asking(Stub(fen=lambda _: None))), game) == []
    assert ("fen", "state", "halfmove-clock") in looked(
        ChildFens(asking(Stub(fen=lambda game: replace(game.position, halfmove=7).fen()))), game
    )


def test_the_game_of_a_wrong_state_reproduces_it() -> None:
    """Otherwise it could be neither reduced nor replayed."""

    def is_confused_by_double_steps(game: Game) -> str:
        position = game.position
        return replace(position, halfmove=position.halfmove + 7 * (position.en_passant is not None)).fen()

    engine = Stub(fen=is_confused_by_double_steps)
    examiner = Examiner([ChildFens(asking(engine))], [], CallRunner())
    first = examiner.examine(game_from("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"), 2)[0]
    assert first.signature in {discrepancy.signature for discrepancy in examiner.examine(first.game, 2)}
    reduced, _, _ = reduce(first, 2, examiner)
    assert reduced.pieces <= 4


def test_an_engine_that_contradicts_itself_is_found() -> None:
    def only_from_here(board: chess.Board, moves: list[str]) -> list[str]:
        return moves[1:] if board.move_stack else moves

    line = game_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert list(Consistency(asking(Stub()))(Probe(line, 2))) == []
    (discrepancy,) = Consistency(asking(Stub(only_from_here)))(Probe(line, 2))
    assert (discrepancy.check, discrepancy.verdict) == ("consistency", Verdict.MISMATCH)
    assert "the engine contradicts itself" in discrepancy.message


ADDED = "nodes += perft(&after, depth - 1);"


def discrepancies_of_totals(folder: Path, old: str, new: str, depth: int) -> list[tuple[Verdict, str]]:
    """Return the discrepancies that the check of totals finds in the C example after a change."""
    generator = (EXAMPLES / "c" / "generator.h").read_text(encoding="utf-8")
    assert generator.count(old) == 1
    (folder / "generator.h").write_text(generator.replace(old, new), encoding="utf-8")
    source = (EXAMPLES / "c" / "library.c").read_text(encoding="utf-8")
    with closing(LibraryEngine("lib", str(built(folder, source)))) as engine:
        engine.start(EngineCall(PATIENCE))
        found = Totals(asking(engine), asking(OwnEngine("own:turbo")))(Probe(game_from(CASTLE), depth))
        return [(one.verdict, one.message) for one in found]


@needs_cc
def test_a_total_that_is_incorrect_only_if_asked_for_alone(tmp_path: Path) -> None:
    """Nodes are added up in 8 bits; the divide is correct."""
    narrow = "nodes += (uint8_t)perft(&after, depth - 1);"
    assert discrepancies_of_totals(tmp_path, ADDED, narrow, 2) == []
    assert discrepancies_of_totals(tmp_path, ADDED, narrow, 3) == [
        (
            Verdict.MISMATCH,
            "it counts 5,958 nodes instead of 97,862 at depth 3 if it is asked for the total alone, although its "
            "divide adds up to the correct number: check how nodes are added up or stored",
        )
    ]


@needs_cc
def test_the_check_of_totals_ignores_incorrect_divides(tmp_path: Path) -> None:
    old, new = "own = b->of[b->white], queens", "own = 0, queens"
    assert discrepancies_of_totals(tmp_path, old, new, 2) == []


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (chess.STARTING_FEN, 2),  # 8,902 leaves at depth 3
        ("4k3/8/8/8/8/8/P7/4K2R w K - 0 1", 3),  # 6,299 at depth 4
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", 4),  # 1,356 at depth 4, 9,664 at depth 5
        ("k7/p7/P7/8/8/5p1p/5P1P/4K2R w K - 0 1", 5),  # never more than 8,000
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", 2),  # stalemate
    ],
)
def test_sparse_positions_are_counted_deeper(fen: str, expected: int) -> None:
    assert affordable_depth(Position.from_fen(fen), 2) == expected


EXAMINERS = [build_examiner(make_plan()), build_examiner(make_plan("python-chess", ("own:turbo",)))]


@pytest.mark.slow
@properties(40)
@given(positions())
def test_correct_engines_have_no_discrepancy(position: Position) -> None:
    game = Game(position)
    moves = position.legal_moves
    for examiner in EXAMINERS:
        assert examiner.examine(game, 2) == []
        for move in moves[: len(moves) // 8 + 1]:
            assert examiner.examine(game.after(move), 1) == []
