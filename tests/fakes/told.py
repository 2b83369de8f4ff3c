"""A generator with one fault that is easily reported as several, or with an incorrect explanation.

`python told.py FAULT [totals]` speaks UCI; with `totals` it prints no root moves.

`backward-pawns`, `harmless-pawns`   incorrect attacks on kings
`k-for-knight`, `k-and-none`   writes promotions to a knight with k, and those to a queen without a letter
`pawn-stays`              a pawn that should promote stays, and the turn passes
`room-for-N`              its list ends after N moves
`hyphen-is-q`, `hyphen-is-q-unseen`   reads castling rights `-` as q, if there is a rook on a8, or in any case
`parity`                  derives the side to move from the number of moves, not from the FEN
`kept-table`              the keys of its hash table depend on squares and not on pieces
`every-second`             every second move is missing
`crashes-without-king`    the king may be left attacked by a knight, and the program crashes once it is captured
`hangs-without-king`      ... or hangs
`fifty`, `seventy-five`, `dead`   games end at 50 or 75 moves without progress, and if neither side can mate
`fifty-is-a-leaf`         ... and such a position counts as one node, below the root
`dead-is-a-leaf`          ... the same
`threefold`               ... or if a position of the game occurs for the third time
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.uci_engine import UciEngine


class BackwardPawns(chess.Board):
    """Enemy pawns attack backwards."""

    def attackers_mask(self, color: chess.Color, square: chess.Square, occupied: int | None = None) -> int:
        occupied = self.occupied if occupied is None else occupied
        found = super().attackers_mask(color, square, occupied) & ~self.pawns
        pawns = self.pawns & self.occupied_co[color]
        return found | pawns & chess.BB_PAWN_ATTACKS[color][square]

    def is_legal(self, move: chess.Move) -> bool:
        return self.is_pseudo_legal(move) and not self.leaves_king(move)

    def leaves_king(self, move: chess.Move) -> bool:
        color, after = self.turn, self.copy(stack=False)
        after.push(move)
        king = after.king(color)
        return king is not None and bool(after.attackers_mask(not color, king))


class HarmlessPawns(BackwardPawns):
    """Enemy pawns attack nothing."""

    def attackers_mask(self, color: chess.Color, square: chess.Square, occupied: int | None = None) -> int:
        return super().attackers_mask(color, square, occupied) & ~self.pawns


class HarmlessKnights(BackwardPawns):
    """Enemy knights attack nothing."""

    def attackers_mask(self, color: chess.Color, square: chess.Square, occupied: int | None = None) -> int:
        occupied = self.occupied if occupied is None else occupied
        return chess.Board.attackers_mask(self, color, square, occupied) & ~self.knights


KINGLESS = ("crashes-without-king", "hangs-without-king")
BOARDS = {
    **dict.fromkeys(KINGLESS, HarmlessKnights),
    "backward-pawns": BackwardPawns,
    "harmless-pawns": HarmlessPawns,
}


class Engine(UciEngine):
    """The generator."""

    def __init__(self, fault: str, prints_moves: bool = True) -> None:
        super().__init__()
        self.fault, self.prints_moves = fault, prints_moves
        self.table: dict[tuple[int, int], int] = {}

    def position(self, fen: str, moves: Sequence[str]) -> None:
        board = BOARDS.get(self.fault, chess.Board)(fen)
        if self.fault.startswith("hyphen") and fen.split()[2] == "-":
            board.castling_rights = chess.BB_A8
        for text in moves:
            board = self.play(board, chess.Move.from_uci(text))
        if self.fault == "parity" and moves:
            board.turn = len(moves) % 2 == 0
        self.board = board

    def moves(self, board: chess.Board) -> list[chess.Move]:
        if self.ends(board) and not self.fault.endswith("leaf"):
            return []
        if isinstance(board, BackwardPawns):
            pseudo = list(board.pseudo_legal_moves)  # castling is legal already
            return [move for move in pseudo if board.is_castling(move) or not board.leaves_king(move)]
        moves = sorted(board.legal_moves, key=str)
        if self.fault == "hyphen-is-q-unseen" and board.castling_rights & chess.BB_A8 and not board.turn:
            long_castling = chess.Move.from_uci("e8c8")
            if (
                long_castling not in moves
                and board.king(chess.BLACK) == chess.E8
                and not board.occupied & (chess.BB_B8 | chess.BB_C8 | chess.BB_D8)
            ):
                moves.append(long_castling)
        if self.fault.startswith("room-for"):
            return moves[: int(self.fault.rpartition("-")[2])]
        return [move for number, move in enumerate(moves, 1) if self.fault != "every-second" or number % 2]

    def ends(self, board: chess.Board) -> bool:
        fault = self.fault
        if fault in ("dead", "dead-is-a-leaf"):
            return board.is_insufficient_material()
        if fault == "threefold":
            return board.is_repetition(3)
        return board.halfmove_clock >= {"fifty": 100, "fifty-is-a-leaf": 100, "seventy-five": 150}.get(fault, 10_000)

    def play(self, board: chess.Board, move: chess.Move) -> chess.Board:
        after = board.copy(stack=self.fault == "threefold")
        after.push(chess.Move.null() if self.fault == "pawn-stays" and move.promotion else move)
        return after

    def perft(self, board: chess.Board, depth: int) -> int:
        if self.fault != "kept-table" or depth < 2:
            return self.count(board, depth)
        key = board.occupied, depth
        if key not in self.table:
            self.table[key] = self.count(board, depth)
        return self.table[key]

    def count(self, board: chess.Board, depth: int) -> int:
        if self.fault in KINGLESS and board.king(board.turn) is None:
            if self.fault == "hangs-without-king":
                time.sleep(1000)
            os.abort()
        if depth == 0 or (self.fault.endswith("leaf") and self.ends(board)):
            return 1
        return sum(self.perft(self.play(board, move), depth - 1) for move in self.moves(board))

    def counts(self, board: chess.Board, depth: int) -> Iterator[tuple[chess.Move, int]]:
        for move in self.moves(board):
            yield move, self.perft(self.play(board, move), depth - 1)

    def text(self, move: chess.Move) -> str:
        text = move.uci()
        if self.fault in ("k-for-knight", "k-and-none") and text.endswith("n"):
            return text[:4] + "k"
        return text[:4] if self.fault == "k-and-none" and text.endswith("q") else text


if __name__ == "__main__":
    Engine(sys.argv[1], prints_moves="totals" not in sys.argv).serve()
