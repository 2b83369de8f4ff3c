"""A generator with peculiar castling or notation of castling, for each type of engine.

    python castling.py uci MODE [no-option]        speaks UCI, optionally without its option UCI_Chess960
    python castling.py plain MODE                  `setboard FEN` and `perft N` on stdin, for a descriptor
    python castling.py argv MODE FEN DEPTH [count] [VARIANT]   takes the position as arguments
    python castling.py script MODE DEPTH FEN [MOVES]   the perftree convention
    python:castling:moves_of, divide_of, count_of  functions; the mode is named in CASTLING

`count` prints only totals. Modes are the keys of `MODES`; `right` supports Chess960 and castles according to UCI.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator

import chess

Pairs = list[tuple[str, int]]


class Right:
    """Castles according to UCI, also in Chess960."""

    def board(self, fen: str, chess960: bool) -> chess.Board:
        return chess.Board(fen, chess960=chess960 or needs_chess960(fen))

    def after(self, fen: str, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Return the position after moves. Raises ValueError, KeyError."""
        board = self.board(fen, chess960)
        for text in moves:
            board = self.play(board, {board.uci(move): move for move in self.moves(board)}[text])
        return board

    def moves(self, board: chess.Board) -> Iterable[chess.Move]:
        return board.legal_moves

    def play(self, board: chess.Board, move: chess.Move) -> chess.Board:
        after = board.copy(stack=False)
        after.push(move)
        return after

    def texts(self, board: chess.Board, move: chess.Move) -> list[str]:
        return [board.uci(move)]

    def count(self, board: chess.Board, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(
            len(self.texts(board, move)) * self.count(self.play(board, move), depth - 1) for move in self.moves(board)
        )

    def divide(self, board: chess.Board, depth: int) -> Pairs:
        return [
            (text, self.count(self.play(board, move), depth - 1))
            for move in self.moves(board)
            for text in self.texts(board, move)
        ]


class Writes(Right):
    """Writes some castlings as the king's target: all, those of the queen's side, or by the distance of the king."""

    def __init__(self, condition: Callable[[chess.Board, chess.Move], bool] = lambda *_: True) -> None:
        self.condition = condition

    def texts(self, board: chess.Board, move: chess.Move) -> list[str]:
        return [king_target(board, move) if self.condition(board, move) else board.uci(move)]


def distance(board: chess.Board, move: chess.Move) -> int:
    """Return the number of files that the king moves."""
    text = king_target(board, move)
    return abs(ord(text[0]) - ord(text[2]))


class EndsOnB(Right):
    """In queen-side castling, the king goes to the b-file, and the notation says so."""

    def play(self, board: chess.Board, move: chess.Move) -> chess.Board:
        after = super().play(board, move)
        if board.is_queenside_castling(move):
            rank = chess.square_rank(move.from_square)
            after.set_piece_at(chess.square(2, rank), None)
            after.set_piece_at(chess.square(1, rank), chess.Piece(chess.KING, board.turn))
        return after

    def texts(self, board: chess.Board, move: chess.Move) -> list[str]:
        text = board.uci(move)
        return [f"{text[:2]}b{text[3]}" if board.is_queenside_castling(move) else text]


class WhiteEndsOnB(EndsOnB):
    """Does so only for White."""

    def play(self, board: chess.Board, move: chess.Move) -> chess.Board:
        return super().play(board, move) if board.turn == chess.WHITE else Right.play(self, board, move)

    def texts(self, board: chess.Board, move: chess.Move) -> list[str]:
        return super().texts(board, move) if board.turn == chess.WHITE else [board.uci(move)]


class WritesB(EndsOnB):
    """Only the notation of queen-side castling is incorrect."""

    def play(self, board: chess.Board, move: chess.Move) -> chess.Board:
        return Right.play(self, board, move)


class Standard(Right):
    """Supports only standard chess, and reads only the letters of a castling field that it knows."""

    def board(self, fen: str, chess960: bool) -> chess.Board:
        placement, turn, castling, *rest = fen.split()
        known = "".join(letter for letter in castling if letter in "KQkq") or "-"
        return chess.Board(" ".join([placement, turn, known, *rest]))


class AnyLetter(Standard):
    """Reads each letter of a castling field as the right of the nearest corner."""

    def board(self, fen: str, chess960: bool) -> chess.Board:
        placement, turn, castling, *rest = fen.split()
        letters = {"H": "K", "A": "Q", "h": "k", "a": "q"}
        known = "".join(dict.fromkeys(letters.get(letter, letter) for letter in castling))
        return super().board(" ".join([placement, turn, known, *rest]), chess960)


class RefusesRookFiles(Right):
    """Rejects castling fields of Chess960, or misbehaves there in another way."""

    def __init__(self, misbehave: Callable[[str], object] | None = None) -> None:
        self.misbehave = misbehave

    def board(self, fen: str, chess960: bool) -> chess.Board:
        if needs_chess960(fen):
            if self.misbehave is None:
                raise ValueError(f"invalid FEN: {fen}")
            self.misbehave(fen)
        return super().board(fen, chess960)


def print_garbage(_fen: str) -> None:
    print("?" * 20, flush=True)
    os._exit(0)


class Lacks(Right):
    """Supports Chess960, but lacks some castlings."""

    def __init__(self, condition: Callable[[chess.Board, chess.Move], bool]) -> None:
        self.condition = condition

    def moves(self, board: chess.Board) -> Iterable[chess.Move]:
        return (move for move in board.legal_moves if not (board.is_castling(move) and self.condition(board, move)))


class LacksLong(Writes):
    """Lacks queen-side castling in Chess960, and writes castling as the king's target."""

    def moves(self, board: chess.Board) -> Iterable[chess.Move]:
        return (move for move in board.legal_moves if not is_long_in_chess960(board, move))


def is_inner(board: chess.Board, move: chess.Move) -> bool:
    """Return True for castling in Chess960 with a rook that is not the outermost one."""
    rank = chess.BB_RANKS[chess.square_rank(move.to_square)]
    rooks = list(chess.SquareSet(board.pieces_mask(chess.ROOK, board.turn) & rank))
    outer = max(rooks) if board.is_kingside_castling(move) else min(rooks)
    return board.chess960 and move.to_square != outer


def is_long_in_chess960(board: chess.Board, move: chess.Move) -> bool:
    return board.chess960 and board.is_queenside_castling(move)


MODES: dict[str, Callable[[], Right]] = {
    "right": Right,
    "king-target": Writes,
    "queen-side-target": lambda: Writes(chess.Board.is_queenside_castling),
    "far-target": lambda: Writes(lambda board, move: distance(board, move) > 1),
    "near-target": lambda: Writes(lambda board, move: distance(board, move) < 2),
    "ends-on-b": EndsOnB,
    "white-ends-on-b": WhiteEndsOnB,
    "writes-b": WritesB,
    "standard": Standard,
    "any-letter": AnyLetter,
    "refuses": RefusesRookFiles,
    "crashes": lambda: RefusesRookFiles(lambda _: os.abort()),
    "garbage": lambda: RefusesRookFiles(print_garbage),
    "hangs": lambda: RefusesRookFiles(lambda _: time.sleep(60)),
    "outer-rook": lambda: Lacks(is_inner),
    "no-long-castling": lambda: Lacks(is_long_in_chess960),
    "king-stays": lambda: Lacks(lambda board, move: distance(board, move) == 0),
    "king-target-without-long": LacksLong,
}


def needs_chess960(fen: str) -> bool:
    """Return True if a castling field names files, or king and rooks are not on their standard squares."""
    return fen.split()[2].strip("KQkq-") != ""


def king_target(board: chess.Board, move: chess.Move) -> str:
    if not board.is_castling(move):
        return board.uci(move)
    file = "g" if board.is_kingside_castling(move) else "c"
    return chess.square_name(move.from_square) + file + chess.square_name(move.from_square)[1]


class CastlingSession:
    """A session on stdin, in UCI or a dialect without handshake."""

    def __init__(self, generator: Right, has_option: bool) -> None:
        self._generator, self._has_option = generator, has_option
        self._chess960 = False
        self._board: chess.Board | None = chess.Board()

    def serve(self, lines: Iterable[str]) -> None:
        for line in lines:
            for answer in self._answers(line.split()):
                print(answer, flush=True)

    def _answers(self, words: list[str]) -> Iterator[str]:
        match words:
            case ["quit"]:
                sys.exit(0)
            case ["uci"]:
                yield "id name castling"
                if self._has_option:
                    yield "option name UCI_Chess960 type check default false"
                yield "uciok"
            case ["isready"]:
                yield "readyok"
            case ["setoption", "name", "UCI_Chess960", "value", value]:
                self._chess960 = value == "true"
            case ["setboard", *fen]:
                yield from self._set_up(" ".join(fen), [])
            case ["position", "startpos", *moves]:
                yield from self._set_up(chess.STARTING_FEN, moves[1:])
            case ["position", "fen", *words]:
                end = words.index("moves") if "moves" in words else len(words)
                yield from self._set_up(" ".join(words[:end]), words[end + 1 :])
            case ["go", "perft", depth] | ["perft", depth]:
                if self._board is not None:
                    pairs = self._generator.divide(self._board, int(depth))
                    yield from (f"{text}: {count}" for text, count in pairs)
                    yield f"Nodes searched: {sum(count for _, count in pairs)}"

    def _set_up(self, fen: str, moves: list[str]) -> Iterator[str]:
        try:
            self._board = self._generator.after(fen, moves, self._chess960)
        except (ValueError, KeyError) as error:
            self._board = None
            yield f"info string invalid fen or move: {error}"


def _generator() -> Right:
    return MODES[os.environ["CASTLING"]]()


def moves_of(fen: str) -> list[str]:
    return [text for text, _ in divide_of(fen, 1)]


def count_of(fen: str, depth: int) -> int:
    generator = _generator()
    return generator.count(generator.board(fen, False), depth)


def divide_of(fen: str, depth: int) -> Pairs:
    generator = _generator()
    return generator.divide(generator.board(fen, False), depth)


def main() -> None:
    kind, mode, *rest = sys.argv[1:]
    generator = MODES[mode]()
    if kind in ("uci", "plain"):
        CastlingSession(generator, "no-option" not in rest).serve(sys.stdin)
        return
    (depth, fen, *moves), options = (rest, []) if kind == "script" else ((rest[1], rest[0]), rest[2:])
    board = generator.after(fen, " ".join(moves).split(), "true" in options)
    pairs = generator.divide(board, int(depth))
    if "count" not in options:
        print("\n".join(f"{text} {count}" for text, count in pairs))
    print(f"\n{sum(count for _, count in pairs)}")


if __name__ == "__main__":
    main()
