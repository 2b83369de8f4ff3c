"""Narrow variants of castling-right faults: each concerns only one kind of piece of one color.

They also determine the sweep, so that it detects more than the faults that happen to be in the zoo.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess
from perft_check.generator.counting.perft import perft
from perft_check.generator.position import Position
from perft_check.harness.zoo.boards import back_rank_of, origin_of, target_of
from perft_check.harness.zoo.fault import Demonstration, Fault
from perft_check.harness.zoo.faults.rights import RightsGenerator, RookPresent
from perft_check.suites.case import Case

KINDS = {
    chess.PAWN: "pawn",
    chess.KNIGHT: "knight",
    chess.BISHOP: "bishop",
    chess.ROOK: "rook",
    chess.QUEEN: "queen",
    chess.KING: "king",
}
COLORS = {chess.WHITE: "white", chess.BLACK: "black"}
MOST_NODES = 15_000
"""Maximum nodes of a question about a small tree."""
_LOCKED_KING = {chess.H8: "k", chess.G7: "p", chess.G6: "P"}
_LOCKED_PAWNS = {chess.D3: "p", chess.D2: "P"}
_CORNERS = {chess.H1: (chess.G1, {chess.A3: "p", chess.A2: "P"}), chess.A1: (chess.B1, {chess.H3: "p", chess.H2: "P"})}
"""For each castling rook, the square of another rook next to it, and blocked pawns on the other wing."""


class _LeavesRight(RookPresent):
    """A capture by one kind of piece of one color keeps the castling right of the captured rook."""

    kind, color = chess.PAWN, chess.WHITE

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        """Return the captured rook, or later any piece that moves to its square."""
        if board.turn is not self.color:
            return board.castling_rights & target_of(move) & back_rank_of(board) & ~board.kings
        is_kind = board.piece_type_at(move.from_square) == self.kind
        return board.castling_rights & board.occupied_co[not board.turn] & target_of(move) if is_kind else 0


class _EndsRights(RightsGenerator):
    """A move by one kind of piece of one color ends the castling rights of its side."""

    kind, color = chess.PAWN, chess.WHITE

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        """Return the rooks of the side to move."""
        is_it = board.turn is self.color and board.piece_type_at(move.from_square) == self.kind
        return board.castling_rights & board.occupied_co[board.turn] if is_it else 0


class _EndsOtherRight(RightsGenerator):
    """A rook's capture by one kind of piece of one color also ends the right of the other rook."""

    kind, color = chess.PAWN, chess.WHITE

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        """Return the castling rooks of the opponent if one of them is captured."""
        rooks = board.castling_rights & board.occupied_co[not board.turn]
        is_it = board.turn is self.color and board.piece_type_at(move.from_square) == self.kind
        return rooks if is_it and rooks & target_of(move) else 0


class _KeepsOwn(RookPresent):
    """A capture by a king or rook of one color leaves the castling rights that it should end."""

    kind, color = chess.KING, chess.WHITE

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        """Return the rooks whose rights the move should have ended."""
        is_it = board.turn is self.color and board.piece_type_at(move.from_square) == self.kind
        if not is_it:
            return 0
        if not board.is_capture(move):  # the king or rook returns
            return board.castling_rights & (target_of(move) | (board.occupied_co[board.turn] & ~origin_of(move)))
        return board.castling_rights & board.occupied_co[board.turn]


_VARIANTS = {
    "capture by a {} leaves the right": (_LeavesRight, tuple(KINDS)),
    "move of a {} ends the rights": (_EndsRights, (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)),
    "capture by a {} ends both rights": (_EndsOtherRight, (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)),
    "capture by a {} leaves its own right": (_KeepsOwn, (chess.KING, chess.ROOK)),
}


def narrow_faults() -> dict[str, Fault]:
    """Return the narrow variants of faults by name; they are not part of the zoo."""
    faults: dict[str, Fault] = {}
    for text, (base, kinds) in _VARIANTS.items():
        for kind in kinds:
            for color in (chess.WHITE, chess.BLACK):
                name = text.format(f"{COLORS[color]} {KINDS[kind]}")
                seeded = type(base.__name__, (base,), {"kind": kind, "color": color})
                shows = Demonstration(chess.STARTING_FEN, 1)
                faults[name] = Fault(name, "", seeded, "state", (), shows, (), "castling rights")
    return faults


def small_trees() -> Iterator[Case]:
    """Yield, for each kind of piece, color and wing, the smallest tree in which it captures a rook."""
    for rook, (other, pawns) in _CORNERS.items():
        for kind in KINDS:
            yield from _smallest(
                f"{KINDS[kind]} takes {chess.square_name(rook)}", _positions_of_capture(rook, other, pawns, kind)
            )


def _positions_of_capture(rook: int, other: int, pawns: dict[int, str], kind: int) -> Iterator[Position]:
    """Yield positions in which a piece may capture the rook, and the rook next to it may recapture."""
    for square in range(64):
        pieces = {**_LOCKED_KING, **_LOCKED_PAWNS, **pawns, chess.E1: "K", rook: "R", other: "R"}
        if kind == chess.KING:
            pieces = {at: piece for at, piece in pieces.items() if at not in _LOCKED_KING}
        if square in pieces:
            continue
        pieces[square] = chess.piece_symbol(kind)
        board = chess.Board(None)
        board.set_piece_map({at: chess.Piece.from_symbol(piece) for at, piece in pieces.items()})
        board.turn, board.castling_rights = chess.BLACK, chess.BB_SQUARES[rook]
        takes = any(move.from_square == square and move.to_square == rook for move in board.legal_moves)
        if board.is_valid() and takes:
            yield Position.from_fen(board.fen())


def _smallest(name: str, positions: Iterator[Position]) -> Iterator[Case]:
    """Yield the position with the smallest tree of four plies, if it is small enough, for both colors."""
    counted = sorted((perft(position, 4), position.fen()) for position in positions)
    if counted and counted[0][0] <= MOST_NODES:
        board = chess.Board(counted[0][1])
        for one in (board, board.mirror()):
            yield Case(f"small tree: {COLORS[one.turn]} {name}", Position.from_fen(one.fen()), (), "zoo")
