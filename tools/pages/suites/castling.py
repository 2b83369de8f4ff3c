"""The suite `chess960-castling`: castling with king and rook on every pair of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import chess
from perft_check.suites.case import Case

from .building import build, count_cases, place, suite_text
from .mirrored import turn

NAME = "chess960-castling"
ABOUT = "castling with king and rook on every pair of files."
FILES = "abcdefgh"
MOST_NODES = 150
"""Counts of depth 2 with more nodes are left out."""
FAR: Sequence[str] = ("kb8", "kg8", "kd8", "ke7", "kh6", "ka6")
"""Possible squares of the other king."""
BESIDE = {(4, 7): "kb8 ra8", (4, 0): "kf8 rg8"}
"""The opponent's pieces if king and rook are on their standard squares; they make the position Chess960."""


@dataclass(frozen=True)
class Wing:
    """A king that may castle with one rook, on the first rank; squares are numbers of files."""

    king: int
    rook: int

    @property
    def is_short(self) -> bool:
        """True if the rook is to the right of the king."""
        return self.rook > self.king

    @property
    def king_path(self) -> list[int]:
        """The squares that the king crosses, and its destination."""
        return _between(self.king, 6 if self.is_short else 2)

    @property
    def rook_path(self) -> list[int]:
        """The squares that the rook crosses, and its destination."""
        return _between(self.rook, 5 if self.is_short else 3)

    @property
    def needed(self) -> list[int]:
        """The squares that must be empty."""
        return sorted({*self.king_path, *self.rook_path} - {self.king, self.rook})

    @property
    def name(self) -> str:
        """The squares of king and rook."""
        return f"K{FILES[self.king]}1 R{FILES[self.rook]}1"

    def fen(self, pieces: str = "") -> str:
        """Return the FEN with additional pieces, or "" if there is no square for the other king."""
        right, beside = FILES[self.rook].upper(), BESIDE.get((self.king, self.rook), "")
        rights = right + beside[-2:-1]
        placed = (place(f"{self.name} {pieces} {other}", rights=rights) for other in (FAR if not beside else [beside]))
        quiet = (fen for fen in placed if fen and (pieces or not chess.Board(fen, chess960=True).is_check()))
        return next(quiet, "")


def _between(origin: int, target: int) -> list[int]:
    """Return the squares from `origin` to `target`, excluding `origin`."""
    step = 1 if target > origin else -1
    return list(range(origin + step, target + step, step)) if target != origin else []


WINGS = [Wing(king, rook) for king in range(1, 7) for rook in range(8) if rook != king]


def castling_text() -> str:
    """Return the text of the suite."""
    return suite_text(NAME, castling_cases(), ABOUT)


def castling_cases() -> Iterator[Case]:
    """Yield all cases. Both colors castle from each pair of files, with alternating obstacles."""
    free, others = list(_free()), chain(_blocked(), _attacked(), _pinned())
    yield from count_cases(free, MOST_NODES, 2)
    alternating = (turn(case, number % 2) for number, case in enumerate(others))
    yield from count_cases(chain((turn(case, 1) for case in free), alternating), MOST_NODES, 1)


def _free() -> Iterator[Case]:
    for wing in WINGS:
        moves = f"{FILES[wing.king]}1{FILES[wing.rook]}1"
        yield _case(f"{wing.name}, free", "Castling moves king and rook.", wing.fen(), moves)


def _blocked() -> Iterator[Case]:
    """Yield cases with a piece on a square that only the king, only the rook, or neither of them needs."""
    for wing in WINGS:
        king_only = [one for one in wing.needed if one not in wing.rook_path]
        rook_only = [one for one in wing.needed if one not in wing.king_path]
        free = [one for one in range(8) if one not in (*wing.needed, wing.king, wing.rook)]
        for squares, about in (
            (king_only, "A piece blocks only the path of the king."),
            (rook_only, "A piece blocks only the path of the rook."),
            (free, "A piece stands outside the paths of king and rook."),
        ):
            if squares and (fen := wing.fen(f"N{FILES[squares[0]]}1")):
                yield _case(f"{wing.name}, piece on {FILES[squares[0]]}1", about, fen)


def _attacked() -> Iterator[Case]:
    """Yield cases with an attack on a square that the king crosses or reaches, or that only the rook uses."""
    for wing in WINGS:
        rook_only = [one for one in (*wing.rook_path, wing.rook) if one not in (*wing.king_path, wing.king)]
        for squares, about in (
            (wing.king_path[-1:], "The king's destination is attacked."),
            (wing.king_path[:-1][-1:], "The king would cross an attacked square."),
            (rook_only[:1], "Only the rook crosses an attacked square."),
        ):
            if squares and (fen := wing.fen(f"r{FILES[squares[0]]}5")):
                yield _case(f"{wing.name}, {FILES[squares[0]]}1 attacked", about, fen)


def _pinned() -> Iterator[Case]:
    """Yield cases in which the rook shields its king, so that castling may expose the king."""
    for wing in WINGS:
        edge = 7 if wing.is_short else 0
        if wing.rook != edge and (fen := wing.fen(f"q{FILES[edge]}1")):
            about = "The rook shields its king from a queen."
            yield _case(f"{wing.name}, queen on {FILES[edge]}1", about, fen)


def _case(name: str, about: str, fen: str, moves: str = "") -> Case:
    return build(name, about, fen, moves, chess960=True)
