"""All the strategies together, as positions, as FENs and as boards of python-chess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..generator.line import Line
from ..generator.position import Position
from .castlings import chess960_castlings
from .games import chess960_games, games, walks
from .mutations import mutations
from .placements import placements
from .seeds import tricky_positions
from .templates import templates

if TYPE_CHECKING:
    import chess


def positions(*, chess960: bool | None = None, impossible: bool = False) -> SearchStrategy[Position]:
    """Return positions of every kind, of standard chess or Chess960 (None: of both).

    Unless `impossible`, none of them is `Label.IMPOSSIBLE`.
    """
    mixes = [mix(impossible) for variant, mix in ((False, _standard), (True, _chess960)) if chess960 in (None, variant)]
    return st.one_of(*[strategy for mix in mixes for strategy in mix])


def _standard(impossible: bool) -> list[SearchStrategy[Position]]:
    seeds = [position for position in tricky_positions() if not position.chess960]
    return [
        templates(chess960=False, impossible=impossible),
        placements(impossible=impossible),
        mutations(seeds, impossible=impossible),
        walks(seeds).map(_end),
        games().map(_end),
    ]


def _chess960(impossible: bool) -> list[SearchStrategy[Position]]:
    seeds = [position for position in tricky_positions() if position.chess960]
    return [
        chess960_castlings(),
        templates(chess960=True, impossible=impossible),
        placements(chess960=True, impossible=impossible),
        mutations(seeds, impossible=impossible),
        walks(seeds).map(_end),
        chess960_games().map(_end),
    ]


def _end(line: Line) -> Position:
    return line.position


def fens(*, chess960: bool | None = None, impossible: bool = False) -> SearchStrategy[str]:
    """Return the FENs of `positions`."""
    return positions(chess960=chess960, impossible=impossible).map(Position.fen)


def boards(*, chess960: bool | None = None, impossible: bool = False) -> SearchStrategy[chess.Board]:
    """Return `positions` as boards of python-chess."""
    return positions(chess960=chess960, impossible=impossible).map(_board)


def _board(position: Position) -> chess.Board:
    import chess

    return chess.Board(position.fen(), chess960=position.chess960)
