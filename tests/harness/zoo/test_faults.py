"""Each fault shows where and how it declares, but not in the first plies; its base classes are correct."""

from __future__ import annotations

from collections import Counter

import chess
import pytest
from helpers.demonstrations import LISTED, SERVED, board_of, game_of, legal, listed, played
from helpers.each import check_each
from perft_check.generator import Position, perft
from perft_check.harness.zoo.catalogue import ZOO, find_fault
from perft_check.harness.zoo.fault import PLAYED_MOVES, Fault, bugs
from perft_check.harness.zoo.faults.checks_and_pins import KingStepGenerator
from perft_check.harness.zoo.faults.counting import HashedGenerator
from perft_check.harness.zoo.faults.en_passant import EnPassantGenerator
from perft_check.harness.zoo.faults.rights import RightsGenerator, RookPresent
from perft_check.harness.zoo.generator import CastlingGenerator, Generator

pytestmark = pytest.mark.slow  # most tests start processes

POSITIONS = {
    "startpos": (chess.STARTING_FEN, False),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", False),
    "en passant pinned on a rank": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", False),
    "promotions": ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", False),
    "knight takes rook": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", False),
    "rooks and kings": ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", False),
    "en passant takes checker": ("3k4/8/8/2Pp4/2K5/8/8/8 w - d6 0 4", False),
    "en passant blocks a line": ("6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1", False),
    "discovered by double push": ("k6b/6pp/pp1P4/1R6/5pP1/8/K6P/7B b - g3 0 19", False),
    "double check": ("8/8/1n6/3K4/8/1q6/8/4k3 w - - 0 3", False),
    "king stays": ("bnqnr1kr/1pp2pp1/p2b4/7P/4P3/8/PPPP3P/BNQNRBKR b HEhe - 0 10", True),
    "king and rook swap": ("1rnn1krB/p2qpp1p/1pp5/6p1/8/1P6/P1PPPPKP/1R1NQ1RB b gb - 0 10", True),
    "rook shields king": ("Qr1k1brq/p1ppp2p/3n1pp1/8/n1P5/3P2P1/1P2PP1P/BRNKNBR1 b GBgb - 0 10", True),
}
BASES = (
    Generator,
    CastlingGenerator,
    KingStepGenerator,
    EnPassantGenerator,
    HashedGenerator,
    RightsGenerator,
    RookPresent,
)
UNDONE_WRONGLY = ("right-lost-by-undo", "rights-kept-for-four-plies")
COUNTED = {name: one for name, one in SERVED.items() if one.effect == "count"}


def name_of(one: Fault) -> str:
    return one.name


@pytest.mark.parametrize("base", BASES)
def test_the_base_classes_of_faults_are_correct(base: type[Generator]) -> None:
    def check(position: str) -> None:
        fen, chess960 = POSITIONS[position]
        right = base()
        board = right.line(fen, (), chess960)
        assert board.is_valid()
        for _ in played(right, board, chess.Board(fen, chess960=chess960), 1):
            assert listed(right, board) == legal(board)
        assert board == chess.Board(fen, chess960=chess960)
        assert right.perft(board, 2) == perft(Position.from_fen(fen, chess960), 2)

    check_each(check, POSITIONS)


def test_only_the_fault_makes_the_count_incorrect() -> None:
    def check(one: Fault) -> None:
        faulty, right, depth = one.seeded(), Generator(), one.demonstration.depth
        true = board_of(one, right)
        assert true.is_valid() or one.name == "ep-victim-no-shield"  # to which no game can lead
        count = perft(game_of(one).position, depth)
        assert right.perft(true, depth) == count
        board = board_of(one, faulty)
        before = board.copy()
        assert sum(number for _, number in faulty.divide(board, depth)) != count
        assert (board == before) is (one.name not in UNDONE_WRONGLY)

    check_each(check, [*LISTED.values(), *COUNTED.values()], name_of)


def test_a_fault_of_undoing_affects_the_moves_after_it() -> None:
    one = ZOO["right-lost-by-undo"]
    faulty, right, depth = one.seeded(), Generator(), one.demonstration.depth
    counts, true = (dict(each.divide(board_of(one, each), depth)) for each in (faulty, right))
    assert counts["e1g1"] == true["e1g1"]
    assert counts["a2a3"] < true["a2a3"]
    assert faulty.perft(faulty.line(one.demonstration.fen, ["a2a3"], False), depth - 1) == true["a2a3"]


def test_the_first_plies_are_correct() -> None:
    def check(one: Fault) -> None:
        plies = 0 if one.effect == "state" else min(1, one.demonstration.depth - 2)
        faulty, true = one.seeded(), board_of(one, Generator())
        if one.demonstration.depth < 3:
            return  # no game leads there, or the fault is in reading what it is given
        board = board_of(one, faulty)
        for _ in played(faulty, board, true, plies):
            assert listed(faulty, board) == legal(true)

    check_each(check, LISTED.values(), name_of)


@pytest.mark.slow
def test_wrong_lists_match_the_declared_effect() -> None:
    def check(one: Fault) -> None:
        differences = list(wrong_lists(one))
        assert differences
        for generated, right in differences:
            extra, missing = generated.keys() - right.keys(), right.keys() - generated.keys()
            twice = max(generated.values()) > 1
            if one.effect == "missing":
                assert (bool(missing), bool(extra), twice) == (True, False, False)
            elif one.effect == "extra":
                assert (bool(extra), twice) == (True, False)
                assert not missing or "promotion-piece-missing" in one.rules
            elif one.effect == "duplicate":
                assert (twice, bool(extra)) == (True, False)

    check_each(check, LISTED.values(), name_of)


def wrong_lists(one: Fault) -> list[tuple[Counter[str], Counter[str]]]:
    """Return the generated and the legal moves of each position in which they differ."""
    faulty = one.seeded()
    board, true = board_of(one, faulty), board_of(one, Generator())
    found = []
    for _ in played(faulty, board, true, one.demonstration.depth - 1):
        pair = listed(faulty, board), legal(true)
        if pair[0] != pair[1]:
            found.append(pair)
    return found


STATE_FAULTS = {name: one for name, one in LISTED.items() if one.effect == "state" and not one.demonstration.moves}


def test_a_fault_of_state_plays_incorrectly_and_lists_correctly() -> None:
    """The lists are incorrect only after moves; from the FEN of the correct position they are correct."""

    def check(one: Fault) -> None:
        faulty, true, wrong = one.seeded(), board_of(one, Generator()), 0
        board = board_of(one, faulty)
        for _ in played(faulty, board, true, one.demonstration.depth - 1):
            wrong += board.fen() != true.fen()
            assert listed(faulty, true.copy(stack=False)) == legal(true)
        assert wrong

    check_each(check, STATE_FAULTS.values(), name_of)


def test_the_zoo_covers_the_catalogue() -> None:
    families = {bug.family for bug in bugs().values()}
    assert len(families & {one.family for one in ZOO.values() if not one.is_control}) >= 80
    classes = {bug.fault_class for bug in bugs().values()} | {"control", "setup", PLAYED_MOVES}
    for one in ZOO.values():
        assert one.fault_class in classes
        assert len({bug.family for bug in one.bugs}) <= 1, "a fault stands for one root cause"
        assert one.sources or not one.ids
        assert one.scope in ("std", "960", "fen", "hash", "perft")


def test_a_misspelled_name_gets_a_hint() -> None:
    with pytest.raises(Exception, match=r"did you mean 'ep-pinned-along'\?"):
        find_fault("ep-pined-along")
