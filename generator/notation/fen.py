"""Reading and writing FEN: six fields, with standard, X-FEN and Shredder-FEN castling.

Reading is strict: a malformed FEN is rejected with a message that names the field and the error. `validation` checks
the position.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from .. import validation
from ..types.pieces import Color, Pieces, PieceType, piece_letter, piece_of
from ..types.squares import FILES, name_of, square_of, squares_in
from ..validation import FenError

CastlingStyle = Literal["xfen", "shredder"]

MAX_COUNTER = 99_999
"""Maximum value of a counter; the longest possible game has fewer than 9,000 moves."""

_GAP = re.compile(" +")

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Fields(NamedTuple):
    """The parsed and checked fields of a FEN, from which a `Position` is created."""

    pieces: Pieces
    turn: Color
    castling: int
    en_passant: int | None
    halfmove: int
    fullmove: int
    chess960: bool


def parse_fen(text: str, chess960: bool | None = False) -> Fields:
    """Parse a FEN with six fields, or four (the counters are then 0 and 1), and check the position.

    With `chess960=None`, the position is a Chess960 position if its castling rights require it. Raises FenError, whose
    message says what is wrong.
    """
    parts = text.split()
    if len(parts) > 6:
        raise FenError(f"trailing text after the six fields: {' '.join(parts[6:])!r}")
    if len(parts) not in (4, 6):
        raise FenError(f"a FEN has six fields, or four without the counters, not {len(parts)}")
    pieces = _read_placement(parts[0])
    if parts[1] not in ("w", "b"):
        raise FenError(f"the side to move must be 'w' or 'b', not {parts[1]!r}")
    turn = Color.WHITE if parts[1] == "w" else Color.BLACK
    validation.check_pieces(pieces)
    castling, chess960 = _read_castling(parts[2], pieces, chess960)
    en_passant = _read_en_passant(parts[3])
    counters = parts[4:] or ["0", "1"]
    halfmove = _read_counter(counters[0], "halfmove clock")
    fullmove = max(1, _read_counter(counters[1], "move number"))  # some programs count from 0
    if en_passant is not None:
        validation.check_en_passant(pieces, turn, en_passant)
    validation.check_side_not_to_move(pieces, turn)
    return Fields(pieces, turn, castling, en_passant, halfmove, fullmove, chess960)


def _read_placement(text: str) -> Pieces:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise FenError(f"the board has {len(ranks)} rank{'s' * (len(ranks) != 1)} instead of 8")
    boards = [[0] * 6, [0] * 6]
    for rank, row in zip(range(7, -1, -1), ranks, strict=True):
        file, after_digit = 0, False
        for letter in row:
            if letter in "12345678":
                if after_digit:
                    raise FenError(f"rank {rank + 1} has two numbers in a row: {row!r}")
                file += int(letter)
                after_digit = True
                continue
            try:
                color, kind = piece_of(letter)
            except ValueError:
                raise FenError(f"{letter!r} on rank {rank + 1} is neither a piece nor a digit from 1 to 8") from None
            if file < 8:
                boards[color][kind] |= 1 << (rank * 8 + file)
            file += 1
            after_digit = False
        if file != 8:
            raise FenError(f"rank {rank + 1} has {file} squares instead of 8: {row!r}")
    return tuple(boards[Color.WHITE]), tuple(boards[Color.BLACK])


def _read_castling(text: str, pieces: Pieces, chess960: bool | None) -> tuple[int, bool]:
    """Return the castling rooks, and whether the position is a Chess960 position."""
    if text == "-":
        return 0, bool(chess960)
    rooks = 0
    for letter in text:
        rook = _castling_rook(letter, pieces)
        if rooks >> rook & 1:
            raise FenError(f"castling right given twice: {letter!r} in {text!r}")
        rooks |= 1 << rook
    validation.check_castling_sides(pieces, rooks)
    standard = validation.is_standard_castling(pieces, rooks)
    if chess960 is False and not standard:
        raise FenError(
            f"castling field {text!r} needs Chess960: "
            "in standard chess the king stands on e1 or e8 and the rooks in the corners"
        )
    return rooks, chess960 if chess960 is not None else not standard


def _castling_rook(letter: str, pieces: Pieces) -> int:
    """Return the square of the rook for a letter of the castling field; K and Q stand for the outermost rooks."""
    color = Color.WHITE if letter.isupper() else Color.BLACK
    side = letter.lower()
    king = pieces[color][PieceType.KING].bit_length() - 1
    rooks = [square for square in squares_in(pieces[color][PieceType.ROOK]) if square // 8 == color.back_rank]
    if not letter.isascii() or side not in "kq" + FILES:
        raise FenError(f"{letter!r} is not a castling right: use KQkq, the files of the rooks, or '-'")
    if king // 8 != color.back_rank:
        raise FenError(f"castling right {letter!r} is not possible: {color.word}'s king is on {name_of(king)}")
    if side in FILES:
        where = f"on {side}{color.back_rank + 1}"
        found = [square for square in rooks if square % 8 == FILES.index(side)]
    elif side == "k":
        where = "to the right of the king"
        found = [square for square in rooks if square > king][-1:]
    else:
        where = "to the left of the king"
        found = [square for square in rooks if square < king][:1]
    if not found:
        raise FenError(f"castling right {letter!r} is not possible: {color.word} has no rook {where}")
    return found[0]


def _read_en_passant(text: str) -> int | None:
    if text == "-":
        return None
    try:
        return square_of(text)
    except ValueError:
        raise FenError(f"the en passant field must be a square or '-', not {text!r}") from None


def _read_counter(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_COUNTER))):
        raise FenError(f"the {what} must be a whole number from 0 to {MAX_COUNTER}, not {text!r}")
    return int(text)


def format_fen(fields: Fields, castling: CastlingStyle = "xfen") -> str:
    """Return the six-field FEN.

    With `castling="xfen"`, rights are written as KQkq, or as files if that would be ambiguous; with `"shredder"`, they
    are always written as files.
    """
    rights = _castling_letters(fields.pieces, fields.castling, castling) or "-"
    en_passant = "-" if fields.en_passant is None else name_of(fields.en_passant)
    turn = "w" if fields.turn is Color.WHITE else "b"
    return f"{format_placement(fields.pieces)} {turn} {rights} {en_passant} {fields.halfmove} {fields.fullmove}"


def format_placement(pieces: Pieces) -> str:
    """Return the first field of a FEN."""
    squares = [" "] * 64
    for color in Color:
        for kind in PieceType:
            for square in squares_in(pieces[color][kind]):
                squares[square ^ 56] = piece_letter(color, kind)
    text = "".join(squares)
    rows = (text[start : start + 8] for start in range(0, 64, 8))
    return "/".join(_GAP.sub(lambda gap: str(len(gap[0])), row) for row in rows)


def _castling_letters(pieces: Pieces, castling: int, style: CastlingStyle) -> str:
    letters = ""
    for color in Color:
        king = pieces[color][PieceType.KING].bit_length() - 1
        rooks = [square for square in squares_in(pieces[color][PieceType.ROOK]) if square // 8 == king // 8]
        for rook in reversed(squares_in(castling)):
            if rook // 8 != color.back_rank:
                continue
            outermost = rook == (max(rooks) if rook > king else min(rooks))
            letter = ("k" if rook > king else "q") if style == "xfen" and outermost else FILES[rook % 8]
            letters += letter.upper() if color is Color.WHITE else letter
    return letters
