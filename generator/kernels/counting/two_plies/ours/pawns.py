"""Our pawns, promotions and en passant apart."""

from __future__ import annotations

import numpy as np

from ....attacks import pawn_attacks
from ....machine.bits import ZERO, lowest, popcount, rest
from ....machine.jit import inlined
from ....pawns import RANK_8
from ....sliders.common import Tables
from ..counters import counted
from ..fallback import replies_to_pawns
from ..limits import leaper_limits
from ..outlook import Outlook
from ..tally import PawnMoves, Tally, with_replies
from ..theirs.captures import capture_change
from ..theirs.en_passant import offers
from ..theirs.king import replies_of_king
from ..theirs.pawns import offered, pawn_departures
from ..theirs.pinning import arrival_changes
from ..theirs.pins import pin_lines
from .sight import seen_by_sliders

_7, _8, _9, _16 = (np.uint64(number) for number in (7, 8, 9, 16))


@inlined
def _king_change(outlook: Outlook, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Return what it changes for their king that a pawn goes from `origin` to `target` (modulo 2**64)."""
    sight, watch = outlook.sight.all, outlook.watch
    attacked = sight.twice | sight.once & ~pawn_attacks(origin) | pawn_attacks(target)
    return replies_of_king(watch, attacked, target) - watch.replies


@inlined
def _pushes(tables: Tables, outlook: Outlook, targets: np.uint64, ahead: np.uint64) -> np.uint64:
    """Return what pushes that end on `targets` change by themselves (modulo 2**64)."""
    change = ZERO - offered(outlook.pawns, targets >> ahead)
    stops = targets & pin_lines(outlook.pins)
    while stops != ZERO:
        origin = lowest(stops) >> ahead
        change += arrival_changes(tables, outlook.scene, outlook.pins, origin, lowest(stops), ZERO)
        stops = rest(stops)
    watch = outlook.watch
    left = targets & (watch.pawns | watch.pawns << ahead | watch.castling.ways)
    while left != ZERO:
        change += _king_change(outlook, lowest(left) >> ahead, lowest(left))
        left = rest(left)
    return change


@inlined
def _captures(tables: Tables, outlook: Outlook, targets: np.uint64, ahead: np.uint64) -> np.uint64:
    """Return what captures that end on `targets` change by themselves (modulo 2**64)."""
    change, watch = ZERO, outlook.watch
    while targets != ZERO:
        target = lowest(targets)
        origin = target >> ahead
        change += capture_change(tables, outlook.scene, outlook.pins, outlook.pawns, origin, target)
        change += pawn_departures(outlook.pawns, origin, target)
        if (origin | target) & watch.pawns | target & (watch.near | watch.castling.ways) != ZERO:
            change += _king_change(outlook, origin, target)
        targets = rest(targets)
    return change


@inlined
def _simple(tables: Tables, outlook: Outlook, moves: PawnMoves, barred: np.uint64) -> tuple[PawnMoves, np.uint64]:
    """Return the simple moves among `moves`, and how many captures en passant they offer."""
    held, near = outlook.limits.held, outlook.watch.near & ~barred
    double = offers(tables, outlook.scene, moves.double & ~barred & ~(held << _16))
    # A slider that looks through the pawn may attack what has been taken next to their king.
    lookers = seen_by_sliders(outlook.sight)
    simple = PawnMoves(
        moves.single & ~barred & ~(held << _8),
        double.simple,
        moves.left & ~(barred | held << _7 | near & lookers << _7),
        moves.right & ~(barred | held << _9 | near & lookers << _9),
    )
    return simple, double.captures


@inlined
def with_simple_pawns(tables: Tables, outlook: Outlook, moves: PawnMoves, change: np.uint64, tally: Tally) -> Tally:
    """Add simple moves of pawns, and a change that they bring."""
    quiet = moves.single | moves.double
    for targets, ahead in ((moves.single, _8), (moves.double, _16)):
        change += _pushes(tables, outlook, targets, ahead)
    for targets, ahead in ((moves.left, _7), (moves.right, _9)):
        change += _captures(tables, outlook, targets, ahead)
    return Tally(
        counted(tally.counters, quiet),
        tally.origins | moves.single >> _8 | moves.double >> _16 | moves.left >> _7 | moves.right >> _9,
        moves,
        tally.simple + popcount(quiet) + popcount(moves.left) + popcount(moves.right),
        tally.replies + change,
    )


@inlined
def with_pawns(tables: Tables, outlook: Outlook, moves: PawnMoves, tally: Tally) -> Tally:
    """Add those of the moves that are no promotions."""
    board = outlook.scene.board
    moves = PawnMoves(moves.single & ~RANK_8, moves.double, moves.left & ~RANK_8, moves.right & ~RANK_8)
    barred = leaper_limits(outlook.limits, outlook.sight) | outlook.limits.pawns
    simple, en_passant = _simple(tables, outlook, moves, barred)
    replies = ZERO
    for targets, ahead in (
        (moves.single & ~simple.single, _8),
        (moves.double & ~simple.double, _16),
        (moves.left & ~simple.left, _7),
        (moves.right & ~simple.right, _9),
    ):
        replies += replies_to_pawns(tables, board, targets, ahead)
    return with_replies(with_simple_pawns(tables, outlook, simple, en_passant, tally), replies)
