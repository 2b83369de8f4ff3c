"""Interpret the text of a move in a position, whether the move is legal or not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from ...generator import validation
from ...generator.position import Position
from ...generator.types.pieces import Color, Pieces, PieceType, with_piece, without
from ...generator.types.squares import FILES, RANKS, name_of, square_of
from .rules import Explanation, Rule, because, name_at, the

_MOVE = re.compile(r"([a-z][0-9])([a-z][0-9])([nbrqkp]?)")
_LONGEST_QUOTE = 20


@dataclass(frozen=True)
class AttemptedMove:
    """A move of one of the side to move's pieces, whether legal or not."""

    position: Position
    origin: int
    target: int
    promotion: PieceType | None

    @cached_property
    def kind(self) -> PieceType:
        """The kind of the moving piece."""
        piece = self.position.piece_at(self.origin)
        assert piece is not None, "an attempt starts from a piece"
        return piece[1]

    @property
    def moving(self) -> str:
        """The moving piece, such as "the knight on f3"."""
        return the(self.position, self.origin)

    @property
    def to(self) -> str:
        """The name of the destination."""
        return name_of(self.target)

    @property
    def turn(self) -> Color:
        """The side that moves."""
        return self.position.turn

    @property
    def king(self) -> int:
        """The square of the moving side's king."""
        return self.position.king(self.turn)

    @property
    def files(self) -> int:
        """The number of files that the piece moves toward the h-file; negative if toward the a-file."""
        return self.target % 8 - self.origin % 8

    @property
    def ranks(self) -> int:
        """The number of ranks that the piece moves forward from its own side's point of view; negative if backward."""
        ranks = self.target // 8 - self.origin // 8
        return ranks if self.turn is Color.WHITE else -ranks

    @cached_property
    def occupant(self) -> tuple[Color, PieceType] | None:
        """The piece on the destination."""
        return self.position.piece_at(self.target)

    @property
    def is_capture(self) -> bool:
        """Whether an opponent's piece stands on the destination."""
        return self.occupant is not None and self.occupant[0] is not self.turn

    @cached_property
    def victim(self) -> int | None:
        """The square of the pawn that the move captures en passant, or None."""
        diagonal = self.kind is PieceType.PAWN and abs(self.files) == 1 and self.ranks == 1
        return self.beside if diagonal and self.target == self.position.en_passant else None

    @property
    def beside(self) -> int:
        """The square on the origin's rank and the destination's file, where a pawn captured en passant stands."""
        return self.origin // 8 * 8 + self.target % 8

    def pieces_after(self) -> Pieces:
        """Return the pieces after the move, as if it were neither castling nor a promotion."""
        gone = 1 << self.origin | 1 << self.target
        if self.victim is not None:
            gone |= 1 << self.victim
        return with_piece(without(self.position.pieces, gone), self.turn, self.kind, self.target)

    def king_attackers_after(self) -> int:
        """Return the opponent's pieces, as a bitboard, that attack the moving side's king after the move."""
        king = self.target if self.kind is PieceType.KING else self.king
        return validation.attackers_of(self.pieces_after(), king, self.turn.other)

    def pinner(self) -> int | None:
        """Return the square of the piece that pins the moving piece, or None."""
        lifted = without(self.position.pieces, 1 << self.origin)
        found = validation.attackers_of(lifted, self.king, self.turn.other) & ~self.position.checkers
        return None if self.kind is PieceType.KING or not found else found.bit_length() - 1


def read(position: Position, text: str) -> AttemptedMove | Explanation:
    """Interpret a move text; return an explanation if it moves no piece of the side to move."""
    match = _MOVE.fullmatch(text)
    if text == "0000":
        return because(Rule.NOT_A_MOVE, "The null move 0000 passes the turn, which chess does not allow.")
    if match is None:
        return because(Rule.NOT_A_MOVE, f"{_quote(text)} is not a move, which names two squares, as e2e4 or e7e8q do.")
    for name in match.groups()[:2]:
        if name[0] not in FILES or name[1] not in RANKS:
            return because(Rule.NOT_A_MOVE, f"{_quote(text)} is not a move: the board has no square {name}.")
    origin, target = square_of(match[1]), square_of(match[2])
    piece = position.piece_at(origin)
    if piece is None:
        return because(Rule.NO_PIECE, f"There is no piece on {name_of(origin)} that could move to {name_of(target)}.")
    color, kind = piece
    if color is not position.turn:
        return because(
            Rule.NOT_OWN_PIECE,
            f"The {name_at(position, origin)} on {name_of(origin)} is {color.word}'s, "
            f"but it is {position.turn.word}'s turn to move.",
        )
    # In Chess960, some programs write g1g1 if the king stays on its square when castling.
    if origin == target and kind is not PieceType.KING:
        return same_square(text)
    return AttemptedMove(position, origin, target, PieceType("pnbrqk".index(match[3])) if match[3] else None)


def same_square(text: str) -> Explanation:
    """Explain a text whose two squares are the same."""
    return because(Rule.NOT_A_MOVE, f"{_quote(text)} is not a move: it leads from {text[:2]} to the same square.")


def _quote(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "...")
