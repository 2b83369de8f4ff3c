"""Build cases from pieces on squares, count them with python-chess, and write suites as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import chess
from perft_check.generator import Position
from perft_check.generator.types.moves import Move
from perft_check.suites.case import Case
from perft_check.suites.epd import format_case

MADE = "made"
"""The source of the cases that are built here."""


def place(pieces: str, turn: chess.Color = chess.WHITE, *, rights: str = "-", en_passant: str = "-") -> str:
    """Return the FEN of pieces such as `Ke1 Rh1 ke8 pa7`, or "" if no game can reach it."""
    board = chess.Board(None, chess960=True)
    for word in pieces.split():
        square = chess.parse_square(word[1:])
        if board.piece_at(square) is not None:
            return ""
        board.set_piece_at(square, chess.Piece.from_symbol(word[0]))
    placed = board.board_fen()
    fen = f"{placed} {'w' if turn else 'b'} {rights} {en_passant} 0 1"
    return fen if chess.Board(fen, chess960=True).status() == chess.STATUS_VALID else ""


def build(name: str, purpose: str, fen: str, moves: str = "", *, chess960: bool = False) -> Case:
    """Return a case without counts."""
    position = Position.from_fen(fen, chess960)
    return Case(name, position, (), MADE, purpose, parse_moves(position, moves))


def parse_moves(position: Position, moves: str) -> tuple[Move, ...]:
    """Parse moves in UCI notation that are played one after another."""
    parsed = []
    for word in moves.split():
        move = position.parse_uci(word)
        parsed.append(move)
        position = position.play(move)
    return tuple(parsed)


def count_cases(cases: Iterable[Case], max_nodes: int, depth: int) -> Iterator[Case]:
    """Yield the cases with one count by python-chess, of the deepest depth up to `depth` within the limit."""
    for case in cases:
        board = chess.Board(case.position.fen(castling="shredder"), chess960=case.position.chess960)
        deepest = 1, _perft(board, 1)
        for plies in range(2, depth + 1):
            nodes = _perft(board, plies)
            if not nodes or nodes > max_nodes:
                break
            deepest = plies, nodes
        yield replace(case, counts=(deepest,))


def _perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in list(board.legal_moves):
        board.push(move)
        nodes += _perft(board, depth - 1)
        board.pop()
    return nodes


def suite_text(name: str, cases: Iterable[Case], about: str) -> str:
    """Return the text of a suite file."""
    lines = [format_case(case) for case in cases]
    head = [
        f"# perft-check suite {name!r}: {about}",
        "# Made by `python -m tools.pages`; every count by python-chess. c0 says what a position is there for.",
    ]
    return "".join(f"{line}\n" for line in [*head, *lines])
