"""A UCI engine that counts correctly and searches with one fault, or with none: `python searching.py FAULT`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import chess
from fakes.uci_engine import UciEngine

PLIES = 3
"""Moves of a variation."""


def line(board: chess.Board, plies: int) -> list[chess.Move]:
    """Return a variation: at each ply a move that a checksum chooses, so that special moves come up."""
    board = board.copy(stack=False)
    moves: list[chess.Move] = []
    while len(moves) < plies and any(board.legal_moves):
        moves.append(favorite(board))
        board.push(moves[-1])
    return moves


def favorite(board: chess.Board, moves: Sequence[chess.Move] = ()) -> chess.Move:
    """Return the move that the engine plays: special moves before others."""
    return max(
        moves or board.legal_moves,
        key=lambda move: (board.is_castling(move), board.is_en_passant(move), bool(move.promotion), move.uci()),
    )


class Searching(UciEngine):
    """Searches with one fault."""

    greeting = "id name searching\noption name Ponder type check default false"

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault
        self.last: chess.Move | None = None

    def hear(self, text: str) -> None:
        match text.split():
            case ["go", "perft", _]:
                super().hear(text)
            case ["go", *words] if self.fault.removeprefix("ignores-") in words[::2]:
                pass
            case ["go", *words]:
                only = words[words.index("searchmoves") + 1 :] if "searchmoves" in words else []
                self.search(only)
            case _:
                super().hear(text)

    def search(self, only: Sequence[str]) -> None:
        """Print a variation and the best move."""
        board = self.board
        assert board is not None
        legal = list(board.legal_moves)
        self.fail(board, legal)
        if self.fault == "none-when-drawn" and (board.is_fifty_moves() or board.is_insufficient_material()):
            legal = []
        if not legal:
            print("bestmove e1e2" if self.fault == "move-in-stalemate" and not board.is_check() else "bestmove (none)")
            return
        if only and self.fault == "searchmoves-unchecked":
            print(f"bestmove {only[0][:2]}{only[0][:2]}")
            return
        allowed = [move for move in legal if board.uci(move) in only] if self.fault != "no-searchmoves" else []
        best = favorite(board, allowed)
        after = board.copy(stack=False)
        after.push(best)
        moves = [best, *line(after, PLIES - 1)]
        texts = self.texts(board, moves)
        if self.fault == "pv-past-mate" and after.is_checkmate():
            texts.append("a7a6")
        if self.fault == "pinned-currmove":
            pseudo = next((move for move in board.pseudo_legal_moves if not board.is_legal(move)), best)
            print(f"info depth 1 currmove {board.uci(pseudo)} currmovenumber 1")
        print(f"info depth 1 score cp 0 nodes 1 pv {' '.join(texts)}")
        ponder = f" ponder {texts[1]}" if len(texts) > 1 else ""
        if self.fault == "illegal-ponder" and len(moves) > 1:
            ponder = f" ponder {moves[0].uci()}"
        if self.fault == "none-in-check" and board.is_check():
            print("bestmove (none)")
        elif self.fault == "best-of-last-search" and self.last is not None:
            print(f"bestmove {self.last.uci()}")
        else:
            print(f"bestmove {texts[0]}{ponder}")
        self.last = best
        self.leave(board, best)

    def fail(self, board: chess.Board, legal: Sequence[chess.Move]) -> None:
        """Crash or hang as the fault does."""
        if self.fault == "crash-at-many-moves" and len(legal) > 100:
            os._exit(139)
        if self.fault == "hang-without-moves" and not legal:
            while True:
                sys.stdin.readline()

    def texts(self, board: chess.Board, moves: Sequence[chess.Move]) -> list[str]:
        """Return the moves of a variation as the engine writes them."""
        texts = []
        board = board.copy(stack=False)
        for number, move in enumerate(moves):
            text = board.uci(move)
            if board.is_castling(move) and self.fault == "castling-of-the-other-variant":
                text = board.uci(move, chess960=not board.chess960)
            if move.promotion and self.fault == "promotion-without-letter":
                text = text[:4]
            if self.fault == "stale-en-passant" and number == 0 and board.ep_square is None and board.is_capture(move):
                text = text[:2] + text[:2]
            texts.append(text)
            board.push(move)
        return texts

    def leave(self, board: chess.Board, best: chess.Move) -> None:
        """Leave the position as the fault does: a correct engine restores it."""
        if self.fault == "move-stays-made":
            board.push(best)
        if self.fault == "right-stays-lost":
            board.castling_rights = chess.BB_EMPTY
        if self.fault == "en-passant-stays":
            board.ep_square = None

    def position(self, fen: str, moves: Sequence[str]) -> None:
        if self.fault in ("move-stays-made", "right-stays-lost", "en-passant-stays") and self.is_same(fen, moves):
            return  # as engines that keep the position if it is the one that they have
        super().position(fen, moves)

    def is_same(self, fen: str, moves: Sequence[str]) -> bool:
        """Return True if the same position was set up before; note it."""
        before, self.given = getattr(self, "given", None), (fen, tuple(moves))
        return before == self.given


FAULTS = (
    "illegal-ponder", "pv-past-mate", "pinned-currmove", "move-in-stalemate", "none-in-check", "best-of-last-search",
    "crash-at-many-moves", "hang-without-moves", "castling-of-the-other-variant", "promotion-without-letter",
    "stale-en-passant", "move-stays-made", "right-stays-lost", "en-passant-stays", "searchmoves-unchecked",
)  # fmt: skip

if __name__ == "__main__":
    Searching(sys.argv[1]).serve()
