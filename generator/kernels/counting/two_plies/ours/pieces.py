"""The moves of our pieces that are no pawns: which are simple, and what these change by themselves."""

from __future__ import annotations

import numpy as np

from ....attacks import bishop_attacks, king_attacks, knight_attacks, line, rook_attacks
from ....machine.bits import ONE, ZERO, lowest, lsb, popcount, rest, store
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..counters import counted
from ..fallback import replies_to
from ..limits import shifting
from ..notes import MOVES
from ..outlook import Outlook
from ..tally import Tally, with_replies
from ..theirs.captures import capture_changes
from ..theirs.evasions import evasions
from ..theirs.king import replies_of_king
from ..theirs.pawns import pawn_departures
from ..theirs.pinning import arrival_changes, pinner_changes
from ..theirs.pins import pin_lines
from .king import king_mover
from .knights import knight_mover
from .mover import KING, KNIGHT, SLIDER, Mover
from .own import Own
from .sight import seen_anew, without
from .sliders import slider_mover


@inlined
def attacks_from(tables: Tables, mover: Mover, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return what the piece attacks from another square."""
    if mover.kind == KING:
        return king_attacks(tables, square)
    if mover.kind == KNIGHT:
        return knight_attacks(tables, square)
    return (
        bishop_attacks(tables, square, occupied) & mover.as_bishop
        | rook_attacks(tables, square, occupied) & mover.as_rook
    )


@inlined
def _attacked_anew(tables: Tables, outlook: Outlook, mover: Mover, target: np.uint64) -> np.uint64:
    """Return what all our other pieces attack when the piece has gone to `target`."""
    scene, origin = outlook.scene, ONE << mover.square
    attacked = seen_anew(
        tables, scene.board.diagonals & ~origin, scene.board.orthogonals & ~origin, scene.occupied ^ origin | target
    )
    leapers = outlook.sight.leapers
    return attacked | (leapers.once if mover.kind == SLIDER else without(leapers, mover.attacks))


@inlined
def _lines_kept(tables: Tables, outlook: Outlook, mover: Mover) -> np.uint64:
    """Return the lines on which a slider attacks watch squares; along these it may attack them still."""
    lines, seen = ZERO, mover.attacks & outlook.watch.squares if mover.kind == SLIDER else ZERO
    while seen != ZERO:
        along = line(tables, mover.square, lsb(seen))
        lines, seen = lines | along, seen & ~along
    return lines


@inlined
def king_changes(tables: Tables, outlook: Outlook, mover: Mover, targets: np.uint64, checks: np.uint64) -> np.uint64:
    """Return what it changes for their king that a piece goes to `targets`, summed over these (modulo 2**64).

    To that are added all replies to `checks`.
    """
    scene, sight, watch, origin = outlook.scene, outlook.sight, outlook.watch, ONE << mover.square
    anew = shifting(outlook.limits, sight, watch.near, origin, mover.stops)
    left, change = targets & (mover.places | watch.castling.ways | watch.near | anew), ZERO
    # Without the piece, whose attacks from its old square end.
    others = without(sight.all, mover.attacks)
    if origin & mover.places != ZERO:
        left |= targets & _lines_kept(tables, outlook, mover)
        # Where it attacks no watch square any more, its targets are alike, and one stands for all.
        alike = targets & ~left
        if alike != ZERO:
            attacked = others | attacks_from(tables, mover, lsb(alike), scene.occupied ^ origin)
            change = popcount(alike) * (replies_of_king(watch, attacked, ZERO) - watch.replies)
    left |= checks
    while left != ZERO:
        target = lowest(left)
        attacked = _attacked_anew(tables, outlook, mover, target) if target & anew != ZERO else others
        if target & checks != ZERO:
            # Their king is lifted: what gives check attacks the square behind it, too.
            attacked |= attacks_from(tables, mover, lsb(left), scene.occupied ^ origin ^ scene.board.their_king)
            change += evasions(tables, scene, outlook.pins, watch, outlook.pawns, origin, target, attacked)
        else:
            attacked |= attacks_from(tables, mover, lsb(left), scene.occupied ^ origin)
            change += replies_of_king(watch, attacked, target) - watch.replies
        left = rest(left)
    return change


@inlined
def _pin_changes(tables: Tables, outlook: Outlook, mover: Mover, targets: np.uint64) -> np.uint64:
    """Return what it changes for their pinned pieces that a piece goes to `targets`, summed over these."""
    scene, pins, origin, change = outlook.scene, outlook.pins, ONE << mover.square, ZERO
    if mover.own_line != ZERO:
        change = pinner_changes(tables, scene, pins, mover.own_line, origin, targets)
    turning = targets & (mover.pinning | pin_lines(pins)) & ~mover.own_line
    if turning != ZERO:
        change += arrival_changes(tables, scene, pins, origin, turning, mover.pinning)
    return change


@inlined
def simple_targets(outlook: Outlook, mover: Mover) -> np.uint64:
    """Return where the simple moves of a piece end."""
    limits = outlook.limits
    if ONE << mover.square & limits.held != ZERO:
        return ZERO
    return mover.reach & ~(limits.closed | mover.checks)


@inlined
def check_targets(outlook: Outlook, mover: Mover) -> np.uint64:
    """Return where those checks of a piece end that no other piece gives with it, and that free no pinned one."""
    pins = outlook.pins
    if ONE << mover.square & pins.held != ZERO:
        return ZERO
    checks = mover.reach & mover.checks & ~(pin_lines(pins) & ~outlook.scene.their)
    return checks & mover.own_line if mover.own_line != ZERO else checks


@inlined
def with_piece(tables: Tables, outlook: Outlook, notes: np.uint64, mover: Mover, tally: Tally) -> Tally:
    """Add the moves of a piece."""
    if mover.reach == ZERO:
        return tally
    scene, pins, origin, replies = outlook.scene, outlook.pins, ONE << mover.square, ZERO
    simple, checks = simple_targets(outlook, mover), check_targets(outlook, mover)
    if simple | checks != ZERO:
        replies += king_changes(tables, outlook, mover, simple, checks)
    if simple != ZERO:
        store(notes, MOVES + mover.square, simple)
        replies += pawn_departures(outlook.pawns, origin, simple)
        replies += capture_changes(tables, scene, pins, outlook.pawns, origin, simple)
        replies += _pin_changes(tables, outlook, mover, simple)
        tally = Tally(
            counted(tally.counters, simple & ~scene.their),
            tally.origins | origin,
            tally.pawns,
            tally.simple + popcount(simple),
            tally.replies,
        )
    left = mover.reach & ~(simple | checks)
    if left != ZERO:
        replies += replies_to(tables, scene.board, mover.square, left)
    return with_replies(tally, replies)


@inlined
def with_pieces(tables: Tables, outlook: Outlook, notes: np.uint64, own: Own, steps: np.uint64, tally: Tally) -> Tally:
    """Add the moves of our king, knights and sliders; `steps` are the king's."""
    board = outlook.scene.board
    knights = board.knights & ~(own.orthogonal_pins | own.diagonal_pins)
    tally = with_piece(tables, outlook, notes, king_mover(tables, outlook, steps), tally)
    while knights != ZERO:
        tally = with_piece(tables, outlook, notes, knight_mover(tables, outlook, own, lsb(knights)), tally)
        knights = rest(knights)
    sliders = board.diagonals | board.orthogonals
    while sliders != ZERO:
        tally = with_piece(tables, outlook, notes, slider_mover(tables, outlook, notes, own, lsb(sliders)), tally)
        sliders = rest(sliders)
    return tally
