"""The strategy that draws a sequence, builds its position, and plays its moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ...generator.game import Game
from ...generator.position import Position
from ...generator.types.moves import Move, MoveKind
from ...generator.types.pieces import Color, PieceType
from ..common import COUNTERS, DrawFunction, accept_position, below, choose, when_ready
from ..position_builder import RANKS, TURNED, NoRoom, PositionBuilder, bits
from . import castling, en_passant
from .script import WAIT, Go, Script, SequenceTemplate, Step

SEQUENCES: dict[str, SequenceTemplate] = castling.SEQUENCES | en_passant.SEQUENCES
"""Sequences for standard chess and Chess960, by name."""
CHESS960_SEQUENCES: dict[str, SequenceTemplate] = castling.CHESS960_SEQUENCES
"""Sequences for Chess960 only, by name."""

_ATTEMPTS = 12
_MOST_HALFMOVE = 92
"""Largest initial halfmove clock with which the longest sequence ends within the fifty-move rule."""
_BYSTANDERS = st.lists(below(64 * 10), max_size=4)


def sequences(name: str | None = None, *, chess960: bool = False) -> SearchStrategy[Game]:
    """Generate games of three to eight moves after which a generator is correct only if it updates its state correctly.

    `name` is one of `SEQUENCES` or, for Chess960, of `CHESS960_SEQUENCES`; if None, it is drawn. At the end of most
    games, a lost castling right or an earlier en passant square would allow another move. Raises ValueError for an
    unknown name.
    """
    known = SEQUENCES | CHESS960_SEQUENCES if chess960 else SEQUENCES
    if name is not None and name not in known:
        raise ValueError(f"no sequence named {name!r}")
    return when_ready(_sequences(tuple(known.values()) if name is None else (known[name],), chess960))


@st.composite
def _sequences(draw: DrawFunction, options: tuple[SequenceTemplate, ...], chess960: bool) -> Game:
    sequence = choose(draw, options)
    flags, (halfmove, fullmove) = draw(TURNED), draw(COUNTERS)
    counters = min(halfmove, _MOST_HALFMOVE), fullmove
    attempts = (_attempt(draw, sequence, chess960, flags, counters) for _ in range(_ATTEMPTS))
    game = next((game for game in attempts if game is not None), None)
    return reject() if game is None else game


def _attempt(
    draw: DrawFunction, sequence: SequenceTemplate, chess960: bool, flags: int, counters: tuple[int, int]
) -> Game | None:
    """Return a game, with additional pieces if the sequence permits them, or None if the attempt fails."""
    builder = PositionBuilder(draw, chess960)
    try:
        script = sequence(builder)
        builder.complete()
    except NoRoom:
        return None
    bare = _play(draw, builder, script, flags, counters)
    if bare is None:
        return None
    builder.crowd(draw(_BYSTANDERS))
    return _play(draw, builder, script, flags, counters) or bare


def _play(
    draw: DrawFunction, builder: PositionBuilder, script: Script, flags: int, counters: tuple[int, int]
) -> Game | None:
    base = accept_position(builder.position(flags, counters), impossible=False)
    if base is None:
        return None
    is_mirrored = builder.may_mirror and not builder.castling
    return play_script(draw, base, script, builder.kept, flags if is_mirrored else flags & 1)


def play_script(draw: DrawFunction, base: Position, script: Script, kept: int, flags: int) -> Game | None:
    """Return the game of a script, or None if it cannot be played or its lost rights would allow no move.

    `kept` is the bitboard of squares that waiting pieces must not enter; `flags` describes how `base` was transformed.
    """
    reserved = bits(square for step in script.steps if isinstance(step, Go) for square in (step.origin, step.target))
    lost = _turn_board(script.lost, flags)
    avoided = _turn_board(kept | reserved, flags) | lost | _kings_on_ranks_of(base, lost)
    position, moves = base, list[Move]()
    for step in script.steps:
        move = _move(draw, position, step, moves, avoided, flags)
        if move is None:
            return None
        moves.append(move)
        position = position.play_unchecked(move)
    return Game(base, tuple(moves)) if _would_allow_more(position, script, flags) else None


def _move(
    draw: DrawFunction, position: Position, step: Step, moves: list[Move], avoided: int, flags: int
) -> Move | None:
    if isinstance(step, Go):
        return _find(position, _turn(step.origin, flags), _turn(step.target, flags), step.promotion)
    if step is WAIT:
        waits = list(_waits(position, avoided))
        return choose(draw, waits) if waits else None
    return _find(position, moves[-2].target, moves[-2].origin)


def _kings_on_ranks_of(position: Position, rooks: int) -> int:
    """Return the kings that must not move because one of these rooks is on the same rank."""
    kings = [position.king(color) for color in Color]
    return bits(king for king in kings if RANKS[king // 8] & rooks)


def _find(position: Position, origin: int, target: int, promotion: PieceType | None = None) -> Move | None:
    wanted = origin, target, promotion
    found = (one for one in position.legal_moves if (one.origin, one.target, one.promotion) == wanted)
    return next(found, None)


def _waits(position: Position, avoided: int) -> Iterator[Move]:
    """Yield quiet piece moves that avoid these squares, end no right and give no check."""
    stays = avoided | position.occupied
    own = position.pieces[position.turn]
    for move in position.legal_moves:
        is_open = move.kind is MoveKind.NORMAL and not avoided >> move.origin & 1 and not stays >> move.target & 1
        if not is_open or own[PieceType.PAWN] >> move.origin & 1:
            continue
        after = position.play_unchecked(move)
        if after.castling == position.castling and not after.in_check:
            yield move


def _would_allow_more(position: Position, script: Script, flags: int) -> bool:
    """Return True if the lost rights or en passant square would allow more moves, or if the script has neither."""
    if not script.lost and script.passed is None:
        return True
    castling = position.castling | _turn_board(script.lost, flags)
    passed = None if script.passed is None else _turn(script.passed, flags)
    before = replace(position, castling=castling, en_passant=passed)
    return len(before.legal_moves) > len(position.legal_moves)


def _turn(square: int, flags: int) -> int:
    """Return a square transformed as by `symmetry.turn_position`."""
    return square ^ (56 if flags & 1 else 0) ^ (7 if flags & 2 else 0)


def _turn_board(squares: int, flags: int) -> int:
    return bits(_turn(square, flags) for square in range(64) if squares >> square & 1)
