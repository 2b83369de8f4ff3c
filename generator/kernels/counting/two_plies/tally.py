"""What is added up while our moves are gone through."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.bits import ZERO
from ...machine.jit import inlined
from .counters import Counters, no_counts


class PawnMoves(NamedTuple):
    """Where our pawns go by simple moves: single and double pushes, captures to the left and to the right."""

    single: np.uint64
    double: np.uint64
    left: np.uint64
    right: np.uint64


class Tally(NamedTuple):
    """Sums over our moves so far.

    Of simple moves, promotions apart, `counters` has where the quiet ones end, `origins` where they start, `pawns`
    those of pawns. `simple` is the number of simple moves. `replies` is the sum of those to moves that are not simple,
    and of what simple ones change but for what follows from the former (modulo 2**64).
    """

    counters: Counters
    origins: np.uint64
    pawns: PawnMoves
    simple: np.uint64
    replies: np.uint64


@inlined
def no_tally() -> Tally:
    """Return sums over no move."""
    return Tally(no_counts(), ZERO, PawnMoves(ZERO, ZERO, ZERO, ZERO), ZERO, ZERO)


@inlined
def with_replies(tally: Tally, replies: np.uint64) -> Tally:
    """Add replies to moves that are not simple."""
    return with_simple(tally, ZERO, replies)


@inlined
def with_simple(tally: Tally, number: np.uint64, change: np.uint64) -> Tally:
    """Add what a number of simple moves change, which are in neither `counters` nor `origins`."""
    return Tally(tally.counters, tally.origins, tally.pawns, tally.simple + number, tally.replies + change)
