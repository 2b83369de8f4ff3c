"""Strategies for random games and for short walks from tricky positions."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..generator.chess960 import chess960_start
from ..generator.game import Game
from ..generator.position import Position
from ..generator.types.moves import Move, MoveKind
from ..generator.types.pieces import PieceType
from .common import DrawFunction, below, choose, tricky_positions, when_ready

GAME_PLIES, CHESS960_PLIES, WALK_PLIES = 120, 40, 12

_TACTICAL_WEIGHT = 3
"""Weight of tactical moves in a walk; other moves have weight 1."""


def games(*, max_plies: int = GAME_PLIES, chess960: bool = False) -> SearchStrategy[Game]:
    """Generate random games of up to `max_plies` moves from the standard or a Chess960 starting position."""
    return chess960_games(double=False, max_plies=max_plies) if chess960 else when_ready(_games(max_plies))


@st.composite
def _games(draw: DrawFunction, max_plies: int) -> Game:
    return _play(draw, Game(Position.start()), draw(below(max_plies + 1)))


def chess960_games(*, double: bool = True, max_plies: int = CHESS960_PLIES) -> SearchStrategy[Game]:
    """Generate random Chess960 games; with `double`, White and Black have different back ranks in half of them."""
    return when_ready(_chess960_games(double, max_plies))


@st.composite
def _chess960_games(draw: DrawFunction, double: bool, max_plies: int) -> Game:
    white = draw(below(960))
    black = draw(below(960)) if double and draw(below(2)) else white
    return _play(draw, Game(chess960_start(white, black)), draw(below(max_plies + 1)))


def walks(seeds: Sequence[Position] | None = None, *, max_plies: int = WALK_PLIES) -> SearchStrategy[Game]:
    """Generate walks of up to `max_plies` moves from `seeds`, by default the bundled tricky positions.

    Captures, checks, promotions, castling, double steps and en passant are more frequent than other moves. Raises
    ValueError if `seeds` is empty.
    """
    if seeds is not None and not seeds:
        raise ValueError("walks need at least one seed")
    return when_ready(_walks(None if seeds is None else tuple(seeds), max_plies))


@st.composite
def _walks(draw: DrawFunction, seeds: Sequence[Position] | None, max_plies: int) -> Game:
    start = Game(choose(draw, seeds or tricky_positions()))
    return _play(draw, start, draw(below(max_plies + 1)), _TACTICAL_WEIGHT)


def _play(draw: DrawFunction, game: Game, plies: int, tactical_weight: int = 1) -> Game:
    """Return the game after `plies` more drawn moves, or fewer if the game ends."""
    position, moves = game.position, list(game.moves)
    for _ in range(plies):
        legal = position.legal_moves
        if not legal:
            break
        weighted = [*legal, *tactical_moves(position) * (tactical_weight - 1)] if tactical_weight > 1 else legal
        move = choose(draw, weighted)
        moves.append(move)
        position = position.play_unchecked(move)
    game = Game(game.base, tuple(moves))
    game.__dict__["position"] = position  # fill the cached property, which would otherwise replay all moves
    return game


def tactical_moves(position: Position) -> list[Move]:
    """Return the legal moves that capture, give check, or are special, such as castling and double steps."""
    checks = _quiet_checks(position)
    pawns = position.pieces[position.turn][PieceType.PAWN]
    return [
        move
        for move in position.legal_moves
        if move.kind is not MoveKind.NORMAL
        or position.is_capture(move)
        or move in checks
        or (abs(move.target - move.origin) == 16 and pawns >> move.origin & 1)
    ]


def _quiet_checks(position: Position) -> frozenset[Move]:
    from ..generator.movelist import MoveList
    from ..generator.types.moves import GenType

    return frozenset() if position.in_check else frozenset(MoveList(position, GenType.QUIET_CHECKS).moves)
