"""What the fixtures give to tests: an engine to be asked, and the comparison of moves with the legal ones."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

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
    GivenMoves: TypeAlias = Iterable[GivenMove] | Callable[..., Any]

MOST_MISSING = 10
"""Missing moves that a message names: a generator that lists none lacks all."""


@raising_for_the_test
def position_of(given: GivenPosition) -> Position:
    """Return a position. The castling field of a FEN says whether it is of Chess960; moves may follow it, as in UCI.

    Raises ValueError for a bad FEN and an unknown name, and TypeError for what is no position.
    """
    chess = sys.modules.get("chess")
    if isinstance(given, Position):
        return given
    if isinstance(given, str):
        try:
            return resolve_position(given)
        except UsageError as error:
            fault = error.__context__  # what is wrong with a FEN
            raise (fault if isinstance(fault, ValueError) else ValueError(str(error))) from None
    if chess is not None and isinstance(given, chess.Board):
        return Position.from_fen(given.fen(), given.chess960)
    raise TypeError(f"a position is a FEN, a name such as startpos, a Position or a chess.Board, not {given!r}")


@raising_for_the_test
def text_of(position: Position, given: GivenMove) -> str:
    """Return a move as UCI text with castling as king takes rook. Raises TypeError for what is no move."""
    if isinstance(given, Move):
        return given.uci(chess960=True)
    try:
        return as_king_takes_rook(position, given if isinstance(given, str) else boards.text_of(given))
    except boards.WrongAnswer:
        raise TypeError(f"a move is UCI text, a Move, a chess.Move or prints as UCI text, not {given!r}") from None


@raising_for_the_test
def moves_of(position: Position, given: GivenMoves) -> list[GivenMove]:
    """Return the moves of a list, of a text, or of a generator that is called with the FEN, as `python:` calls it.

    Raises TypeError for what is none of these, and what the generator raises.
    """
    if isinstance(given, str):
        return [*given.split()]
    try:
        if (own := boards.boards_of(given)) is not None:
            return [*own.legal_moves(position.fen())]
        return [*boards.each_of(_call(given, position.fen()) if callable(given) else given)]
    except (boards.WrongAnswer, boards.NotCallable) as error:
        raise TypeError(f"moves are a list, a text, or what the engine python: takes; {given!r:.60}: {error}") from None


def _call(generator: Callable[..., Any], fen: str) -> Any:
    """Return what a generator lists: f(fen), f(fen, gentype), or the root moves of f(fen, depth)."""
    try:
        parameters = [*signature(generator).parameters.values()]
    except (TypeError, ValueError):  # an extension that does not tell
        parameters = []
    needed = [one.name for one in parameters if one.default is one.empty and one.kind is not one.VAR_POSITIONAL]
    if len(needed) > 1:
        found = generator(fen, *["legal" if needed[1] == "gentype" else 1, []][: len(needed) - 1])
        return [move for move, _ in found] if isinstance(found, list) and needed[1] != "gentype" else found
    return generator(fen)


class AskedEngine:
    """An engine that has been started. What it is asked has the time limit of `--perft-timeout`."""

    def __init__(self, tester: Tester) -> None:
        self._tester = tester

    def __repr__(self) -> str:
        return f"<engine {self.name}>"

    @property
    def name(self) -> str:
        """The engine as the user names it."""
        return self._tester.specs[0]

    @raising_for_the_test
    def perft(self, position: GivenPosition, depth: int) -> int:
        """Return the number of leaf nodes.

        Raises EngineError if the engine gives no answer, ValueError for a bad FEN.
        """
        return self._tester.engine.perft(Game(position_of(position)), depth)

    @raising_for_the_test
    def divide(self, position: GivenPosition, depth: int) -> dict[str, int]:
        """Return the leaf nodes below each root move, `depth` at least 1.

        Castling is written as the position has it: e1g1, or e1h1 in Chess960. Where an engine prints no root moves, it
        is asked for the count after each legal move. Raises EngineError if the engine gives no answer, ValueError
        for a bad FEN.
        """
        game, engine = Game(position_of(position)), self._tester.engine
        divide = engine.with_children(game, depth, engine.divide(game, depth))
        return {write_move(game.position, move)[0]: count for move, count in divide.counts.items()}


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

    def __call__(self, position: GivenPosition, moves: GivenMoves) -> None:
        """Raise AssertionError if `moves` are not the legal moves of a position."""


def assert_same_moves(position: GivenPosition, moves: GivenMoves) -> None:
    """Raise AssertionError if `moves`, in any order, are not the legal moves of a position.

    The message names each move that is missing, that is not legal or that comes twice, with the rule behind it; of
    missing moves the first ten. Castling may be written as e1g1 or as king takes rook, e1h1, in Chess960 as the latter
    alone. `moves` may also be one text with spaces between the moves, or a generator as the engine `python:` takes it:
    f(fen), f(fen, gentype), f(fen, depth) that returns a divide, or a class of boards. Raises ValueError for a bad FEN,
    and TypeError for what is no position or no move.
    """
    __tracebackhide__ = True
    known = position_of(position)
    got = Divide.of((text, 1) for text in list(map(partial(text_of, known), moves_of(known, moves))))
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
