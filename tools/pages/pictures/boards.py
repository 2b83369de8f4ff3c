"""Boards: one for each rare event, the moves of some GenTypes, and the example of docs/two-plies.md."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from perft_check.generator import GenType, MoveList, Position
from perft_check.harness.model.results.finding import WrongMove
from perft_check.reports.html.board import Arrow, BoardPicture, board_of, board_with

from ..exhibits import Exhibit, gallery
from .svg import board_document

SIZE = 240
"""Size in pixels of a board on a page that shows three boards per row."""
QUIET = "4k3/P6p/8/3p4/2B5/8/6R1/4K2R w K - 0 1"
GENTYPES = {
    GenType.CAPTURES: QUIET,
    GenType.QUIET_CHECKS: QUIET,
    GenType.EVASIONS: "4k3/8/8/8/4r3/3B4/8/R3K3 w Q - 0 1",
}

TWO_PLIES, KNIGHT, BISHOP = "6k1/5ppp/8/3b4/8/8/3N4/K7 w - - 0 1", chess.D2, chess.D5
"""A position in which moves of the knight block moves of the bishop."""


def draw_pictures() -> Iterator[tuple[str, str]]:
    """Yield the name of each picture and its text."""
    yield "two-plies.svg", _knight_and_bishop()
    for gentype, fen in GENTYPES.items():
        yield f"gentype-{gentype.name.lower().replace('_', '-')}.svg", _moves_of(gentype, Position.from_fen(fen))
    for exhibit in gallery().exhibits:
        title = f"{exhibit.event.label}: {exhibit.event.sentence}"
        yield file_of(exhibit), board_document(board_of_event(exhibit), title, SIZE)


def file_of(exhibit: Exhibit) -> str:
    """Return the file of the board of an event."""
    return f"event-{exhibit.event.label}.svg"


def board_of_event(exhibit: Exhibit) -> BoardPicture:
    """Return the smallest position of an event, with the moves that the first fault generates incorrectly."""
    wrong: tuple[WrongMove, ...] = ()
    if exhibit.shown:
        finding = exhibit.shown[0].finding
        wrong = finding.state or finding.wrong
    board = board_of(exhibit.position.fen(), wrong[:8])
    assert board is not None, "a position has a board"
    return board


def _moves_of(gentype: GenType, position: Position) -> str:
    arrows = [Arrow("right", gentype.name, move.uci()) for move in MoveList(position, gentype).moves]
    board = board_with(position.fen(), arrows)
    assert board is not None, "a position has a board"
    moves = ", ".join(arrow.uci for arrow in arrows)
    return board_document(board, f"{gentype.name}: {moves}", SIZE)


def _knight_and_bishop() -> str:
    """Return a picture of the knight's moves, with rings around the squares that they may hide from the bishop."""
    board, lost = chess.Board(TWO_PLIES), chess.SquareSet()
    moves = [move for move in board.legal_moves if move.from_square == KNIGHT]
    for move in moves:
        board.push(move)
        after = board.attacks(BISHOP)
        board.pop()
        lost |= board.attacks(BISHOP) - after
    shown = board_with(TWO_PLIES, [Arrow("right", "move", move.uci()) for move in moves], list(lost))
    assert shown is not None, "a position has a board"
    return board_document(shown, "The moves of a knight, and the squares that they hide from a bishop")
