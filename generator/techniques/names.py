"""The names of the techniques, in the order in which they are shown; `registry` has what they are."""

from __future__ import annotations

from enum import StrEnum


class TechniqueName(StrEnum):
    """What follows "own:"."""

    STOCKFISH = "stockfish"
    LOOKUP = "lookup"
    RAY_DELTA = "ray-delta"
    BUTTERFLY = "butterfly"
    MOVE_TABLE = "move-table"
    SKIP = "skip"
    LINKED_LIST = "linked-list"
    DENSE_LIST = "dense-list"
    MAGIC = "magic"
    RAY_CAST = "ray-cast"
    TURBO = "turbo"
