"""The tree of start: its leaf nodes and distinct positions by ply, and what its pieces take."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from perft_check.generator.counting.records import RECORD_BYTES
from perft_check.harness.counting.cutting import MOST_POSITIONS

from .measured import MachineFigures

GAMES = (
    *(1, 20, 400, 8_902, 197_281, 4_865_609, 119_060_324, 3_195_901_860, 84_998_978_956),
    *(2_439_530_234_167, 69_352_859_712_417, 2_097_651_003_696_806, 62_854_969_236_701_747),
    *(1_981_066_775_000_396_239, 61_885_021_521_585_529_237, 2_015_099_950_053_364_471_960),
)
"""Leaf nodes by depth (OEIS A048987)."""
POSITIONS = (1, 20, 400, 5_362, 72_078, 822_518, 9_417_683, 96_400_068, 988_187_354)
"""Distinct positions by ply: 0 to 6 as the cut finds them, the last two as published (OEIS A083276)."""


@dataclass(frozen=True)
class SimulatedCut:
    """A count of start, cut at a ply into pieces of a number of seconds or more."""

    depth: int
    split: int
    least_seconds: float
    measured: MachineFigures
    has_table: bool = True

    @property
    def position_seconds(self) -> float:
        """The seconds of a thread for a position, in the mean."""
        nodes = GAMES[self.depth] / GAMES[self.split]
        return nodes / self.measured.rate(self.depth - self.split, self.has_table)

    @property
    def size(self) -> int:
        """Positions of a piece."""
        return max(1, min(MOST_POSITIONS, int(self.least_seconds / self.position_seconds)))

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return ceil(POSITIONS[self.split] / self.size)

    @property
    def piece_seconds(self) -> float:
        """The seconds of a thread for a piece, in the mean."""
        return self.seconds / self.pieces

    @property
    def seconds(self) -> float:
        """The seconds of a thread for all."""
        return POSITIONS[self.split] * self.position_seconds

    @property
    def ledger_bytes(self) -> int:
        """The size of the ledger."""
        beside = self.measured.ledger_bytes - RECORD_BYTES
        return RECORD_BYTES * POSITIONS[self.split] + beside * self.pieces

    @property
    def client_bytes(self) -> int:
        """The memory that the client takes for the pieces."""
        return self.measured.client_bytes * self.pieces
