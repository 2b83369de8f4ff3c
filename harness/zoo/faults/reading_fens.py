"""Faults of reading a FEN that show only with FENs that no engine is sent."""

# ruff: noqa: D102 - a fault overrides what its base describes, and its docstring says how

from __future__ import annotations

from dataclasses import replace

from ....generator.position import Position
from ....generator.types.pieces import Color, Kind
from ....generator.types.squares import square_of, squares_in
from ....generator.validation import FenError
from ..fault import fault
from ..seeded.subjects import FaultySubject


class FaultyRights(FaultySubject):
    """Reads the letters K, Q, k and q as the rook that `choice` picks."""

    def read(self, fen: str, chess960: bool) -> Position:
        """Return the position of a FEN."""
        position = super().read(fen, chess960)
        rights = position.castling
        for letter in sorted({*"KQkq"} & {*fen.split()[2]}):
            color = Color.WHITE if letter.isupper() else Color.BLACK
            rooks = self._rooks(position, color, to_the_right=letter in "Kk")
            true = next(rook for rook in rooks if position.castling >> rook & 1 and rook // 8 == color.back_rank)
            chosen = self.choice(rooks, color, position.king(color))
            if chosen != true:
                self.note_reached()
                rights ^= 1 << true | 1 << chosen
        return replace(position, castling=rights)

    def choice(self, rooks: list[int], color: Color, king: int) -> int:
        """Return the rook that a letter means, of all rooks on this side of the king, on any rank."""
        raise NotImplementedError

    def _rooks(self, position: Position, color: Color, to_the_right: bool) -> list[int]:
        king = position.king(color) % 8
        rooks = squares_in(position.pieces[color][Kind.ROOK])
        return [rook for rook in rooks if rook % 8 != king and (rook % 8 > king) is to_the_right]


@fault("xfen-inner-rook", ids="F18", effect="state", fen="4k3/8/8/8/8/8/8/4K1RR w K - 0 1", chess960=True)
class XfenInnerRook(FaultyRights):
    """The letter K of a FEN is read as the first rook from the king, not as the outermost."""

    def choice(self, rooks: list[int], color: Color, king: int) -> int:
        return min((rook for rook in rooks if rook // 8 == color.back_rank), key=lambda rook: abs(rook - king))


@fault("xfen-rook-of-any-rank", ids="F19", effect="state", fen="4k3/8/8/8/8/7R/8/4K1R1 w K - 0 1", chess960=True)
class XfenRookOfAnyRank(FaultyRights):
    """The outermost rook of a FEN's letter K is looked for on all ranks."""

    def choice(self, rooks: list[int], color: Color, king: int) -> int:
        return max(rooks, key=lambda rook: (abs(rook % 8 - king % 8), -rook))


@fault("fen-nine-ranks", ids="FE06", effect="crash", fen="8/8/8/8/8/8/8/8/4k2K w - - 0 1")
class FenNineRanks(FaultySubject):
    """A ninth rank in a FEN is written beyond the board."""

    def read(self, fen: str, chess960: bool) -> Position:
        if fen.partition(" ")[0].count("/") > 7:
            self.note_reached()
            raise IndexError("rank -1")
        return super().read(fen, chess960)


@fault("fen-bad-ep-accepted", ids="FE09", effect="state", fen="4k3/8/8/8/8/8/8/4K3 w - e6 0 1")
class FenBadEnPassantAccepted(FaultySubject):
    """A position is validated before its en passant square is known, so any square will do."""

    def read(self, fen: str, chess960: bool) -> Position:
        fields = fen.split()
        try:
            return super().read(fen, chess960)
        except FenError:
            position = super().read(" ".join([*fields[:3], "-", *fields[4:]]), chess960)
            self.note_reached()
            return replace(position, en_passant=square_of(fields[3]))
