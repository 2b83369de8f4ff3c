"""Detect engines that count too few nodes because they end the game at a draw, which perft ignores.

The engine counts a position that differs only in what makes it a draw: the same position with a halfmove clock of 0, at
its previous occurrence, or with one more pawn. If that count is correct, the draw is the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import with_same_setup
from ....generator.types.pieces import Color, PieceType, with_piece
from ....generator.types.squares import name_of
from ....generator.validation import FenError
from ...engines.asking.session import EngineSession
from ...engines.base import Divide
from ...explaining import Explanation, Rule, because
from ...model.results.finding import WrongMove
from ..comparing import explain_wrong_move, is_correct

SEVENTY_FIVE = 150
"""The halfmove clock at which the seventy-five-move rule ends the game."""
FEW_PIECES = 4
"""With more pieces than this, programs do not consider a position dead."""
PAWNS_TRIED = 4
"""Number of squares on which to try an additional pawn in a dead position."""


class _Draw(NamedTuple):
    """A draw rule by which an engine may end the game, and the question that reveals it."""

    rule: Rule
    title: str
    here: str
    elsewhere: str


def explain_by_draw(game: Game, wrong: Sequence[WrongMove], engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return the wrong moves of a list, or a single one that names the draw if the list is empty because of it.

    Raises EngineError.
    """
    if any(move.kind != "missing" or move.engine_is_correct for move in wrong):
        return tuple(wrong)
    if not wrong or len(wrong) != len(game.position.legal_moves):
        return tuple(wrong)
    return explain_draw(game, 1, engine) or tuple(wrong)


def explain_draw(game: Game, depth: int, engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return one wrong move that names the draw behind an incorrect count, or none if no draw explains the count.

    Raises EngineError.
    """
    depth = max(depth, engine.min_depth)
    draw = _by_clock(game, depth, engine) or _by_repetition(game, depth, engine) or _by_material(game, depth, engine)
    if draw is None:
        return ()
    what = "it lists no moves" if depth == 1 else f"its counts at depth {depth} are incorrect"
    position = game.position
    why = because(draw.rule, f"{draw.here} {what}, but {draw.elsewhere} it is correct: perft continues after a draw.")
    first = min(move.uci(chess960=True) for move in position.legal_moves)
    return (replace(explain_wrong_move(position, first, "draw", why), title=draw.title),)


def lists_nothing(got: Divide, expected: Divide) -> bool:
    """Return True if an engine prints no moves and counts at most one node although several are expected."""
    return not got.counts and got.total <= 1 < expected.total


def below_dead_positions(position: Position, got: Divide, expected: Divide) -> Explanation | None:
    """Return an explanation if the counts of a divide are incorrect exactly below the moves to dead positions."""
    after = {move.uci(chess960=True): position.play_unchecked(move) for move in position.legal_moves}
    wrong = {text for text in after if got.counts.get(text) != expected.counts.get(text)}
    dead = {text for text, child in after.items() if has_little_material(child) and expected.counts.get(text, 0) > 1}
    if not wrong or wrong != dead or any(got.counts.get(text, 2) > 1 for text in wrong):
        return None
    text = "Below moves that leave too few pieces to mate it counts nothing: perft continues after a draw."
    return because(Rule.DRAW_BY_MATERIAL, text)


def _by_clock(game: Game, depth: int, engine: EngineSession) -> _Draw | None:
    clock, base = game.position.halfmove, game.base
    played = clock - base.halfmove
    if not base.halfmove or not 0 <= played == len(game.moves):
        return None

    def is_correct_at(halfmove: int) -> bool:
        other = with_same_setup(game, replace(base, halfmove=halfmove), game.moves)
        return other is not None and is_correct(other, depth, engine)

    if not is_correct_at(0):
        return None
    late = clock >= SEVENTY_FIVE - depth and is_correct_at(SEVENTY_FIVE - depth - len(game.moves) - 1)
    title = "The seventy-five-move rule does not end the game" if late else Rule.DRAW_BY_CLOCK.title
    return _Draw(Rule.DRAW_BY_CLOCK, title, f"At a halfmove clock of {clock}", "at 0")


def _by_repetition(game: Game, depth: int, engine: EngineSession) -> _Draw | None:
    ends = list(_occurrences(game))
    for number, end in enumerate(ends[1:], 2):
        part = replace(game, moves=game.moves[:end])
        if not is_correct(part, depth, engine):
            before = replace(game, moves=game.moves[: ends[number - 2]])
            if not is_correct(before, depth, engine):
                return None
            here = f"When the position occurs for the {_ORDINALS.get(number, f'{number}th')} time,"
            return _Draw(Rule.DRAW_BY_REPETITION, Rule.DRAW_BY_REPETITION.title, here, "at the previous occurrence")
    return None


_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def _occurrences(game: Game) -> Iterator[int]:
    """Yield the number of moves before each occurrence of a game's final position, including the last one."""
    sought, position = _repetition_key(game.position), game.base
    for played in range(len(game.moves) + 1):
        if _repetition_key(position) == sought:
            yield played
        if played < len(game.moves):
            position = position.play_unchecked(game.moves[played])


def _repetition_key(position: Position) -> tuple[object, ...]:
    return position.pieces, position.turn, position.castling, position.legal_en_passant


def _by_material(game: Game, depth: int, engine: EngineSession) -> _Draw | None:
    position = game.position
    if not has_little_material(position):
        return None
    for square, alive in _with_added_pawn(position):
        if is_correct(Game(alive), depth, engine):
            elsewhere = f"with a pawn on {name_of(square)}"
            return _Draw(Rule.DRAW_BY_MATERIAL, Rule.DRAW_BY_MATERIAL.title, "With too few pieces to mate", elsewhere)
    return None


def has_little_material(position: Position) -> bool:
    """Return True if there are few pieces and no pawn, rook or queen; some programs treat this as a draw."""
    heavy = (PieceType.PAWN, PieceType.ROOK, PieceType.QUEEN)
    has_heavy = any(position.pieces[color][kind] for color in Color for kind in heavy)
    return not has_heavy and position.occupied.bit_count() <= FEW_PIECES


def _with_added_pawn(position: Position) -> Iterator[tuple[int, Position]]:
    """Yield a few positions in which the side to move has one more pawn, which does not give check."""
    tried = 0
    for square in (*range(8, 16), *range(48, 56), *range(16, 48)):
        if tried == PAWNS_TRIED:
            return
        if position.occupied >> square & 1:
            continue
        alive = replace(position, pieces=with_piece(position.pieces, position.turn, PieceType.PAWN, square))
        try:
            alive = Position.from_fen(alive.fen(), position.chess960)
        except FenError:
            continue
        if alive.checkers == position.checkers:
            tried += 1
            yield square, alive
