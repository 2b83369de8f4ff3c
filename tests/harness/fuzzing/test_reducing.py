"""Reduction: planted discrepancies are reduced to the smallest known position, and keep their signature."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import pytest
from helpers.games import board_of, game_from
from helpers.planted import Planted, Predicate, discrepancy_at, examiner_of
from perft_check.generator.game import Game
from perft_check.generator.reachability.classification import Reachability, reachability_of
from perft_check.harness.engines.asking.confirming import REPEATS
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.fuzzing.candidates import candidates_for, cost, is_sound
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.examining import Examiner
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.reducing import MOST_EXAMINATIONS, MOST_TIMEOUTS, reduce
from perft_check.harness.model.results.verdict import Verdict


def pinned(board: chess.Board, kind: chess.PieceType) -> bool:
    """Return True if a piece of this kind is pinned to the king of the side to move."""
    return any(board.is_pinned(board.turn, square) for square in board.pieces(kind, board.turn))


def en_passant_along_a_pin(game: Game) -> bool:
    board = board_of(game)
    return any(board.is_pinned(board.turn, move.from_square) for move in board.generate_legal_ep())


def castles(game: Game) -> bool:
    return any(True for _ in board_of(game).generate_castling_moves())


def castles_in_another_place(game: Game) -> bool:
    board = board_of(game)
    return board.king(board.turn) not in (chess.E1, chess.E8) and castles(game)


def knight_is_pinned(game: Game) -> bool:
    return pinned(board_of(game), chess.KNIGHT)


def has_knight(game: Game) -> bool:
    board = board_of(game)
    return bool(board.pieces(chess.KNIGHT, board.turn))


def rook_with_its_right_was_taken(game: Game) -> bool:
    """Return True if the last move took away a right by capturing the rook."""
    if not game.moves:
        return False
    before, move = board_of(Game(game.base, game.moves[:-1])), game.moves[-1]
    theirs = before.castling_rights & before.occupied_co[not before.turn]
    return bool(theirs >> move.target & 1)


def under_promotes(game: Game) -> bool:
    return any(move.promotion == chess.KNIGHT for move in board_of(game).generate_legal_moves())


CROWD = "rn4k1/1p4pp/8/8/1Pp5/7P/B5P1/R5K1 b - b3 0 30"
GIUOCO = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
BOTH_CASTLE = "r3k2r/pppq1ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 6 8"
SHUFFLE = "c3b1", "f6g8", "b1c3", "g8f6"
# The name of a planted fault, its predicate, a game that shows it, and the least known number of pieces and moves.
FAULTS: dict[str, tuple[Predicate, Game, int, int]] = {
    "en passant along a pin": (en_passant_along_a_pin, game_from(CROWD), 5, 0),
    "castling": (castles, game_from(BOTH_CASTLE), 3, 0),
    "castling after moves": (castles, game_from(GIUOCO, "f1b5", "a7a6", "b5a4", "g8f6"), 3, 0),
    "castling of Chess960": (
        castles_in_another_place,
        game_from("bnqnr1kr/1pp2pp1/p2b4/7P/4P3/8/PPPP3P/BNQNRBKR b HEhe - 0 10", "d8c6", "h2h3", chess960=True),
        3,
        0,
    ),
    "right taken with the rook": (
        rook_with_its_right_was_taken,
        game_from(BOTH_CASTLE, "g5f6", "a7a6", "f6g7", "a6a5", "g7h8"),
        5,  # without the pawn Black has no last move; with a king as the capturer three pieces suffice
        1,
    ),
    "castling after a game": (castles, game_from(BOTH_CASTLE, *SHUFFLE * 53, "c3b1"), 3, 0),
    "underpromotion": (under_promotes, game_from("rnb1k2r/pP3ppp/8/4p3/1b6/2N5/P1PP1PPP/R1BQKBNR w KQkq - 1 8"), 3, 0),
    "pinned knight": (
        knight_is_pinned,
        game_from("rnbqk2r/pppp1ppp/5n2/4p3/1bP5/2N3P1/PP1PPP1P/R1BQKBNR w KQkq - 0 4", "d2d3", "a7a6"),
        4,
        0,
    ),
}  # fmt: skip
each_fault = pytest.mark.parametrize("name", FAULTS)


def reduced(name: str) -> tuple[Discrepancy, Discrepancy, int, Planted]:
    """Return a discrepancy before and after its reduction, the depth, and the check that finds it."""
    holds, line, _, _ = FAULTS[name]
    assert holds(line)
    check = Planted({name: holds})
    discrepancy = discrepancy_at(line, name)
    after, depth, reproducible = reduce(discrepancy, 2, examiner_of(check))
    assert reproducible
    return discrepancy, after, depth, check


@each_fault
def test_a_discrepancy_is_reduced_to_the_smallest_known_game(name: str) -> None:
    holds, _, pieces, moves = FAULTS[name]
    before, after, depth, _ = reduced(name)
    assert (after.pieces, len(after.game.moves)) == (pieces, moves), after.game
    assert holds(after.game)
    assert after.signature == before.signature
    assert depth == 1


@each_fault
def test_a_reduced_discrepancy_cannot_be_reduced_again(name: str) -> None:
    holds, _, _, _ = FAULTS[name]
    _, after, depth, check = reduced(name)
    line = after.game
    assert reduce(after, 2, examiner_of(Planted({name: holds}))) == (after, depth, True)
    sound = [other for other in candidates_for(line) if is_sound(other, like=line)]
    assert not [other for other in sound if holds(other) and cost(other) < cost(line)]
    assert check.asked < MOST_EXAMINATIONS / 4


NO_GAME = ("4k2r/8/N7/8/8/8/8/K7 w k - 0 1", "r3k3/8/N6P/8/8/8/8/K7 w q - 0 1", "r3k2r/8/N7/6B1/8/8/8/K7 w kq - 0 1")
"""Black cannot have made the last move, because it may castle."""


@pytest.mark.parametrize("fen", NO_GAME)
def test_an_unreachable_position_is_reduced_to_one_that_looks_reachable(fen: str) -> None:
    game = game_from(fen)
    assert reachability_of(game.base) is Reachability.VALID
    after, _, _ = reduce(discrepancy_at(game, "any knight"), 1, examiner_of(Planted({"any knight": has_knight})))
    assert (after.pieces, reachability_of(after.game.base)) == (3, Reachability.REACHABLE)


def test_a_reduction_keeps_the_signature() -> None:
    line = game_from("rnbqk2r/pppp1ppp/5n2/4p3/1b6/2N3P1/PPP1PP1P/R1BQKBNR w KQkq - 0 4")
    check = Planted({"any knight": has_knight, "pinned knight": knight_is_pinned})
    pieces = {}
    for rule in ("pinned knight", "any knight"):
        discrepancy, _, _ = reduce(discrepancy_at(line, rule), 2, examiner_of(check))
        assert discrepancy.finding is not None
        assert [move.rule for move in discrepancy.finding.wrong] == [rule]
        pieces[rule] = discrepancy.pieces
    assert pieces == {"pinned knight": 4, "any knight": 3}


def test_a_discrepancy_of_all_positions_is_reduced_to_two_kings() -> None:
    check = Planted({"everywhere": lambda _: True})
    large = discrepancy_at(game_from(GIUOCO, "f1b5", "a7a6"), "everywhere")
    discrepancy, depth, _ = reduce(large, 2, examiner_of(check))
    assert (str(discrepancy.game), depth) == ("k7/8/8/8/8/8/8/K7 w - - 0 1", 1)
    assert check.asked < 100


def test_a_discrepancy_that_is_not_reproducible_is_returned_unchanged() -> None:
    discrepancy = discrepancy_at(game_from(GIUOCO, "f1b5"), "gone")
    check = Planted({"gone": lambda _: False})
    assert reduce(discrepancy, 2, examiner_of(check)) == (discrepancy, 2, False)
    assert check.asked == 3 + REPEATS  # at both depths, in a new process, and again in that


def test_a_discrepancy_that_shows_only_deeper_is_reduced_at_that_depth() -> None:
    check = Planted({"deep": castles}, least_depth=3)
    discrepancy, depth, _ = reduce(discrepancy_at(game_from(BOTH_CASTLE), "deep"), 3, examiner_of(check))
    assert (discrepancy.pieces, depth) == (3, 3)


def test_a_reduction_ends_after_a_few_timeouts() -> None:
    """Each timeout takes as long as the user allows."""
    check = Planted({"no answer": lambda _: True}, Verdict.TIMEOUT)
    discrepancy = discrepancy_at(game_from(GIUOCO), "no answer", verdict=Verdict.TIMEOUT)
    after, depth, _ = reduce(discrepancy, 2, examiner_of(check))
    assert check.asked <= MOST_TIMEOUTS + 1
    assert after.pieces < discrepancy.pieces
    assert (after.signature, depth) == (discrepancy.signature, 1)


class LookingDown:
    """Finds castling in the position or after one of its moves, and reports it there."""

    name = "planted"

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        fresh = probe.game.without_moves()
        for place in (fresh, *(fresh.after(move).without_moves() for move in probe.position.legal_moves)):
            if castles(place):
                yield discrepancy_at(place, "castling")
                return


def test_a_discrepancy_in_a_deeper_position_is_reduced_there() -> None:
    line = game_from(BOTH_CASTLE.replace("KQkq", "kq"))
    assert not castles(line)
    discrepancy, _, _ = reduce(discrepancy_at(line, "castling"), 2, examiner_of(LookingDown()))
    assert discrepancy.pieces == 3
    assert castles(discrepancy.game)


class Stopping:
    """A check that is stopped after some examinations."""

    name = "planted"

    def __init__(self, caller: CallRunner, after: int) -> None:
        self._caller, self._left = caller, after

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        self._left -= 1
        if self._left < 0:
            self._caller.stop()
        self._caller.check()
        if castles(probe.game):
            yield discrepancy_at(probe.game, "castling")


@pytest.mark.parametrize("after", [0, 1, 2, 5, 10])
def test_a_stopped_reduction_keeps_its_progress(after: int) -> None:
    discrepancy = discrepancy_at(game_from(BOTH_CASTLE), "castling")
    caller = CallRunner()
    examiner = Examiner([Stopping(caller, after)], [], caller)
    found, _, reproducible = reduce(discrepancy, 2, examiner)
    assert castles(found.game)
    assert reproducible, "no examination failed to show it"
    assert examiner.caller.stopped
    if after < 2:
        assert found == discrepancy
    elif after >= 10:
        assert found.pieces < 20
