"""Correct counts by python-chess, for fakes that are only odd in what they print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import chess


class CountedMove(NamedTuple):
    """A root move, its count, and its text in the notations that engines print."""

    uci: str
    long: str
    """`e2-e4`, `Nd4xe6`, `a7-a8=Q`, `Ke1-g1`."""
    lettered: str
    """`Pe2e4`."""
    nodes: int


Answer = Callable[[list[CountedMove], int, int], list[str]]
"""Makes the lines of an answer from the root moves, the total and the depth."""


def answer_by(line: str, *end: str, head: Sequence[str] = ()) -> Answer:
    """Return a function that answers with a line for each root move, unless that is "", between other lines."""

    def answer(moves: list[CountedMove], total: int, depth: int) -> list[str]:
        listed = [line.format(number=number, move=move) for number, move in enumerate(moves, 1)] if line else []
        figures = {"total": total, "depth": depth, "millions": total / 1000, "speed": total * 1000}
        return [*(one.format(**figures) for one in head), *listed, *(one.format(**figures) for one in end)]

    return answer


def board_after(fen: str, moves: Iterable[str] = (), chess960: bool = False) -> chess.Board:
    """Return the position after `moves`. Raises ValueError."""
    board = chess.Board(fen, chess960=chess960)
    if not board.is_valid():
        raise ValueError(f"impossible position: {fen}")
    for text in moves:
        board.push(board.parse_uci(text))
    return board


def perft(board: chess.Board, depth: int) -> int:
    """Return the number of move sequences of this length."""
    if depth == 0:
        return 1
    if depth == 1:
        return board.legal_moves.count()
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += perft(board, depth - 1)
        board.pop()
    return count


def divide(board: chess.Board, depth: int) -> list[CountedMove]:
    """Return the count below each root move; none at depth 0."""
    return [_root_move(board, move, depth) for move in list(board.legal_moves) if depth > 0]


def _root_move(board: chess.Board, move: chess.Move, depth: int) -> CountedMove:
    uci = board.uci(move)
    letter = chess.piece_symbol(board.piece_type_at(move.from_square) or chess.PAWN).upper()
    taken = "x" if board.piece_at(move.to_square) else "-"
    promotion = f"={uci[4:].upper()}" if move.promotion else ""
    board.push(move)
    nodes = perft(board, depth - 1)
    board.pop()
    long = f"{'' if letter == 'P' else letter}{uci[:2]}{taken}{uci[2:4]}{promotion}"
    return CountedMove(uci, long, letter + uci, nodes)
