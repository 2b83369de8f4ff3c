"""The correct generator, which wraps python-chess in a method for each task of an engine, and the watched generator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import chess


@dataclass
class FaultTally:
    """Counters of reached and triggered faults, as in the fuzzing benchmark Magma."""

    reached: int = 0
    """Number of times the faulty code ran."""
    triggered: int = 0
    """Number of times its result was incorrect."""


class Crash(Exception):
    """Raised when the generator crashes."""


class Hang(Exception):
    """Raised when the generator would hang."""


class IllegalMove(Exception):
    """Raised for a move that is not generated in the position."""


class Generator:
    """The correct generator; a fault overrides as few of its methods as possible.

    A fault calls `note_reached` when its faulty code runs. Moves refused by `keeps` or yielded by `adds` count as
    reached without a call.
    """

    def __init__(self) -> None:
        self.tally = FaultTally()

    def note_reached(self) -> None:
        """Record that the faulty code runs."""
        self.tally.reached += 1

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
        legal = list(board.legal_moves)
        moves = [move for move in legal if self.keeps(board, move)]
        added = list(self.adds(board))
        if added or len(moves) < len(legal):
            self.note_reached()
            moves += [move for move in dict.fromkeys(added) if move not in moves]
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


_CORRECT = Generator()
_T = TypeVar("_T")


def snapshot(board: chess.Board) -> tuple[Any, ...]:
    """Return the state of a position, including the en passant square only if a capture there is legal."""
    passed = board.ep_square if board.has_legal_en_passant() else None
    pieces = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    colors = (board.occupied_co[chess.WHITE], board.turn)
    return *pieces, *colors, board.castling_rights, passed, board.halfmove_clock, board.fullmove_number


def spellings(board: chess.Board) -> set[str]:
    """Return all accepted FENs of a position: castling rights as KQkq or files, and three en passant conventions."""
    fens = [
        board.fen(shredder=shredder, en_passant=custom)
        for shredder in (False, True)
        for custom in ("fen", "xfen", "legal")
    ]
    return {*fens, *(fen.rsplit(" ", 2)[0] for fen in fens)}


class Watched(Generator):
    """Mix-in, placed before the faulty class, that compares each result with the correct one.

    Moves are always compared, other results only if the fault overrides their method. For perft, only the outermost
    call is compared.
    """

    seeded: type[Generator]

    def __init__(self) -> None:
        super().__init__()
        self._before: list[tuple[Any, ...]] = []
        self._counting = False

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves, and compare them as multisets."""
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
        """Set up the starting position, and compare it."""
        return self._set_up("set_up_start", chess960)

    def game(self, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Play moves from the starting position, and compare the position."""
        return self._set_up("game", list(moves), chess960)

    def line(self, fen: str, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Read a FEN, play the moves, and compare the position."""
        return self._set_up("line", fen, list(moves), chess960)

    def _set_up(self, hook: str, *arguments: Any) -> chess.Board:
        """Return the position that a hook sets up, and compare it if the fault overrides the hook."""
        board: chess.Board = self._alive(lambda: getattr(super(Watched, self), hook)(*arguments))
        if self._overrides(hook):
            self._judge(snapshot(board) == snapshot(getattr(_CORRECT, hook)(*arguments)))
        return board

    def fen(self, board: chess.Board) -> str:
        """Return the FEN of a position, and compare it with all correct FENs."""
        text = super().fen(board)
        self._judge(text in spellings(board))
        return text

    def perft(self, board: chess.Board, depth: int) -> int:
        """Return the count, and compare it if the fault overrides counting."""
        if self._counting or not self._overrides("perft"):
            return super().perft(board, depth)
        self._counting = True
        try:
            count = super().perft(board, depth)
        finally:
            self._counting = False
        self._judge(count == _CORRECT.perft(board, depth))
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
    """Return a new instance of a generator class that also counts its incorrect results."""
    made: type[Generator] = type(seeded.__name__, (Watched, seeded), {"seeded": seeded})
    return made()
