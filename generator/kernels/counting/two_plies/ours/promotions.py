"""Our promotions: four moves each, of which some may be simple."""

from __future__ import annotations

import numpy as np

from ....attacks import bishop_attacks, knight_attacks, line, pawn_attacks, rook_attacks
from ....encoding import PROMOTION, encode
from ....machine.bits import ZERO, lowest, lsb, popcount, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..fallback import replies_to_move
from ..limits import leaper_crossings, shifting
from ..outlook import Outlook
from ..tally import Tally, with_replies, with_simple
from ..theirs.captures import capture_change
from ..theirs.king import replies_of_king
from ..theirs.pinning import arrival_changes
from ..theirs.pins import pin_lines
from ..theirs.sliders import BISHOP, ROOK, seen_from

_12 = np.uint64(12)
KNIGHT_BIT, BISHOP_BIT, ROOK_BIT, QUEEN_BIT, EVERY = (np.uint64(bits) for bits in (1, 2, 4, 8, 15))
"""Sets of promotion pieces: bit i stands for the piece that is i in a move."""


@inlined
def _unsafe(tables: Tables, outlook: Outlook, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Return which of the four promotions are not simple."""
    limits, king = outlook.limits, outlook.scene.their_king
    stops = leaper_crossings(limits, outlook.sight)
    barred = limits.closed | shifting(limits, outlook.sight, outlook.watch.near, origin, stops)
    # Behind the square that the pawn leaves the new piece looks further than `limits` knows.
    held = origin & (limits.held | line(tables, king, lsb(target)))
    if target & (barred | pin_lines(outlook.pins)) | held != ZERO:
        return EVERY
    unsafe = KNIGHT_BIT if target & limits.knights != ZERO else ZERO
    unsafe |= BISHOP_BIT | QUEEN_BIT if target & limits.bishops != ZERO else ZERO
    return unsafe | (ROOK_BIT | QUEEN_BIT if target & limits.rooks != ZERO else ZERO)


@inlined
def _slider_change(
    tables: Tables, outlook: Outlook, origin: np.uint64, target: np.uint64, way: np.uint64, sliders: np.uint64
) -> np.uint64:
    """Return what it changes for these sliders of theirs that the pawn has gone (modulo 2**64)."""
    scene, change = outlook.scene, ZERO
    after = scene.occupied ^ origin | target
    while sliders != ZERO:
        square = lsb(sliders)
        change += popcount(seen_from(tables, scene, way, square, after))
        change -= popcount(seen_from(tables, scene, way, square, scene.occupied))
        sliders = rest(sliders)
    return change


@inlined
def _change(tables: Tables, outlook: Outlook, origin: np.uint64, target: np.uint64, unsafe: np.uint64) -> np.uint64:
    """Return what the promotions that are not `unsafe` change, all together (modulo 2**64)."""
    scene, sight, watch = outlook.scene, outlook.sight.all, outlook.watch
    start, square, after = lsb(origin), lsb(target), scene.occupied ^ origin | target
    diagonal, orthogonal = bishop_attacks(tables, square, after), rook_attacks(tables, square, after)
    loose = ~pin_lines(outlook.pins)
    bishops = (diagonal | bishop_attacks(tables, start, scene.occupied)) & scene.board.their_diagonals & loose
    rooks = (orthogonal | rook_attacks(tables, start, scene.occupied)) & scene.board.their_orthogonals & loose
    each = _slider_change(tables, outlook, origin, target, BISHOP, bishops) - watch.replies
    each += _slider_change(tables, outlook, origin, target, ROOK, rooks)
    if target & scene.their != ZERO:
        each += capture_change(tables, scene, outlook.pins, outlook.pawns, origin, target)
    others, change = sight.twice | sight.once & ~pawn_attacks(origin), ZERO
    if unsafe & KNIGHT_BIT == ZERO:
        change += each + replies_of_king(watch, others | knight_attacks(tables, square), target)
    bishop_pin, rook_pin = target & outlook.limits.bishop_pins, target & outlook.limits.rook_pins
    pin = arrival_changes(tables, scene, outlook.pins, origin, bishop_pin | rook_pin, target)
    by_bishop, by_rook = pin if bishop_pin != ZERO else ZERO, pin if rook_pin != ZERO else ZERO
    if unsafe & BISHOP_BIT == ZERO:
        change += each + by_bishop + replies_of_king(watch, others | diagonal, target)
    if unsafe & ROOK_BIT == ZERO:
        change += each + by_rook + replies_of_king(watch, others | orthogonal, target)
    if unsafe & QUEEN_BIT == ZERO:
        change += each + pin + replies_of_king(watch, others | diagonal | orthogonal, target)
    return change


@inlined
def with_promotions(tables: Tables, outlook: Outlook, targets: np.uint64, ahead: np.uint64, tally: Tally) -> Tally:
    """Add the promotions that end on `targets`, so many squares ahead of their start."""
    while targets != ZERO:
        target = lowest(targets)
        unsafe = _unsafe(tables, outlook, target >> ahead, target)
        if unsafe != EVERY:
            change = _change(tables, outlook, target >> ahead, target, unsafe)
            tally = with_simple(tally, popcount(EVERY ^ unsafe), change)
        move = PROMOTION | encode(lsb(target) - ahead, lsb(target))
        while unsafe != ZERO:
            replies = replies_to_move(tables, outlook.scene.board, move | lsb(unsafe) << _12)
            tally = with_replies(tally, replies)
            unsafe = rest(unsafe)
        targets = rest(targets)
    return tally
