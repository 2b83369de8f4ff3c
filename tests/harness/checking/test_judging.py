"""Which side is incorrect (suite, engine or reference), and whether an engine agrees with itself."""

from __future__ import annotations

import pytest
from helpers.asking import Answering, asking
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.checking.comparing import first_wrong_count, judge
from perft_check.harness.checking.consistency import contradictions
from perft_check.harness.checking.dividing import vote
from perft_check.harness.engines.base import Divide, EngineCrash, EngineError, EngineTimeout
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.model.results.positions import ReferenceVote
from perft_check.harness.model.results.verdict import Verdict

DIVIDES = {
    "a": Divide.of([("e2e4", 20)]),
    "b": Divide.of([("e2e4", 20)]),
    "c": Divide.of([("e2e4", 21)]),
    "d": Divide.of([("e2e4", 20), ("e2e4", 20)]),
}


@pytest.mark.parametrize(
    ("got", "references", "verdict", "message"),
    [
        (10, [], Verdict.AGREE, ""),
        (10, [("r", 10), ("s", 10)], Verdict.AGREE, ""),
        (12, [], Verdict.MISMATCH, "+2 nodes"),
        (9, [("r", 10)], Verdict.MISMATCH, "-1 nodes"),
        (12, [("r", 12)], Verdict.MISMATCH, "x and r agree: the count in the suite looks wrong"),
        (12, [("r", 12), ("s", 12)], Verdict.MISMATCH, "x, r and s agree: the count in the suite looks wrong"),
        (12, [("r", 10), ("s", 11)], Verdict.MISMATCH, "+2 nodes; s alone says 11"),
        (10, [("r", 10), ("s", 11)], Verdict.SPLIT, "x agrees with the suite, s alone says 11"),
        (
            12,
            [("r", 10), ("s", 12)],
            Verdict.SPLIT,
            "the references are split: r with the suite for 10, s with x for 12",
        ),
    ],
)
def test_verdicts(got: int, references: list[tuple[str, int]], verdict: Verdict, message: str) -> None:
    assert judge("x", got, 10, references) == (verdict, message)


@pytest.mark.parametrize(
    ("engines", "dissenters", "has_majority"),
    [
        ("ab", "", True),
        ("abc", "c", True),
        ("cab", "c", True),
        ("ac", "ac", False),
        ("acd", "acd", False),
        ("abd", "d", True),  # lists a move twice
    ],
)
def test_votes(engines: str, dissenters: str, has_majority: bool) -> None:
    divides = [DIVIDES[name] for name in engines]
    assert vote(list(engines), divides) == ReferenceVote(tuple(dissenters), has_majority)


def test_a_repeated_move_counts_twice() -> None:
    assert (DIVIDES["d"].repeated, DIVIDES["d"].total) == ({"e2e4": 1}, 40)


ENGINE = PythonChessEngine()
ROOKS = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")


def divide(game: Game, depth: int) -> Divide:
    return ENGINE.divide(game, depth, EngineCall())


def perft(game: Game, depth: int) -> int:
    return ENGINE.perft(game, depth, EngineCall())


def test_a_correct_engine_agrees_with_itself() -> None:
    assert contradictions(Game(ROOKS), 3, asking(ENGINE)) == []


WITHIN = (
    "the counts within the divide differ from the counts of the positions themselves: "
    "check how moves are made and unmade, and the keys of a hash table"
)
PLAYED = "the position after the move differs from its FEN: the move is played incorrectly, or the FEN is misread"
THREE = "the divide, the played move and the FEN lead to three different positions"


@pytest.mark.parametrize(
    ("in_divide", "from_fen", "sentence"), [(1, 0, WITHIN), (0, 2, PLAYED), (1, 2, THREE)], ids=["divide", "fen", "all"]
)
def test_contradictions(in_divide: int, from_fen: int, sentence: str) -> None:
    castled = "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"

    def odd_divide(game: Game, depth: int) -> Divide:
        counts = divide(game, depth).counts
        return Divide.of((move, count + in_divide * (move == "e1h1")) for move, count in counts.items())

    def odd_perft(game: Game, depth: int) -> int:
        return perft(game, depth) + from_fen * (not game.moves and game.base.fen() == castled)

    (found,) = contradictions(Game(ROOKS), 2, asking(Answering(odd_divide, odd_perft)))
    assert (found.uci, found.san, found.fen, found.sentence) == ("e1g1", "O-O", castled, sentence)
    assert (found.divided, found.played, found.from_fen) == (3 + in_divide, 3, 3 + from_fen)


class Limited(PythonChessEngine):
    """Records the time limit of each answer."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float | None] = []

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        self.seconds.append(call.seconds)
        return super().perft(game, depth, call)


@pytest.mark.parametrize(
    ("failure", "seconds"), [(EngineTimeout("it hangs"), 2.0), (EngineCrash("it dies"), 10.0)], ids=["hangs", "dies"]
)
def test_an_engine_that_hung_has_two_seconds_at_each_lower_depth(failure: EngineError, seconds: float) -> None:
    """The engine is only asked for the cause; it is known to hang."""
    engine = Limited()
    assert first_wrong_count(Game(ROOKS), range(1, 4), asking(engine, 10.0), failure) is None
    assert engine.seconds == [seconds] * 3
