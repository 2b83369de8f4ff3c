"""What a count by pieces is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import UserError
from ...generator.counting.records import Records, ply_of
from ...generator.fens import positions_of
from ...generator.kernels.fen.state import FLIP, NOWHERE
from ...generator.kernels.machine.bits import lsb
from ...generator.position import Position


class CountError(UserError):
    """A count that cannot go on; the message is one line that says why."""


@dataclass(frozen=True)
class Count:
    """What is counted: the leaf nodes of a position, cut some plies below it."""

    fen: str
    chess960: bool
    depth: int
    split: int
    """The plies from the position to the pieces."""
    engine: str
    """Who counts: results of others are not mixed with its own."""

    @property
    def depth_below(self) -> int:
        """The plies that are left below the pieces."""
        return self.depth - self.split


@dataclass(frozen=True)
class Cut:
    """What the cut has found."""

    positions: int
    """Different ones at the ply of the cut."""
    games: int
    """How many games lead to them: the leaf nodes at the depth of the cut."""
    pieces: int
    piece_positions: int
    """Positions of each piece, but for the last one."""
    digest: str
    """Of all positions, in their order."""


@dataclass(frozen=True)
class Piece:
    """Positions that are counted together."""

    number: int
    records: bytes
    """As `generator.counting.records` has them, with the games that lead to each."""


@dataclass(frozen=True)
class CountedPiece:
    """A piece that has been counted."""

    number: int
    nodes: int
    """The leaf nodes below its positions, for all games that lead there."""
    seconds: float


@dataclass(frozen=True)
class ResultOrigin:
    """Who has counted, and with what."""

    worker: str
    version: str
    digest: str
    """Of the engine's files, or of the sources of our generator."""


@dataclass(frozen=True)
class Order:
    """Pieces that are handed out together."""

    pieces: Sequence[Piece]
    depth: int
    """The plies to be counted below their positions."""
    is_black: bool
    """Whether Black is to move in them."""
    chess960: bool
    engine: str


@dataclass(frozen=True)
class Delivery:
    """What has become of an order: each of its pieces is counted, or there is a reason why not."""

    origin: ResultOrigin | None = None
    counted: Sequence[CountedPiece] = ()
    failure: str = ""


@dataclass(frozen=True)
class Verified:
    """A piece that another generator has counted."""

    number: int
    engine: str
    nodes: int


def positions_in(records: Records, is_black: bool, chess960: bool) -> list[Position]:
    """Return the positions of records; their moves are not known, so they are the first ones."""
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
