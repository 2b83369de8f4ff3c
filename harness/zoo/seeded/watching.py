"""A faulty generator beside the right one, which counts the wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import chess

from .generator import Crash, Generator, Hang

_RIGHT = Generator()
_T = TypeVar("_T")


def snapshot(board: chess.Board) -> tuple[Any, ...]:
    """Return the parts of a position, with the en passant square only where it can be used."""
    passed = board.ep_square if board.has_legal_en_passant() else None
    pieces = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    colors = (board.occupied_co[chess.WHITE], board.turn)
    return *pieces, *colors, board.castling_rights, passed, board.halfmove_clock, board.fullmove_number


def spellings(board: chess.Board) -> set[str]:
    """Return every accepted FEN of a position: rights by letter or file, three customs of en passant."""
    ways = [
        board.fen(shredder=shredder, en_passant=custom)
        for shredder in (False, True)
        for custom in ("fen", "xfen", "legal")
    ]
    return {*ways, *(way.rsplit(" ", 2)[0] for way in ways)}


class Watched(Generator):
    """Compares each answer with the right one; a mix-in that comes before the faulty class.

    The moves are always compared, other answers only where the fault overrides their hook. A perft
    is compared at its outermost call.
    """

    seeded: type[Generator]

    def __init__(self) -> None:
        super().__init__()
        self._before: list[tuple[Any, ...]] = []
        self._counting = False

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Generate, and compare as multisets."""
        answer = self._alive(lambda: super(Watched, self).moves(board))
        legal = list(board.legal_moves)
        self._judge(answer == legal or Counter(answer) == Counter(legal))
        return answer

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move, and compare the positions after it."""
        if self._overrides("undo"):
            self._before.append(snapshot(board))
        true = board.copy(stack=False) if self._overrides("play") else None
        self._alive(lambda: super(Watched, self).play(board, move))
        if true is not None:
            true.push(move)
            self._judge(snapshot(board) == snapshot(true))

    def undo(self, board: chess.Board) -> None:
        """Unmake a move, and compare with the position before it."""
        super().undo(board)
        if self._overrides("undo"):
            self._judge(snapshot(board) == self._before.pop())

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        """Read a FEN, and compare the position."""
        return self._set_up("set_up", fen, chess960)

    def set_up_start(self, chess960: bool) -> chess.Board:
        """Set the starting position up, and compare it."""
        return self._set_up("set_up_start", chess960)

    def game(self, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Play moves from the starting position, and compare the position."""
        return self._set_up("game", list(moves), chess960)

    def line(self, fen: str, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Read a FEN, play moves, and compare the position."""
        return self._set_up("line", fen, list(moves), chess960)

    def _set_up(self, hook: str, *arguments: Any) -> chess.Board:
        """Return the position that a hook sets up, compared where the fault overrides the hook."""
        board: chess.Board = self._alive(lambda: getattr(super(Watched, self), hook)(*arguments))
        if self._overrides(hook):
            self._judge(snapshot(board) == snapshot(getattr(_RIGHT, hook)(*arguments)))
        return board

    def fen(self, board: chess.Board) -> str:
        """Print a position, and compare with all right ways to print it."""
        text = super().fen(board)
        self._judge(text in spellings(board))
        return text

    def perft(self, board: chess.Board, depth: int) -> int:
        """Count, and compare where the counting itself is seeded."""
        if self._counting or not self._overrides("perft"):
            return super().perft(board, depth)
        self._counting = True
        try:
            count = super().perft(board, depth)
        finally:
            self._counting = False
        self._judge(count == _RIGHT.perft(board, depth))
        return count

    def _overrides(self, hook: str) -> bool:
        return getattr(self.seeded, hook) is not getattr(Generator, hook)

    def _judge(self, same: bool) -> None:
        self.tally.triggered += not same

    def _alive(self, call: Callable[[], _T]) -> _T:
        try:
            return call()
        except (Crash, Hang):
            self.note_reached()
            self._judge(False)
            raise


def watch(seeded: type[Generator]) -> Generator:
    """Return a new generator of this class that counts its wrong answers."""
    made: type[Generator] = type(seeded.__name__, (Watched, seeded), {"seeded": seeded})
    return made()
