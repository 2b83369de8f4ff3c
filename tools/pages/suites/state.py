"""Cases about what a move has to change besides the board: castling rights and the en passant square.

An engine that forgets to change them is correct until a later move.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress, product

import chess
from perft_check.suites.case import Case

from .building import build, place

EN_PASSANT_LEFT = {
    "king-side castling": ("Ke1 Rh1 Pf2 ke8 rh8", "Kk", "e1g1 e8g8"),
    "queen-side castling": ("Ke1 Ra1 Pd2 ke8 ra8", "Qq", "e1c1 e8c8"),
    "a king": ("Ke1 ke8", "-", "e1f2 e8f7"),
    "a queen": ("Ke1 Qb1 ke8 qb8", "-", "b1b2 b8b7"),
    "a rook": ("Ke1 Rh1 ke8 rh8", "Kk", "h1h3 h8h6"),
    "a bishop": ("Ke1 Bf1 ke8 bf8", "-", "f1e2 f8e7"),
    "a knight": ("Ke1 Nb1 ke8 nb8", "-", "b1a3 b8a6"),
    "a capture": ("Ke1 Nb3 Ph2 ke8 na5 rh8", "k", "b3a5 h8h2"),
    "a capture by a pawn": ("Ke1 Pa4 Ph4 ke8 pb5 pg5", "-", "a4b5 g5h4"),
    "a step of a pawn": ("Ke1 Pa2 ke8 pa7", "-", "a2a3 a7a6"),
    "a double step": ("Ke1 Pa2 ke8 pa7", "-", "a2a4 a7a5"),
    "a promotion": ("Ke1 Ph7 ke8 ph2", "-", "h7h8n h2h1n"),
    "a capture that promotes": ("Ke1 Ph7 Ng1 ke8 ng8 ph2", "-", "h7g8b h2g1b"),
}
"""Pieces, castling rights, and a move of each side that does not capture on the en passant square."""
PAWNS, SQUARE = "Pe5 pd5 pc7", "d6"
"""Pawns after a double step, and the en passant square, on which the black pawn on c7 must not capture."""
EXCHANGES = {"h": ("Ke1 Rh1 ke8 rh8", "h1h8", "Kk"), "a": ("Ke1 Ra1 ke8 ra8", "a1a8", "Qq")}
"""Rooks that face each other from corner to corner, and the capture of one by the other."""
RECAPTURES = {"h": "rg8 bg7 ng6 qd4", "a": "rb8 bb7 nb6 qd5"}
"""The pieces that then recapture in the corner, and stand there when the king could castle if it had the right."""
REPLACEMENTS = {"h": "Rg1 Be4 Ng3 Qd5", "a": "Rb1 Bd4 Nb3 Qf6"}
"""The pieces that move to the other corner, which the capturing rook has left."""
BY_KING = {
    "h": ("Kg7 ke8 rh8 nc4", "g7h8 c4e5 h8h7 e5f7 h7g6 f7h8 g6g5"),
    "a": ("Kb7 ke8 ra8 ne4", "b7a8 e4d6 a8a7 d6c4 a7a6 c4b6 a6a5 b6a8 a5a4"),
}
"""A king that captures a rook in its corner; a knight stands there when the other king could otherwise castle."""

TRANSPOSITIONS: dict[str, tuple[int, str, bool]] = {
    "the right of h1": (5, "k7/1p6/1P1p4/3P4/8/2p2p1p/2P2P1P/1B2K2R w K - 0 1", True),
    "the right of a1": (5, "7k/6p1/6P1/3p4/1p1P4/pPp2p2/P1P2P2/R3K1B1 w Q - 0 1", True),
    "the en passant square, one ply": (4, "8/3p4/2p5/2P4p/7P/1p6/1P5k/K7 b - - 0 1", True),
    "the en passant square, two plies": (5, "7k/4p1p1/6Pp/5P1P/6pK/6P1/8/8 b - - 0 1", True),
    "a captured pawn": (6, "7k/6p1/3p2P1/3P1pK1/5P2/8/8/8 w - - 0 1", True),
    "the rook of h1": (5, "7k/6p1/3p2P1/3P2p1/6Pp/4p2P/4P3/4K2R w K - 0 1", False),
    "the rook of a1": (5, "k7/1p6/1P6/8/5p2/p3pPp1/P3P1P1/R3KB2 w Q - 0 1", False),
}
"""Small trees whose positions differ only in one respect, with the depth, and whether both colors are asked about.

A hash table whose keys ignore this difference returns the count of one position for the other.
"""
BOTH_WINGS = "k7/1p6/1P6/8/6P1/p2p1p1p/P2P1P1P/R3K2R w KQ - 0 1"
"""A king that may castle on both wings, either at once or after a pawn move, which some engines list after castling."""


def rights_cases() -> Iterator[Case]:
    """Yield cases in which rooks are exchanged in the corners, after which other pieces stand there."""
    about = "The right is lost with its rook, even if another piece stands in the corner."
    for file, (pieces, capture, rights) in EXCHANGES.items():
        for piece in RECAPTURES[file].split():
            fen = place(f"{pieces} {piece}", rights=rights)
            moves = f"{capture} {piece[1:]}{file}8 e1e2"
            yield build(f"rooks exchanged on {file}8, {piece[0]} recaptures", about, fen, moves)
        for piece in REPLACEMENTS[file].split():
            fen = place(f"{pieces} {RECAPTURES[file].split()[1]} {piece}", rights=rights)
            moves = f"{capture} {RECAPTURES[file].split()[1][1:]}{file}8 {piece[1:]}{file}1 e8e7"
            yield build(f"rooks exchanged on {file}8, {piece[0]} comes to {file}1", about, fen, moves)
        pieces, moves = BY_KING[file]
        yield build(f"king takes on {file}8, n comes there", about, place(pieces, rights=rights[1]), moves)


def field_cases() -> Iterator[Case]:
    """Yield a case for every castling field that a FEN of standard chess may have."""
    for kept in product((True, False), repeat=4):
        rights = "".join(compress("KQkq", kept))
        fen = place("Ke1 Ra1 Rh1 Pa2 Ph2 ke8 ra8 rh8 pa7 ph7", rights=rights or "-")
        yield build(f"castling rights {rights or 'none'}", "Each castling right is independent of the others.", fen)


def tree_cases() -> Iterator[tuple[int, bool, Case]]:
    """Yield small trees, each with the depth of its count, and whether it is counted for both colors."""
    about = "Castling on one wing is undone before castling on the other."
    yield 3, True, build("castling on both wings", about, BOTH_WINGS)
    for part, (depth, fen, is_for_both) in TRANSPOSITIONS.items():
        about = "The hash key must distinguish these positions."
        yield depth, is_for_both, build(f"key without {part}", about, fen)


def en_passant_cases() -> Iterator[Case]:
    """Yield cases with moves of each kind, after which neither side may capture en passant."""
    for name, (pieces, rights, moves) in EN_PASSANT_LEFT.items():
        fen = place(f"{pieces} {PAWNS}", chess.WHITE, rights=rights, en_passant=SQUARE)
        for played, who in ((moves.split()[0], "White"), (moves, "both")):
            about = "The en passant square disappears after any other move."
            yield build(f"en passant given up by {who} for {name}", about, fen, played)
