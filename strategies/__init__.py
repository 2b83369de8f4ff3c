"""Hypothesis strategies for chess positions: games, walks, placements, mutations, and rare events by construction.

>>> from hypothesis import given
>>> from perft_check.strategies import positions
>>> @given(positions())
... def test_my_generator(position): ...
"""

from __future__ import annotations

from ..generator.reachability.labels import Label, label_of
from .games import chess960_games, games, walks
from .mixed import boards, fens, positions
from .mutations import mutations
from .placements import chess960_castlings, placements
from .placements import locked_positions as locked
from .sequences import sequences
from .templates import templates

__all__ = [
    "Label",
    "boards",
    "chess960_castlings",
    "chess960_games",
    "fens",
    "games",
    "label_of",
    "locked",
    "mutations",
    "placements",
    "positions",
    "sequences",
    "templates",
    "walks",
]
