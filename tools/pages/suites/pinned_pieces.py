"""Cases about pinned pieces: they cannot answer a check, but they protect and attack."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from perft_check.suites.case import Case

from .building import build, place

CHECKERS = "pnbrq"
PINS = ("Ke1 re8 kh7", "Ka1 bh8 kh2", "Kb4 rh4 ka7")
"""A king, the slider that pins a piece between them, and the other king."""


def pinned_cases() -> Iterator[Case]:
    """Yield the cases for White, without counts. Faults show in the root moves."""
    for piece in "PNBRQ":
        for checker in CHECKERS:
            for is_capture in (True, False):
                found = next(_answers(piece, checker, is_capture), "")
                if found:
                    verb = "captures" if is_capture else "interposes before"
                    name = f"pinned {piece} {verb} {checker}: {found}"
                    yield build(name, "A pinned piece may not answer a check.", place(found))
    for piece in CHECKERS:
        found = next(_protected(piece))
        name = f"pinned {piece} protects: {found}"
        yield build(name, "A pinned piece still attacks its squares.", place(found))


def _answers(piece: str, checker: str, is_capture: bool) -> Iterator[str]:
    """Yield placements in which a pinned piece could otherwise capture the checking piece or block the check."""
    for pin in PINS:
        king, pinner = (chess.parse_square(word[1:]) for word in pin.split()[:2])
        for square in chess.scan_forward(chess.between(king, pinner)):
            for other in chess.SQUARES:
                pieces = f"{pin} {piece}{chess.square_name(square)} {checker}{chess.square_name(other)}"
                fen = place(pieces)
                board = chess.Board(fen or None)
                if not fen or not board.is_pinned(chess.WHITE, square):
                    continue
                if board.checkers_mask() != chess.BB_SQUARES[other]:
                    continue
                wanted = chess.BB_SQUARES[other] if is_capture else chess.between(king, other)
                if any(board.generate_pseudo_legal_moves(chess.BB_SQUARES[square], wanted)):
                    yield pieces


def _protected(piece: str) -> Iterator[str]:
    """Yield placements in which a pinned piece protects a knight next to the opponent's king."""
    for square in chess.scan_forward(chess.between(chess.H1, chess.H8)):
        for target in chess.SQUARES:
            for king in chess.scan_forward(chess.BB_KING_ATTACKS[target]):
                names = map(chess.square_name, (king, square, target))
                pieces = "K{} Rh1 kh8 {}{} n{}".format(next(names), piece, *names)
                fen = place(pieces)
                board = chess.Board(fen or None)
                is_protected = fen and board.attackers_mask(chess.BLACK, target) == chess.BB_SQUARES[square]
                if is_protected and board.is_pinned(chess.BLACK, square) and not board.is_check():
                    yield pieces
