"""Kinds of special moves, and their effects on checks and pins."""

from __future__ import annotations

from collections.abc import Iterator

import chess

DIRECT, DISCOVERED = "gives check", "gives a discovered check"
THROUGH_CAPTURED = "gives a discovered check through the captured pawn's square"
ALONG_FILE = "gives a discovered check along the file that it leaves"
ALONG_DIAGONAL = "gives a discovered check along a diagonal that it leaves"
ALONG_RANK = "gives a discovered check along the rank that both pawns leave"
BLOCKS, TAKES_CHECKER = "blocks a check", "captures the checking piece"
PINS, UNPINS = "pins an opponent's piece", "unpins an opponent's piece"
PINS_OWN, UNPINS_OWN = "pins a piece of its own", "unpins a piece of its own"
OF_EN_PASSANT = (THROUGH_CAPTURED, ALONG_FILE, ALONG_DIAGONAL, ALONG_RANK)
"""Discovered checks by en passant."""
SHOWN_AT_ONCE = (DIRECT, DISCOVERED, *OF_EN_PASSANT, PINS, UNPINS)
"""Effects that show in the replies; the others show in the moves after a reply."""
SHOWN_LATER = (BLOCKS, TAKES_CHECKER, PINS_OWN, UNPINS_OWN)

PROMOTIONS = {chess.QUEEN: "queen", chess.ROOK: "rook", chess.BISHOP: "bishop", chess.KNIGHT: "knight"}
COLORS = {chess.WHITE: "White", chess.BLACK: "Black"}
EP_LEFT, EP_RIGHT = "en passant toward the a-file", "en passant toward the h-file"
CASTLING = {chess.A1: "queen-side castling", chess.H1: "king-side castling"}
CORNERS = {chess.A1: "a-file", chess.H1: "h-file"}


def promotion_kind(piece: int, is_capture: bool) -> str:
    """Return the kind of a promotion."""
    return f"promotion to a {PROMOTIONS[piece]} by a {'capture' if is_capture else 'push'}"


def corner_kind(corner: int, from_corner: bool) -> str:
    """Return the kind of a capture of a rook on its corner."""
    by = "the rook of the opposite corner" if from_corner else "another piece"
    return f"capture of the {CORNERS[corner]} rook on its corner by {by}"


DOUBLE_STEP = "double step"
KINDS = (
    *(EP_LEFT, EP_RIGHT),
    *CASTLING.values(),
    DOUBLE_STEP,
    *(promotion_kind(piece, is_capture) for piece in PROMOTIONS for is_capture in (False, True)),
    *(corner_kind(corner, from_corner) for from_corner in (True, False) for corner in CORNERS),
)

_PUSHES, _CAPTURES = ([promotion_kind(piece, is_capture) for piece in PROMOTIONS] for is_capture in (False, True))
_BY_ROOK, _BY_OTHERS = ([corner_kind(corner, from_corner) for corner in CORNERS] for from_corner in (True, False))
IMPOSSIBLE: dict[tuple[str, str], str] = {
    **{(kind, BLOCKS): "the double step opens no line that the capture closes again" for kind in (EP_LEFT, EP_RIGHT)},
    **{
        (kind, effect): "castling is illegal in check, and king and rook leave no line that could open"
        for kind in CASTLING.values()
        for effect in (DISCOVERED, BLOCKS, TAKES_CHECKER)
    },
    **{(kind, TAKES_CHECKER): "a push captures nothing" for kind in (DOUBLE_STEP, *_PUSHES)},
    **{
        (kind, UNPINS): "only a piece on the last rank can be unpinned so, and the new piece pins it again"
        for kind in _PUSHES[:2]
    },
    **{
        (kind, effect): "the target square was occupied, so that it blocks nothing that was open"
        for kind in (*_CAPTURES, *_BY_OTHERS)
        for effect in (BLOCKS, UNPINS)
        if effect == BLOCKS or kind in _CAPTURES
    },
    **{
        (kind, effect): "no line passes through a corner, and both kings stand on the e-file"
        for kind in _BY_ROOK
        for effect in (DISCOVERED, BLOCKS, TAKES_CHECKER, UNPINS, PINS_OWN, UNPINS_OWN)
    },
}
"""Effects that a kind of move cannot have, and why."""


def effects_of(kind: str) -> tuple[str, ...]:
    """Return the effects that a kind of move can have."""
    other = (DISCOVERED,) if kind in (EP_LEFT, EP_RIGHT) else OF_EN_PASSANT
    return tuple(one for one in (*SHOWN_AT_ONCE, *SHOWN_LATER) if one not in other and (kind, one) not in IMPOSSIBLE)


def kind_of(board: chess.Board, move: chess.Move) -> str | None:
    """Return the kind of a special move, or None for any other move."""
    if board.is_en_passant(move):
        return EP_LEFT if chess.square_file(move.to_square) < chess.square_file(move.from_square) else EP_RIGHT
    if board.is_castling(move):
        return CASTLING[chess.A1 if chess.square_file(move.to_square) < 4 else chess.H1]
    if move.promotion:
        return promotion_kind(move.promotion, board.is_capture(move))
    if board.piece_type_at(move.from_square) == chess.PAWN and abs(move.to_square - move.from_square) == 16:
        return DOUBLE_STEP
    if chess.BB_SQUARES[move.to_square] & board.castling_rights & board.occupied_co[not board.turn]:
        from_corner = bool(chess.BB_SQUARES[move.from_square] & board.castling_rights)
        return corner_kind(chess.A1 if chess.square_file(move.to_square) == 0 else chess.H1, from_corner)
    return None


def effects_at_once(board: chess.Board, move: chess.Move) -> set[str]:
    """Return those effects of a legal special move that show in the replies."""
    after = board.copy(stack=False)
    after.push(move)
    found = set()
    if after.is_check():
        is_double = chess.popcount(after.checkers_mask()) > 1  # each of the two checks would hide the other
        if not is_double and any(
            not after.is_legal(reply) for reply in after.generate_pseudo_legal_moves(~after.kings)
        ):
            found |= set(_checks(board, move, after))
    else:
        found |= {PINS} if any(_new_pins(board, after, move)) else set()
    return found | ({UNPINS} if any(_lifted_pins(board, after, after, move)) else set())


def effects_later(board: chess.Board, move: chess.Move, reply: chess.Move) -> set[str]:
    """Return those effects of a legal special move that show in the moves after a reply."""
    after = board.copy(stack=False)
    after.push(move)
    end = after.copy(stack=False)
    end.push(reply)
    if end.is_check() or not any(one.from_square != end.king(end.turn) for one in end.legal_moves):
        return set()
    found = set()
    if (checkers := board.checkers_mask()) and not checkers & board.kings:
        found.add(TAKES_CHECKER if _captured(board, move) & checkers else BLOCKS)
    here = set(_new_pins(board, after, move, color=board.turn))
    if here & set(_new_pins(board, end, move, color=board.turn)):
        found.add(PINS_OWN)
    if any(_lifted_pins(board, after, end, move, color=board.turn)):
        found.add(UNPINS_OWN)
    return found


def _checks(board: chess.Board, move: chess.Move, after: chess.Board) -> Iterator[str]:
    king, arrived = after.king(after.turn), after.occupied_co[board.turn] & ~board.occupied_co[board.turn]
    for checker in chess.scan_forward(after.checkers_mask()):
        line = chess.between(checker, king) if king is not None else 0
        if chess.BB_SQUARES[checker] & arrived:
            yield DIRECT
        elif not board.is_en_passant(move):
            yield DISCOVERED
        else:
            yield _discovered_by_en_passant(board, move, line)


def _discovered_by_en_passant(board: chess.Board, move: chess.Move, line: int) -> str:
    if line & _captured(board, move):
        return ALONG_RANK if line & chess.BB_SQUARES[move.from_square] else THROUGH_CAPTURED
    return ALONG_FILE if line & chess.BB_FILES[chess.square_file(move.from_square)] == line else ALONG_DIAGONAL


def _captured(board: chess.Board, move: chess.Move) -> int:
    """Return the square of the captured piece, or 0."""
    if board.is_en_passant(move):
        return chess.BB_SQUARES[chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))]
    return chess.BB_SQUARES[move.to_square] & board.occupied_co[not board.turn]


def _pinned(board: chess.Board, color: bool) -> Iterator[tuple[int, int]]:
    """Yield each pinned piece with the line of its pin."""
    for square in chess.scan_forward(board.occupied_co[color] & ~board.kings):
        if board.is_pinned(color, square):
            yield square, board.pin_mask(color, square)


def _new_pins(
    board: chess.Board, after: chess.Board, move: chess.Move, color: bool | None = None
) -> Iterator[tuple[int, int]]:
    """Yield the pins that a move creates; after en passant, only those through the captured pawn's square.

    The pinned piece has not moved. If its side is to move, it has moves that the pin forbids.
    """
    color = after.turn if color is None else color
    before = dict(_pinned(board, color))
    for square, line in _pinned(after, color):
        if square in before or board.piece_at(square) != after.piece_at(square):
            continue
        if board.is_en_passant(move) and not line & _captured(board, move):
            continue
        moves = after.generate_pseudo_legal_moves(chess.BB_SQUARES[square])
        if after.turn != color or any(not line & chess.BB_SQUARES[one.to_square] for one in moves):
            yield square, line


def _lifted_pins(
    board: chess.Board, after: chess.Board, end: chess.Board, move: chess.Move, color: bool | None = None
) -> Iterator[int]:
    """Yield the pieces that a move has unpinned and that may therefore leave the line of the pin."""
    color = end.turn if color is None else color
    for square, line in _pinned(board, color):
        stays = board.piece_at(square) == after.piece_at(square) == end.piece_at(square)
        if not stays or after.is_pinned(color, square) or end.is_pinned(color, square):
            continue
        moves = end.generate_legal_moves(chess.BB_SQUARES[square])
        if any(not line & chess.BB_SQUARES[one.to_square] for one in moves):
            yield square
