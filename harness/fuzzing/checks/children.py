"""Does every move lead to the right position, as our own generator has it and as an engine prints it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ....generator.line import Line
from ....generator.position import Position
from ....generator.types.pieces import Color
from ...asking.client import EngineClient
from ...checking.comparing import explain_wrong_move
from ...checking.consistency import first_unlisted
from ...checking.descent.fen_reading import reads_other_rights
from ...engines.base import EngineError
from ...explaining import Explanation, explain_state
from ...explaining.rules import UNREADABLE, Rule
from ...model.results.finding import Cause, Finding, WrongMove
from ...model.results.verdict import Verdict
from ..model import Discrepancy
from .base import Probe, discrepancies_in, moves_to_try
from .lists import Subject
from .oracle import decode

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
    wrong = tuple(explain_wrong_move(before, text, "state", explanation) for explanation in explanations)
    finding = _finding(Cause.STATE, last, wrong, f"the right position is {_fen(board)}")
    yield from discrepancies_in(Children.names[0], finding, last)


def _fen(board: chess.Board) -> str:
    return board.fen(shredder=True, en_passant="fen")


CLOCKS = (Rule.HALFMOVE_CLOCK, Rule.MOVE_NUMBER, Rule.UNREADABLE_CLOCKS)
RIGHTS = (Rule.CASTLING_RIGHT_LOST, Rule.CASTLING_RIGHT_KEPT)
MOST_MOVES = 3
"""The engine is asked for its FEN after this many moves of a position."""


class ChildFens:
    """Asks the engine for its FEN after some moves, special moves first. Some engines print none."""

    names = ("fen",)

    def __init__(self, engine: EngineClient, ignore_clocks: bool = False) -> None:
        """Take the engine, and whether halfmove clock and move number are left out."""
        self._engine, self._ignored = engine, CLOCKS if ignore_clocks else ()
        self._prints = True

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        position = probe.position
        played = [Line(position, (move,)) for move in moves_to_try(position, MOST_MOVES)]
        for after in [probe.line, *played] if probe.line.moves else played:
            if not self._prints:
                return
            yield from self._look(after)

    def _with_fen_fault(self, after: Line, why: Explanation) -> Explanation:
        """Return why a state is wrong; a castling right may be wrong before any move is made. Raises EngineError."""
        if why.rule not in RIGHTS or not reads_other_rights(after.base, self._engine):
            return why
        text = f"{why.sentence} The FEN that it prints before any move has other rights than the one that it was given."
        return replace(why, rule=Rule.FEN_CASTLING, sentence=text)

    def _look(self, after: Line) -> Iterator[Discrepancy]:
        """Compare the FEN after the last move of a line."""
        try:
            printed = self._engine.fen(after)
        except EngineError:
            if first_unlisted(after, self._engine) is None:
                raise
            return  # it does not list the move: the check of the moves tells that
        if printed is None:  # after these moves, or ever?
            self._prints = self._engine.fen(Line(after.base)) is not None
            return
        before, text = Line(after.base, after.moves[:-1]).position, after.moves[-1].uci(chess960=True)
        found = explain_state(before, text, after.position.fen(), printed)
        explanations = [
            self._with_fen_fault(after, explanation) for explanation in found if explanation.rule not in self._ignored
        ]
        if not explanations or first_unlisted(after, self._engine) is not None:
            return
        for cause, kind, is_of_text in ((Cause.FEN, "fen", True), (Cause.STATE, "state", False)):
            told = [one for one in explanations if (one.rule in UNREADABLE) is is_of_text]
            wrong = tuple(explain_wrong_move(before, text, kind, one) for one in told)
            if wrong:
                finding = _finding(cause, after, wrong, f"the engine's FEN is {printed}")
                yield from discrepancies_in(self.names[0], finding, after)


def _finding(cause: Cause, after: Line, wrong: tuple[WrongMove, ...], note: str) -> Finding:
    """Return what is wrong after the last move of a line."""
    return Finding(
        cause=cause,
        fen=after.position.fen(),
        chess960=after.base.chess960,
        base_fen=after.base.fen(),
        base_moves=tuple(after.uci_moves()),
        state=wrong,
        note=note,
    )
