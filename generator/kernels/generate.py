"""The list kernel, which writes the moves of a GenType to a buffer; its design is modeled on Stockfish.

One generic body takes the GenType as an argument. Each specialization below passes a constant and inlines the body, so
that the compiler folds every `gentype == ...` away, as with C++ templates.

All GenTypes but LEGAL are pseudo-legal: moves may leave our own king in check. LEGAL filters EVASIONS or NON_EVASIONS.
Moves are appended to a buffer of `MAX_MOVES` half-words at address `moves`; each step takes and returns `count`, the
number of moves written so far.
"""

from __future__ import annotations

import numpy as np

from .attacks import (
    NOT_FILE_A,
    NOT_FILE_H,
    between,
    bishop_attacks,
    bishop_rays,
    is_attacked,
    king_attacks,
    knight_attacks,
    line,
    reach_of,
    rook_attacks,
    rook_rays,
    their_pawn_attacks,
)
from .board import Board, ours, theirs
from .castling import free_castling, king_target, rook_target
from .encoding import (
    BISHOP,
    CAPTURES,
    CASTLING,
    EN_PASSANT,
    EVASIONS,
    KIND_MASK,
    KNIGHT,
    LEGAL,
    NON_EVASIONS,
    PROMOTION,
    QUEEN,
    QUIET_CHECKS,
    QUIETS,
    ROOK,
    bit,
    encode,
    origin_of,
    target_of,
)
from .machine.bits import ALL, ONE, ZERO, load16, lsb, popcount, rest, store16
from .machine.jit import inline, kernel, subroutine
from .pawns import RANK_3, RANK_7, RANK_8
from .safety import en_passant_is_safe, king_safety, lone_blockers
from .sliders.lookup import Tables

_2, _7, _8, _9, _16 = (np.uint64(number) for number in (2, 7, 8, 9, 16))
_FILE = np.uint64(0x0101010101010101)


@inline
def _append(moves: np.uint64, count: np.uint64, move: np.uint64) -> np.uint64:
    store16(moves, count, move)
    return count + ONE


@inline
def _append_targets(moves: np.uint64, count: np.uint64, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Append a normal move from `origin` to each of `targets`."""
    while targets != ZERO:
        count = _append(moves, count, encode(origin, lsb(targets)))
        targets = rest(targets)
    return count


@inline
def _append_pawns(moves: np.uint64, count: np.uint64, targets: np.uint64, up: np.uint64) -> np.uint64:
    """Append a normal move to each of `targets`, which are `up` squares above their origins."""
    while targets != ZERO:
        target = lsb(targets)
        count = _append(moves, count, encode(target - up, target))
        targets = rest(targets)
    return count


@inline
def make_promotions(
    gentype: np.uint64, moves: np.uint64, count: np.uint64, targets: np.uint64, up: np.uint64, knight_checks: np.uint64
) -> np.uint64:
    """Append the promotions that belong to `gentype` on each of `targets`.

    Promotions to a queen belong to CAPTURES and all others to QUIETS, whether they capture or not. Of the promotions
    that give direct check, only those to a knight are QUIET_CHECKS, because a queen gives all other checks.
    """
    while targets != ZERO:
        target = lsb(targets)
        move = PROMOTION | encode(target - up, target)
        if gentype == CAPTURES or gentype == EVASIONS or gentype == NON_EVASIONS:
            count = _append(moves, count, move | QUEEN)
        if gentype == QUIETS or gentype == EVASIONS or gentype == NON_EVASIONS:
            count = _append(moves, count, move | ROOK)
            count = _append(moves, count, move | BISHOP)
            count = _append(moves, count, move | KNIGHT)
        if gentype == QUIET_CHECKS and bit(target) & knight_checks != ZERO:
            count = _append(moves, count, move | KNIGHT)
        targets = rest(targets)
    return count


@inline
def generate_pawn_moves(
    tables: Tables,
    board: Board,
    gentype: np.uint64,
    target: np.uint64,
    occupied: np.uint64,
    their: np.uint64,
    discoverers: np.uint64,
    moves: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Append pawn moves: pushes, promotions, captures, en passant.

    `target` limits the target squares; `discoverers` are our pieces that stand alone between one of our sliders and the
    opponent's king (both as in `generate_all`).
    """
    on_7, not_on_7 = board.pawns & RANK_7, board.pawns & ~RANK_7
    # A pawn may capture any piece if we are not in check; an evasion must capture the checker.
    enemies = their & target if gentype == EVASIONS else their
    empty = ~occupied
    their_king = lsb(board.their_king)

    if gentype != CAPTURES:
        single = not_on_7 << _8 & empty
        double = (single & RANK_3) << _8 & empty
        # The mask is applied last, because a double push may block a check even if the single push does not.
        if gentype == EVASIONS:
            single &= target
            double &= target
        if gentype == QUIET_CHECKS:
            direct = their_pawn_attacks(board.their_king)
            # A push of a discoverer opens a line to the king unless it is on the king's file.
            opening = (not_on_7 & discoverers & ~(_FILE << (their_king & _7))) << _8 & empty
            opening_twice = (opening & RANK_3) << _8 & empty
            single = single & direct | opening
            double = double & direct | opening_twice
        count = _append_pawns(moves, count, single, _8)
        count = _append_pawns(moves, count, double, _16)

    # A promotion evades check by capturing the checker, or by a push between checker and king on rank 8.
    if on_7 != ZERO and (gentype != EVASIONS or target & RANK_8 != ZERO):
        checks = knight_attacks(tables, their_king)
        pushes = on_7 << _8 & empty
        if gentype == EVASIONS:
            pushes &= target
        count = make_promotions(gentype, moves, count, (on_7 & NOT_FILE_H) << _9 & enemies, _9, checks)
        count = make_promotions(gentype, moves, count, (on_7 & NOT_FILE_A) << _7 & enemies, _7, checks)
        count = make_promotions(gentype, moves, count, pushes, _8, checks)

    if gentype == CAPTURES or gentype == EVASIONS or gentype == NON_EVASIONS:
        count = _append_pawns(moves, count, (not_on_7 & NOT_FILE_H) << _9 & enemies, _9)
        count = _append_pawns(moves, count, (not_on_7 & NOT_FILE_A) << _7 & enemies, _7)
        if board.en_passant != ZERO:
            # In check, an en passant capture must capture the checker or land between the checker and our king.
            if gentype != EVASIONS or target & (board.en_passant | board.en_passant >> _8) != ZERO:
                takers = their_pawn_attacks(board.en_passant) & board.pawns
                while takers != ZERO:
                    count = _append(moves, count, EN_PASSANT | encode(lsb(takers), lsb(board.en_passant)))
                    takers = rest(takers)
    return count


@inline
def generate_moves(
    tables: Tables,
    board: Board,
    gentype: np.uint64,
    target: np.uint64,
    occupied: np.uint64,
    discoverers: np.uint64,
    moves: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Append the moves of knights, bishops, rooks and queens.

    For QUIET_CHECKS, only direct checks by pieces that are not discoverers are appended here.
    """
    # For other GenTypes, these masks have no effect, and the compiler removes them.
    checking_knight, checking_bishop, checking_rook = ALL, ALL, ALL
    still = ZERO
    if gentype == QUIET_CHECKS:
        their_king = lsb(board.their_king)
        checking_knight = knight_attacks(tables, their_king)
        checking_bishop = bishop_attacks(tables, their_king, occupied)
        checking_rook = rook_attacks(tables, their_king, occupied)
        still = discoverers

    pieces = board.knights & ~still
    while pieces != ZERO:
        origin = lsb(pieces)
        count = _append_targets(moves, count, origin, knight_attacks(tables, origin) & target & checking_knight)
        pieces = rest(pieces)
    # Queens are in both slider bitboards. They have a separate loop so that their moves are adjacent, as in Stockfish.
    pieces = board.diagonals & ~board.orthogonals & ~still
    while pieces != ZERO:
        origin = lsb(pieces)
        reach = bishop_attacks(tables, origin, occupied) & target & checking_bishop
        count = _append_targets(moves, count, origin, reach)
        pieces = rest(pieces)
    pieces = board.orthogonals & ~board.diagonals & ~still
    while pieces != ZERO:
        origin = lsb(pieces)
        reach = rook_attacks(tables, origin, occupied) & target & checking_rook
        count = _append_targets(moves, count, origin, reach)
        pieces = rest(pieces)
    pieces = board.diagonals & board.orthogonals & ~still
    while pieces != ZERO:
        origin = lsb(pieces)
        reach = bishop_attacks(tables, origin, occupied) | rook_attacks(tables, origin, occupied)
        count = _append_targets(moves, count, origin, reach & target & (checking_bishop | checking_rook))
        pieces = rest(pieces)
    return count


@inline
def _castling_gives_check(tables: Tables, board: Board, king: np.uint64, rook: np.uint64, occupied: np.uint64) -> bool:
    """Return True if the castled rook attacks the opponent's king from its new square.

    King or rook may have stood in between. No other piece can give a discovered check, because a line through squares
    of the back rank runs along that rank, on which king and rook now stand side by side.
    """
    rook_to = bit(rook_target(king, rook))
    after = occupied ^ board.king ^ bit(rook) | rook_to | bit(king_target(king, rook))
    return bool(rook_attacks(tables, lsb(board.their_king), after) & rook_to != ZERO)


@inline
def generate_castling(
    tables: Tables,
    board: Board,
    gentype: np.uint64,
    own: np.uint64,
    occupied: np.uint64,
    orthogonal_pins: np.uint64,
    moves: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Append the legal castling moves.

    The paths of king and rook must be empty, the king's path must not be attacked, and in Chess960 the rook must not be
    pinned.
    """
    king = lsb(board.king)
    rooks = free_castling(tables, board, own, king, occupied) & ~orthogonal_pins
    while rooks != ZERO:
        rook = lsb(rooks)
        king_to = king_target(king, rook)
        path = between(tables, king, king_to) | bit(king_to)
        safe = True
        while path != ZERO:
            # The king need not be removed first: a slider that attacks through its square would give check, but we are
            # not in check.
            if is_attacked(tables, board, lsb(path), occupied):
                safe = False
            path = rest(path)
        if safe and (gentype != QUIET_CHECKS or _castling_gives_check(tables, board, king, rook, occupied)):
            count = _append(moves, count, CASTLING | encode(king, rook))
        rooks = rest(rooks)
    return count


@inline
def generate_all(
    tables: Tables,
    board: Board,
    gentype: np.uint64,
    target: np.uint64,
    orthogonal_pins: np.uint64,
    discoverers: np.uint64,
    moves: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Append all moves of a GenType that end on `target`, except the king's evasions.

    `orthogonal_pins` are our orthogonal pin lines; `discoverers` are used only for QUIET_CHECKS.
    """
    own, their = ours(board), theirs(board)
    occupied = own | their
    count = generate_pawn_moves(tables, board, gentype, target, occupied, their, discoverers, moves, count)
    count = generate_moves(tables, board, gentype, target, occupied, discoverers, moves, count)
    if gentype != QUIET_CHECKS and gentype != EVASIONS:
        king = lsb(board.king)
        count = _append_targets(moves, count, king, king_attacks(tables, king) & target)
    # Castling never captures and is illegal in check.
    if gentype != CAPTURES and gentype != EVASIONS and board.castling & own != ZERO:
        count = generate_castling(tables, board, gentype, own, occupied, orthogonal_pins, moves, count)
    return count


@subroutine
def generate_captures(tables: Tables, board: Board, moves: np.uint64) -> np.uint64:
    """Write all captures and queen promotions; return their number. We must not be in check."""
    return generate_all(tables, board, CAPTURES, theirs(board), ZERO, ZERO, moves, ZERO)


@subroutine
def generate_quiets(tables: Tables, board: Board, orthogonal_pins: np.uint64, moves: np.uint64) -> np.uint64:
    """Write all non-captures and underpromotions; return their number. We must not be in check."""
    return generate_all(tables, board, QUIETS, ~(ours(board) | theirs(board)), orthogonal_pins, ZERO, moves, ZERO)


@subroutine
def generate_non_evasions(tables: Tables, board: Board, orthogonal_pins: np.uint64, moves: np.uint64) -> np.uint64:
    """Write all pseudo-legal moves; return their number. We must not be in check."""
    return generate_all(tables, board, NON_EVASIONS, ~ours(board), orthogonal_pins, ZERO, moves, ZERO)


@subroutine
def generate_quiet_checks(tables: Tables, board: Board, orthogonal_pins: np.uint64, moves: np.uint64) -> np.uint64:
    """Write all quiet moves and knight promotions that give check; return their number.

    We must not be in check. Discoverers move first, to any empty square. If our king is a discoverer, it must not move
    to any line through the opponent's king: a step along the same line opens nothing, and the only squares on another
    line are next to the opponent's king.
    """
    own, their = ours(board), theirs(board)
    occupied = own | their
    their_king = lsb(board.their_king)
    sliders = rook_rays(tables, their_king) & board.orthogonals | bishop_rays(tables, their_king) & board.diagonals
    discoverers = lone_blockers(tables, their_king, sliders, occupied) & own
    count = ZERO
    pieces = discoverers & ~board.pawns
    while pieces != ZERO:
        origin = lsb(pieces)
        reach = reach_of(tables, board, origin, occupied)
        if bit(origin) == board.king:
            reach |= king_attacks(tables, origin) & ~(rook_rays(tables, their_king) | bishop_rays(tables, their_king))
        count = _append_targets(moves, count, origin, reach & ~occupied)
        pieces = rest(pieces)
    return generate_all(tables, board, QUIET_CHECKS, ~occupied, orthogonal_pins, discoverers, moves, count)


@subroutine
def generate_evasions(tables: Tables, board: Board, checkers: np.uint64, moves: np.uint64) -> np.uint64:
    """Write all check evasions; return their number. `checkers` are the pieces that give check."""
    own = ours(board)
    king = lsb(board.king)
    lines = ZERO
    sliders = checkers & (board.their_diagonals | board.their_orthogonals)
    # The king must not step along the line of a checking slider, not even away from it, because the slider attacks
    # through the square that the king leaves. The king may capture the slider, so the slider's square is excluded from
    # the line.
    while sliders != ZERO:
        checker = lsb(sliders)
        lines |= line(tables, checker, king) ^ bit(checker)
        sliders = rest(sliders)
    count = _append_targets(moves, ZERO, king, king_attacks(tables, king) & ~own & ~lines)
    # Only a king move evades a double check.
    if rest(checkers) != ZERO:
        return count
    target = between(tables, lsb(checkers), king) | checkers
    return generate_all(tables, board, EVASIONS, target & ~own, ZERO, ZERO, moves, count)


@inline
def _is_legal(tables: Tables, board: Board, king: np.uint64, occupied: np.uint64, move: np.uint64) -> bool:
    """Return True if a king move, a pinned piece's move or an en passant capture leaves the king safe."""
    origin, target = origin_of(move), target_of(move)
    if move & KIND_MASK == EN_PASSANT:
        return en_passant_is_safe(tables, board, king, occupied, bit(origin))
    if origin == king:
        return not is_attacked(tables, board, target, occupied ^ board.king)
    # A pinned piece must stay on the line through the king and the slider, which is the line through the king and the
    # piece.
    return bool(line(tables, king, origin) & bit(target) != ZERO)


@inline
def generate_legal(tables: Tables, board: Board, moves: np.uint64) -> np.uint64:
    """Write all legal moves; return their number."""
    own = ours(board)
    occupied = own | theirs(board)
    king = lsb(board.king)
    safety = king_safety(tables, board, king, occupied)
    if safety.checkers == ZERO:
        found = generate_non_evasions(tables, board, safety.orthogonal_pins, moves)
    else:
        found = generate_evasions(tables, board, safety.checkers, moves)
    # Only these moves can leave the king in check; castling was tested when it was generated.
    suspects = board.king | (safety.orthogonal_pins | safety.diagonal_pins) & own
    count = ZERO
    if safety.checkers == ZERO and suspects | board.en_passant == board.king:
        # Only king moves can be illegal here. They come last, except for at most two castling moves.
        last = popcount(king_attacks(tables, king) & ~own) + _2
        count = found - last if found > last else ZERO
    for index in range(count, found):
        move = load16(moves, np.uint64(index))
        kind = move & KIND_MASK
        # The filter works in place: a written move is kept only if `count` is incremented.
        store16(moves, count, move)
        if (bit(origin_of(move)) & suspects == ZERO and kind != EN_PASSANT) or kind == CASTLING:
            count += ONE
        elif _is_legal(tables, board, king, occupied, move):
            count += ONE
    return count


@kernel
def generate(tables: Tables, board: Board, gentype: np.uint64, moves: np.uint64) -> np.uint64:
    """Write the moves of `gentype` to the buffer at address `moves` and return their number.

    The caller must ensure the preconditions: EVASIONS only in check, LEGAL always, all others only if not in check.
    """
    if gentype == LEGAL:
        return generate_legal(tables, board, moves)
    if gentype == CAPTURES:
        return generate_captures(tables, board, moves)
    occupied = ours(board) | theirs(board)
    safety = king_safety(tables, board, lsb(board.king), occupied)
    if gentype == QUIETS:
        return generate_quiets(tables, board, safety.orthogonal_pins, moves)
    if gentype == NON_EVASIONS:
        return generate_non_evasions(tables, board, safety.orthogonal_pins, moves)
    if gentype == QUIET_CHECKS:
        return generate_quiet_checks(tables, board, safety.orthogonal_pins, moves)
    return generate_evasions(tables, board, safety.checkers, moves)
