"""All strategies by name, and mixtures of them: positions, FENs and python-chess boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..generator.game import Game
from ..generator.position import Position
from ..generator.position_setup import with_same_setup
from .common import EXTREME_COUNTERS, tricky_positions
from .games import chess960_games, games, walks
from .mutations import mutations
from .placements import chess960_castlings, locked_positions, placements
from .sequences import sequences
from .setups import setups
from .templates import templates

if TYPE_CHECKING:
    import chess


def _seeds(chess960: bool) -> list[Position]:
    return [position for position in tricky_positions() if position.chess960 is chess960]


_STRATEGIES: dict[str, Callable[[bool, bool], SearchStrategy[Game]]] = {
    "templates": lambda chess960, impossible: templates(chess960=chess960, impossible=impossible).map(Game),
    "placements": lambda chess960, impossible: placements(chess960=chess960, impossible=impossible).map(Game),
    "mutations": lambda chess960, impossible: mutations(_seeds(chess960), impossible=impossible).map(Game),
    "walks": lambda chess960, _: walks(_seeds(chess960)),
    "games": lambda chess960, _: chess960_games() if chess960 else games(),
    "locked": lambda chess960, _: locked_positions(chess960=chess960).map(Game),
    "sequences": lambda chess960, _: sequences(chess960=chess960),
    "setups": lambda chess960, _: setups(chess960=chess960),
    "castlings": lambda _, __: chess960_castlings().map(Game),
}
"""The strategies by name; each function takes `chess960` and `impossible`."""

NAMES = tuple(_STRATEGIES)
"""The names of the strategies."""
CHESS960_ONLY = ("castlings",)
"""The strategies that generate Chess960 only."""


def strategy_named(name: str, *, chess960: bool, impossible: bool = False) -> SearchStrategy[Game]:
    """Generate games with the strategy `name`, one of `NAMES`. Strategies for positions generate games without moves.

    With `impossible`, some clocks and move numbers exceed those of real games.
    """
    strategy = _STRATEGIES[name](chess960, impossible)
    return st.one_of(strategy, strategy, strategy, _with_extreme_counters(strategy)) if impossible else strategy


def _with_extreme_counters(strategy: SearchStrategy[Game]) -> SearchStrategy[Game]:
    def with_counters(game: Game, counters: tuple[int, int]) -> Game:
        halfmove, fullmove = counters
        if game.base.en_passant is not None:  # a pawn has just moved
            halfmove = 0
        base = replace(game.base, halfmove=halfmove, fullmove=fullmove)
        return with_same_setup(game, base, game.moves) or game

    return st.builds(with_counters, strategy, EXTREME_COUNTERS)


def positions(*, chess960: bool | None = None, impossible: bool = False) -> SearchStrategy[Position]:
    """Generate positions with all strategies, for standard chess (False), Chess960 (True) or both (None).

    Unless `impossible`, no position is `Reachability.IMPOSSIBLE`.
    """
    return st.one_of(
        [
            strategy_named(name, chess960=variant, impossible=impossible).map(_end)
            for variant in (False, True)
            for name in NAMES
            if chess960 in (None, variant) and (variant or name not in CHESS960_ONLY)
        ]
    )


def _end(game: Game) -> Position:
    return game.position


def fens(*, chess960: bool | None = None, impossible: bool = False) -> SearchStrategy[str]:
    """Generate the FENs of `positions`."""
    return positions(chess960=chess960, impossible=impossible).map(Position.fen)


def boards(*, chess960: bool | None = None, impossible: bool = False) -> SearchStrategy[chess.Board]:
    """Generate `positions` as python-chess boards."""
    return positions(chess960=chess960, impossible=impossible).map(_board)


def _board(position: Position) -> chess.Board:
    import chess

    return chess.Board(position.fen(), chess960=position.chess960)
