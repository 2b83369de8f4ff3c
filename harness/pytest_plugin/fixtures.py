"""What the fixtures give to tests: an engine to be asked, and the comparison of moves with the legal ones."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias

import pytest

from ...generator.line import Line
from ...generator.position import Position
from ...generator.types.moves import Move
from ..checking.comparing import write_move
from ..checking.descent.wrong_moves import wrong_moves
from ..engines.base import Divide
from ..engines.root_moves import as_king_takes_rook
from ..model.results.events import HEADINGS, WrongMove
from .tester import TESTER, Tester, as_failures, raising_for_the_test

if TYPE_CHECKING:
    import chess

    GivenPosition: TypeAlias = Position | str | chess.Board
    GivenMove: TypeAlias = Move | str | chess.Move


@raising_for_the_test
def position_of(given: GivenPosition) -> Position:
    """Return a position. The castling field of a FEN says whether it is of Chess960.

    Raises ValueError for a bad FEN, and TypeError for what is no position.
    """
    chess = sys.modules.get("chess")
    if isinstance(given, Position):
        return given
    if isinstance(given, str):
        return Position.from_fen(given, chess960=None)
    if chess is not None and isinstance(given, chess.Board):
        return Position.from_fen(given.fen(), given.chess960)
    raise TypeError(f"a position is a FEN, a Position or a chess.Board, not {given!r}")


@raising_for_the_test
def text_of(position: Position, given: GivenMove) -> str:
    """Return a move as UCI text with castling as king takes rook. Raises TypeError for what is no move."""
    chess = sys.modules.get("chess")
    if isinstance(given, Move):
        return given.uci(chess960=True)
    if isinstance(given, str):
        return as_king_takes_rook(position, given)
    if chess is not None and isinstance(given, chess.Move):
        return as_king_takes_rook(position, given.uci())
    raise TypeError(f"a move is UCI text, a Move or a chess.Move, not {given!r}")


class AskedEngine:
    """An engine that has been started. What it is asked has the time limit of `--perft-timeout`."""

    def __init__(self, tester: Tester) -> None:
        self._tester = tester

    def __repr__(self) -> str:
        return f"<engine {self.name}>"

    @property
    def name(self) -> str:
        """The engine as the user names it."""
        return self._tester.settings.engine

    @raising_for_the_test
    def perft(self, position: GivenPosition, depth: int) -> int:
        """Return the number of leaf nodes.

        Raises EngineError where the engine gives no answer, ValueError for a bad FEN.
        """
        return self._tester.engine.perft(Line(position_of(position)), depth)

    @raising_for_the_test
    def divide(self, position: GivenPosition, depth: int) -> dict[str, int]:
        """Return the leaf nodes below each root move, `depth` at least 1.

        Castling is written as the position has it: e1g1, or e1h1 in Chess960. Where an engine prints no root moves, it
        is asked for the count after each legal move. Raises EngineError where the engine gives no answer, ValueError
        for a bad FEN.
        """
        line, engine = Line(position_of(position)), self._tester.engine
        divide = engine.with_children(line, depth, engine.divide(line, depth))
        return {write_move(line.position, move)[0]: count for move, count in divide.counts.items()}


def open_asked_engine(config: pytest.Config) -> AskedEngine:
    """Return the engine of a session, started. Fails the test where there is none."""
    __tracebackhide__ = True
    tester = config.stash.get(TESTER, None)
    if tester is None:
        pytest.fail("perft_engine: give --perft-engine SPEC, or perft_engine in the configuration of pytest", False)
    with as_failures():
        tester.start()
    return AskedEngine(tester)


class AssertSameMoves(Protocol):
    """What the fixture `assert_same_moves` is."""

    def __call__(self, position: GivenPosition, moves: Iterable[GivenMove]) -> None:
        """Raise AssertionError where `moves` are not the legal moves of a position."""


def assert_same_moves(position: GivenPosition, moves: Iterable[GivenMove]) -> None:
    """Raise AssertionError where `moves`, in any order, are not the legal moves of a position.

    The message names each move that is missing, that is not legal or that comes twice, with the rule behind it.
    Castling may be written as e1g1 or as king takes rook, e1h1, in Chess960 as the latter alone. `moves` may also be
    one text with spaces between the moves. Raises ValueError for a bad FEN, and TypeError for what is no position or no
    move.
    """
    __tracebackhide__ = True
    known = position_of(position)
    listed = moves.split() if isinstance(moves, str) else moves
    got = Divide.of((text, 1) for text in list(map(partial(text_of, known), listed)))
    expected = Divide.of((move.uci(chess960=True), 1) for move in known.legal_moves)
    wrong = wrong_moves(known, got, expected)
    if wrong:
        raise AssertionError(_message(known, wrong))


def _message(position: Position, wrong: list[WrongMove]) -> str:
    head = f"{len(wrong)} wrong move{'s' * (len(wrong) > 1)} in {position!r}"
    return "\n".join([head, *map(_sentence, wrong)])


def _sentence(move: WrongMove) -> str:
    name = f"{move.uci!r} ({move.san})" if move.san else repr(move.uci)
    return f"  {HEADINGS[move.kind]} {name}: {move.title} [{move.rule}]. {move.sentence}"
