"""Cases about pinned pawns: en passant by each slider from each side, pushes, and captures of the pinning piece."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from perft_check.suites.case import Case

from .building import build, place

SLIDERS = {"rank": "rq", "file": "rq", "diagonal": "bq"}
"""The pieces that pin along a rank, a file and a diagonal."""
EN_PASSANT: tuple[tuple[str, str, str], ...] = (
    ("rank", "Ka5 Pc5 pd5 {}h5 ke1", "d6"),
    ("rank", "Ka5 pc5 Pd5 {}h5 ke1", "c6"),
    ("rank", "Kb5 Pc5 pd5 {}e5 kh1", "d6"),
    ("file", "Ke1 Pe5 pd5 {}e8 kh3", "d6"),
    ("file", "Ke8 Pe5 pd5 {}e1 kh3", "d6"),
    ("diagonal", "Kg3 Pe5 pd5 {}c7 ka1", "d6"),
    ("diagonal", "Kd4 Pe5 pd5 {}g7 ka1", "d6"),
    ("diagonal", "Kg7 Pe5 pd5 {}c3 kh1", "d6"),
)
"""The line of a slider, the pieces with a placeholder for the slider, and the en passant square."""
HARMLESS = {
    "a bishop on the rank": "Ka5 Pc5 pd5 bh5 kg1",
    "a knight before a rook": "Ka5 Pc5 pd5 nf5 rh5 kg1",
    "a knight before a queen": "Ka5 Pc5 pd5 nf5 qh5 kg1",
    "the king beside its pawn": "Kb5 Pc5 pd5 kh5",
}
"""Ranks on which nothing attacks the king after both pawns have left."""
PUSHES: tuple[tuple[str, str], ...] = (
    ("file", "Ke1 Pe2 {}e7 nd3 nf3 kh8"),
    ("file", "Kd1 Pd4 {}d8 nc5 kh6"),
    ("file", "Kd8 Pd6 {}d1 nc7 kh1"),
    ("file", "Kd6 Pd7 {}d8 nc8 kg1"),
    ("rank", "Ka7 Pd7 {}h7 ne8 kg1"),
    ("rank", "Ka2 Pd2 {}h2 ne3 kg8"),
    ("diagonal", "Kb1 Pc2 {}e4 nb3 kh8"),
    ("diagonal", "Ka5 Pb6 {}d8 na7 kh1"),
)
"""Pins along which a pawn may advance, and pins along which it may not."""


def pin_cases() -> Iterator[Case]:
    """Yield the cases for White, without counts. Faults show in the root moves."""
    for line, pieces, square in EN_PASSANT:
        for slider in SLIDERS[line]:
            yield _en_passant(f"{slider} pins along a {line}", pieces.format(slider), square)
    for name, pieces in HARMLESS.items():
        yield _en_passant(name, pieces, "d6")
    for line, pieces in PUSHES:
        for slider in SLIDERS[line]:
            placed = pieces.format(slider)
            yield build(f"pawn pinned along a {line}: {placed}", "A pinned pawn stays on the line.", place(placed))


def capture_cases() -> Iterator[Case]:
    """Yield cases with a pawn on each file that may capture the piece that pins it, with and without promotion."""
    for rank in (5, 7):
        for file in range(1, 7):
            for side in (-1, 1):
                for slider in SLIDERS["diagonal"]:
                    yield _capture(chess.square(file, rank - 1), side, slider)


def _en_passant(name: str, pieces: str, square: str) -> Case:
    fen = place(pieces, en_passant=square)
    return build(f"en passant to {square}, {name}: {pieces}", "En passant may expose the king.", fen)


def _capture(pawn: int, side: int, slider: str) -> Case:
    """Return a case with a pawn between its king and a slider, and a knight that the pawn may not capture."""
    king, pinner, other = (chess.square_name(pawn + step) for step in (-8 - side, 8 + side, 8 - side))
    fens = (place(f"K{king} P{chess.square_name(pawn)} {slider}{pinner} n{other} k{far}") for far in ("a1", "h1", "d1"))
    name = f"pawn on {chess.square_name(pawn)} takes {slider} on {pinner}, which pins it"
    return build(name, "A pinned pawn may capture the pinning piece.", next(fen for fen in fens if fen))
