"""The values of the fixtures: the engine under test, and a function that compares moves with the legal moves."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias

import pytest

from ...errors import UsageError
from ...generator.game import Game
from ...generator.position import Position
from ...generator.types.moves import Move
from ...suites.positions import resolve_position
from ..checking.comparing import write_move
from ..checking.descent.wrong_moves import wrong_moves
from ..engines.base import Divide
from ..engines.root_moves import as_king_takes_rook
from ..engines.stdio import perft_check_boards as boards
from ..model.results.finding import HEADINGS, WrongMove
from .tester import TESTER, Tester, as_failures, raising_for_the_test

if TYPE_CHECKING:
    import chess

    GivenPosition: TypeAlias = Position | str | chess.Board
    GivenMove: TypeAlias = Move | str | chess.Move | object
    GivenMoves: TypeAlias = Iterable[GivenMove]

MOST_MISSING = 10
"""Maximum number of missing moves that a message names."""


@raising_for_the_test
def position_of(given: GivenPosition) -> Position:
    """Return a position. The castling field of a FEN determines whether it is Chess960; moves may follow as in UCI.

    Raises ValueError for an invalid FEN or an unknown name, and TypeError for an unsupported type.
    """
    chess = sys.modules.get("chess")
    if isinstance(given, Position):
        return given
    if isinstance(given, str):
        try:
            return resolve_position(given)
        except UsageError as error:
            fault = error.__context__  # the FenError, if the FEN is invalid
            raise (fault if isinstance(fault, ValueError) else ValueError(str(error))) from None
    if chess is not None and isinstance(given, chess.Board):
        return Position.from_fen(given.fen(), given.chess960)
    raise TypeError(f"a position is a FEN, a name such as startpos, a Position or a chess.Board, not {given!r}")


@raising_for_the_test
def text_of(position: Position, given: GivenMove) -> str:
    """Return a move as UCI text, with castling as king takes rook. Raises TypeError for an unsupported type."""
    if isinstance(given, Move):
        return given.uci(chess960=True)
    try:
        return as_king_takes_rook(position, given if isinstance(given, str) else boards.text_of(given))
    except boards.WrongAnswer:
        raise TypeError(
            f"a move must be UCI text, a Move, a chess.Move, or an object that prints as UCI text, not {given!r}"
        ) from None


@raising_for_the_test
def moves_of(given: GivenMoves) -> list[GivenMove]:
    """Return the moves in a string or another iterable. Raises TypeError for any other type."""
    if isinstance(given, str):
        return [*given.split()]
    if not isinstance(given, Iterable):
        raise TypeError(f"moves must be a list or a string, not {given!r:.60}")
    return list(given)


class AskedEngine:
    """A running engine. `--perft-timeout` limits the time of each answer."""

    def __init__(self, tester: Tester) -> None:
        self._tester = tester

    def __repr__(self) -> str:
        return f"<engine {self.name}>"

    @property
    def name(self) -> str:
        """The SPEC of the engine."""
        return self._tester.spec

    @raising_for_the_test
    def perft(self, position: GivenPosition, depth: int) -> int:
        """Return the number of leaf nodes.

        Raises EngineError if the engine gives no answer, and ValueError for an invalid FEN.
        """
        return self._tester.engine.perft(Game(position_of(position)), depth)

    @raising_for_the_test
    def divide(self, position: GivenPosition, depth: int) -> dict[str, int]:
        """Return the number of leaf nodes below each root move. `depth` must be at least 1.

        Castling is written as e1g1, and as e1h1 in Chess960. An engine that prints no root moves is asked for the count
        after each legal move. Raises EngineError if the engine gives no answer, and ValueError for an invalid FEN.
        """
        game, engine = Game(position_of(position)), self._tester.engine
        divide = engine.with_children(game, depth, engine.divide(game, depth))
        return {write_move(game.position, move)[0]: count for move, count in divide.counts.items()}


def open_asked_engine(config: pytest.Config) -> AskedEngine:
    """Start the session's engine and return it. Fail the test if no engine is given."""
    __tracebackhide__ = True
    tester = config.stash.get(TESTER, None)
    if tester is None:
        pytest.fail("perft_engine: add --perft-engine SPEC, or set perft_engine in the configuration of pytest", False)
    with as_failures():
        tester.start()
    return AskedEngine(tester)


class AssertSameMoves(Protocol):
    """The type of the fixture `assert_same_moves`."""

    def __call__(self, position: GivenPosition, moves: GivenMoves) -> None:
        """Raise AssertionError if `moves` are not the legal moves of a position."""


def assert_same_moves(position: GivenPosition, moves: GivenMoves) -> None:
    """Raise AssertionError if `moves`, in any order, are not the legal moves of a position.

    The message names each extra, duplicate or missing move (at most ten missing moves) and the broken rule. Castling
    may be written as e1g1 or as king takes rook, e1h1; Chess960 allows only the latter. `moves` may also be a string
    of moves separated by spaces. Raises ValueError for an invalid FEN, and TypeError if an argument is not a position
    or not moves.
    """
    __tracebackhide__ = True
    known = position_of(position)
    got = Divide.of((text, 1) for text in list(map(partial(text_of, known), moves_of(moves))))
    expected = Divide.of((move.uci(chess960=True), 1) for move in known.legal_moves)
    wrong = wrong_moves(known, got, expected)
    if wrong:
        raise AssertionError(_message(known, wrong))


def _message(position: Position, wrong: list[WrongMove]) -> str:
    head = f"{len(wrong)} wrong move{'s' * (len(wrong) > 1)} in {position!r}"
    missing = [move for move in wrong if move.kind == "missing"]
    left_out = missing[MOST_MISSING:]
    end = [f"  ... and {len(left_out)} more missing moves"] if left_out else []
    return "\n".join([head, *(_sentence(move) for move in wrong if move not in left_out), *end])


def _sentence(move: WrongMove) -> str:
    name = f"{move.uci!r} ({move.san})" if move.san else repr(move.uci)
    return f"  {HEADINGS[move.kind]} {name}: {move.title} [{move.rule}]. {move.sentence}"
