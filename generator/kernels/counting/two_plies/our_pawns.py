"""Our pawns: pushes, captures, and promotions, whose four moves are classified separately."""

from __future__ import annotations

import numpy as np

from ...attacks import bishop_attacks, knight_attacks, line, pawn_attacks, rook_attacks
from ...board import Board
from ...encoding import PROMOTION, encode
from ...machine.bits import ZERO, lowest, lsb, popcount, rest
from ...machine.jit import inline
from ...pawns import RANK_8, PawnTargets
from ...sliders.lookup import Tables
from .evasions import evasions
from .pinned import arrival_changes
from .position import attacked_without, slider_attacks
from .simple_moves import PositionInfo, changed_targets, replies_to_move, replies_to_pawns
from .tally import Tally, add_replies, add_simple, count_squares
from .their_king import pin_lines, replies_of_king
from .their_pawns import captures_offered, pawn_departures
from .their_pieces import BISHOP, ROOK, capture_change, seen_from

_7, _8, _9, _12, _16 = (np.uint64(number) for number in (7, 8, 9, 12, 16))

KNIGHT_BIT, BISHOP_BIT, ROOK_BIT, QUEEN_BIT, ALL_BUNDLED = (np.uint64(bits) for bits in (1, 2, 4, 8, 15))
"""Sets of promotion pieces: bit i stands for piece number i."""


@inline
def _attacked_after(
    tables: Tables, info: PositionInfo, origin: np.uint64, target: np.uint64, changed: np.uint64
) -> np.uint64:
    """Return the squares that we attack after a pawn has moved from `origin` to `target`.

    If `target` is in `changed`, the attacks of our sliders are looked up again.
    """
    sides, our_attacks = info.sides, info.our_attacks
    # Looking up the attacks of all sliders is slow, and few moves change them.
    if target & changed != ZERO:
        occupied = sides.occupied ^ origin | target
        attacked = slider_attacks(tables, sides.board.diagonals, sides.board.orthogonals, occupied)
        attacked |= attacked_without(our_attacks.leapers, pawn_attacks(origin))
    else:
        attacked = attacked_without(our_attacks.all, pawn_attacks(origin))
    return attacked | pawn_attacks(target)


@inline
def _king_change(
    tables: Tables, info: PositionInfo, origin: np.uint64, target: np.uint64, changed: np.uint64
) -> np.uint64:
    """Return the change in the number of their king moves when a pawn moves from `origin` to `target` (mod 2**64)."""
    attacked = _attacked_after(tables, info, origin, target, changed)
    return replies_of_king(info.watch, attacked, target) - info.watch.replies


@inline
def _check_targets(info: PositionInfo, single: np.uint64) -> np.uint64:
    """Return the targets of single pushes that give check and end no pin."""
    # The pawn comes from a knight's move away from their king, so it leaves no line to the king.
    return single & info.limits.pawns & ~pin_lines(info.pins)


@inline
def _replies_to_checks(tables: Tables, info: PositionInfo, checks: np.uint64) -> np.uint64:
    """Return the number of replies to single pushes to `checks`."""
    sides, replies = info.sides, ZERO
    changed = info.our_attacks.lines.once | info.limits.opening << _8
    while checks != ZERO:
        target = lowest(checks)
        attacked = _attacked_after(tables, info, target >> _8, target, changed)
        replies += evasions(tables, sides, info.pins, info.watch, info.pawns, target >> _8, target, attacked)
        checks = rest(checks)
    return replies


@inline
def _origin(target: np.uint64, double: np.uint64) -> np.uint64:
    """Return the origin of a push to `target`; `double` are the targets of double pushes."""
    return target >> _16 if target & double != ZERO else target >> _8


@inline
def _push_changes(tables: Tables, info: PositionInfo, single: np.uint64, double: np.uint64) -> np.uint64:
    """Return the change in the number of replies caused by pushes to these squares (mod 2**64).

    Changes in slider moves and blocked pawn moves are excluded; they are computed for all simple moves together.
    """
    watch, limits = info.watch, info.limits
    targets = single | double
    # No pawn starts on the first rank, so each capture of a pawn that is pushed is one move.
    pawns, pushed, pushed_twice = info.pawns, single >> _8, double >> _16
    change = ZERO - popcount(pawns.left & pushed) - popcount(pawns.right & pushed)
    change -= popcount(pawns.left & pushed_twice) + popcount(pawns.right & pushed_twice)
    stops = targets & pin_lines(info.pins)
    while stops != ZERO:
        target = lowest(stops)
        change += arrival_changes(tables, info.sides, info.pins, _origin(target, double), target, ZERO)
        stops = rest(stops)
    # The king moves are recounted only if our attacks near the king may have changed: because of the pawn's own
    # attacks, because the push blocks a slider's line on its target, or because it may open a line on its origin.
    opening = single & limits.opening << _8 | double & limits.opening << _16
    changed = info.our_attacks.lines.once | opening
    left = targets & (watch.places.pawns | changed)
    left |= single & watch.pawns << _8 | double & watch.pawns << _16
    while left != ZERO:
        target = lowest(left)
        change += _king_change(tables, info, _origin(target, double), target, changed)
        left = rest(left)
    return change


@inline
def _capture_changes(tables: Tables, info: PositionInfo, targets: np.uint64, ahead: np.uint64) -> np.uint64:
    """Return the change in the number of replies caused by captures on `targets` (mod 2**64)."""
    change, watch = ZERO, info.watch
    # A slider behind the pawn may attack the square of the capture next to their king.
    changed = info.limits.opening << ahead | watch.near & info.our_attacks.sliders << ahead
    while targets != ZERO:
        target = lowest(targets)
        origin = target >> ahead
        change += capture_change(tables, info.sides, info.pins, info.pawns, origin, target)
        change += pawn_departures(info.pawns, origin, target)
        near = target & (watch.places.pawns | changed)
        if near | origin & watch.pawns != ZERO:
            change += _king_change(tables, info, origin, target, changed)
        targets = rest(targets)
    return change


@inline
def _simple_pawn_moves(
    tables: Tables, info: PositionInfo, moves: PawnTargets, barred: np.uint64
) -> tuple[PawnTargets, np.uint64]:
    """Return the simple moves among `moves`, and the number of en passant captures that they allow."""
    held = info.limits.held
    # Barred targets and the moves of held pawns are excluded; the shifts convert origins to targets.
    double = moves.double & ~(barred | held << _16)
    simple = PawnTargets(
        moves.single & ~barred & ~(held << _8),
        double,
        moves.left & ~(barred | held << _7),
        moves.right & ~(barred | held << _9),
    )
    return simple, captures_offered(tables, info.sides, double)


@inline
def _add_simple_pawns(tables: Tables, info: PositionInfo, moves: PawnTargets, change: np.uint64, tally: Tally) -> Tally:
    """Add simple pawn moves to the tally, together with `change`, a change in the number of replies to them."""
    quiet = moves.single | moves.double
    change += _push_changes(tables, info, moves.single, moves.double)
    for targets, ahead in ((moves.left, _7), (moves.right, _9)):
        change += _capture_changes(tables, info, targets, ahead)
    return Tally(
        count_squares(tally.counters, quiet),
        tally.origins | moves.single >> _8 | moves.double >> _16 | moves.left >> _7 | moves.right >> _9,
        moves,
        tally.simple + popcount(quiet | moves.left) + popcount(moves.right),
        tally.replies + change,
    )


@inline
def _replies_to_others(tables: Tables, board: Board, moves: PawnTargets) -> np.uint64:
    """Return the number of replies to pawn moves that are played one by one."""
    replies = ZERO
    for targets, ahead in ((moves.single, _8), (moves.double, _16), (moves.left, _7), (moves.right, _9)):
        replies += replies_to_pawns(tables, board, targets, ahead)
    return replies


@inline
def add_pawns(tables: Tables, info: PositionInfo, moves: PawnTargets, tally: Tally) -> Tally:
    """Add all pawn moves except promotions to the tally."""
    board = info.sides.board
    moves = PawnTargets(moves.single & ~RANK_8, moves.double, moves.left & ~RANK_8, moves.right & ~RANK_8)
    barred = info.limits.closed | info.limits.pawns
    simple, en_passant = _simple_pawn_moves(tables, info, moves, barred)
    checks = _check_targets(info, moves.single)
    others = PawnTargets(
        moves.single & ~(simple.single | checks),
        moves.double & ~simple.double,
        moves.left & ~simple.left,
        moves.right & ~simple.right,
    )
    replies = ZERO
    # In most positions, there are no such moves.
    if checks | others.single | others.double | others.left | others.right != ZERO:
        replies = _replies_to_checks(tables, info, checks) + _replies_to_others(tables, board, others)
    return add_replies(_add_simple_pawns(tables, info, simple, en_passant, tally), replies)


@inline
def _unsafe_promotions(tables: Tables, info: PositionInfo, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Return the set of promotion pieces for which the promotion is not simple."""
    limits, king = info.limits, info.sides.their_king
    lines = info.our_attacks.lines.once
    barred = limits.closed | changed_targets(limits, info.our_attacks, info.watch.near, origin, lines)
    # The new piece also sees the squares behind the pawn's origin, which `limits` does not take into account.
    held = origin & (limits.held | line(tables, king, lsb(target)))
    if target & (barred | pin_lines(info.pins)) | held != ZERO:
        return ALL_BUNDLED
    unsafe = KNIGHT_BIT if target & limits.knights != ZERO else ZERO
    unsafe |= BISHOP_BIT | QUEEN_BIT if target & limits.bishops != ZERO else ZERO
    return unsafe | (ROOK_BIT | QUEEN_BIT if target & limits.rooks != ZERO else ZERO)


@inline
def _slider_change(
    tables: Tables, info: PositionInfo, origin: np.uint64, target: np.uint64, movement: np.uint64, sliders: np.uint64
) -> np.uint64:
    """Return the change in the number of moves of the opponent's `sliders` when the pawn moves (mod 2**64)."""
    sides, change = info.sides, ZERO
    after = sides.occupied ^ origin | target
    while sliders != ZERO:
        square = lsb(sliders)
        change += popcount(seen_from(tables, sides, movement, square, after))
        change -= popcount(seen_from(tables, sides, movement, square, sides.occupied))
        sliders = rest(sliders)
    return change


@inline
def _promotion_change(
    tables: Tables, info: PositionInfo, origin: np.uint64, target: np.uint64, unsafe: np.uint64
) -> np.uint64:
    """Return the change in the number of replies caused by all promotions except `unsafe` (mod 2**64)."""
    sides, watch = info.sides, info.watch
    start, square, after = lsb(origin), lsb(target), sides.occupied ^ origin | target
    diagonal, orthogonal = bishop_attacks(tables, square, after), rook_attacks(tables, square, after)
    unpinned = info.pins.unpinned
    # Only their sliders that see the pawn's origin or target are affected.
    bishops = (diagonal | bishop_attacks(tables, start, sides.occupied)) & unpinned.diagonals
    rooks = (orthogonal | rook_attacks(tables, start, sides.occupied)) & unpinned.orthogonals
    each = _slider_change(tables, info, origin, target, BISHOP, bishops) - watch.replies
    each += _slider_change(tables, info, origin, target, ROOK, rooks)
    if target & sides.their != ZERO:
        each += capture_change(tables, sides, info.pins, info.pawns, origin, target)
    others, change = attacked_without(info.our_attacks.all, pawn_attacks(origin)), ZERO
    if unsafe & KNIGHT_BIT == ZERO:
        change += each + replies_of_king(watch, others | knight_attacks(tables, square), target)
    # The four moves differ only in what the new piece attacks and pins.
    bishop_pin, rook_pin = target & info.limits.bishop_pins, target & info.limits.rook_pins
    pin = arrival_changes(tables, sides, info.pins, origin, bishop_pin | rook_pin, target)
    by_bishop, by_rook = pin if bishop_pin != ZERO else ZERO, pin if rook_pin != ZERO else ZERO
    if unsafe & BISHOP_BIT == ZERO:
        change += each + by_bishop + replies_of_king(watch, others | diagonal, target)
    if unsafe & ROOK_BIT == ZERO:
        change += each + by_rook + replies_of_king(watch, others | orthogonal, target)
    if unsafe & QUEEN_BIT == ZERO:
        change += each + pin + replies_of_king(watch, others | diagonal | orthogonal, target)
    return change


@inline
def add_promotions(tables: Tables, info: PositionInfo, targets: np.uint64, ahead: np.uint64, tally: Tally) -> Tally:
    """Add the promotions on `targets` to the tally; each target is `ahead` squares ahead of its origin."""
    while targets != ZERO:
        target = lowest(targets)
        unsafe = _unsafe_promotions(tables, info, target >> ahead, target)
        # Each promotion is classified separately: a queen may give check when a knight does not, or vice versa.
        if unsafe != ALL_BUNDLED:
            change = _promotion_change(tables, info, target >> ahead, target, unsafe)
            tally = add_simple(tally, popcount(ALL_BUNDLED ^ unsafe), change)
        move = PROMOTION | encode(lsb(target) - ahead, lsb(target))
        while unsafe != ZERO:
            replies = replies_to_move(tables, info.sides.board, move | lsb(unsafe) << _12)
            tally = add_replies(tally, replies)
            unsafe = rest(unsafe)
        targets = rest(targets)
    return tally
