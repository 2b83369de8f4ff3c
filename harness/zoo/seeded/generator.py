"""The correct generator, which wraps python-chess in a method for each task of an engine."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import chess


class Crash(Exception):
    """Raised when the generator crashes."""


class Hang(Exception):
    """Raised when the generator would hang."""


class IllegalMove(Exception):
    """Raised for a move that is not generated in the position."""


MOST_REMEMBERED = 30_000
"""Maximum number of positions whose legal moves are remembered, which takes about 100 MB."""


class Generator:
    """The correct generator; a fault overrides as few of its methods as possible."""

    remembered: dict[Hashable, list[chess.Move]] | None = None
    """The legal moves by position, shared by generators that count the same tree, or None to remember none."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        """Return the position of a FEN. Raises ValueError."""
        return chess.Board(fen, chess960=chess960)

    def set_up_start(self, chess960: bool) -> chess.Board:
        """Return the starting position, as for `position startpos`."""
        return self.set_up(chess.STARTING_FEN, chess960)

    def new_game(self) -> None:
        """Forget the previous game. The correct generator remembers nothing."""

    def game(self, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Return the position after `moves` from the starting position. Raises IllegalMove."""
        return self._play_all(self.set_up_start(chess960), moves)

    def line(self, fen: str, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Return the position after `moves` from a FEN. Raises ValueError, IllegalMove."""
        return self._play_all(self.set_up(fen, chess960), moves)

    def _play_all(self, board: chess.Board, moves: Iterable[str]) -> chess.Board:
        """Return the position after `moves`. Raises IllegalMove."""
        for text in moves:
            move = self.find(board, text)
            if move is None:
                raise IllegalMove(text)
            self.play(board, move)
        return board

    def find(self, board: chess.Board, text: str) -> chess.Move | None:
        """Return the move with UCI notation `text`, or None if it is not generated."""
        return next((move for move in self.moves(board) if board.uci(move) == text), None)

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves of a position."""
        kept = [move for move in self.legal_moves(board) if self.keeps(board, move)]
        return kept + [move for move in dict.fromkeys(self.adds(board)) if move not in kept]

    def legal_moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the legal moves of a position, which must not be changed."""
        if self.remembered is None:
            return list(board.legal_moves)
        kinds = board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings
        state = board.turn, board.castling_rights, board.ep_square, board.chess960
        key = kinds, board.occupied_co[chess.WHITE], state
        moves = self.remembered.get(key)
        if moves is None:
            moves = list(board.legal_moves)
            if len(self.remembered) < MOST_REMEMBERED:
                self.remembered[key] = moves
        return moves

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        """Return True if a legal move is generated."""
        return True

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        """Yield extra moves; legal moves among them are ignored."""
        return iter(())

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move."""
        board.push(move)

    def undo(self, board: chess.Board) -> None:
        """Unmake the last move."""
        board.pop()

    def fen(self, board: chess.Board) -> str:
        """Return the FEN of a position."""
        return board.fen(shredder=board.chess960, en_passant="fen")

    def perft(self, board: chess.Board, depth: int) -> int:
        """Return the number of leaf nodes."""
        if depth == 0:
            return 1
        moves = self.moves(board)
        if depth == 1:
            return len(moves)
        count = 0
        for move in moves:
            self.play(board, move)
            count += self.perft(board, depth - 1)
            self.undo(board)
        return count

    def divide(self, board: chess.Board, depth: int) -> Iterator[tuple[str, int]]:
        """Yield the count below each root move in generation order; a duplicate move is yielded twice."""
        for move in self.moves(board):
            text = board.uci(move)
            self.play(board, move)
            count = self.perft(board, depth - 1)
            self.undo(board)
            yield text, count
