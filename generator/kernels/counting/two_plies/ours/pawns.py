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
from ..limits import leaper_crossings
from ..outlook import Outlook
from ..tally import PawnMoves, Tally, with_replies
from ..theirs.captures import capture_change
from ..theirs.en_passant import captures_offered
from ..theirs.king import replies_of_king
from ..theirs.pawns import offered, pawn_departures
from ..theirs.pinning import arrival_changes
from ..theirs.pins import pin_lines
from .sight import seen_anew, seen_by_sliders, without

_7, _8, _9, _16 = (np.uint64(number) for number in (7, 8, 9, 16))


@inlined
def _king_change(tables: Tables, outlook: Outlook, origin: np.uint64, target: np.uint64, anew: np.uint64) -> np.uint64:
    """Return what it changes for their king that a pawn goes from `origin` to `target` (modulo 2**64).

    On `anew` our sliders are asked again.
    """
    scene, sight, watch = outlook.scene, outlook.sight, outlook.watch
    if target & anew != ZERO:
        occupied = scene.occupied ^ origin | target
        attacked = seen_anew(tables, scene.board.diagonals, scene.board.orthogonals, occupied)
        attacked |= without(sight.leapers, pawn_attacks(origin))
    else:
        attacked = without(sight.all, pawn_attacks(origin))
    return replies_of_king(watch, attacked | pawn_attacks(target), target) - watch.replies


@inlined
def _origin(target: np.uint64, double: np.uint64) -> np.uint64:
    """Return where a push to `target` starts; `double` are the targets of double pushes."""
    return target >> _16 if target & double != ZERO else target >> _8


@inlined
def _pushes(tables: Tables, outlook: Outlook, single: np.uint64, double: np.uint64) -> np.uint64:
    """Return what single and double pushes that end on these squares change by themselves (modulo 2**64)."""
    watch, limits = outlook.watch, outlook.limits
    targets = single | double
    change = ZERO - offered(outlook.pawns, single >> _8) - offered(outlook.pawns, double >> _16)
    stops = targets & pin_lines(outlook.pins)
    while stops != ZERO:
        target = lowest(stops)
        change += arrival_changes(tables, outlook.scene, outlook.pins, _origin(target, double), target, ZERO)
        stops = rest(stops)
    opening = single & limits.opening << _8 | double & limits.opening << _16
    anew = leaper_crossings(limits, outlook.sight) | opening
    left = targets & (watch.pawns | watch.castling.ways | anew)
    left |= single & watch.pawns << _8 | double & watch.pawns << _16
    while left != ZERO:
        target = lowest(left)
        change += _king_change(tables, outlook, _origin(target, double), target, anew)
        left = rest(left)
    return change


@inlined
def _captures(tables: Tables, outlook: Outlook, targets: np.uint64, ahead: np.uint64) -> np.uint64:
    """Return what captures that end on `targets` change by themselves (modulo 2**64)."""
    change, watch = ZERO, outlook.watch
    # A slider that looks through the pawn may attack what has been taken next to their king.
    anew = outlook.limits.opening << ahead | watch.near & seen_by_sliders(outlook.sight) << ahead
    while targets != ZERO:
        target = lowest(targets)
        origin = target >> ahead
        change += capture_change(tables, outlook.scene, outlook.pins, outlook.pawns, origin, target)
        change += pawn_departures(outlook.pawns, origin, target)
        if (origin | target) & watch.pawns | target & (watch.near | watch.castling.ways | anew) != ZERO:
            change += _king_change(tables, outlook, origin, target, anew)
        targets = rest(targets)
    return change


@inlined
def _simple(tables: Tables, outlook: Outlook, moves: PawnMoves, barred: np.uint64) -> tuple[PawnMoves, np.uint64]:
    """Return the simple moves among `moves`, and how many captures en passant they offer."""
    held = outlook.limits.held
    double = moves.double & ~(barred | held << _16)
    simple = PawnMoves(
        moves.single & ~barred & ~(held << _8),
        double,
        moves.left & ~(barred | held << _7),
        moves.right & ~(barred | held << _9),
    )
    return simple, captures_offered(tables, outlook.scene, double)


@inlined
def with_simple_pawns(tables: Tables, outlook: Outlook, moves: PawnMoves, change: np.uint64, tally: Tally) -> Tally:
    """Add simple moves of pawns, and a change that they bring."""
    quiet = moves.single | moves.double
    change += _pushes(tables, outlook, moves.single, moves.double)
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
    barred = outlook.limits.closed | outlook.limits.pawns
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
