"""A position that is being edited: pieces, side to move, rights and en passant, whether they fit or not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...generator.notation.fen import START_FEN, format_placement
from ...generator.position import Position
from ...generator.types.pieces import Color, Kind, piece_of
from ...generator.types.squares import name_of
from ...generator.validation import FenError

_EMPTY = ((0,) * len(Kind), (0,) * len(Kind))


@dataclass(frozen=True)
class Draft:
    """A position as its editor has it; every change returns another draft."""

    pieces: tuple[tuple[int, ...], tuple[int, ...]]
    turn: Color
    rights: str
    """The castling field without its dash, such as "KQkq"; in Chess960 letters of files, such as "HAha"."""
    en_passant: int | None
    chess960: bool
    halfmove: int = 0
    fullmove: int = 1

    @classmethod
    def of(cls, position: Position) -> Draft:
        """Return a position as a draft."""
        fields = position.fen(castling="shredder" if position.chess960 else "xfen").split()
        rights = fields[2].replace("-", "")
        return cls(
            position.pieces,
            position.turn,
            rights,
            position.en_passant,
            position.chess960,
            position.halfmove,
            position.fullmove,
        )

    @classmethod
    def start(cls) -> Draft:
        """Return the starting position."""
        return cls.of(Position.from_fen(START_FEN))

    def clear(self) -> Draft:
        """Return the empty board."""
        return replace(self, pieces=_EMPTY, rights="", en_passant=None)

    def put(self, square: int, letter: str) -> Draft:
        """Return the draft with the piece of a FEN letter on a square; with "" the square is empty."""
        bare = tuple(tuple(squares & ~(1 << square) for squares in side) for side in self.pieces)
        if letter:
            color, kind = piece_of(letter)
            side = list(bare[color])
            side[kind] |= 1 << square
            bare = (tuple(side), bare[1]) if color is Color.WHITE else (bare[0], tuple(side))
        return replace(self, pieces=(bare[0], bare[1]))

    def other_turn(self) -> Draft:
        """Return the draft with the other side to move; the en passant square goes with the turn."""
        return replace(self, turn=self.turn.other, en_passant=None)

    def toggle_right(self, right: str) -> Draft:
        """Return the draft with a castling right, such as "K", given or taken away."""
        order = "KQkq" if right in "KQkq" else "HGFEDCBAhgfedcba"
        letters = set(self.rights) ^ {right}
        return replace(self, rights="".join(sorted(letters, key=lambda letter: (order + "KQkq").find(letter))))

    def en_passant_at(self, square: int) -> Draft:
        """Return the draft with en passant possible on a square, or, if it was that square, nowhere."""
        return replace(self, en_passant=None if self.en_passant == square else square)

    @property
    def fen(self) -> str:
        """The FEN of the draft, which may be none that can be played."""
        en_passant = "-" if self.en_passant is None else name_of(self.en_passant)
        turn = "w" if self.turn is Color.WHITE else "b"
        placement = format_placement(self.pieces)
        return f"{placement} {turn} {self.rights or '-'} {en_passant} {self.halfmove} {self.fullmove}"

    def position(self) -> Position:
        """Return the position. Raises FenError, which says what is wrong."""
        return Position.from_fen(self.fen, self.chess960)

    @property
    def fault(self) -> str:
        """What keeps the draft from being played; "" where nothing does."""
        try:
            self.position()
        except FenError as error:
            return str(error)
        return ""
