"""Play a script: find its moves among the legal ones, and draw those that it leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...generator.line import Line
from ...generator.position import Position
from ...generator.types.moves import Move, MoveKind
from ...generator.types.pieces import Color, Kind
from ..drawing import DrawFunction, choose
from ..scene import RANKS, bits
from .script import WAIT, Go, Script, Step


def play_script(draw: DrawFunction, base: Position, script: Script, kept: int, flags: int) -> Line | None:
    """Return the line of a script, or None where it cannot be played or tempts to nothing at its end.

    `kept` are the squares that pieces which wait leave empty; `flags` is how `base` was turned.
    """
    reserved = bits(square for step in script.steps if isinstance(step, Go) for square in (step.origin, step.target))
    lost = _turned_board(script.lost, flags)
    avoided = _turned_board(kept | reserved, flags) | lost | _kings_beside(base, lost)
    position, moves = base, list[Move]()
    for step in script.steps:
        move = _move(draw, position, step, moves, avoided, flags)
        if move is None:
            return None
        moves.append(move)
        position = position.play_unchecked(move)
    return Line(base, tuple(moves)) if _tempts(position, script, flags) else None


def _move(
    draw: DrawFunction, position: Position, step: Step, moves: Sequence[Move], avoided: int, flags: int
) -> Move | None:
    if isinstance(step, Go):
        return _find(position, _turn(step.origin, flags), _turn(step.target, flags), step.promotion)
    if step is WAIT:
        waits = list(_waits(position, avoided))
        return choose(draw, waits) if waits else None
    return _find(position, moves[-2].target, moves[-2].origin)


def _kings_beside(position: Position, rooks: int) -> int:
    """Return the kings that stand on a rank with some of these rooks: they wait for castling."""
    kings = [position.king(color) for color in Color]
    return bits(king for king in kings if RANKS[king // 8] & rooks)


def _find(position: Position, origin: int, target: int, promotion: Kind | None = None) -> Move | None:
    wanted = origin, target, promotion
    found = (one for one in position.legal_moves if (one.origin, one.target, one.promotion) == wanted)
    return next(found, None)


def _waits(position: Position, avoided: int) -> Iterator[Move]:
    """Yield the moves of pieces that go from and to other squares, and take, end and threaten nothing."""
    stays = avoided | position.occupied
    own = position.pieces[position.turn]
    for move in position.legal_moves:
        is_open = move.kind is MoveKind.NORMAL and not avoided >> move.origin & 1 and not stays >> move.target & 1
        if not is_open or own[Kind.PAWN] >> move.origin & 1:
            continue
        after = position.play_unchecked(move)
        if after.castling == position.castling and not after.in_check:
            yield move


def _tempts(position: Position, script: Script, flags: int) -> bool:
    """Tell whether there were more moves with what has been lost, if anything has."""
    if not script.lost and script.passed is None:
        return True
    castling = position.castling | _turned_board(script.lost, flags)
    passed = None if script.passed is None else _turn(script.passed, flags)
    before = replace(position, castling=castling, en_passant=passed)
    return len(before.legal_moves) > len(position.legal_moves)


def _turn(square: int, flags: int) -> int:
    """Return the square that `symmetry.turned` makes of a square."""
    return square ^ (56 if flags & 1 else 0) ^ (7 if flags & 2 else 0)


def _turned_board(squares: int, flags: int) -> int:
    return bits(_turn(square, flags) for square in range(64) if squares >> square & 1)
