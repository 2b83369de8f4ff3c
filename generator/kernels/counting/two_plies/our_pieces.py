"""Our king, knights and sliders: their legal moves, which of these are simple, and the changes they cause."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import (
    attacked_by_them,
    attacked_near_king,
    beyond,
    bishop_attacks,
    king_attacks,
    knight_attacks,
    line,
    rook_attacks,
)
from ...castling import castling_is_safe, free_castling, king_target, rook_target
from ...encoding import CASTLING, encode
from ...machine.bits import ALL, ONE, ZERO, load, lowest, lsb, popcount, rest, store
from ...machine.jit import inline
from ...safety import KingSafety, king_safety
from ...sliders.lookup import Tables
from .evasions import evasions
from .pinned import arrival_changes, pinner_changes
from .position import (
    DIAGONAL,
    MOVES,
    ORTHOGONAL,
    BoardSides,
    attacked_without,
    lines_to,
    mobile_sliders,
    slider_attacks,
)
from .simple_moves import PositionInfo, changed_targets, replies_to, replies_to_move
from .tally import Tally, add_replies, add_simple, count_squares
from .their_king import pin_lines, replies_of_king
from .their_pawns import pawn_departures
from .their_pieces import capture_changes

KING, KNIGHT, SLIDER = (np.uint64(kind) for kind in range(3))
_8 = np.uint64(8)


class Mover(NamedTuple):
    """One of our pieces, which stands on `square`.

    `as_bishop` and `as_rook` are `ALL` if a slider moves like this piece, otherwise zero. `attacks` are the squares
    that the piece attacks, and `reach` the targets of its legal moves. The other bitboards are squares to which it may
    move: on `checks` it would give check, on `places` its arrival may change their king moves, and on `pinning` it
    would pin a piece.
    """

    kind: np.uint64
    square: np.uint64
    as_bishop: np.uint64
    as_rook: np.uint64
    attacks: np.uint64
    reach: np.uint64
    checks: np.uint64
    places: np.uint64
    pinning: np.uint64


@inline
def king_safety_of(tables: Tables, sides: BoardSides) -> KingSafety:
    """Return the restrictions on our moves; in double check the mask is empty, because only the king can move."""
    safety = king_safety(tables, sides.board, sides.king, sides.occupied)
    mask = ZERO if rest(safety.checkers) != ZERO else safety.mask
    return KingSafety(safety.checkers, mask, safety.orthogonal_pins, safety.diagonal_pins)


@inline
def _castling_limits(info: PositionInfo, attacked: np.uint64) -> np.uint64:
    """Return the squares that king and rook must neither leave nor enter if castling is to change no replies."""
    limits, places = info.limits, info.watch.places
    # The opponent neither attacks these squares nor pushes to them. A king or rook that leaves them opens no line to a
    # watch square, and one that arrives neither attacks one nor blocks a line to one.
    of_king = places.kings | places.bishops | places.rooks | info.our_attacks.lines.once
    pushes = info.sides.board.their_pawns >> _8
    return (
        attacked
        | pushes
        | of_king
        | limits.rooks
        | limits.rook_pins
        | limits.held
        | limits.closed
        | pin_lines(info.pins)
    )


@inline
def add_castling(
    tables: Tables,
    info: PositionInfo,
    rooks: np.uint64,
    attacked: np.uint64,
    orthogonal_pins: np.uint64,
    tally: Tally,
) -> Tally:
    """Add castling with each of `rooks` to the tally.

    The paths of these rooks are empty; `attacked` are the squares that the opponent attacks.
    """
    sides = info.sides
    king = sides.king
    while rooks != ZERO:
        rook = lsb(rooks)
        if castling_is_safe(tables, king, rook, attacked, orthogonal_pins):
            squares = ONE << king | ONE << rook | ONE << king_target(king, rook) | ONE << rook_target(king, rook)
            # King and rook may no longer attack the watch squares that they attack before castling.
            before = king_attacks(tables, king) | rook_attacks(tables, rook, sides.occupied)
            if squares & _castling_limits(info, attacked) | before & info.watch.squares == ZERO:
                tally = add_simple(tally, ONE, ZERO)
            else:
                tally = add_replies(tally, replies_to_move(tables, sides.board, CASTLING | encode(king, rook)))
        rooks = rest(rooks)
    return tally


class KingMoves(NamedTuple):
    """The tally including castling, and the targets of legal king steps."""

    tally: Tally
    steps: np.uint64


@inline
def add_castling_and_steps(tables: Tables, info: PositionInfo, king_safety: KingSafety, tally: Tally) -> KingMoves:
    """Add castling to the tally; return the tally and the targets of legal king steps."""
    sides = info.sides
    board, king = sides.board, sides.king
    steps = king_attacks(tables, king) & ~sides.own
    rooks = free_castling(tables, board, sides.own, king, sides.occupied) if king_safety.checkers == ZERO else ZERO
    # Attacks are computed without the king, because sliders attack through the square that it leaves.
    if rooks != ZERO:
        attacked = attacked_by_them(tables, board, sides.occupied ^ board.king)
        tally = add_castling(tables, info, rooks, attacked, king_safety.orthogonal_pins, tally)
        steps &= ~attacked
    elif steps != ZERO:
        steps &= ~attacked_near_king(tables, board, king, sides.occupied ^ board.king)
    return KingMoves(tally, steps)


@inline
def king_mover(tables: Tables, info: PositionInfo, steps: np.uint64) -> Mover:
    """Return our king as a mover; `steps` are its target squares."""
    king, attacks = info.sides.king, king_attacks(tables, info.sides.king)
    # A king never gives check, because its legal steps do not end next to the opponent's king.
    return Mover(KING, king, ZERO, ZERO, attacks, steps, ZERO, info.watch.places.kings, ZERO)


@inline
def knight_mover(tables: Tables, info: PositionInfo, king_safety: KingSafety, square: np.uint64) -> Mover:
    """Return an unpinned knight as a mover."""
    limits, attacks = info.limits, knight_attacks(tables, square)
    reach = attacks & king_safety.mask & ~info.sides.own
    return Mover(KNIGHT, square, ZERO, ZERO, attacks, reach, limits.knights, info.watch.places.knights, ZERO)


@inline
def slider_mover(info: PositionInfo, notes: np.uint64, king_safety: KingSafety, square: np.uint64) -> Mover:
    """Return a bishop, rook or queen as a mover."""
    sides, limits, watch, origin = info.sides, info.limits, info.watch, ONE << square
    # Subtracting a bit from 0 gives a mask of all bits or none, so that all sliders share one body without branches.
    as_bishop = ZERO - (sides.board.diagonals >> square & ONE)
    as_rook = ZERO - (sides.board.orthogonals >> square & ONE)
    diagonal = load(notes, DIAGONAL + square) & as_bishop
    orthogonal = load(notes, ORTHOGONAL + square) & as_rook
    reach = diagonal | orthogonal
    # A pinned queen moves along its pin line like either a bishop or a rook; a bishop pinned on a file has no moves.
    if origin & (king_safety.orthogonal_pins | king_safety.diagonal_pins) != ZERO:
        reach = king_safety.diagonal_pins & diagonal
        if origin & king_safety.orthogonal_pins != ZERO:
            reach = king_safety.orthogonal_pins & orthogonal
    return Mover(
        SLIDER,
        square,
        as_bishop,
        as_rook,
        diagonal | orthogonal,
        reach & king_safety.mask & ~sides.own,
        limits.bishops & as_bishop | limits.rooks & as_rook,
        watch.places.bishops & as_bishop | watch.places.rooks & as_rook,
        limits.bishop_pins & as_bishop | limits.rook_pins & as_rook,
    )


@inline
def attacks_from(tables: Tables, mover: Mover, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that the piece would attack if it stood on `square`."""
    if mover.kind == KING:
        return king_attacks(tables, square)
    if mover.kind == KNIGHT:
        return knight_attacks(tables, square)
    return (
        bishop_attacks(tables, square, occupied) & mover.as_bishop
        | rook_attacks(tables, square, occupied) & mover.as_rook
    )


@inline
def _attacked_by_others(tables: Tables, info: PositionInfo, mover: Mover, target: np.uint64) -> np.uint64:
    """Return the squares that our other pieces attack after the piece has moved to `target`."""
    sides, origin = info.sides, ONE << mover.square
    attacked = slider_attacks(
        tables, sides.board.diagonals & ~origin, sides.board.orthogonals & ~origin, sides.occupied ^ origin | target
    )
    leapers = info.our_attacks.leapers
    return attacked | (leapers.once if mover.kind == SLIDER else attacked_without(leapers, mover.attacks))


class _Alone(NamedTuple):
    """The watch squares that only one piece attacks, and the places from which it attacks one of them.

    `behind` are the squares from which a slider would attack one of them through the square of the piece.
    """

    squares: np.uint64
    places: np.uint64
    behind: np.uint64


@inline
def _attacked_alone(tables: Tables, info: PositionInfo, mover: Mover) -> _Alone:
    """Return the watch squares that only this piece attacks."""
    places, behind = ZERO, ZERO
    left = squares = mover.attacks & info.watch.single
    while left != ZERO:
        square = lsb(left)
        # Attacks are symmetric. They are looked up with the slider on its square, so squares hidden behind it on its
        # line are added.
        places |= attacks_from(tables, mover, square, info.sides.occupied)
        places |= line(tables, mover.square, square) if mover.kind == SLIDER else ZERO
        behind |= beyond(tables, square, mover.square)
        left = rest(left)
    return _Alone(squares, places, behind)


@inline
def king_changes(tables: Tables, info: PositionInfo, mover: Mover, targets: np.uint64, checks: np.uint64) -> np.uint64:
    """Return the change in the number of their king moves when a piece moves, summed over `targets` (mod 2**64).

    For moves to `checks`, the sum includes all replies, not only king moves.
    """
    sides, our_attacks, watch, origin = info.sides, info.our_attacks, info.watch, ONE << mover.square
    alone, lines = _attacked_alone(tables, info, mover), our_attacks.lines.once
    # A slider may move along its own lines, because its attacks from the target are looked up.
    if mover.kind == SLIDER and targets & lines != ZERO:
        own = lines_to(tables, mover.square, mover.attacks & watch.squares)
        lines = attacked_without(our_attacks.lines, own)
    changed = changed_targets(info.limits, our_attacks, watch.near, origin, lines)
    # Once the piece has left, a slider behind it attacks the squares that it alone attacked.
    if alone.behind & (sides.board.diagonals | sides.board.orthogonals) != ZERO:
        changed = ALL
    left, change = targets & (mover.places | alone.places | changed), ZERO
    # Computed without the piece, because it no longer attacks anything from its old square.
    others = attacked_without(our_attacks.all, mover.attacks)
    # A piece that alone attacks a watch square causes a change wherever it moves; any other piece does so only on
    # targets from which it attacks one.
    if alone.squares != ZERO:
        # Targets from which it attacks no watch square are equivalent, so one of them represents all.
        alike = targets & ~left
        if alike != ZERO:
            attacked = others | attacks_from(tables, mover, lsb(alike), sides.occupied ^ origin)
            change = popcount(alike) * (replies_of_king(watch, attacked, ZERO) - watch.replies)
    while checks != ZERO:
        target = lowest(checks)
        attacked = _attacked_by_others(tables, info, mover, target) if target & changed != ZERO else others
        # Computed without their king, because a checking slider also attacks the square behind the king.
        attacked |= attacks_from(tables, mover, lsb(checks), sides.occupied ^ origin ^ sides.board.their_king)
        change += evasions(tables, sides, info.pins, watch, info.pawns, origin, target, attacked)
        checks = rest(checks)
    while left != ZERO:
        target = lowest(left)
        attacked = _attacked_by_others(tables, info, mover, target) if target & changed != ZERO else others
        attacked |= attacks_from(tables, mover, lsb(left), sides.occupied ^ origin)
        change += replies_of_king(watch, attacked, target) - watch.replies
        left = rest(left)
    return change


@inline
def _own_line(tables: Tables, info: PositionInfo, mover: Mover) -> np.uint64:
    """Return the line through a piece and their king if it pins another piece, otherwise no squares."""
    if mover.kind != SLIDER or ONE << mover.square & info.pins.pinners == ZERO:
        return ZERO
    return line(tables, info.sides.their_king, mover.square)


@inline
def _pin_changes(
    tables: Tables, info: PositionInfo, mover: Mover, own_line: np.uint64, targets: np.uint64
) -> np.uint64:
    """Return the change in the number of moves of their pinned pieces when `mover` moves, summed over `targets`."""
    sides, pins, origin, change = info.sides, info.pins, ONE << mover.square, ZERO
    if own_line != ZERO:
        change = pinner_changes(tables, sides, pins, own_line, origin, targets)
    turning = targets & (mover.pinning | pin_lines(pins)) & ~own_line
    if turning != ZERO:
        change += arrival_changes(tables, sides, pins, origin, turning, mover.pinning)
    return change


@inline
def simple_targets(info: PositionInfo, mover: Mover) -> np.uint64:
    """Return the targets of the simple moves of a piece."""
    limits = info.limits
    if ONE << mover.square & limits.held != ZERO:
        return ZERO
    return mover.reach & ~(limits.closed | mover.checks)


@inline
def check_targets(info: PositionInfo, mover: Mover, own_line: np.uint64) -> np.uint64:
    """Return the targets on which only this piece gives check and no pin ends."""
    pins = info.pins
    # A move from a held square discovers another check or creates a pin.
    if ONE << mover.square & pins.held != ZERO:
        return ZERO
    # A piece that arrives on a pin line may end the pin, but `evasions` would still treat the piece as pinned unless it
    # was captured. For the same reason, a pinning piece may give check only along its line.
    checks = mover.reach & mover.checks & ~(pin_lines(pins) & ~info.sides.their)
    return checks & own_line if own_line != ZERO else checks


@inline
def _add_plain(notes: np.uint64, mover: Mover, tally: Tally) -> Tally:
    """Add the moves of a piece that has only plain moves to the tally."""
    store(notes, MOVES + mover.square, mover.reach)
    return Tally(
        count_squares(tally.counters, mover.reach),
        tally.origins | ONE << mover.square,
        tally.pawns,
        tally.simple + popcount(mover.reach),
        tally.replies,
    )


@inline
def _add_special(tables: Tables, info: PositionInfo, notes: np.uint64, mover: Mover, tally: Tally) -> Tally:
    """Add the moves of a piece that has other than plain moves to the tally."""
    sides, pins, origin, replies = info.sides, info.pins, ONE << mover.square, ZERO
    own_line = _own_line(tables, info, mover)
    simple, checks = simple_targets(info, mover), check_targets(info, mover, own_line)
    if simple | checks != ZERO:
        replies += king_changes(tables, info, mover, simple, checks)
    if simple != ZERO:
        store(notes, MOVES + mover.square, simple)
        replies += pawn_departures(info.pawns, origin, simple)
        replies += capture_changes(tables, sides, pins, info.pawns, origin, simple)
        replies += _pin_changes(tables, info, mover, own_line, simple)
        tally = Tally(
            count_squares(tally.counters, simple & ~sides.their),
            tally.origins | origin,
            tally.pawns,
            tally.simple + popcount(simple),
            tally.replies,
        )
    # All other moves are played one by one.
    left = mover.reach & ~(simple | checks)
    if left != ZERO:
        replies += replies_to(tables, sides.board, mover.square, left)
    return add_replies(tally, replies)


@inline
def add_piece(
    tables: Tables, info: PositionInfo, notes: np.uint64, mover: Mover, special: np.uint64, tally: Tally
) -> Tally:
    """Add the moves of a piece to the tally; `special` are its targets that are special for its kind."""
    if mover.reach == ZERO:
        return tally
    if special | ONE << mover.square & info.special.origins | mover.attacks & info.watch.single == ZERO:
        return _add_plain(notes, mover, tally)
    # In a function of its own, because Numba clears the memory for the results of calls when a function begins.
    return _add_special(tables, info, notes, mover, tally)


@inline
def add_pieces(
    tables: Tables, info: PositionInfo, notes: np.uint64, king_safety: KingSafety, steps: np.uint64, tally: Tally
) -> Tally:
    """Add the moves of our king, knights and sliders to the tally; `steps` are the targets of the king."""
    board, special = info.sides.board, info.special
    # A pinned knight cannot stay on its line, so it has no move.
    knights = board.knights & ~(king_safety.orthogonal_pins | king_safety.diagonal_pins)
    tally = add_piece(tables, info, notes, king_mover(tables, info, steps), steps & special.kings, tally)
    while knights != ZERO:
        mover = knight_mover(tables, info, king_safety, lsb(knights))
        tally = add_piece(tables, info, notes, mover, mover.reach & special.knights, tally)
        knights = rest(knights)
    # In many positions, most sliders are still surrounded.
    mobile = mobile_sliders(board.diagonals, board.orthogonals, info.sides.own)
    sliders = mobile.diagonals | mobile.orthogonals
    while sliders != ZERO:
        mover = slider_mover(info, notes, king_safety, lsb(sliders))
        squares = special.bishops & mover.as_bishop | special.rooks & mover.as_rook
        tally = add_piece(tables, info, notes, mover, mover.reach & squares, tally)
        sliders = rest(sliders)
    return tally
