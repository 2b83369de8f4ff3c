"""Hypothesis strategies for chess positions: games, walks, placements, mutations, and constructed rare events.

>>> from hypothesis import given
>>> from perft_check.strategies import positions
>>> @given(positions())
... def test_my_generator(position): ...
"""

from __future__ import annotations

from ..generator.reachability.classification import Reachability, reachability_of
from .games import chess960_games, games, walks
from .mixed import boards, fens, positions
from .mutations import mutations
from .placements import chess960_castlings, placements
from .placements import locked_positions as locked
from .sequences import sequences
from .templates import templates

__all__ = [
    "Reachability",
    "boards",
    "chess960_castlings",
    "chess960_games",
    "fens",
    "games",
    "locked",
    "mutations",
    "placements",
    "positions",
    "reachability_of",
    "sequences",
    "templates",
    "walks",
]
