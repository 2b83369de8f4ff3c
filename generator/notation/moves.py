"""Moves as text: UCI in both castling notations, and standard algebraic notation (SAN)."""

from __future__ import annotations

import re
from typing import Protocol, Self

from ..types.moves import Move, MoveKind
from ..types.pieces import Color, Pieces, PieceType
from ..types.squares import FILES, RANKS, name_of

_UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
_SAN = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)(x?)([a-h][1-8])(?:=?([NBRQ]))?")


class Playable(Protocol):
    """The methods of `Position` that notation needs."""

    @property
    def turn(self) -> Color:
        """The side to move."""

    @property
    def pieces(self) -> Pieces:
        """Bitboards of White and of Black, each indexed by `PieceType`."""

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check."""

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves."""

    def piece_at(self, square: int) -> tuple[Color, PieceType] | None:
        """Return the piece on a square, or None."""

    def is_capture(self, move: Move) -> bool:
        """Return True if a move takes a piece."""

    def play(self, move: Move) -> Self:
        """Return the position after a legal move."""

    def fen(self) -> str:
        """Return the FEN."""


def parse_uci(position: Playable, text: str) -> Move:
    """Parse a legal move in UCI notation.

    Castling may be written as a king move of two squares (e1g1) or as king takes rook (e1h1), regardless of the
    notation of the position. If e1g1 is also an ordinary king step, it is parsed as the step. Raises ValueError if the
    text is malformed or the move is illegal.
    """
    if not _UCI.fullmatch(text):
        raise ValueError(f"{text!r} is not a move in UCI notation, such as e2e4 or e7e8q")
    for chess960 in (True, False):
        for move in position.legal_moves:
            if move.uci(chess960) == text:
                return move
    raise ValueError(f"{text} is not legal in {position.fen()}")


def format_san(position: Playable, move: Move) -> str:
    """Return a legal move in SAN, with + for check and # for mate. Raises ValueError if the move is illegal."""
    child = position.play(move)
    mark = "" if not child.in_check else "+" if child.legal_moves else "#"
    return _without_check_mark(position, move) + mark


def _without_check_mark(position: Playable, move: Move) -> str:
    if move.kind is MoveKind.CASTLING:
        return "O-O" if move.target > move.origin else "O-O-O"
    piece = position.piece_at(move.origin)
    assert piece is not None, "a legal move starts from a piece"
    takes = "x" if position.is_capture(move) else ""
    target = name_of(move.target)
    if piece[1] is PieceType.PAWN:
        start = FILES[move.origin % 8] if takes else ""
        promotion = f"={move.promotion.letter.upper()}" if move.promotion is not None else ""
        return f"{start}{takes}{target}{promotion}"
    return f"{piece[1].letter.upper()}{_disambiguation(position, move, piece[1])}{takes}{target}"


def _disambiguation(position: Playable, move: Move, kind: PieceType) -> str:
    """Return the file, the rank or both, whichever is needed to distinguish a move from similar moves."""
    rivals = [
        other.origin
        for other in position.legal_moves
        if other.target == move.target
        and other.origin != move.origin
        and other.kind is not MoveKind.CASTLING
        and position.pieces[position.turn][kind] >> other.origin & 1
    ]
    file, rank = FILES[move.origin % 8], RANKS[move.origin // 8]
    if not rivals:
        return ""
    if all(rival % 8 != move.origin % 8 for rival in rivals):
        return file
    if all(rival // 8 != move.origin // 8 for rival in rivals):
        return rank
    return file + rank


def parse_san(position: Playable, text: str) -> Move:
    """Parse a legal move in SAN.

    Trailing check marks and annotations (+ # ! ?), a superfluous or missing x and superfluous disambiguation are
    ignored. O-O may be written with zeros. Raises ValueError if the text is malformed or the move is illegal or
    ambiguous.
    """
    bare = text.rstrip("+#!?")
    if bare.replace("0", "O") in ("O-O", "O-O-O"):
        king_side = len(bare) == 3
        found = [
            move
            for move in position.legal_moves
            if move.kind is MoveKind.CASTLING and (move.target > move.origin) is king_side
        ]
    else:
        match = _SAN.fullmatch(bare)
        if match is None:
            raise ValueError(f"{text!r} is not a move in algebraic notation, such as Nf3 or exd8=Q")
        found = [move for move in position.legal_moves if _matches(position, move, match)]
    if not found:
        raise ValueError(f"{text} is not legal in {position.fen()}")
    if len(found) > 1:
        choices = ", ".join(format_san(position, move) for move in found)
        raise ValueError(f"{text} is ambiguous in {position.fen()}: {choices}")
    return found[0]


def _matches(position: Playable, move: Move, match: re.Match[str]) -> bool:
    letter, file, rank, _, target, promotion = match.groups()
    piece = position.piece_at(move.origin)
    return (
        piece is not None
        and move.kind is not MoveKind.CASTLING
        and piece[1].letter.upper() == (letter or "P")
        and name_of(move.target) == target
        and file in ("", FILES[move.origin % 8])
        and rank in ("", RANKS[move.origin // 8])
        and (move.promotion.letter.upper() if move.promotion is not None else None) == promotion
    )
