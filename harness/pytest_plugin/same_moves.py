"""Compare a list of moves with the legal ones, and say of each wrong move why it is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from ...generator.position import Position
from ..checking.descent.wrong_moves import wrong_moves
from ..engines.base import Divide
from ..model.results.events import HEADINGS, WrongMove
from .given import position_of, text_of

if TYPE_CHECKING:
    from .given import GivenMove, GivenPosition


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
