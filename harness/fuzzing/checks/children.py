"""Does every move lead to the right position?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....generator.line import Line
from ....generator.position import Position
from ....generator.types.pieces import Color
from ...checking.comparing import explain_wrong_move
from ...explaining import explain_state
from ...model.results.events import Cause, Finding
from ...model.results.verdict import Verdict
from ..model import Discrepancy
from .base import Probe, discrepancies_in
from .oracle import decode
from .subject import Subject

if TYPE_CHECKING:
    import chess


class Children:
    """Compares each child with that of python-chess, field by field, and the FEN of one of them.

    Where the line has moves, the position at its end is compared, too.
    """

    names = ("children", "fen")

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies."""
        position, board = probe.position, probe.board
        if probe.line.moves and not is_same(position, board):
            yield from _wrong_state(probe.line, board)
            return
        if probe.depth == 1:
            return
        legal = set(board.generate_legal_moves())
        moves = position.legal_moves
        for number, move in enumerate(moves):
            theirs = decode(move)
            if theirs not in legal:
                continue  # the check of the lists reports it
            child = self._subject.play(position, move)
            board.push(theirs)
            if not is_same(child, board):
                yield from _wrong_state(Line(position, (move,)), board)
            elif number == sum(moves) % len(moves):
                yield from self._wrong_text(child, board)
            board.pop()

    def _wrong_text(self, child: Position, board: chess.Board) -> Iterator[Discrepancy]:
        """Compare the FEN of a position with that of python-chess, and the position with the one read from its FEN."""
        text = self._subject.fen(child)
        try:
            same = text == board.fen(en_passant="fen") and self._subject.read(text, child.chess960) == child
        except ValueError:
            same = False
        if not same:
            message = f"the FEN {text} is not what python-chess writes, or is not read back as it was"
            yield Discrepancy("fen", Verdict.MISMATCH, Line(child), None, message)


def is_same(position: Position, board: chess.Board) -> bool:
    """Tell whether python-chess has the same pieces, turn, rights, en passant square and clocks."""
    white, black = position.pieces
    pawns, knights, bishops, rooks, queens, kings = (ours | theirs for ours, theirs in zip(white, black, strict=True))
    return (
        (pawns, knights, bishops, rooks, queens, kings)
        == (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        and white[0] | white[1] | white[2] | white[3] | white[4] | white[5] == board.occupied_co[True]
        and black[0] | black[1] | black[2] | black[3] | black[4] | black[5] == board.occupied_co[False]
        and (position.turn is Color.WHITE) is board.turn
        and position.castling == board.castling_rights
        and position.en_passant == board.ep_square
        and (position.halfmove, position.fullmove) == (board.halfmove_clock, board.fullmove_number)
    )


def _wrong_state(line: Line, board: chess.Board) -> Iterator[Discrepancy]:
    """Yield what is wrong after the last move of a line, where python-chess has `board`."""
    before, move = Line(line.base, line.moves[:-1]).position, line.moves[-1]
    last = Line(before, (move,))
    text = move.uci(chess960=True)
    explanations = explain_state(before, text, _fen(board), line.position.fen(castling="shredder"))
    finding = Finding(
        cause=Cause.STATE,
        fen=line.position.fen(),
        chess960=line.base.chess960,
        base_fen=before.fen(),
        base_moves=tuple(last.uci_moves()),
        state=tuple(explain_wrong_move(before, text, "state", explanation) for explanation in explanations),
        note=f"the right position is {_fen(board)}",
    )
    yield from discrepancies_in(Children.names[0], finding, last)


def _fen(board: chess.Board) -> str:
    return board.fen(shredder=True, en_passant="fen")
