"""The correct generator, which wraps python-chess in a method for each task of an engine.

Castling has one method per condition, so that a fault can override a single one.

The fault of a generator can be limited to one color or one wing, because many bugs of engines affect only one side.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass

import chess

from .boards import CastlingSquares, back_rank_of, bits, castling_by, castling_of, put, remove


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
    check: Callable[[], None] = staticmethod(lambda: None)
    """Called for each inner node of a count. It may raise an exception to stop the count."""

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
        kept = self.legal_moves(board)
        if type(self).keeps is not Generator.keeps:
            kept = [move for move in kept if self.keeps(board, move)]
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

    @classmethod
    def changed_methods(cls) -> frozenset[str]:
        """Return the names of the methods that a faulty class overrides."""
        classes = cls.__mro__[: cls.__mro__.index(Generator)]
        return frozenset(name for one in classes for name in vars(one) if callable(getattr(Generator, name, None)))

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
        self.check()
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


@dataclass(frozen=True)
class Scope:
    """The scope of a fault: everything, one side to move, or moves to one half of the board."""

    color: bool | None = None
    """True for White, False for Black, None for both."""
    king_side: bool | None = None
    """True for moves to files e to h, False for moves to files a to d, None for all moves."""

    def __str__(self) -> str:
        if self.color is not None:
            return "for White only" if self.color else "for Black only"
        if self.king_side is not None:
            return "on the king-side only" if self.king_side else "on the queen-side only"
        return ""

    def has_color(self, color: bool) -> bool:
        """Return True if the fault occurs when `color` is to move."""
        return self.color in (None, color)

    def has_move(self, move: chess.Move) -> bool:
        """Return True if the destination of a move is in the half of the board that the fault affects."""
        return self.king_side is None or (chess.square_file(move.to_square) >= 4) is self.king_side


EVERYWHERE = Scope()
LIMITED = (*(Scope(color=color) for color in chess.COLORS), *(Scope(king_side=side) for side in (True, False)))


class _Limited(Generator):
    """Mix-in that precedes a faulty class in the bases, and limits the fault to a scope."""

    scope = EVERYWHERE

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the faulty generator's moves within the scope, and the legal moves outside it."""
        if not self.scope.has_color(board.turn):
            return self.legal_moves(board)
        moves = super().moves(board)
        if self.scope.king_side is None:
            return moves
        legal = self.legal_moves(board)
        kept = [move for move in moves if self.scope.has_move(move) or move in legal]
        return kept + [move for move in legal if not self.scope.has_move(move) and move not in kept]

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move. The fault applies only within the scope."""
        if self.scope.has_color(board.turn) and self.scope.has_move(move):
            super().play(board, move)
        else:
            board.push(move)

    def undo(self, board: chess.Board) -> None:
        """Unmake the last move. The fault applies only within the scope."""
        if self.scope.has_color(not board.turn) and self.scope.has_move(board.peek()):
            super().undo(board)
        else:
            board.pop()


def limit(seeded: type[Generator], scope: Scope) -> Generator:
    """Return a generator whose fault is limited to a scope."""
    if scope == EVERYWHERE:
        return seeded()
    made: type[Generator] = type(seeded.__name__, (_Limited, seeded), {"scope": scope})
    return made()


EVERY_CASTLING = (
    "castling castling-rook-passes-attack castling-chess960-king-stays castling-chess960-rook-stays "
    "castling-chess960-overlap"
)
"""Rules that a correct explanation may name if all castling moves are missing."""


class CastlingGenerator(Generator):
    """Generates castling with one method per condition."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves of a position."""
        king = board.king(board.turn)
        moves = [one for one in self.legal_moves(board) if one.from_square != king or not board.is_castling(one)]
        for castling in self.castlings(board):
            if (
                self.is_free(board, castling)
                and not self.is_in_check(board, castling)
                and not self.passes_attack(board, castling)
                and not self.arrives_in_attack(board, castling)
            ):
                target = castling.rook if board.chess960 else castling.king_to
                moves.append(chess.Move(castling.king, target))
        return moves

    def castlings(self, board: chess.Board) -> Iterator[CastlingSquares]:
        """Yield the squares of each castling move for which the side to move has the right."""
        king = board.king(board.turn)
        backrank = back_rank_of(board)
        if king is not None and bits(king) & backrank:
            for rook in chess.scan_forward(self.rights(board) & backrank):
                yield castling_of(king, rook)

    def rights(self, board: chess.Board) -> int:
        """Return the rooks that may castle."""
        return board.clean_castling_rights()

    def is_free(self, board: chess.Board, castling: CastlingSquares) -> bool:
        """Return True if no other piece is on the path or destination of king and rook."""
        king, rook, king_to, rook_to = castling
        path = chess.between(king, king_to) | chess.between(rook, rook_to) | bits(king_to, rook_to)
        return not path & board.occupied & ~bits(king, rook)

    def is_in_check(self, board: chess.Board, castling: CastlingSquares) -> bool:
        """Return True if the king is in check."""
        return self.is_attacked(board, castling.king, board.occupied)

    def passes_attack(self, board: chess.Board, castling: CastlingSquares) -> bool:
        """Return True if the king passes an attacked square."""
        occupied = board.occupied & ~bits(castling.king)
        return any(self.is_attacked(board, square, occupied) for square in chess.scan_forward(self.path(castling)))

    def path(self, castling: CastlingSquares) -> int:
        """Return the squares between the king's origin and destination, which must not be attacked."""
        return castling.path

    def arrives_in_attack(self, board: chess.Board, castling: CastlingSquares) -> bool:
        """Return True if the king's destination is attacked after castling."""
        king, rook, king_to, rook_to = castling
        return self.is_attacked(board, king_to, board.occupied & ~bits(king, rook) | bits(rook_to))

    def is_attacked(self, board: chess.Board, square: int, occupied: int) -> bool:
        """Return True if the opponent attacks a square."""
        return bool(board.attackers_mask(not board.turn, square, occupied))


class CastlingMaker(Generator):
    """Makes castling moves; faults override which of them are made incorrectly, and how they change the board."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move."""
        castling, color = castling_by(board, move), board.turn
        board.push(move)
        if castling is not None and self.is_wrong(castling):
            self.spoil(board, castling, color)

    def is_wrong(self, castling: CastlingSquares) -> bool:
        """Return True if a castling move is made incorrectly."""
        return True

    def spoil(self, board: chess.Board, castling: CastlingSquares, color: bool) -> None:
        """Change the board after castling by `color`."""
        raise NotImplementedError


def move_castled(board: chess.Board, wrong: CastlingSquares, right: CastlingSquares, color: bool) -> None:
    """Move king and rook after castling to the squares of a different castling move."""
    remove(board, wrong.king_to)
    remove(board, wrong.rook_to)
    put(board, right.king_to, chess.KING, color)
    put(board, right.rook_to, chess.ROOK, color)
