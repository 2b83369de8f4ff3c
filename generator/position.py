"""An immutable chess position: FEN input and output, legal moves, playing a move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

from . import validation
from .notation.fen import MAX_COUNTER, START_FEN, CastlingStyle, Fields, format_fen, parse_fen
from .types import frame
from .types.moves import Move, MoveKind
from .types.pieces import Color, Pieces, PieceType
from .types.squares import squares_in
from .validation import FenError

if TYPE_CHECKING:
    from .kernels.board import Board

EnPassantStyle = Literal["given", "legal"]


def read_fen(fen: str, chess960: bool | None = False) -> Position | FenError:
    """Return the position of a FEN, or a FenError if the FEN is invalid."""
    try:
        return Position.from_fen(fen, chess960)
    except FenError as error:
        return error.with_traceback(None)


class Printer(Protocol):
    """The methods of Hypothesis' and IPython's pretty printers that this module uses."""

    def text(self, text: str, /) -> None:
        """Print text without line breaks."""


@dataclass(frozen=True, repr=False)
class Position:
    """A position of standard chess or Chess960.

    Use `from_fen` to create a position: unlike the constructor, it validates its argument. Squares are numbered from a1
    = 0 to h8 = 63; bitboards have one bit per square.
    """

    pieces: Pieces
    """Bitboards of White and of Black, each indexed by `PieceType`."""
    turn: Color
    castling: int
    """Bitboard of the rooks of both sides with castling rights."""
    en_passant: int | None
    """The square that a pawn has just passed, according to the FEN or the last move, or None."""
    halfmove: int = 0
    """Plies since the last capture or pawn move."""
    fullmove: int = 1
    chess960: bool = False
    """Whether castling moves are read and written as king takes rook."""

    @classmethod
    def from_fen(cls, fen: str, chess960: bool | None = False) -> Position:
        """Return the position of a FEN with six or four fields.

        With `chess960=None`, the castling field determines the variant. Raises FenError, a subclass of ValueError,
        whose message says what is wrong.
        """
        return cls(*parse_fen(fen, chess960))

    @classmethod
    def start(cls) -> Position:
        """Return the starting position of standard chess."""
        return cls.from_fen(START_FEN)

    def fen(self, *, en_passant: EnPassantStyle = "given", castling: CastlingStyle = "xfen") -> str:
        """Return the six-field FEN.

        With `en_passant="legal"`, the en passant square is written only if a legal move uses it; with
        `castling="shredder"`, castling rights are written as the files of the rooks.
        """
        if (en_passant, castling) == ("given", "xfen"):
            return self._fen
        square = self.legal_en_passant if en_passant == "legal" else self.en_passant
        return self._format(square, castling)

    @cached_property
    def _fen(self) -> str:
        """The FEN in the default style, cached because it is requested most often."""
        return self._format(self.en_passant, "xfen")

    def _format(self, square: int | None, castling: CastlingStyle) -> str:
        fields = Fields(self.pieces, self.turn, self.castling, square, self.halfmove, self.fullmove, self.chess960)
        return format_fen(fields, castling)

    def __str__(self) -> str:
        return self.fen()

    def __repr__(self) -> str:
        variant = ", chess960=True" if self.chess960 else ""
        return f"Position.from_fen({self.fen()!r}{variant})"

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:
        """Print the repr in Hypothesis and IPython."""
        printer.text(repr(self))

    def __getstate__(self) -> dict[str, object]:
        """Pickle only the fields: cached values are large and quick to recompute."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def piece_at(self, square: int) -> tuple[Color, PieceType] | None:
        """Return the piece on a square, or None."""
        for color in Color:
            for kind in PieceType:
                if self.pieces[color][kind] >> square & 1:
                    return color, kind
        return None

    @property
    def occupied(self) -> int:
        """Bitboard of all pieces."""
        return validation.occupied_by(self.pieces, Color.WHITE) | validation.occupied_by(self.pieces, Color.BLACK)

    @cached_property
    def checkers(self) -> int:
        """Bitboard of the pieces that give check to the side to move."""
        return validation.checkers_of(self.pieces, self.turn)

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self.checkers != 0

    @cached_property
    def oddities(self) -> list[str]:
        """Reasons why this position is unreachable; empty if none is known."""
        return validation.oddities(self.pieces, self.turn)

    @cached_property
    def board(self) -> Board:
        """The position in the format of the kernels."""
        return frame.to_board(self.pieces, self.turn, self.castling, self.en_passant)

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, in the order of the list kernel."""
        from .generation import generate_moves
        from .types.moves import GenType

        return generate_moves(self, GenType.LEGAL)

    @property
    def legal_en_passant(self) -> int | None:
        """The en passant square if a legal move uses it, otherwise None."""
        if self.en_passant is None:
            return None
        used = any(move.kind is MoveKind.EN_PASSANT for move in self.legal_moves)
        return self.en_passant if used else None

    def is_capture(self, move: Move) -> bool:
        """Return True if a move of this position captures a piece, including en passant."""
        if move.kind is MoveKind.CASTLING:
            return False
        theirs = validation.occupied_by(self.pieces, self.turn.other)
        return bool(theirs >> move.target & 1) or move.kind is MoveKind.EN_PASSANT

    def is_legal(self, move: int) -> bool:
        """Return True if `move`, which may be any integer, is legal; no moves are generated (see `legality`)."""
        from .generation import is_legal_move

        return is_legal_move(self, move)

    def play(self, move: Move) -> Position:
        """Return the position after a legal move.

        A double pawn push always sets the en passant square. Raises ValueError if the move is illegal.
        """
        if move not in self.legal_moves:
            raise ValueError(f"{move.uci(self.chess960)} is not legal in {self.fen()}")
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> Position:
        """Return the position after a pseudo-legal move, without checking the move."""
        import numpy as np

        from .kernels.play import board_after

        turn, other = self.turn, self.turn.other
        board = board_after(self.board, np.uint64(frame.flip_move(move, turn)))
        is_pawn = bool(self.pieces[turn][PieceType.PAWN] >> move.origin & 1)
        double_step = is_pawn and abs(move.target - move.origin) == 16
        return Position(
            pieces=frame.pieces_of(board, other),
            turn=other,
            castling=frame.seen_by(int(board.castling), other),
            en_passant=(move.origin + move.target) // 2 if double_step else None,
            halfmove=0 if is_pawn or self.is_capture(move) else min(self.halfmove + 1, MAX_COUNTER),
            fullmove=min(self.fullmove + turn, MAX_COUNTER),
            chess960=self.chess960,
        )

    def king(self, color: Color) -> int:
        """Return the square of the king of `color`."""
        return squares_in(self.pieces[color][PieceType.KING])[0]

    def parse_uci(self, text: str) -> Move:
        """Parse a legal move in UCI notation; see `notation.parse_uci`."""
        from .notation.moves import parse_uci

        return parse_uci(self, text)

    def parse_san(self, text: str) -> Move:
        """Parse a legal move in SAN; see `notation.parse_san`."""
        from .notation.moves import parse_san

        return parse_san(self, text)

    def san(self, move: Move) -> str:
        """Return a legal move in standard algebraic notation; see `notation.format_san`."""
        from .notation.moves import format_san

        return format_san(self, move)
