"""A UCI engine with one mistake that has several symptoms: `python one_mistake.py MISTAKE`.

`letters-up`, `letters-down`   writes promotions with the next letter of PNBRQK, or the one before
`letters-around`               ... with the next letter of NBRQ, q for r and n for q
`wrapping-knights`, `wrapping-kings`, `wrapping-pawns`   these pieces step and attack across the edge of the board
`wings-of-fens`                reads K as Q and k as q, and vice versa
`wings-of-moves`               a rook move removes the right of the other wing
`wings-of-white`, `wings-of-black`   reads the rights of one side so
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import chess
from fakes.uci_engine import UciEngine

SHIFTS = {"letters-up": ("nbrq", "brqk"), "letters-down": ("nbrq", "pnbr"), "letters-around": ("nbrq", "brqn")}
STEPS = {
    "wrapping-knights": (chess.KNIGHT, (6, 10, 15, 17, -6, -10, -15, -17)),
    "wrapping-kings": (chess.KING, (1, 7, 8, 9, -1, -7, -8, -9)),
    "wrapping-pawns": (chess.PAWN, (7, 9)),
}
RANKS = {
    "wings-of-fens": chess.BB_RANK_1 | chess.BB_RANK_8,
    "wings-of-white": chess.BB_RANK_1,
    "wings-of-black": chess.BB_RANK_8,
}
WINGS = {chess.A1: chess.H1, chess.H1: chess.A1, chess.A8: chess.H8, chess.H8: chess.A8}


class Mistaken(UciEngine):
    """The generator, which uses the moves of python-chess except for the mistake."""

    def __init__(self, mistake: str) -> None:
        super().__init__()
        self._mistake = mistake

    def position(self, fen: str, moves: Sequence[str]) -> None:
        board = self.read(fen)
        for text in moves:
            played = next((move for move in self.moves(board) if self.text(move) == text), None)
            if played is None:
                break
            board = self.play(board, played)
        self.board = board

    def read(self, fen: str) -> chess.Board:
        board = chess.Board(fen)
        swapped = board.castling_rights & RANKS.get(self._mistake, 0)
        others = sum(chess.BB_SQUARES[WINGS[square]] for square in chess.scan_forward(swapped))
        board.castling_rights = board.castling_rights & ~swapped | others
        return board

    def moves(self, board: chess.Board) -> list[chess.Move]:
        if self._mistake not in STEPS:
            return [move for move in board.legal_moves if self._has_rook(board, move)]
        found = [move for move in board.pseudo_legal_moves if not board.is_castling(move) or board.is_legal(move)]
        found += [move for move in self._wrapping(board, board.turn) if move not in found]
        return [move for move in found if not self._leaves_king(board, move)]

    def play(self, board: chess.Board, move: chess.Move) -> chess.Board:
        after = board.copy(stack=False)
        after.push(move)
        if self._mistake == "wings-of-moves" and move.from_square in WINGS:
            lost = board.castling_rights & ~after.castling_rights & chess.BB_SQUARES[move.from_square]
            if lost:
                after.castling_rights = board.castling_rights & ~chess.BB_SQUARES[WINGS[move.from_square]]
        return after

    def text(self, move: chess.Move) -> str:
        if self._mistake not in SHIFTS or move.promotion is None:
            return move.uci()
        right, written = SHIFTS[self._mistake]
        return move.uci()[:4] + written[right.index(move.uci()[4])]

    def counts(self, board: chess.Board, depth: int) -> Iterator[tuple[chess.Move, int]]:
        for move in self.moves(board):
            yield move, self.count(self.play(board, move), depth - 1)

    def _has_rook(self, board: chess.Board, move: chess.Move) -> bool:
        if not board.is_castling(move):
            return True
        square = chess.square(7 if board.is_kingside_castling(move) else 0, 0 if board.turn else 7)
        return board.piece_at(square) == chess.Piece(chess.ROOK, board.turn)

    def _wrapping(self, board: chess.Board, color: chess.Color) -> Iterator[chess.Move]:
        kind, steps = STEPS[self._mistake]
        theirs, ours = board.occupied_co[not color], board.occupied_co[color]
        for square in board.pieces(kind, color):
            for step in steps:
                target = square + (step if color or kind != chess.PAWN else -step)
                if not 0 <= target < 64 or chess.square_distance(square, target) < 3:
                    continue
                if kind == chess.PAWN and (chess.square_rank(target) in (0, 7) or not theirs >> target & 1):
                    continue
                if not ours >> target & 1:
                    yield chess.Move(square, target)

    def _leaves_king(self, board: chess.Board, move: chess.Move) -> bool:
        color, after = board.turn, board.copy(stack=False)
        after.push(move)
        king = after.king(color)
        wrapped = any(one.to_square == king for one in self._wrapping(after, not color))
        return king is None or wrapped or after.is_attacked_by(not color, king)


if __name__ == "__main__":
    Mistaken(sys.argv[1]).serve()
