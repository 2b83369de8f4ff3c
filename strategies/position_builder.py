"""A builder that adds pieces to a position one at a time, without disturbing those already placed.

Positions are built for White to move (`US`); at the end, colors may be swapped and files mirrored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ..generator.kernels.geometry import KING_STEPS, Direction, ray
from ..generator.position import Position
from ..generator.reachability.attacks import attack_map, attacks, between, origins
from ..generator.symmetry import turn_position
from ..generator.types.pieces import Color, Pieces, PieceType
from ..generator.types.squares import squares_in
from .common import DrawFunction, below, choose

T = TypeVar("T")

US, THEM = Color.WHITE, Color.BLACK
EVERYWHERE = 0xFFFFFFFFFFFFFFFF
BACK_RANKS = 0xFF000000000000FF
INNER_FILES = 0x7E7E7E7E7E7E7E7E
"""Files b to g, on which pieces have diagonals to both sides."""
SLIDERS = (PieceType.ROOK, PieceType.BISHOP, PieceType.QUEEN)
OFFICERS = (PieceType.KNIGHT, PieceType.BISHOP, PieceType.ROOK, PieceType.QUEEN)
ALL_BUT_KING = (*OFFICERS, PieceType.PAWN)
CORNERS = 0x8100000000000081
A_FILE = 0x0101010101010101
RANKS = tuple(0xFF << 8 * rank for rank in range(8))
"""Bitboards of the ranks, from the first to the eighth."""
ALONG_FILE: tuple[Direction, ...] = ((0, 1), (0, -1))
OFF_FILE = tuple(direction for direction in KING_STEPS if direction[0])
SLANTED_UP: tuple[Direction, ...] = ((1, 1), (-1, 1))
"""Directions along a file, all other directions, and the capture directions of White's pawns."""


class NoRoom(Exception):
    """Raised if no square is left for the next piece."""


def bits(squares: Iterable[int]) -> int:
    """Return the bitboard of some squares."""
    board = 0
    for square in squares:
        board |= 1 << square
    return board


def reverse(direction: Direction) -> Direction:
    """Return the opposite direction."""
    return -direction[0], -direction[1]


def sliders_along(direction: Direction) -> tuple[PieceType, PieceType]:
    """Return the two piece types that slide in a direction."""
    return (PieceType.BISHOP if direction[0] and direction[1] else PieceType.ROOK), PieceType.QUEEN


class PositionBuilder:
    """Builds a position from drawn squares; `kept` is the bitboard of squares that must stay empty.

    `may_mirror` is False if the files must not be mirrored in the result.
    """

    def __init__(self, draw: DrawFunction, chess960: bool = False) -> None:
        self.draw = draw
        self.chess960 = chess960
        self.pieces = ([0] * 6, [0] * 6)
        self.occupied = 0
        self.kept = 0
        self.castling = 0
        self.en_passant: int | None = None
        self.may_mirror = True

    # Drawing

    def choose(self, options: Sequence[T]) -> T:
        """Draw one of `options`. Raises NoRoom if it is empty."""
        if not options:
            raise NoRoom
        return choose(self.draw, options)

    def flag(self) -> bool:
        """Draw a bool."""
        return bool(self.draw(below(2)))

    def pick(self, squares: int = EVERYWHERE) -> int:
        """Draw one of `squares` that is empty and not reserved. Raises NoRoom if there is none.

        Squares shrink toward the center of the board, where lines have room on both sides.
        """
        free = squares_in(squares & EVERYWHERE & ~self.occupied & ~self.kept)
        middle = len(free) // 2
        return self.choose(free[middle:] + free[:middle])

    # Placing

    def place(self, color: Color, kind: PieceType, square: int) -> int:
        """Put a piece on a square, regardless of what it attacks, and return the square. Raises NoRoom."""
        if self.occupied >> square & 1:
            raise NoRoom
        self.pieces[color][kind] |= 1 << square
        self.occupied |= 1 << square
        return square

    def put(self, color: Color, kind: PieceType, squares: int = EVERYWHERE, check: bool = False) -> int:
        """Put a piece on one of `squares`; unless `check`, it does not attack the opposing king there."""
        return self.place(color, kind, self.pick(self.allowed_squares(color, kind, squares, check)))

    def allowed_squares(self, color: Color, kind: PieceType, squares: int = EVERYWHERE, check: bool = False) -> int:
        """Return those of `squares` on which `put` may put a piece."""
        squares &= EVERYWHERE & ~self.occupied & ~self.kept
        if kind is PieceType.PAWN:
            squares &= ~BACK_RANKS
        if kind is PieceType.KING:
            squares &= ~self.attacked_squares(color.other)
        king = self.king(color.other)
        if king is not None and not check:
            squares &= ~origins(color, kind, king, self.occupied)
        return squares

    def keep(self, *squares: int) -> None:
        """Reserve squares so that they stay empty."""
        self.kept |= bits(squares)

    def keep_between(self, first: int, second: int) -> None:
        """Reserve the empty squares between two squares so that they stay empty."""
        self.kept |= between(first, second) & ~self.occupied

    def put_on_line(
        self,
        king: Color,
        slider: Color,
        through: Sequence[int],
        directions: Sequence[Direction] = KING_STEPS,
        king_among: int = EVERYWHERE,
        slider_among: int = EVERYWHERE,
    ) -> tuple[int, int]:
        """Put a king and a slider at the ends of a line through given squares, with nothing else between them.

        The direction of the line, from king to slider, is drawn from `directions`. If several squares are given, they
        must lie on such a line. A king already on the board is not moved. Return the squares of king and slider.
        """
        standing = self.king(king)
        room = 0 if standing is not None else self.allowed_squares(king, PieceType.KING, king_among)
        options = []
        for direction in directions:
            first, last = _ends(through, direction)
            ahead = self.reach(last, direction) & slider_among
            if standing is None:
                behind = self.reach(first, reverse(direction)) & room
            else:
                seen = first_occupied(first, reverse(direction), self.occupied)
                behind = 1 << standing if seen == standing else 0
            if ahead and behind:
                options.append((direction, ahead, behind))
        direction, ahead, behind = self.choose(options)
        end = self.place(king, PieceType.KING, self.pick(behind)) if standing is None else standing
        other_end = self.place(slider, self.choose(sliders_along(direction)), self.pick(ahead))
        self.keep_between(end, other_end)
        return end, other_end

    def put_last_mover(self) -> None:
        """Put a black pawn that may have made the last move, because Black's king and rooks have not moved."""
        self.put(THEM, PieceType.PAWN, RANKS[3] | RANKS[4])

    # Looking

    @property
    def sides(self) -> Pieces:
        """The pieces of both sides, in the format of `Position.pieces`."""
        return tuple(self.pieces[US]), tuple(self.pieces[THEM])

    def reach(self, square: int, direction: Direction) -> int:
        """Return the unreserved squares along a ray up to, but not including, its first piece."""
        board = 0
        for target in ray(square, direction):
            if self.occupied >> target & 1:
                break
            board |= 1 << target
        return board & ~self.kept

    def king(self, color: Color) -> int | None:
        """Return the square of a king, or None if the king is not on the board yet."""
        board = self.pieces[color][PieceType.KING]
        return board.bit_length() - 1 if board else None

    def king_of(self, color: Color) -> int:
        """Return the square of a king; a king not on the board yet is put on a safe square."""
        square = self.king(color)
        return self.put(color, PieceType.KING) if square is None else square

    def attacked_squares(self, color: Color) -> int:
        """Return all squares that a side attacks."""
        return attack_map(color, self.pieces[color], self.occupied)

    def put_attacker(
        self,
        color: Color,
        target: int,
        kinds: Sequence[PieceType] = OFFICERS,
        among: int = EVERYWHERE,
        spare: int = 0,
        check: bool = False,
    ) -> int:
        """Put a piece of one of `kinds` on a square from which it attacks `target` but no square of `spare`."""
        options = [
            (kind, square)
            for kind in kinds
            for square in squares_in(
                self.allowed_squares(color, kind, among & origins(color, kind, target, self.occupied), check)
            )
            if not spare or not attacks(color, kind, square, self.occupied | 1 << target) & spare
        ]
        kind, square = self.choose(options)
        self.place(color, kind, square)
        self.keep_between(square, target)
        return square

    # Finishing

    def complete(self) -> None:
        """Put missing kings on safe squares."""
        for color in Color:
            self.king_of(color)

    def crowd(self, bystanders: Iterable[int]) -> None:
        """Add pieces, encoded as integers, where they give no check and occupy no reserved square."""
        for number in bystanders:
            square, piece = number % 64, number // 64
            color, kind = Color(piece % 2), PieceType(piece // 2 % 5)
            if self.allowed_squares(color, kind, 1 << square):
                self.place(color, kind, square)

    def position(self, flags: int, counters: tuple[int, int]) -> Position:
        """Return the position transformed by `flags` as in `turn_position`, with a halfmove clock and move number."""
        halfmove, fullmove = counters
        if not self.may_mirror:
            flags &= 1
        position = Position(
            self.sides,
            US,
            self.castling,
            self.en_passant,
            0 if self.en_passant is not None else halfmove,
            fullmove,
            self.chess960,
        )
        return turn_position(position, flags)


TURNED = below(4)
"""The `flags` of `PositionBuilder.position`: 1 swaps colors, 2 mirrors files."""


def _ends(squares: Sequence[int], direction: Direction) -> tuple[int, int]:
    """Return the first and last of some squares along a direction."""
    along = sorted(squares, key=lambda square: square % 8 * direction[0] + square // 8 * direction[1])
    return along[0], along[-1]


def first_occupied(square: int, direction: Direction, occupied: int) -> int | None:
    """Return the first occupied square on a ray, or None if all are empty."""
    return next((target for target in ray(square, direction) if occupied >> target & 1), None)


Template = Callable[[PositionBuilder], object]
"""A function that puts only the pieces that its event needs. Kings may be left out. Raises NoRoom."""
