"""A UCI engine that counts correctly and prints FENs and hash keys, with one fault or none: `python keyed.py FAULT`."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import chess
from fakes.uci_engine import UciEngine

MASK = 2**64 - 1


def word(*parts: object) -> int:
    """Return the random word of one feature."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big")


class Keyed(UciEngine):
    """Keeps its key up to date by the features that a move changes."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault
        self.key = 0

    def hear(self, line: str) -> None:
        if line.split() == ["d"]:
            assert self.board is not None
            print(f"Fen: {self.board.fen(shredder=self.board.chess960, en_passant='fen')}\nKey: {self.key:016X}")
        else:
            super().hear(line)

    def features(self, board: chess.Board) -> Iterator[tuple[object, ...]]:
        """Yield what the key is made of."""
        for square, piece in board.piece_map().items():
            if self.fault == "no-king" and piece.piece_type == chess.KING:
                continue
            color = None if self.fault == "colors-alike" else piece.color
            kind = chess.QUEEN if self.fault == "rook-is-queen" and piece.piece_type == chess.ROOK else piece.piece_type
            yield "piece", square & ~7 if self.fault == "no-files" else square, color, kind
        if self.fault != "no-turn":
            yield "turn", board.turn
        for square in chess.SquareSet(board.castling_rights if self.fault != "no-rights" else 0):
            yield "right", "any" if self.fault == "one-word-for-rights" else square
        is_noted = board.has_legal_en_passant() if self.fault != "useless-en-passant" else board.ep_square is not None
        if is_noted and self.fault != "no-en-passant":
            yield "en passant", board.ep_square

    def whole(self, board: chess.Board) -> int:
        """Return the key of a position, made from all its features."""
        key = 0
        for feature in self.features(board):
            key ^= word(*feature)
        return key

    def set_up(self, board: chess.Board, moves: Sequence[str]) -> None:
        self.board, self.key = board, self.whole(board)
        for number, text in enumerate(moves):
            move = board.parse_uci(text)
            before = set(self.features(board))
            wrong = self.left(board, move)
            board.push(move)
            for feature in before ^ set(self.features(board)):
                self.key ^= word(*feature)
            self.key ^= wrong
            if self.fault == "counts-moves":
                self.key ^= word("number", number, text)

    def left(self, board: chess.Board, move: chess.Move) -> int:
        """Return what the fault leaves in the key that should have gone, or takes from it."""
        match self.fault:
            case "en-passant-victim-stays" if board.is_en_passant(move):
                return word("victim", move.to_square)
            case "captured-piece-stays" if board.is_capture(move) and not board.is_en_passant(move):
                return word("captured", move.to_square)
            case "promoted-pawn-stays" if move.promotion:
                return word("pawn", move.to_square)
            case "castled-rook-stays" if board.is_castling(move):
                return word("rook", move.to_square)
            case "right-of-captured-rook-stays" if chess.BB_SQUARES[move.to_square] & board.castling_rights:
                return 0 if board.is_castling(move) else word("right", move.to_square)
        return 0


if __name__ == "__main__":
    Keyed(sys.argv[1]).serve()
