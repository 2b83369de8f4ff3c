"""The reduction: planted faults come down to the smallest position known for them, and stay the same fault."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import pytest
from helpers.lines import board_of, line_from
from helpers.planted_faults import Planted, Predicate, examiner_of, fault_at
from perft_check.generator.line import Line
from perft_check.harness.engines.asker import Caller
from perft_check.harness.fuzzing.checks.base import Probe, line_of
from perft_check.harness.fuzzing.examining import Examiner
from perft_check.harness.fuzzing.model import Fault
from perft_check.harness.fuzzing.reduction.reducing import MOST_EXAMINATIONS, MOST_TIMEOUTS, reduce
from perft_check.harness.fuzzing.reduction.simpler import cost, simpler
from perft_check.harness.model.interrupt import Interrupted
from perft_check.harness.model.verdict import Verdict


def pinned(board: chess.Board, kind: chess.PieceType) -> bool:
    """Tell whether a piece of this kind is pinned to the king of the side to move."""
    return any(board.is_pinned(board.turn, square) for square in board.pieces(kind, board.turn))


def en_passant_along_a_pin(line: Line) -> bool:
    board = board_of(line)
    return any(board.is_pinned(board.turn, move.from_square) for move in board.generate_legal_ep())


def castles(line: Line) -> bool:
    return any(True for _ in board_of(line).generate_castling_moves())


def castles_in_another_place(line: Line) -> bool:
    board = board_of(line)
    return board.king(board.turn) not in (chess.E1, chess.E8) and castles(line)


def knight_is_pinned(line: Line) -> bool:
    return pinned(board_of(line), chess.KNIGHT)


def has_knight(line: Line) -> bool:
    board = board_of(line)
    return bool(board.pieces(chess.KNIGHT, board.turn))


def rook_with_its_right_was_taken(line: Line) -> bool:
    """Tell whether the last move took away a right by capturing the rook."""
    if not line.moves:
        return False
    before, move = board_of(Line(line.base, line.moves[:-1])), line.moves[-1]
    theirs = before.castling_rights & before.occupied_co[not before.turn]
    return bool(theirs >> move.target & 1)


def under_promotes(line: Line) -> bool:
    return any(move.promotion == chess.KNIGHT for move in board_of(line).generate_legal_moves())


CROWD = "rn4k1/1p4pp/8/8/1Pp5/7P/B5P1/R5K1 b - b3 0 30"
GIUOCO = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
BOTH_CASTLE = "r3k2r/pppq1ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 6 8"
# The name of a fault, where it holds, a place that shows it, and the smallest known number of pieces and moves.
FAULTS: dict[str, tuple[Predicate, Line, int, int]] = {
    "en passant along a pin": (en_passant_along_a_pin, line_from(CROWD), 5, 0),
    "castling": (castles, line_from(BOTH_CASTLE), 3, 0),
    "castling after moves": (castles, line_from(GIUOCO, "f1b5", "a7a6", "b5a4", "g8f6"), 3, 0),
    "castling of Chess960": (
        castles_in_another_place,
        line_from("bnqnr1kr/1pp2pp1/p2b4/7P/4P3/8/PPPP3P/BNQNRBKR b HEhe - 0 10", "d8c6", "h2h3", chess960=True),
        3,
        0,
    ),
    "right taken with the rook": (
        rook_with_its_right_was_taken,
        line_from(BOTH_CASTLE, "g5f6", "a7a6", "f6g7", "a6a5", "g7h8"),
        4,  # with a king as the capturer three would do, but the reduction lets nobody take over
        1,
    ),
    "underpromotion": (under_promotes, line_from("rnb1k2r/pP3ppp/8/4p3/1b6/2N5/P1PP1PPP/R1BQKBNR w KQkq - 1 8"), 3, 0),
    "pinned knight": (
        knight_is_pinned,
        line_from("rnbqk2r/pppp1ppp/5n2/4p3/1bP5/2N3P1/PP1PPP1P/R1BQKBNR w KQkq - 0 4", "d2d3", "a7a6"),
        4,
        0,
    ),
}  # fmt: skip
each_fault = pytest.mark.parametrize("name", FAULTS)


def reduced(name: str) -> tuple[Fault, Fault, int, Planted]:
    """Return a fault, as it was and reduced, the depth, and the check that has seen it."""
    holds, line, _, _ = FAULTS[name]
    assert holds(line)
    check = Planted({name: holds})
    fault = fault_at(line, name)
    after, depth, comes_again = reduce(fault, 2, examiner_of(check))
    assert comes_again
    return fault, after, depth, check


@each_fault
def test_a_fault_comes_down_to_the_smallest_place(name: str) -> None:
    holds, _, pieces, moves = FAULTS[name]
    before, after, depth, _ = reduced(name)
    assert (after.place.pieces, len(after.place.moves)) == (pieces, moves), after.place
    assert holds(line_of(after.place))
    assert after.signature == before.signature
    assert depth == 1


@each_fault
def test_what_is_reduced_cannot_be_reduced_again(name: str) -> None:
    holds, _, _, _ = FAULTS[name]
    _, after, depth, check = reduced(name)
    line = line_of(after.place)
    assert reduce(after, 2, examiner_of(Planted({name: holds}))) == (after, depth, True)
    assert not [other for other in simpler(line) if holds(other) and cost(other) < cost(line)]
    assert check.asked < MOST_EXAMINATIONS / 4


def test_a_reduction_does_not_slip_into_another_fault() -> None:
    line = line_from("rnbqk2r/pppp1ppp/5n2/4p3/1b6/2N3P1/PPP1PP1P/R1BQKBNR w KQkq - 0 4")
    check = Planted({"any knight": has_knight, "pinned knight": knight_is_pinned})
    pieces = {}
    for rule in ("pinned knight", "any knight"):
        fault, _, _ = reduce(fault_at(line, rule), 2, examiner_of(check))
        assert fault.finding is not None
        assert [move.rule for move in fault.finding.wrong] == [rule]
        pieces[rule] = fault.place.pieces
    assert pieces == {"pinned knight": 4, "any knight": 3}


def test_a_fault_that_is_everywhere() -> None:
    check = Planted({"everywhere": lambda _: True})
    fault, depth, _ = reduce(fault_at(line_from(GIUOCO, "f1b5", "a7a6"), "everywhere"), 2, examiner_of(check))
    assert (str(fault.place), depth) == ("k7/8/8/8/8/8/8/K7 w - - 0 1", 1)
    assert check.asked < 100


def test_a_fault_that_does_not_come_again() -> None:
    fault = fault_at(line_from(GIUOCO, "f1b5"), "gone")
    check = Planted({"gone": lambda _: False})
    assert reduce(fault, 2, examiner_of(check)) == (fault, 2, False)
    assert check.asked == 2


def test_a_fault_that_shows_only_deeper() -> None:
    check = Planted({"deep": castles}, least_depth=3)
    fault, depth, _ = reduce(fault_at(line_from(BOTH_CASTLE), "deep"), 3, examiner_of(check))
    assert (fault.place.pieces, depth) == (3, 3)


def test_time_outs_are_few() -> None:
    """Each of them takes as long as the user lets engines think."""
    check = Planted({"no answer": lambda _: True}, Verdict.TIMEOUT)
    fault = fault_at(line_from(GIUOCO), "no answer", verdict=Verdict.TIMEOUT)
    after, depth, _ = reduce(fault, 2, examiner_of(check))
    assert check.asked <= MOST_TIMEOUTS + 1
    assert after.place.pieces < fault.place.pieces
    assert (after.signature, depth) == (fault.signature, 1)


class LookingDown:
    """Sees castling in the position, or else after one of its moves; the fault lies where it sees it."""

    names = ("planted",)

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        fresh = probe.line.afresh()
        for place in (fresh, *(fresh.after(move).afresh() for move in probe.position.legal_moves)):
            if castles(place):
                yield fault_at(place, "castling")
                return


def test_what_is_found_deeper_down_is_reduced_there() -> None:
    line = line_from(BOTH_CASTLE.replace("KQkq", "kq"))
    assert not castles(line)
    fault, _, _ = reduce(fault_at(line, "castling"), 2, examiner_of(LookingDown()))
    assert fault.place.pieces == 3
    assert castles(line_of(fault.place))


class Stopping:
    """A check whose user asks to stop after some examinations."""

    names = ("planted",)

    def __init__(self, caller: Caller, after: int) -> None:
        self._caller, self._left = caller, after

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        self._left -= 1
        if self._left < 0:
            self._caller.stop()
        self._caller.check()
        if castles(probe.line):
            yield fault_at(probe.line, "castling")


@pytest.mark.parametrize("after", [0, 1, 2, 5, 10])
def test_a_reduction_that_is_stopped_keeps_what_it_has(after: int) -> None:
    fault = fault_at(line_from(BOTH_CASTLE), "castling")
    caller = Caller()
    examiner = Examiner([Stopping(caller, after)], [], caller)
    found, _, comes_again = reduce(fault, 2, examiner)
    assert castles(line_of(found.place))
    assert comes_again, "nobody has looked and not seen it"
    assert examiner.caller.stopped
    if after < 2:
        assert found == fault
    elif after >= 10:
        assert found.place.pieces < 20


def test_stop_is_no_fault_of_an_engine() -> None:
    assert not issubclass(Interrupted, Exception)
