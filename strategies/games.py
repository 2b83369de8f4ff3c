"""Positions that moves lead to: random games, and short walks from tricky positions."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..generator.chess960 import chess960_start
from ..generator.game import Game
from ..generator.position import Position
from ..generator.types.moves import Move, MoveKind
from ..generator.types.pieces import Kind
from .common import DrawFunction, below, choose, tricky_positions, when_ready

GAME_PLIES, CHESS960_PLIES, WALK_PLIES = 120, 40, 12

_FAVOUR = 3
"""How many times as likely a tactical move is drawn in a walk as another one."""


def games(*, max_plies: int = GAME_PLIES, chess960: bool = False) -> SearchStrategy[Game]:
    """Return random games of up to `max_plies` moves, from the starting position or one of Chess960."""
    return chess960_games(double=False, max_plies=max_plies) if chess960 else when_ready(_games(max_plies))


@st.composite
def _games(draw: DrawFunction, max_plies: int) -> Game:
    return _play(draw, Game(Position.start()), draw(below(max_plies + 1)))


def chess960_games(*, double: bool = True, max_plies: int = CHESS960_PLIES) -> SearchStrategy[Game]:
    """Return random games of Chess960; with `double`, half of them with different set-ups for the two sides."""
    return when_ready(_chess960_games(double, max_plies))


@st.composite
def _chess960_games(draw: DrawFunction, double: bool, max_plies: int) -> Game:
    white = draw(below(960))
    black = draw(below(960)) if double and draw(below(2)) else white
    return _play(draw, Game(chess960_start(white, black)), draw(below(max_plies + 1)))


def walks(seeds: Sequence[Position] | None = None, *, max_plies: int = WALK_PLIES) -> SearchStrategy[Game]:
    """Return walks of up to `max_plies` moves from `seeds`, by default the bundled tricky positions.

    Moves with a rule of their own are drawn more often: captures, checks, promotions, castling,
    double steps and en passant. Raises ValueError if there are no seeds.
    """
    if seeds is not None and not seeds:
        raise ValueError("walks need at least one seed")
    return when_ready(_walks(None if seeds is None else tuple(seeds), max_plies))


@st.composite
def _walks(draw: DrawFunction, seeds: Sequence[Position] | None, max_plies: int) -> Game:
    return _play(draw, Game(choose(draw, seeds or tricky_positions())), draw(below(max_plies + 1)), favour=_FAVOUR)


def _play(draw: DrawFunction, game: Game, plies: int, favour: int = 1) -> Game:
    """Return the line after `plies` drawn moves, or earlier if the game has ended."""
    position, moves = game.position, list(game.moves)
    for _ in range(plies):
        legal = position.legal_moves
        if not legal:
            break
        pool = [*legal, *tactical_moves(position) * (favour - 1)] if favour > 1 else legal
        move = choose(draw, pool)
        moves.append(move)
        position = position.play_unchecked(move)
    game = Game(game.base, tuple(moves))
    game.__dict__["position"] = position  # what the cached property would find by playing it all again
    return game


def tactical_moves(position: Position) -> list[Move]:
    """Return the legal moves that need a rule of their own, or give check."""
    checks = _quiet_checks(position)
    pawns = position.pieces[position.turn][Kind.PAWN]
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
