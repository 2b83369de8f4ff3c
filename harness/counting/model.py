"""Data classes for counts in pieces. The ledger stores some of them and validates them against their annotations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np

from ...errors import UserError
from ...generator.counting.records import Records, ply_of
from ...generator.fens import positions_of
from ...generator.kernels.fen import FLIP, NOWHERE
from ...generator.kernels.machine.bits import lsb
from ...generator.position import Position

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]


class CountError(UserError):
    """A count that cannot be continued; the message is one line."""


@dataclass(frozen=True)
class Count:
    """A count of the leaf nodes of a position, cut into pieces some plies below it."""

    fen: str
    chess960: bool
    depth: Natural
    split: Natural
    """Number of plies from the position to the pieces."""
    engine: str
    """The engine that counts. All results in a ledger come from one engine."""

    @property
    def depth_below(self) -> int:
        """Number of plies to count below the pieces."""
        return self.depth - self.split


@dataclass(frozen=True)
class Cut:
    """The positions at the ply of the cut, and how they are divided into pieces."""

    positions: Natural
    """Number of distinct positions."""
    games: Natural
    """Number of games that lead to these positions, which is the perft at the ply of the cut."""
    pieces: Natural
    piece_positions: Positive
    """Number of positions in each piece except the last."""
    digest: str
    """A digest of all positions in order."""


@dataclass(frozen=True)
class Piece:
    """Positions that are counted together."""

    number: int
    records: bytes
    """The positions as `generator.counting.records` stores them, with the number of games that lead to each."""


@dataclass(frozen=True)
class CountedPiece:
    """The result of a piece."""

    piece: Positive
    """The number of the piece."""
    nodes: Natural
    """Number of leaf nodes below the positions of the piece, summed over all games that lead to them."""
    seconds: Annotated[float, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class ResultOrigin:
    """The worker that counted a piece, and the build of the engine that it used."""

    worker: str
    version: str
    digest: str
    """A digest of the engine's files, or of the sources of perft-check's generator."""


@dataclass(frozen=True)
class Order:
    """A request to count a piece."""

    piece: Piece
    depth: int
    """Number of plies to count below its positions."""
    is_black: bool
    """Whether Black is to move in its positions."""
    chess960: bool
    engine: str


@dataclass(frozen=True)
class Delivery:
    """The outcome of an order: the result and its origin, or the reason why there is none."""

    counted: tuple[ResultOrigin, CountedPiece] | None = None
    failure: str = ""


def positions_in(records: Records, is_black: bool, chess960: bool) -> list[Position]:
    """Return the positions of records. Move counters are not stored, so they start at 0 and 1."""
    boards = ply_of(records, 1).boards
    passed = np.array([_pass_over(target, is_black) for target in boards[:, 10]], dtype=np.uint64)
    number = len(boards)
    counters = [np.full(number, value, dtype=np.uint64) for value in (is_black, 0, 1)]
    states = np.column_stack([boards, counters[0], passed, counters[1], counters[2]])
    return positions_of(states, [chess960] * number)


def _pass_over(target: np.uint64, is_black: bool) -> np.uint64:
    if not target:
        return NOWHERE
    return np.uint64(lsb(target)) ^ FLIP * np.uint64(is_black)
